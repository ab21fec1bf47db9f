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

/**
 * The bytes that a Range header asks for of a representation of `size` bytes, the last one included (RFC 9110, 14.1.2): null when
 * none of them is there; undefined when it asks for several ranges, of another unit, or cannot be read, which is answered in full.
 */
export function readRange (header: string, size: number): { first: number, last: number } | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first <= last ? { first, last } : null
}
