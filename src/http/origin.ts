import type { FastifyRequest } from 'fastify'
import { errors } from './errors.ts'
import { forwardedValue, type Trust } from './forwarded.ts'

/** Django's host_validation_re without a single dot, and underscores, which container networks use. */
const hostPattern = /^(?!\.(?::|$))(?:[a-z0-9._-]{1,255}|\[[a-f0-9]*:[a-f0-9.:]+\])(?::\d{1,5})?$/i

/**
 * Returns a function that returns the scheme and host of a request, or `publicUrl`: the base URL of its links. It
 * throws 400 for an invalid host, which only HTTP/1.0 may omit, and ignores an invalid X-Forwarded-Host of a trusted
 * proxy.
 */
export function createOriginReader (publicUrl: string | undefined, trusts: Trust): (request: FastifyRequest) => string {
  let last: { host: string, scheme: string, origin: string } | undefined // of a valid host
  return request => {
    const scheme = forwardedValue(request, 'x-forwarded-proto', trusts) ?? request.protocol
    const host = hostOf(request, trusts)
    if (host !== undefined && host === last?.host && scheme === last.scheme) return last.origin
    if (host === undefined || !hostPattern.test(host)) throw errors.badRequest()
    const isSecure = /^https$/i.test(scheme)
    last = { host, scheme, origin: publicUrl ?? `${isSecure ? 'https' : 'http'}://${host}` }
    return last.origin
  }
}

/** Returns the host that a client names, which a valid X-Forwarded-Host replaces; undefined if it must name one. */
function hostOf (request: FastifyRequest, trusts: Trust): string | undefined {
  const forwarded = forwardedValue(request, 'x-forwarded-host', trusts)
  if (forwarded !== undefined && hostPattern.test(forwarded)) return forwarded
  return request.headers.host ?? serverAddress(request)
}

/** Returns the address of this server in place of a host; undefined if the client must name one. */
function serverAddress ({ raw, socket }: FastifyRequest): string | undefined {
  if (raw.httpVersion !== '1.0') return undefined
  const address = String(socket.localAddress)
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`
}
