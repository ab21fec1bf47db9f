import type { Hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

export const allowedMethods = 'GET, HEAD, OPTIONS'

/** On every response, for scripts of any origin (Fetch standard, "CORS protocol"). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'
}

/** On responses to preflights; browsers cache them for a day. */
export const preflightHeaders = {
  'access-control-allow-methods': allowedMethods,
  'access-control-allow-headers': 'Authorization, Prefer, *', // the asterisk does not cover Authorization
  'access-control-max-age': '86400'
}

/** Returns whether a request is a CORS preflight rather than a plain OPTIONS. */
export function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** On every response, as Django's middleware sends them (contract F25). */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY'
}

/** On every response, unless a route has others. */
export const commonHeaders = { ...corsHeaders, ...securityHeaders }

/** On every response, errors too, where bodies can be compressed. */
export const codedHeaders = { vary: 'Accept, Accept-Encoding' }

/** On every response of a list, errors too. */
export function listHeadersOf ({ compress }: { compress: boolean }) {
  const { vary } = compress ? codedHeaders : { vary: 'Accept' }
  return { ...commonHeaders, vary, allow: allowedMethods }
}

/** Sets headers except some, and removes those that are null: `reply.headers` would list their names first. */
export function setHeaders (
  reply: FastifyReply, headers: Readonly<Record<string, string | null>>, except?: ReadonlySet<string>
): FastifyReply {
  for (const name in headers) {
    const value = headers[name]
    if (except?.has(name)) continue
    if (value === null) reply.removeHeader(name)
    else reply.header(name, value)
  }
  return reply
}

/** On every HTML page: scripts, styles and requests only from this server; images also over https. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
    "img-src 'self' http: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

/** Runs no script of a body that is not this server's: on its origin, a script could add rules. */
export const sandbox = { 'content-security-policy': 'sandbox' }

/** A JSON type, with parameters or without; of several types, separated by commas, browsers take the last one. */
const jsonType = /^application\/(?:[\w.-]+\+)?json[ \t]*(?:;[ \t]*[\w-]+=(?:[\w.-]+|"[^",;\\]*")[ \t]*)*$/i

/** Returns whether a Content-Type is exactly one type of JSON. */
export const isJsonType = (type: string): boolean => jsonType.test(type)

/**
 * An onSend hook for clients that send credentials, which responses to any origin don't reach (Fetch standard, "CORS
 * protocol").
 */
export function allowCredentials (
  request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void
): void {
  if (reply.hasHeader('access-control-allow-origin')) allowOrigin(request, reply)
  done()
}

function allowOrigin (request: FastifyRequest, reply: FastifyReply): void {
  const { origin, 'access-control-request-headers': requested } = request.headers
  reply.header('vary', [reply.getHeader('vary'), 'Origin'].filter(Boolean).join(', '))
  if (origin !== undefined) {
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-allow-credentials', 'true')
  }
  if (isPreflight(request)) reply.header('access-control-allow-headers', requested ?? '')
}

export const tagOf = (hash: Hash) => `"${hash.digest('base64url').slice(0, 27)}"`

/** Returns whether If-None-Match matches a tag (RFC 9110, 13.1.2). Ignores If-Modified-Since (contract D19). */
export function isNotModified ({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match']
  return tags !== undefined && (tags === etag || fresh({ 'if-none-match': tags }, { etag }))
}
