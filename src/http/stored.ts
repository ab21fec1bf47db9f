import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { cacheSize } from '../base/memory.ts'
import { chooseCoding, encode, encodeStream, sendBody, type Body, type Coding, type Compressed } from './body.ts'
import { expiresNow } from './expires.ts'
import { isNotModified, setHeaders } from './headers.ts'

/** A response that is the same for equal requests; null stands for a header that it lacks. */
export type StoredResponse = {
  status: number
  headers: Readonly<Record<string, string | null>> & { readonly etag: string | null }
  body: Body
  /** The memory that the body takes, in bytes. */
  memoryBytes: number
}

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

/** Returns the memory of a cached response, in bytes. */
export const memoryOf = ({ memoryBytes }: StoredResponse, key: string) => key.length + overhead + memoryBytes

/**
 * Caches responses, at most so many bytes, and those with 200 in each coding that a client accepts. Forged Host headers
 * can evict other responses; `publicUrl` prevents that.
 */
export function createStore<Stored extends StoredResponse> (maxBytes: number, compress: boolean) {
  const cache = new LRUCache<string, Stored>({ maxSize: cacheSize(maxBytes), sizeCalculation: memoryOf })
  return { get, plain, entries: () => cache.entries() }

  /** Gets or makes a response by its keys for each coding, in an accepted one. Throws 406 if none is acceptable. */
  function get (keys: Readonly<Record<Coding, string>>, accepted: string | undefined, make: () => Stored): Stored {
    const stored = plain(keys.identity, make)
    const isCoded = compress && stored.status === 200
    const coding = isCoded ? chooseCoding(accepted, stored.body) : 'identity'
    return coding === 'identity' ? stored : plain(keys[coding], () => encoded(stored, coding))
  }

  /** Gets or makes a response by its key. */
  function plain (key: string, make: () => Stored): Stored {
    const known = cache.get(key)
    if (known !== undefined) return known
    const made = make()
    cache.set(key, made)
    return made
  }
}

/** Compresses the body of a response. A stream takes as much memory as before. */
function encoded<Stored extends StoredResponse> (stored: Stored, coding: Compressed): Stored {
  const etag = String(stored.headers.etag)
  const { body, headers } = Buffer.isBuffer(stored.body)
    ? encode(stored.body, etag, coding)
    : encodeStream(stored.body, etag, coding)
  return {
    ...stored,
    body,
    memoryBytes: Buffer.isBuffer(body) ? body.length : stored.memoryBytes,
    headers: { ...stored.headers, ...headers }
  }
}

/** Headers of a 200 that its 304 lacks (RFC 9110, 15.4.5). */
const ofContent = new Set([
  'content-type', 'content-length', 'content-encoding', 'content-security-policy', 'last-modified'
])

/** Sends a response, or 304 to a client that has it. */
export function sendStored (
  request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Omit<StoredResponse, 'memoryBytes'>
): FastifyReply {
  const isKnown = status === 200 && isNotModified(request, String(headers.etag))
  setHeaders(reply.code(isKnown ? 304 : status), headers, isKnown ? ofContent : undefined)
  if (typeof headers['expires'] === 'string') reply.header('expires', expiresNow(headers['expires']))
  return isKnown ? reply.send() : sendBody(request, reply, body)
}
