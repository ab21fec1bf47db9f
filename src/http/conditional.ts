import type { FastifyRequest } from 'fastify'
import fresh from 'fresh'

/**
 * Tells whether a client has the representation with this tag already: If-None-Match names it (RFC 9110, 13.1.2: weak
 * comparison, lists, `*`). If-Modified-Since is ignored, as in the reference.
 */
export function isNotModified ({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match']
  return tags !== undefined && (tags === etag || fresh({ 'if-none-match': tags }, { etag }))
}
