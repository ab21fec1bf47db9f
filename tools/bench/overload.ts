import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ask } from './answers.ts'
import type { Crowd, Outcome } from './crowd.ts'
import { figure, median, printHeading, printTable, progress, verdict } from './figures.ts'
import type { Cpus } from './machine.ts'
import { type Running, cpuSeconds, start } from '../process.ts'
import { ours } from './ours.ts'

const run = promisify(execFile)
const token = 'overload'

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: bikes.test\r\n${headers}\r\n`
const repeat = (times: number, request: string) => Array.from({ length: times }, () => request)

/** Three quarters are cheap; the others, never cached, take nearly all of the time. */
const requests = [
  ...repeat(10, get('/api/v1/bikes/', 'If-None-Match: *\r\n')),
  ...repeat(5, get('/api/v1/bikes/?page=2')),
  ...repeat(4, get('/api/v2/bikes/?page=1&price__lte=#&ordering=-price', `Authorization: Token ${token}\r\n`)),
  get('/api/v1/bikes/?format=api&page=1&page_size=10&x=#')
]

/** No multiple of the number of requests, so that each connection sends all of them. */
const connections = 3001
const connectionsToSaturate = 32

/** The deadline of a response, in milliseconds. */
const deadline = 1000

const times = [1, 2, 3]
const least = 0.8

/** The interval between requests to `/livez`, in milliseconds, each on its own connection. */
const probeEvery = 50

/** The results of a load, with the times of `/livez` in it, and the CPU time that the server used and waited for. */
type Measured = Outcome & { perSecond: number, probes: number[], busy: number, waiting: number }

/** Measures the share of requests with a response in time when more arrive than the server can handle, against its maximum. */
export async function overload ({ cpus, seconds }: { cpus: Cpus, seconds: number }): Promise<void> {
  printHeading('Overload', `Of ${requests.length} requests 5 were never asked before. They arrive at a fixed rate for ${seconds} s, whatever comes back, on ${connections} connections. Useful: answered\nwithin ${deadline / 1000} s of when it was due; /livez on a new connection each time.`)
  const server = await start([...ours, '--rate-limit', 'off', '--tokens', token], { cpus: cpus?.server })
  try {
    await gather('warm-up', connectionsToSaturate)
    const most = await gather('most', connectionsToSaturate)
    const rows = [row('as fast as it answers', most, most.perSecond)]
    for (const factor of times) {
      const name = `${factor} ×`
      rows.push(row(name, await gather(name, connections, factor * most.perSecond), most.perSecond))
    }
    progress('')
    printTable(['', 'due/s', 'useful/s', 'of the most', 'refused/s', 'missing', 'p50 ms', 'p99', '/livez p50', 'worst', 'CPU busy', 'waiting', 'target'], rows)
  } finally {
    await server.stop()
  }

  async function gather (name: string, connections: number, perSecond?: number): Promise<Measured> {
    progress(`overload: ${name}`)
    const about: Crowd = { port: Number(new URL(server.url).port), connections, perSecond, seconds, requests, deadline }
    const [before, from] = [cpuSeconds(server.pid), performance.now()]
    const stopProbing = probe(server)
    const { stdout } = await run(process.execPath, ['--import', 'ts-blank-space/register', 'tools/bench/crowd.ts', JSON.stringify(about)])
    const [after, elapsed] = [cpuSeconds(server.pid), (performance.now() - from) / 1000]
    const outcome = JSON.parse(stdout) as Outcome
    return {
      ...outcome,
      probes: await stopProbing(),
      perSecond: outcome.useful / seconds,
      busy: (after.used - before.used) / elapsed,
      waiting: (after.waited - before.waited) / elapsed
    }
  }
}

/** Requests `/livez` repeatedly until the returned function is called; that one throws if a request failed. */
function probe ({ url }: Running): () => Promise<number[]> {
  const controller = new AbortController()
  const asking = (async () => {
    const times: number[] = []
    while (!controller.signal.aborted) {
      const from = performance.now()
      const { status } = await ask(`${url}/livez`)
      if (status !== 200) throw new Error(`/livez answered ${status}`)
      times.push(performance.now() - from)
      await sleep(probeEvery)
    }
    return times
  })()
  return () => {
    controller.abort()
    return asking
  }
}

function row (name: string, measured: Measured, most: number): string[] {
  const { due, useful, refused, missing, p50, p99, probes, perSecond, busy, waiting } = measured
  const seconds = useful / perSecond
  return [
    name, figure(due / seconds), figure(perSecond), figure(perSecond / most, 2), figure(refused / seconds), figure(missing), figure(p50), figure(p99),
    figure(median(probes)), figure(Math.max(...probes)), `${figure(busy * 100)}%`, `${figure(waiting * 100)}%`, verdict([perSecond / most], { least })
  ]
}
