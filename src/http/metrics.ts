import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { name } from '../package.ts'

/**
 * Where an answer came from: made for its request, kept from an earlier one, left with the client that has it, refused with 503, or
 * none of these.
 */
export type Kind = 'made' | 'kept' | '304' | 'refused' | 'other'

/** The gauges: what each tells, and by which labels its values differ. */
const figures = {
  info: { help: 'The version and the data that are served; always 1.', labels: ['version', 'digest'] },
  cache_bytes: { help: 'Memory of the answers that are kept.', labels: ['cache'] },
  connections: { help: 'Connections by whether an answer is under way.', labels: ['state'] },
  clients: { help: 'Clients that this server counts at present, by whether their allowance is used up.', labels: ['allowance', 'state'] },
  redis_up: { help: 'Whether the Redis that holds the allowances answers.', labels: [] },
  event_loop_delay_seconds: { help: 'For how long nothing else could be done, since this was last read.', labels: ['quantile'] }
} as const satisfies Record<string, { help: string, labels: readonly string[] }>

type Figure = keyof typeof figures

/** Each value with the texts of its labels; those of the same labels are added up. */
type Values = readonly (readonly [value: number, ...labels: string[]])[]

/** What a server tells those who watch it. Whatever a client can vary makes no new line of it. */
export type Metrics = {
  /** Counts an answer of a route, which was asked for at a moment of `performance.now()`. */
  answered: (route: string, status: number, kind: Kind, askedAt: number) => void
  /** Has a figure read whenever somebody looks; several readers of one figure add up. */
  tell: (figure: Figure, read: () => Values) => void
  /** Serves it at `/metrics` and gives the port. */
  listen: (address: { host: string, port: number }) => Promise<number>
  close: () => Promise<void>
}

/** The upper bounds of durations, in seconds. */
const bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, Infinity]

/** The answers of one route and kind: by status, and by the first bound that their duration is within. */
type Tally = { route: string, kind: Kind, statuses: Map<number, number>, durations: number[], seconds: number }

/** Between two looks at the event loop, in milliseconds. */
const resolution = 20
const quantiles = [0.5, 0.99, 1]

const prefix = `${name.replaceAll('-', '_')}_`

/**
 * Makes the metrics of one server. Answers are counted here and only told by the library, whose own counters and histograms take 2 %
 * of the time of a 304.
 */
export async function createMetrics (): Promise<Metrics> {
  const { default: { Counter, Gauge, Registry } } = await import('prom-client') // the build has no other name of it
  const registry = new Registry()
  const tallies: Record<Kind, Map<string, Tally>> = {
    made: new Map(), kept: new Map(), 304: new Map(), refused: new Map(), other: new Map()
  }
  const readers: Partial<Record<Figure, (() => Values)[]>> = {}
  const delay = monitorEventLoopDelay({ resolution })
  const server = createServer(serve)
  const add = (metric: Parameters<typeof registry.registerMetric>[0]) => registry.registerMetric(metric)

  add(new Counter({
    name: `${prefix}requests_total`, help: 'Answers.', labelNames: ['route', 'status', 'kind'], registers: [],
    collect () {
      this.reset()
      for (const { route, kind, statuses } of counted()) for (const [status, count] of statuses) this.inc({ route, status, kind }, count)
    }
  }))
  const durations = { name: `${prefix}request_duration_seconds`, help: 'From the head of a request to that of its answer.' }
  add(Object.assign(new Gauge({ ...durations, registers: [] }), {
    get: async () => ({ ...durations, type: 'histogram', values: [...counted()].flatMap(tally => histogram(durations.name, tally)) })
  }))
  add(new Counter({
    name: 'process_cpu_seconds_total', help: 'CPU time of the process.', registers: [],
    collect () {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    }
  }))
  add(new Gauge({
    name: 'process_resident_memory_bytes', help: 'Resident memory of the process.', registers: [],
    collect () { this.set(process.memoryUsage.rss()) }
  }))
  add(new Gauge({
    name: 'process_start_time_seconds', help: 'When the process began, in Unix time.', registers: [],
    collect () { this.set(performance.timeOrigin / 1000) }
  }))
  tell('event_loop_delay_seconds', () => {
    const delayOf = (quantile: number) => Math.max(0, delay.percentile(100 * quantile) / 1e6 - resolution) / 1000
    const values = quantiles.map(quantile => [delayOf(quantile), String(quantile)] as const)
    delay.reset()
    return values
  })
  return { answered, tell, listen, close }

  function answered (route: string, status: number, kind: Kind, askedAt: number): void {
    const seconds = (performance.now() - askedAt) / 1000
    const tally = tallies[kind].get(route) ?? begin(route, kind)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    tally.seconds += seconds
    let place = 0
    while (seconds > (bounds[place] as number)) place++
    tally.durations[place] = (tally.durations[place] as number) + 1
  }

  function begin (route: string, kind: Kind): Tally {
    const tally = { route, kind, statuses: new Map<number, number>(), durations: bounds.map(() => 0), seconds: 0 }
    tallies[kind].set(route, tally)
    return tally
  }

  function counted (): Tally[] {
    return Object.values(tallies).flatMap(byRoute => [...byRoute.values()])
  }

  function tell (figure: Figure, read: () => Values): void {
    const { help, labels } = figures[figure]
    const reading = readers[figure] ??= []
    reading.push(read)
    if (reading.length > 1) return
    add(new Gauge<string>({
      name: prefix + figure, help, labelNames: labels, registers: [],
      collect () {
        this.reset()
        for (const [value, ...texts] of reading.flatMap(read => read())) {
          this.inc(Object.fromEntries(labels.map((label, place) => [label, texts[place]!])), value)
        }
      }
    }))
  }

  async function listen ({ host, port }: { host: string, port: number }): Promise<number> {
    server.listen(port, host)
    await once(server, 'listening')
    delay.enable()
    return (server.address() as AddressInfo).port
  }

  async function close (): Promise<void> {
    delay.disable()
    server.close()
    server.closeAllConnections()
  }

  function serve ({ method, url }: IncomingMessage, response: ServerResponse): void {
    const [path] = String(url).split('?')
    if (path !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(text => response.writeHead(200, { 'content-type': registry.contentType }).end(text), () => response.destroy())
  }
}

/** The lines of a histogram, whose buckets count all values up to their bound. */
function histogram (name: string, { route, kind, durations, seconds }: Tally) {
  let count = 0
  const buckets = durations.map((more, place) => {
    const le = bounds[place] === Infinity ? '+Inf' : String(bounds[place])
    count += more
    return { metricName: `${name}_bucket`, labels: { route, kind, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { route, kind }, value: seconds },
    { metricName: `${name}_count`, labels: { route, kind }, value: count }
  ]
}
