import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'

/** Tells whether an address so many hops away (0 is the peer) is believed about what is beyond it. */
export type Trust = (address: string, hop: number) => boolean

/**
 * Whose X-Forwarded-* headers are believed. A number of hops believes whoever connects, which is why Fastify's own form of it
 * believes nobody; it stands here for servers that only their proxies can reach, and whose proxies have no fixed addresses.
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
 * The address that a request came from: the farthest that is told by someone trusted. What is no address ends the telling;
 * empty when the peer has left.
 */
export function addressOf ({ ip, ips }: FastifyRequest): string {
  if (ips === undefined) return ip ?? '' // nobody is trusted
  let known = ''
  for (const address of ips.map(withoutPort)) {
    if (isIP(address) === 0) break
    known = address
  }
  return known
}

/** Warns, once, when X-Forwarded-* comes from someone who is not trusted. */
export function createForwardedWatch (trusts: Trust, journal: Logger): (request: FastifyRequest) => void {
  let isTold = false
  return request => {
    if (isTold) return
    const { headers } = request
    const forwarded = headers['x-forwarded-for'] ?? headers['x-forwarded-proto'] ?? headers['x-forwarded-host']
    if (forwarded === undefined || trusts(request.socket.remoteAddress ?? '', 0)) return
    isTold = true
    journal.warn(`${request.ip} sends X-Forwarded-* and is not trusted: its clients share one allowance and links may say http; ` +
      '--trust-proxy says who is trusted')
  }
}

/** Some proxies write the port of a client beside its address. */
function withoutPort (text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

function familyOf (address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
