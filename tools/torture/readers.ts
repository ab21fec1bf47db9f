import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { converse, get, token } from './converse.ts'
import type { Plan } from './report.ts'
import { descriptorsOf, memoryOf, startServer, wrongLines, type Running } from '../process.ts'
import { createAnswerReader } from './wire.ts'

const paths = [
  '/api/v1/bikes/', '/api/v2/bikes/', '/media/full/bikes/trek-emonda-slr-7-2023.avif', '/docs/', '/openapi.json',
  '/media/full/bikes/canyon-aeroad-cf-slx-8-di2-2023.png'
]

/** The memory that stalled readers may use, in MB: the buffers of all connections, and as much again for bodies under way. */
const mostMemory = 2 * 256

/** Responses larger than the buffers of a connection; they precede later ones. */
const requestsEach = 10

/** From this number of requests on the run includes the minute after which stalled clients are disconnected. */
const patientFrom = 100_000
const timeout = 85_000

/** Connects clients that stall, read slowly or send slowly, and checks memory, descriptors and responses to others. */
export async function readers ({ requests: count, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit', 'off'])
  const number = Math.min(500, Math.max(50, Math.ceil(count / 100)))
  await Promise.all(paths.map(path => converse(server.port, [get(path)])))
  const [descriptors, memory] = [descriptorsOf(server.pid), memoryOf(server.pid).resident]

  const textOf = (index: number) => get(paths[index % paths.length] as string).text.repeat(requestsEach)
  const silent = Array.from({ length: number }, (_, index) => idle(server, textOf(index)))
  const begun = Array.from({ length: Math.ceil(number / 10) }, () => idle(server, 'GET /api/v1/brakes/ HTTP/1.1\r\nHost: bi'))
  const slow = Array.from({ length: 5 }, () => dribble(server, report))
  report.tried(`clients that read nothing of ${requestsEach} answers`, silent.length)
  report.tried('clients that do not finish their request', begun.length)
  report.tried('clients that read a few bytes at a time', slow.length)
  let most = 0
  for (let look = 0; look < 40; look++) {
    await sleep(100)
    most = Math.max(most, memoryOf(server.pid).resident)
  }
  report.figure(`memory ${memory.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`)
  if (most > memory + mostMemory) {
    report.broke('memory grows with clients that do not read', `--only readers --requests ${count}: ${most.toFixed(0)} MB`)
  }
  const { error } = await converse(server.port, [get('/api/v1/brakes/')])
  if (error !== undefined) report.broke(`nobody else is answered: ${error}`, '--only readers')
  await Promise.all(slow)

  if (count >= patientFrom) {
    await sleep(timeout)
    report.tried('minutes waited for')
    const open = descriptorsOf(server.pid) - descriptors
    if (open > 0) {
      report.broke('clients that take nothing are not closed after a minute', `${open} of ${silent.length + begun.length} are open`)
    }
  }
  for (const socket of [...silent, ...begun]) socket.destroy()
  await sleep(2000)
  const rest = descriptorsOf(server.pid)
  if (rest > descriptors) report.broke('descriptors stay open', `${rest - descriptors} more than before`)
  for (const line of wrongLines(server.log)) report.broke('the server logged an error of its own', line.slice(0, 300))
  await server.stop()
}

/** A client that sends something and then neither reads nor sends. */
function idle ({ port }: Running, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {}).pause()
  socket.write(text)
  return socket
}

/** Reads a response a few kilobytes at a time; it must arrive in full. */
async function dribble ({ port }: Running, report: Plan['report']): Promise<void> {
  const reader = createAnswerReader()
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.write(get('/api/v2/bikes/').text)
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    reader.push(bytes)
    if (reader.take('GET') !== undefined) return
    await sleep(20)
  }
  report.broke('a slow reader is cut off', '--only readers')
}
