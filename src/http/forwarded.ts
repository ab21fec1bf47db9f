import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'

/** Returns whether to trust the headers of an address that is `hop` hops away (0 is the peer). */
export type Trust = (address: string, hop: number) => boolean

/**
 * Returns Fastify's `trustProxy` function. A number of hops trusts every peer, which Fastify's own number does not: use it only behind
 * proxies without fixed addresses that alone can reach the server.
 */
export function createTrust (setting: Settings['trustProxy']): Trust {
  if (typeof setting === 'boolean') return () => setting
  if (typeof setting === 'number') return (_, hop) => hop < setting
  const trusted = new BlockList()
  for (const range of setting) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  return text => {
    const address = withoutPort(text)
    return isIP(address) !== 0 && trusted.check(address, familyOf(address))
  }
}

/**
 * Returns the address of the client: the farthest one reported by a trusted proxy. Stops at an invalid address; empty when the peer has
 * disconnected.
 */
export function clientAddress ({ ip, ips }: FastifyRequest): string {
  if (ips === undefined) return ip ?? '' // no proxy is trusted
  let known = ''
  for (const address of ips.map(withoutPort)) {
    if (isIP(address) === 0) break
    known = address
  }
  return known
}

/** Returns a function that warns once about X-Forwarded-* headers from an untrusted peer. */
export function createForwardedWarning (trusts: Trust, logger: Logger): (request: FastifyRequest) => void {
  let hasWarned = false
  return request => {
    if (hasWarned) return
    const { headers } = request
    const forwarded = headers['x-forwarded-for'] ?? headers['x-forwarded-proto'] ?? headers['x-forwarded-host']
    if (forwarded === undefined || trusts(request.socket.remoteAddress ?? '', 0)) return
    hasWarned = true
    logger.warn(`${request.ip} sends X-Forwarded-* but is not a trusted proxy: its clients share one rate limit, ` +
      'and links may begin with http; trust it with --trust-proxy')
  }
}

/** Removes the port that some proxies append to an address. */
function withoutPort (text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

function familyOf (address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
