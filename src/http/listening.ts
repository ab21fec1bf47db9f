import type { X509Certificate } from 'node:crypto'
import { isIP, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'
import { SettingsError } from '../settings/flags.ts'
import { isLoopback } from '../settings/read.ts'
import { flagOf, type Settings } from '../settings/settings.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

/** The loopback address of a server bound to all interfaces; `::` accepts IPv4, too. */
const loopbacks = new Map([['0.0.0.0', '127.0.0.1'], ['::', '127.0.0.1']])

export type Reach = {
  url: string
  /** The URLs for other machines on the network; empty unless the server listens on every address. */
  lan: string[]
  /** The URL for an Android emulator on this machine, which reaches 127.0.0.1 as 10.0.2.2. */
  emulator: string | undefined
}

/**
 * Returns the URLs of a server that listens on `host` and `port`; with a certificate only those of names that it
 * contains.
 */
export function reachOf (host: string, port: number, interfaces: Interfaces, certificate?: X509Certificate): Reach {
  const scheme = certificate && 'https'
  const holder = (name: string) => isIP(name) ? certificate?.checkIP(name) : certificate?.checkHost(name)
  const isHeld = (name: string) => certificate === undefined || holder(name) !== undefined
  const urlOf = (name: string) => localUrl(name, port, scheme)
  const urlsOf = (names: string[]) => names.filter(isHeld).map(urlOf)
  const isEverywhere = loopbacks.has(host)
  const own = loopbacks.get(host) ?? host
  return {
    url: urlsOf(isLoopback(own) ? [own, 'localhost'] : [])[0] ?? localUrl(own, port, scheme),
    lan: isEverywhere ? urlsOf(networkAddresses(host, interfaces)) : [],
    emulator: isEverywhere || ['127.0.0.1', 'localhost'].includes(host) ? urlsOf(['10.0.2.2'])[0] : undefined
  }
}

/** Returns this machine's addresses on networks, those of IPv6 only for a server that listens on them. */
function networkAddresses (host: string, interfaces: Interfaces): string[] {
  const reachable: string[] = []
  const all = Object.values(interfaces).flatMap(addresses => addresses ?? [])
  for (const { internal, address, family } of all) {
    const isLinkLocal = address.startsWith('fe80:')
    const isServed = family === 'IPv4' || host === '::'
    if (isServed && !internal && !isLinkLocal) reachable.push(address)
  }
  return reachable
}

/** Returns the URL at which this machine reaches a server that listens on `host`. */
export function localUrl (host: string, port: number, scheme = 'http'): string {
  const reached = loopbacks.get(host) ?? host
  return `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/**
 * Starts to listen and returns the port, which the setting 0 leaves open. @throws {ListenError} after closing the
 * server
 */
export async function listen (
  app: FastifyInstance, { host, port }: Settings, interfaces = networkInterfaces()
): Promise<number> {
  const isLocalhost = host === 'localhost'
  const hasIpv6 = Object.values(interfaces).flat().some(address => address?.family === 'IPv6')
  let own = host
  if (isLocalhost) own = '127.0.0.1'
  else if (host === '::' && !hasIpv6) own = '0.0.0.0'
  const exclusive = port === 0 // workers of a cluster would share a free port
  await orClose(app, app.listen({ host: own, port, exclusive }), { host, port })
  const { port: chosen } = app.server.address() as AddressInfo
  if (isLocalhost) {
    const listening = app.alsoListen('::1', chosen)
    await orClose(app, listening, { host, port: chosen })
  }
  return chosen
}

/**
 * Returns the URL of the metrics on this machine; a port alone means 127.0.0.1. @throws {ListenError} after closing the
 * server
 */
export async function listenForMetrics (
  app: FastifyInstance, metrics: Metrics, listener: number | string
): Promise<string> {
  const [, host = '127.0.0.1', port = listener] = /^\[?(.+?)\]?:(\d+)$/.exec(String(listener)) ?? []
  const listening = metrics.listen({ host, port: Number(port) })
  const chosen = await orClose(app, listening, { host, port, key: 'metricsPort' })
  return `${localUrl(host, chosen)}/metrics`
}

/**
 * Waits for a server to be ready or to listen. @throws {ListenError} or, without a place, the error, after closing the
 * server
 */
export async function orClose<T> (app: FastifyInstance, starting: PromiseLike<T>, place?: Listener): Promise<T> {
  try {
    return await starting
  } catch (error) {
    await app.close()
    throw place === undefined ? error : new ListenError(error as Error, place)
  }
}

/** Where a server should listen, and the setting that says both. */
type Listener = { host: string, port: number | string, key?: 'metricsPort' }

export class ListenError extends SettingsError {
  override name = 'ListenError'
  /** The code of Node's error, such as EADDRINUSE. */
  readonly code: string

  constructor ({ code = '', message }: Error & { code?: string }, { host, port, key }: Listener) {
    const portFlag = `--${flagOf(key ?? 'port')}`
    const hostFlag = `--${flagOf(key ?? 'host')}`
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} is already in use on ${host}. ` +
        `Choose another with ${portFlag}, or use ${portFlag} 0 for any free port.`,
      EACCES: `Port ${port} on ${host} needs more permissions. Choose another with ${portFlag}.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with ${hostFlag}.`,
      ENOTFOUND: `The host ${host} cannot be resolved. Choose another with ${hostFlag}.`
    }
    super(reasons[code] ?? `Cannot listen on port ${port} of ${host}: ${message}`)
    this.code = code
  }
}
