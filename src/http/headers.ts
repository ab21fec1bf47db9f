import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/** The methods that a list answers. */
export const allowedMethods = 'GET, HEAD, OPTIONS'

/** What every answer says to a browser's script of any origin (Fetch standard, "CORS protocol"). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Preference-Applied, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'
}

/** What a preflight is told besides; a browser keeps it for a day. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  // The asterisk does not cover Authorization.
  'access-control-allow-headers': 'Authorization, Prefer, *',
  'access-control-max-age': '86400'
}

/** Tells whether a request is a CORS preflight rather than a plain OPTIONS. */
export function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** On every answer; the last three as Django's SecurityMiddleware and XFrameOptionsMiddleware send them. */
export const commonHeaders = {
  ...corsHeaders,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY'
}

/** On every answer of an address whose answers can be compressed, errors too. */
export const codedHeaders = { vary: 'Accept, Accept-Encoding' }

/** On every answer of an API path, errors too. */
export function listHeadersOf ({ compress }: Pick<Settings, 'compress'>) {
  return { ...commonHeaders, vary: 'Accept', ...compress ? codedHeaders : {}, allow: allowedMethods }
}

/** Sets what every answer to a request says, whatever becomes of it. */
export function setCommonHeaders (request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(request.url.startsWith('/api/') && !request.is404 ? request.server.listHeaders : commonHeaders)
}

/** On every answer that is a page: nothing runs, loads or frames but what this server has; pictures may be elsewhere. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}
