import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

type Done = (error: null, payload: unknown) => void

/**
 * An onSend hook, to be added after @fastify/caching: turns a 200 into a 304 when If-None-Match names its ETag (RFC 9110,
 * 13.1.2: weak comparison, lists, `*`). If-Modified-Since is ignored, as in the reference. The plugin's Cache-Control
 * comes off the answers to OPTIONS, which no cache keeps.
 */
export function conditional (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const tags = request.headers['if-none-match']
  const etag = reply.getHeader('etag')
  if (request.method === 'OPTIONS' && reply.statusCode < 300) reply.removeHeader('cache-control')
  if (tags === undefined || etag === undefined || reply.statusCode !== 200) return done(null, payload)
  if (!fresh({ 'if-none-match': tags }, { etag })) return done(null, payload)
  reply.code(304).removeHeader('content-type').removeHeader('last-modified')
  done(null, null)
}
