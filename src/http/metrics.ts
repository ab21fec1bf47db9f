import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GaugeConfiguration, Registry } from 'prom-client'
import { name } from '../package.ts'

/** The source of a response: serialised for its request, taken from the cache, 304, or none of these. */
export type ResponseSource = 'made' | 'cached' | '304' | 'other'

type Sample = readonly [value: number, labels: Readonly<Record<string, string>>]
type GaugeOptions = Pick<GaugeConfiguration<string>, 'name' | 'help' | 'labelNames'> & {
  read: () => readonly Sample[]
}

const prefix = `${name.replaceAll('-', '_')}_`

/** In seconds. */
const durationBuckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** Default metrics of the process, shared by its servers because prom-client cannot stop collecting them. */
let processMetrics: Registry | undefined

/** Creates the metrics of a server. No label contains a value that clients choose. */
export async function createMetrics () {
  const { default: { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } } = await import('prom-client')
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  const registry = Registry.merge([processMetrics])
  const registers = [registry]
  const responses = new Counter({
    name: `${prefix}requests_total`,
    help: 'Responses.',
    labelNames: ['route', 'status', 'kind'],
    registers
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'From the headers of a request to the end of its response.',
    labelNames: ['route', 'kind'],
    registers,
    buckets: durationBuckets
  })
  const server = createServer(serve)

  return {
    observe (route: string, request: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): void {
      const kind = status === 304 ? '304' : request.source ?? 'other'
      responses.inc({ route, status, kind })
      durations.observe({ route, kind }, elapsedTime / 1000)
    },
    /** Adds a gauge that is read at each scrape. */
    addGauge ({ read, ...options }: GaugeOptions): void {
      registry.registerMetric(new Gauge({
        ...options,
        name: prefix + options.name,
        registers: [],
        collect () {
          this.reset()
          for (const [value, labels] of read()) this.set(labels, value)
        }
      }))
    },
    /** Serves `/metrics` and returns the port. */
    async listen (address: { host: string, port: number }): Promise<number> {
      server.listen(address)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    close (): void {
      server.close()
      server.closeAllConnections()
    }
  }

  function serve ({ method, url }: IncomingMessage, response: ServerResponse): void {
    const [path] = String(url).split('?')
    if (path !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    const send = (text: string) => response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    registry.metrics().then(send, () => response.destroy())
  }
}

export type Metrics = Awaited<ReturnType<typeof createMetrics>>
