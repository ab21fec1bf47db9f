import { createServer, connect, type AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from './answers.ts'
import { figure, median, printHeading, printTable, progress, ratio, verdict } from './figures.ts'
import { lists } from './lists.ts'
import type { Cpus } from './machine.ts'
import { start } from '../process.ts'
import { ours } from './ours.ts'

const flags = ['--compress']
const headers = { 'accept-encoding': 'br' }

/** The bandwidth of a phone, in Mbit/s. */
const megabits = 20

/** The number of first requests in a round. */
const firstRequests = 60

/** The requests to send without a cached response; their sizes uncompressed. */
const targets: readonly [size: string, target: string][] = [
  ['25 KB', '/api/v1/bikes/?page=2'],
  ['123 KB', '/api/v1/bikes/?page=1&page_size=48']
]

type Plan = { cpus: Cpus, rounds: number, seconds: number }

/** Measures cached compressed responses against a bare route that sends the same, and first requests with and without compression. */
export async function compressed (plan: Plan): Promise<void> {
  await lists(plan, 'Compressed lists', flags, headers)
  await firsts(plan)
}

async function firsts ({ cpus, rounds }: Plan): Promise<void> {
  printHeading('First requests', `${rounds} rounds of ${firstRequests} requests that are not cached, one at a time, each on a connection of its own, in turn; here,\nand over a line of ${megabits} Mbit/s. Milliseconds to the last byte; a ratio is the median of those of the rounds.`)
  const servers = [await start([...ours, ...flags], { cpus: cpus?.all }), await start(ours, { cpus: cpus?.all })] as const
  const slow = await Promise.all(servers.map(({ url }) => slowLine(url)))
  const lines = [['here', servers], [`${megabits} Mbit/s`, slow]] as const
  let count = 0

  for (const [line, ends] of lines) {
    const rows: string[][] = []
    for (const [size, target] of targets) {
      const measured = ends.map((): number[][] => [])
      for (let round = 0; round < rounds; round++) {
        progress(`first requests: ${size}, ${line}, round ${round + 1} of ${rounds}`)
        const times = ends.map((): number[] => [])
        for (let request = 0; request < firstRequests; request++) {
          for (const [index, { url }] of ends.entries()) times[index]?.push(await timeOf(`${url}${target}&first=${1e6 + count++}`))
        }
        for (const [index, of] of times.entries()) measured[index]?.push(of)
      }
      rows.push(...rowsOf(`${size}, ${line}`, measured as [number[][], number[][]], line !== 'here'))
    }
    progress('')
    printTable(['', 'p50 ms', 'p99 ms', 'target'], rows)
  }
  for (const server of [...slow, ...servers]) await server.stop()
}

async function timeOf (url: string): Promise<number> {
  const from = performance.now()
  const { status } = await ask(url, headers)
  if (status !== 200) throw new Error(`${status} from ${url}`)
  return performance.now() - from
}

function rowsOf (name: string, [on, off]: [number[][], number[][]], hasTarget: boolean): string[][] {
  const percentile = (times: readonly number[], share: number) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? NaN
  const row = (rounds: number[][]) => [0.5, 0.99].map(share => figure(median(rounds.map(times => percentile(times, share))), 2))
  const ratios = (share: number) => on.map((times, round) => percentile(times, share) / percentile(off[round] ?? [], share))
  return [
    [name],
    ['  compressed', ...row(on)],
    ['  plain', ...row(off)],
    ['  ratio', ratio(ratios(0.5)), ratio(ratios(0.99)), hasTarget ? verdict(ratios(0.99), { most: 1 }) : '']
  ]
}

/** Starts a proxy with a limited bandwidth, in bits a second, and returns its URL. */
async function slowLine (to: string): Promise<{ url: string, stop: () => Promise<unknown> }> {
  const { hostname, port } = new URL(to)
  const relay = createServer(client => {
    const server = connect(Number(port), hostname)
    client.pipe(server)
    pipeline(server, paced, client).catch((error: Error) => client.destroy(error))
  })
  await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
  const stop = async () => relay.close()
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, stop }
}

async function * paced (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytesAMillisecond = megabits * 1e6 / 8 / 1000
  let freeAt = performance.now()
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += 1460) {
      const packet = chunk.subarray(at, at + 1460)
      freeAt = Math.max(freeAt, performance.now()) + packet.length / bytesAMillisecond
      const wait = freeAt - performance.now()
      if (wait > 2) await pause(wait)
      yield packet
    }
  }
}
