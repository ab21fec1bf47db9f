import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Returns whether to trust the headers of an address that is `hop` hops away (0 is the peer), as Fastify's `trustProxy`
 * does.
 */
export type Trust = (address: string, hop: number) => boolean

export function createTrust (setting: boolean | number | readonly string[]): Trust {
  if (typeof setting === 'boolean') return () => setting
  // Trusts every peer, which Fastify's own number does not: for proxies without fixed addresses that alone can reach
  // the server.
  if (typeof setting === 'number') return (_, hop) => hop < setting
  const trusted = new BlockList()
  for (const range of setting) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  // Fastify's own list takes no address with a port.
  return text => {
    const address = withoutPort(text)
    return isIP(address) !== 0 && trusted.check(address, familyOf(address))
  }
}

/** Returns a warning about the X-Forwarded-* headers of a request from an untrusted peer. */
export function forwardedWarning ({ socket, ip }: FastifyRequest, trusts: Trust): string | undefined {
  if (trusts(socket.remoteAddress ?? '', 0)) return undefined
  return `${ip} sends X-Forwarded-* but isn't a trusted proxy: its clients share one rate limit, ` +
    'and links may begin with http. Trust it with --trust-proxy.'
}

/**
 * Returns the farthest address that a trusted proxy reports, up to an invalid one; empty when the peer has
 * disconnected.
 */
export function clientAddress ({ ip, ips }: FastifyRequest): string {
  if (ips === undefined) return ip ?? '' // no proxy is trusted
  return validAddresses(ips).at(-1) ?? ''
}

/** Returns the addresses from the peer's to the client's, without ports, up to an invalid one. */
function validAddresses (ips: readonly string[]): string[] {
  const addresses = ips.map(withoutPort)
  const invalid = addresses.findIndex(address => isIP(address) === 0)
  return invalid === -1 ? addresses : addresses.slice(0, invalid)
}

/** A header to which each proxy adds a value, or whose value it replaces. */
type ForwardedHeader = 'x-forwarded-proto' | 'x-forwarded-host'

/** Returns the value of a header from the proxy that reports the client's address; undefined without it or trust. */
export function forwardedValue (request: FastifyRequest, name: ForwardedHeader, trusts: Trust): string | undefined {
  const sent = request.headers[name]
  if (sent === undefined || !trusts(String(request.socket.remoteAddress), 0)) return undefined
  const { ips = [] } = request
  const values = String(sent).split(',')
  const hops = validAddresses(ips).length - 1
  const value = values.at(-Math.max(1, hops)) ?? values[0]
  return value?.trim()
}

/** Removes the port that some proxies append to an address. */
function withoutPort (text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

const familyOf = (address: string) => isIP(address) === 4 ? 'ipv4' : 'ipv6'
