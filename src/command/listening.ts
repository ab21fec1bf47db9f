import type { AddressInfo } from 'node:net'
import type { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../http/metrics.ts'
import type { Settings } from '../settings/settings.ts'

const loopbacks: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where a server can be reached. */
export type Reach = {
  url: string
  /** The same server for other machines on this network; empty unless it listens on every network. */
  lan: string[]
  /** The same server for an Android emulator on this machine, which reaches 127.0.0.1 as 10.0.2.2. */
  emulator: string | undefined
}

/** Where a server can be reached that listens on `host` and got `port`. */
export function reachOf (host: string, port: number, interfaces: ReturnType<typeof networkInterfaces>, scheme?: 'https'): Reach {
  const isEverywhere = host in loopbacks
  const addresses = Object.values(interfaces).flatMap(addresses => addresses ?? [])
    .filter(({ internal, address, family }) => !internal && !address.startsWith('fe80:') && (family === 'IPv4' || host === '::'))
  return {
    url: urlOf(host, port, scheme),
    lan: isEverywhere ? addresses.map(({ address }) => urlOf(address, port, scheme)) : [],
    emulator: isEverywhere || ['127.0.0.1', 'localhost'].includes(host) ? urlOf('10.0.2.2', port, scheme) : undefined
  }
}

/** Where this machine reaches a server that listens on `host`. */
export function urlOf (host: string, port: number, scheme = 'http'): string {
  const reached = loopbacks[host] ?? host
  return `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** Tells whether only this machine reaches a host. */
export function isLoopback (host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)
}

/**
 * Starts to listen and gives the port, which is another than the setting's when that is 0.
 * @throws {ListenError} when it cannot, with the server closed
 */
export async function listen (app: FastifyInstance, { host, port }: Settings): Promise<number> {
  await app.ready()
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw new ListenError(error as NodeJS.ErrnoException, { host, port })
  }
  return (app.server.address() as AddressInfo).port
}

/**
 * Asks a server that listens whether it lives, which no log and no allowance counts: what Node makes for a first connection and its
 * answer, 7 ms of CPU time, is there when a client comes. It waits for 0.2 s at most, and nothing depends on how it ends.
 */
export async function askFirst (host: string, port: number, scheme = 'http'): Promise<void> {
  const { get } = await (scheme === 'https' ? import('node:https') : import('node:http'))
  const options = { host: loopbacks[host] ?? host, port, path: '/livez', agent: false, rejectUnauthorized: false, timeout: 200 } as const
  await new Promise<void>(resolve => {
    const asked = get(options, answer => answer.resume())
    asked.on('timeout', () => asked.destroy()).on('error', () => {}).on('close', resolve)
  })
}

/**
 * Starts to listen for those who watch the server, and gives where this machine reaches the metrics; a port alone is one of this machine.
 * @throws {ListenError} when it cannot, with the server closed
 */
export async function listenForMetrics (app: FastifyInstance, metrics: Metrics, listener: number | string): Promise<string> {
  const [, host = '127.0.0.1', digits = listener] = /^\[?(.+?)\]?:(\d+)$/.exec(String(listener)) ?? []
  const port = Number(digits)
  try {
    return `${urlOf(host, await metrics.listen({ host, port }))}/metrics`
  } catch (error) {
    await app.close()
    throw new ListenError(error as NodeJS.ErrnoException, { host, port }, ofMetrics)
  }
}

/** The flags that choose a port and a host, each with what one would give it. */
const ofServer = { port: ['--port', '3000'], host: ['--host', '127.0.0.1'] } as const
const ofMetrics = { port: ['--metrics-port', '9464'], host: ['--metrics-port', '127.0.0.1:9464'] } as const

type Place = Pick<Settings, 'host' | 'port'>
type Flags = typeof ofServer | typeof ofMetrics

const reasons: Record<string, (place: Place, flags: Flags) => string> = {
  EADDRINUSE: ({ port, host }, { port: [flag] }) =>
    `port ${port} on ${host} is in use; choose another with ${flag}, or ${flag} 0 for any free one`,
  EACCES: ({ port, host }, { port: [flag, other] }) =>
    `no permission for port ${port} on ${host}; choose another with ${flag}, such as ${other}`,
  EADDRNOTAVAIL: ({ host }, { host: [flag, other] }) =>
    `${host} is not an address of this machine; choose another with ${flag}, such as ${other}`,
  ENOTFOUND: ({ host }, { host: [flag, other] }) =>
    `the host ${host} cannot be resolved; choose another with ${flag}, such as ${other}`
}

/** Says in one line why a server cannot listen. */
export class ListenError extends Error {
  override name = 'ListenError'

  constructor (error: NodeJS.ErrnoException, place: Place, flags: Flags = ofServer) {
    super(reasons[error.code ?? '']?.(place, flags) ?? `cannot listen on port ${place.port} of ${place.host}: ${error.message}`)
  }
}
