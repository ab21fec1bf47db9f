import type { FastifyRequest } from 'fastify'
import { errors } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme and host that the request was sent to: what absolute URLs in the answer begin with. */
    origin: string
  }
}

/** Django's host_validation_re, and the underscore that container networks use in names. */
const hostPattern = /^(?:[a-z0-9._-]{1,255}|\[[a-f0-9]*:[a-f0-9.:]+\])(?::\d{1,5})?$/i

/** Tells whether a Host header (or a trusted X-Forwarded-Host) names a host. */
export function isHost (host: string): boolean {
  return hostPattern.test(host)
}

/**
 * Gives the scheme and host that a request was sent to, such as `http://10.0.2.2:3000`: what absolute URLs begin with,
 * unless `publicUrl` fixes them. Throws the 400 of a request that names no valid host; only HTTP/1.0 may name none.
 */
export function originOf (request: FastifyRequest, publicUrl: string | undefined): string {
  const host: string | undefined = request.host || localHost(request)
  if (host === undefined || !isHost(host)) throw errors.badRequest()
  return publicUrl ?? `${request.protocol}://${host}`
}

function localHost ({ raw, socket }: FastifyRequest): string | undefined {
  if (raw.httpVersion !== '1.0' || raw.headers.host !== undefined) return undefined
  const address = socket.localAddress ?? ''
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`
}
