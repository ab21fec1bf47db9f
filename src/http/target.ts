import type { FastifyRequest } from 'fastify'
import { errors } from './errors.ts'

/**
 * The path of a request target and what follows it. The path is percent-decoded once and fully, `%2F` too, and is
 * not normalised in any way (reference, "Paths"); undefined when it cannot be decoded.
 */
export function splitTarget (target: string): { path: string | undefined, query: string } {
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  return { path: decodePath(path), query: end === -1 ? '' : target.slice(end) }
}

function decodePath (path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * The target as the router takes it: in origin form, a known path written plainly however it was escaped, and one that cannot be
 * decoded escaped once more, so that it is unknown like any other.
 */
export function targetOf (target: string, known: ReadonlySet<string>): string {
  const own = originForm(target)
  if (!own.includes('%')) return own
  const { path, query } = splitTarget(own)
  if (path === undefined) return own.slice(0, own.length - query.length).replaceAll('%', '%25') + query
  return known.has(path) ? path + query : own
}

/**
 * Takes the scheme and authority off a request target in absolute form (RFC 9112, 3.2); what is neither is no path of ours.
 * A fragment, which no client should send, is dropped, as gunicorn does.
 */
export function originForm (sent: string): string {
  const fragment = sent.indexOf('#')
  const target = fragment === -1 ? sent : sent.slice(0, fragment)
  return target.startsWith('/') ? target : `/${target.replace(/^https?:\/\/[^/?#]*\/?/i, '')}`
}

/** Percent-encodes what may not stand in a URI and leaves the rest as sent, as Django's iri_to_uri does. */
export function encodeUri (text: string): string {
  return text.replace(/[^\w.~#%[\]=:;$&()+,!?*@'/-]/g, character => encodeURIComponent(character))
}

/** Django's host_validation_re, and the underscore that container networks use in names. */
const hostPattern = /^(?:[a-z0-9._-]{1,255}|\[[a-f0-9]*:[a-f0-9.:]+\])(?::\d{1,5})?$/i

/** Tells whether a Host header (or a trusted X-Forwarded-Host) names a host. */
export function isHost (host: string): boolean {
  return hostPattern.test(host)
}

/**
 * Reads the scheme and host that a request was sent to, such as `http://10.0.2.2:3000`: what absolute URLs begin with, unless
 * `publicUrl` fixes them. Throws the 400 of a request that names no valid host; only HTTP/1.0 may name none. Most requests
 * name the host that the one before them named, which is looked at once.
 */
export function createOriginReader (publicUrl: string | undefined): (request: FastifyRequest) => string {
  let last: { host: string, protocol: string, origin: string } | undefined
  return request => {
    const { host, protocol } = request as { host: string, protocol: string }
    if (last !== undefined && host === last.host && protocol === last.protocol) return last.origin
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
