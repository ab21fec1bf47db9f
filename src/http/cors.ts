import type { FastifyRequest } from 'fastify'

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
