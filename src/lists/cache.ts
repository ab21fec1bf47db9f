import { LRUCache } from 'lru-cache'
import { chooseCoding, encode, encodeStream, type Compressed } from '../http/body.ts'
import type { Format } from '../http/negotiation.ts'
import { cacheSize } from '../base/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { jsonRequestOf, type ListRequest } from './request.ts'
import type { Renderer, Representation, SerialiserOf } from './renderer.ts'

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

const memoryOf = ({ memoryBytes }: Representation, key: string) => key.length + overhead + memoryBytes

/** Caches responses. Forged Host headers can evict other entries; `publicUrl` prevents that. */
export function createResponseCache (renderer: Renderer, { compress }: Pick<Settings, 'compress'>) {
  const maxSize = cacheSize(28 * 2 ** 20)
  const cache = new LRUCache<string, Representation>({ maxSize, sizeCalculation: memoryOf })

  return {
    /**
     * Gets or makes a response in an accepted coding. Throws the errors of `createRenderer`, and 406 if no coding is
     * acceptable.
     */
    get (request: ListRequest, accepted: string | undefined, serialiserOf: SerialiserOf): Representation {
      const plain = plainOf(request, serialiserOf)
      const isCoded = compress && plain.status === 200
      const coding = isCoded ? chooseCoding(accepted, plain.body) : 'identity'
      if (coding === 'identity') return plain
      const key = request.keys[coding]
      return cache.get(key) ?? kept(key, encoded(plain, coding))
    },
    verbatim: renderer.verbatim,
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const [key, stored] of cache.entries()) sizes[stored.format] += memoryOf(stored, key)
      return sizes
    }
  }

  function plainOf (request: ListRequest, serialiserOf: SerialiserOf): Representation {
    const key = request.keys.identity
    return cache.get(key) ?? kept(key, make(request, serialiserOf))
  }

  function make (request: ListRequest, serialiserOf: SerialiserOf): Representation {
    if (request.format === 'json') return renderer.json(request, serialiserOf)
    const jsonRequest = jsonRequestOf(request)
    return renderer.page(request, jsonRequest, plainOf(jsonRequest, serialiserOf), serialiserOf)
  }

  function kept (key: string, representation: Representation): Representation {
    cache.set(key, representation)
    return representation
  }
}

/** Compresses the body of a response. A stream takes as much memory as before. */
function encoded (plain: Representation, coding: Compressed): Representation {
  const { body: plainBody } = plain
  const plainTag = String(plain.headers.etag)
  const { body, headers } = Buffer.isBuffer(plainBody)
    ? encode(plainBody, plainTag, coding)
    : encodeStream(plainBody, plainTag, coding)
  return {
    ...plain,
    body,
    memoryBytes: Buffer.isBuffer(body) ? body.length : plain.memoryBytes,
    headers: { ...plain.headers, ...headers }
  }
}
