import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDirectory } from '../../src/package.ts'
import { type Random, between, pick, createRandom } from '../../src/base/random.ts'
import type { Plan } from './report.ts'
import { get, token } from './converse.ts'
import { descriptorsOf, memoryOf, startServer, type Running } from '../process.ts'

const images = readdirSync(`${dataDirectory}/media/full/bikes`).map(file => `/media/full/bikes/${file}`)
const targets = ['/api/v1/bikes/', '/api/v2/bikes/', '/api/v1/brakes/?format=api', '/docs/', '/openapi.json', '/nope', '/readyz']

const requestsEach = 100

/** The timeout for a server to close disconnected connections, in milliseconds. */
const grace = 10_000

/** The memory that disconnected clients may leak, in MB. */
const mostMemory = 200

/** Sends many requests on connections that are reset at a random moment, and measures the leaks. */
export async function leaving ({ requests: count, seed, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit', 'off'])
  for (let index = 0; index < 20; index++) await leave(server, createRandom(index))
  await settled(server, 0)
  const [descriptors, memory] = [descriptorsOf(server.pid), memoryOf(server.pid).resident]
  const connections = Math.ceil(count / requestsEach)
  const random = createRandom(seed)
  for (let left = connections; left > 0; left -= 10) {
    await Promise.all(Array.from({ length: Math.min(left, 10) }, () => leave(server, random)))
  }
  report.tried(`connections reset, each with ${requestsEach} requests on it`, connections)
  const rest = await settled(server, descriptors)
  report.figure(`descriptors ${descriptors} before, ${rest} after; ${server.logged()} bytes of log`)
  report.figure(`memory ${memory.toFixed(0)} MB before, ${memoryOf(server.pid).resident.toFixed(0)} MB after`)
  const again = `--only leaving --requests ${count} --seed ${seed}`
  if (rest > descriptors) report.broke('descriptors stay open', `${again}: ${rest - descriptors} more than before`)
  if (memoryOf(server.pid).resident > memory + mostMemory) report.broke('memory stays', again)
  if (server.logged() > 0) report.broke('clients that leave are logged', `${again}: ${server.log[0]?.slice(0, 300)}`)
  await server.stop()
}

async function leave ({ port }: Running, random: Random): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const paths = random() < 0.6 ? images : targets
  const text = Array.from({ length: requestsEach }, () => get(pick(random, paths)).text).join('')
  const cut = random() < 0.5 ? text.length : between(random, 1, text.length)
  socket.write(text.slice(0, cut))
  const moment = random()
  if (moment < 0.4) await Promise.race([once(socket, 'data'), once(socket, 'close')])
  else if (moment < 0.8) await sleep(between(random, 0, 50))
  if (random() < 0.7) socket.resetAndDestroy()
  else socket.destroy()
  if (!socket.closed) await once(socket, 'close')
}

/** Waits until a server has few enough descriptors, or for the timeout; returns their number. */
async function settled ({ pid }: Running, descriptors: number): Promise<number> {
  const end = performance.now() + (descriptors === 0 ? 500 : grace)
  while (performance.now() < end && descriptorsOf(pid) > descriptors) await sleep(50)
  return descriptorsOf(pid)
}
