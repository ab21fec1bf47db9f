import type { FastifyRequest } from 'fastify'
import { errors } from './errors.ts'

/** Django's host_validation_re, and the underscore that container networks use in names. */
const hostPattern = /^(?:[a-z0-9._-]{1,255}|\[[a-f0-9]*:[a-f0-9.:]+\])(?::\d{1,5})?$/i

/** Tells whether a Host header (or a trusted X-Forwarded-Host) names a host. */
export function isHost (host: string): boolean {
  return hostPattern.test(host)
}

/**
 * What gives the scheme and host that a request was sent to, such as `http://10.0.2.2:3000`: what absolute
 * URLs begin with, unless `publicUrl` fixes them. It throws the 400 of a request that names no valid host; only HTTP/1.0 may
 * name none. Most requests name the host that the one before them named, which is looked at once.
 */
export function createOriginReader (publicUrl: string | undefined): (request: FastifyRequest) => string {
  let last = { host: '', protocol: '', origin: '' }
  return request => {
    const { host, protocol } = request as { host: string, protocol: string }
    if (host === last.host && protocol === last.protocol && host !== '') return last.origin
    const named = hostOf(request)
    if (named === undefined) throw errors.badRequest()
    const origin = publicUrl ?? `${/^https$/i.test(protocol) ? 'https' : 'http'}://${named}`
    if (named === host) last = { host, protocol, origin }
    return origin
  }
}

/** A trusted X-Forwarded-Host that is no host counts as absent. */
function hostOf (request: FastifyRequest): string | undefined {
  const { host, headers } = request
  if (isHost(host)) return host
  if (headers.host === undefined) return request.raw.httpVersion === '1.0' ? localHost(request) : undefined
  return isHost(headers.host) ? headers.host : undefined
}

function localHost ({ socket }: FastifyRequest): string {
  const address = String(socket.localAddress)
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`
}
