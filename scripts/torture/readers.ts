import { connect, type Socket } from 'node:net'
import { setTimeout as passed } from 'node:timers/promises'
import { converse } from './converse.ts'
import type { Plan } from './plan.ts'
import { token } from './requests.ts'
import { descriptorsOf, residentOf, startServer, wrongLines, type Server } from './server.ts'
import { createAnswerReader } from './wire.ts'

const paths = [
  '/api/v1/bikes/', '/api/v2/bikes/', '/media/full/bikes/trek-emonda-slr-7-2023.avif', '/docs/', '/openapi.json',
  '/media/full/bikes/canyon-aeroad-cf-slx-8-di2-2023.png'
]
const lineOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: bikes.test\r\nAuthorization: Token ${token}\r\n\r\n`

/** How much memory readers that take nothing may hold, in MB: what waits for all connections, and as much again for what is being made. */
const mostMemory = 2 * 256

/** More than the buffers of a connection hold; they are answered before others that come later. */
const requestsEach = 10

/** From so many requests on the run also waits for the minute after which a client that takes nothing is closed. */
const patientFrom = 100_000
const patience = 75_000

/** Connects clients that take nothing, take little or send slowly, and looks at memory, descriptors and the others' answers. */
export async function readers ({ requests: count, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit', 'off'])
  const number = Math.min(500, Math.max(50, Math.ceil(count / 100)))
  await Promise.all(paths.map(path => converse(server.port, [{ method: 'GET', target: path, text: lineOf(path), closes: false }])))
  const [descriptors, memory] = [descriptorsOf(server.pid), residentOf(server.pid)]

  const silent = Array.from(
    { length: number },
    (_, index) => idle(server, lineOf(paths[index % paths.length] as string).repeat(requestsEach))
  )
  const begun = Array.from({ length: Math.ceil(number / 10) }, () => idle(server, 'GET /api/v1/brakes/ HTTP/1.1\r\nHost: bi'))
  const slow = Array.from({ length: 5 }, () => dribble(server, report))
  report.tried(`clients that read nothing of ${requestsEach} answers`, silent.length)
  report.tried('clients that do not finish their request', begun.length)
  report.tried('clients that read a few bytes at a time', slow.length)
  let most = 0
  for (let look = 0; look < 40; look++) {
    await passed(100)
    most = Math.max(most, residentOf(server.pid))
  }
  report.figure(`memory ${memory.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`)
  if (most > memory + mostMemory) {
    report.broke('memory grows with clients that do not read', `--only readers --requests ${count}: ${most.toFixed(0)} MB`)
  }
  const { fault } = await converse(server.port, [{ method: 'GET', target: '/', text: lineOf('/api/v1/brakes/'), closes: false }])
  if (fault !== undefined) report.broke(`nobody else is answered: ${fault}`, '--only readers')
  await Promise.all(slow)

  if (count >= patientFrom) {
    await passed(patience)
    report.tried('minutes waited for')
    const open = descriptorsOf(server.pid) - descriptors
    if (open > 0) {
      report.broke('clients that take nothing are not closed after a minute', `${open} of ${silent.length + begun.length} are open`)
    }
  }
  for (const socket of [...silent, ...begun]) socket.destroy()
  await passed(2000)
  const rest = descriptorsOf(server.pid)
  if (rest > descriptors) report.broke('descriptors stay open', `${rest - descriptors} more than before`)
  for (const line of wrongLines(server.log)) report.broke('the server logged a fault of its own', line.slice(0, 300))
  await server.stop()
}

/** A client that sends something and then neither reads nor sends. */
function idle ({ port }: Server, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {}).pause()
  socket.write(text)
  return socket
}

/** A client that takes an answer a few kilobytes at a time must get all of it. */
async function dribble ({ port }: Server, report: Plan['report']): Promise<void> {
  const reader = createAnswerReader()
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.write(lineOf('/api/v2/bikes/'))
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    reader.push(bytes)
    if (reader.take('GET') !== undefined) return
    await passed(20)
  }
  report.broke('a slow reader is cut off', '--only readers')
}
