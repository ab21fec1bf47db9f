import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDirectory } from '../../src/package.ts'
import { writeCatalogue } from '../../src/generate/command.ts'
import { converse, type Sent } from './converse.ts'
import type { Plan } from './plan.ts'
import { token } from './requests.ts'
import { mainThreadCpu, descriptorsOf, memoryOf, startServer, wrongLines, type Running } from '../process.ts'

const clients = 20

/** The limit of the server's CPU time while a request of a small list waits, in milliseconds: four turns of 25. */
const longestWait = 100

const request = (path: string, host: string): Sent => ({
  method: 'GET',
  target: path,
  text: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token ${token}\r\n\r\n`,
  closes: false
})

/**
 * Serves whole lists of a generated catalogue to clients that read, stall, and disconnect halfway, with other requests at the same time.
 */
export async function large ({ bikes, seed, report }: Plan): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'torture-large-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await writeCatalogue(dataDirectory, directory, { bikes, seed })
  const server = await startServer(['--data', directory, '--tokens', token, '--rate-limit', 'off'])
  const [descriptors, memory] = [descriptorsOf(server.pid), memoryOf(server.pid).resident]
  report.figure(`${bikes.toLocaleString('en-GB')} bikes, ${memory.toFixed(0)} MB when loaded`)
  const watch = watchOthers(server)

  for (const path of ['/api/v1/bikes/', '/api/v2/bikes/', '/api/v2/bikes/?ordering=-price,title']) {
    const { answers: [answer], error } = await converse(server.port, [request(path, 'bikes.test')])
    report.tried('whole lists')
    const records = answer?.status === 200 ? countBikes(answer.body) : `${answer?.status} ${error}`
    if (records !== bikes) report.broke(`${path} has ${records} records of ${bikes}`, `--only large --bikes ${bikes} --seed ${seed}`)
  }

  const sockets = Array.from({ length: clients }, (_, index) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    socket.pause()
    socket.write(request(index % 2 === 0 ? '/api/v1/bikes/' : '/api/v2/bikes/', `h${index}.test`).text)
    return socket
  })
  report.tried('clients, each with a host of its own, that do not read', clients)
  let most = 0
  for (let look = 0; look < 30; look++) {
    await sleep(100)
    most = Math.max(most, memoryOf(server.pid).resident)
  }
  for (const socket of sockets) socket.resetAndDestroy()
  report.figure(`${most.toFixed(0)} MB at most with ${clients} clients that do not read`)
  report.figure(`others waited ${watch.longest().toFixed(0)} ms of CPU at most`)
  if (most > 2 * memory && most > memory + 300) {
    report.broke(
      'memory is more than twice that of the loaded catalogue',
      `${memory.toFixed(0)} MB before, ${most.toFixed(0)} MB with ${clients} clients`
    )
  }
  if (watch.longest() > longestWait) {
    report.broke(`others wait for ${watch.longest().toFixed(0)} ms of CPU`, `--only large --bikes ${bikes}`)
  }

  await watch.stop()
  await sleep(1000)
  const idle = mainThreadCpu(server.pid)
  await sleep(1000)
  if (mainThreadCpu(server.pid) - idle > 300) {
    report.broke('lists are still made for clients that left', `${(mainThreadCpu(server.pid) - idle).toFixed(0)} ms of CPU in a second`)
  }
  const rest = descriptorsOf(server.pid)
  if (rest > descriptors) report.broke('descriptors stay open', `${rest - descriptors} more than before`)
  for (const line of wrongLines(server.log)) report.broke('the server logged an error of its own', line.slice(0, 300))
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Counts the bikes of a list, which may be longer than the longest string. */
function countBikes (list: Buffer): number {
  const name = '"frame_size":'
  let count = 0
  for (let at = list.indexOf(name); at >= 0; at = list.indexOf(name, at + name.length)) count++
  return count
}

/** Requests a small list repeatedly, and returns the maximum CPU time of the server meanwhile. */
function watchOthers ({ port, pid }: Running) {
  let longest = 0
  const stopped = new AbortController()
  const done = (async () => {
    while (!stopped.signal.aborted) {
      const from = mainThreadCpu(pid)
      await converse(port, [request('/api/v1/brakes/', 'bikes.test')])
      longest = Math.max(longest, mainThreadCpu(pid) - from)
      await sleep(20)
    }
  })()
  return { longest: () => longest, stop: () => { stopped.abort(); return done } }
}
