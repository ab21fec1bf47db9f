import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, between, pick, createRandom } from '../../src/base/random.ts'
import type { Plan } from './report.ts'
import { startServer, wrongLines } from '../process.ts'
import { createAnswerReader } from './wire.ts'

const connections = 50
const paths = [
  '/api/v1/brakes/', '/api/v1/brakes/', '/api/v1/bikes/', '/api/v1/bikes/?page=2',
  '/media/bikes/trek-emonda-slr-7-2023.jpg', '/nope/'
]

/** The time limit of a drain, in milliseconds, after which the server closes connections. */
const longest = 8_000

/** Stops a server while clients send requests as fast as it responds, and counts lost responses. */
export async function drains ({ requests: count, seed, report }: Plan): Promise<void> {
  const rounds = Math.min(20, Math.max(2, Math.ceil(count / 500)))
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const { answered, failures, code, milliseconds, log } = await drain(createRandom(seed + round))
    report.tried('drains under load')
    report.tried(`requests on ${connections} kept connections`, answered)
    slowest = Math.max(slowest, milliseconds)
    const again = `--only drains --seed ${seed + round}`
    for (const failure of failures) report.broke(`a request is lost: ${failure}`, again)
    if (code !== 0) report.broke(`a drain ends with ${code}`, `${again}: ${log.join(' ').slice(0, 300)}`)
    for (const line of wrongLines(log)) report.broke('a drain logs an error', line.slice(0, 300))
  }
  report.figure(`from the signal to the end ${(slowest / 1000).toFixed(1)} s at most`)
}

async function drain (random: Random) {
  const server = await startServer(['--rate-limit', 'off'])
  const state = { isEnding: false, answered: 0, failures: [] as string[] }
  const clients = Array.from({ length: connections }, (_, index) => {
    const ownRandom = createRandom(between(random, 0, 2 ** 31) + index)
    return client(server.port, ownRandom, state)
  })
  await sleep(between(random, 50, 500))
  const signalled = performance.now()
  server.signal(pick(random, ['SIGTERM', 'SIGINT'] as const))
  setTimeout(() => { state.isEnding = true }, longest).unref()
  const code = await Promise.race([server.exited, sleep(longest + 5_000, 'nothing at all', { ref: false })])
  const milliseconds = performance.now() - signalled
  state.isEnding = true
  await server.stop()
  await Promise.all(clients)
  return { ...state, code, milliseconds, log: server.log }
}

/** Node resets connections that it has not accepted when it stops listening; proxies retry with another server. */
const unaccepted = 'ECONNRESET on a new connection'

type State = { isEnding: boolean, answered: number, failures: string[] }

/** Sends requests on one connection, and on a new one after an announced close, until the server stops listening. */
async function client (port: number, random: Random, state: State): Promise<void> {
  while (!state.isEnding) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {})
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)
    ]).catch(() => false)
    if (!isOpen) return // the server has stopped listening
    const failure = await ask(socket, random, state)
    socket.destroy()
    if (failure === unaccepted) return
    if (failure !== undefined && !state.isEnding) { state.failures.push(failure); return }
  }
}

/** Sends requests until a response announces the close; returns the reason for a lost one. */
async function ask (socket: Socket, random: Random, state: State): Promise<string | undefined> {
  const reader = createAnswerReader()
  const send = () => socket.write(`GET ${pick(random, paths)} HTTP/1.1\r\nHost: bikes.test\r\n\r\n`)
  let place = 'on a new connection'
  let how = 'the end'
  send()
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      reader.push(bytes)
      const answer = reader.take('GET')
      if (answer === undefined) continue
      if (answer.status !== 200 && answer.status !== 404) return `status ${answer.status}`
      state.answered++
      if (state.isEnding || answer.headers.get('connection') === 'close') return undefined
      place = 'on a kept connection'
      send()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    how = code ?? message
  }
  return `${how} ${reader.left() > 0 ? 'in the middle of an answer' : place}`
}
