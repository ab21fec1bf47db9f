import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fresh from 'fresh'

/** A strong tag made from what only one representation has. */
export function tagOf (content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

/**
 * Tells whether a client has the representation with this tag already: If-None-Match names it (RFC 9110, 13.1.2: weak
 * comparison, lists, `*`). If-Modified-Since is ignored, as in the reference.
 */
export function isNotModified ({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match']
  return tags !== undefined && (tags === etag || fresh({ 'if-none-match': tags }, { etag }))
}
