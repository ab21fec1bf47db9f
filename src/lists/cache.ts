import { LRUCache } from 'lru-cache'
import { chooseCoding } from '../http/body.ts'
import type { Format } from '../http/negotiation.ts'
import { cacheSize } from '../base/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { jsonRequestOf, type ListRequest } from './request.ts'
import type { Renderer, Representation } from './renderer.ts'

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

const sizeOf = ({ memoryBytes }: Representation, key: string) => key.length + overhead + memoryBytes

/** Caches responses. Forged Host headers can evict other entries; `publicUrl` prevents that. */
export function createResponseCache (
  renderer: Renderer, { compress }: Pick<Settings, 'compress'>, maxSize = cacheSize(28 * 2 ** 20)
) {
  const cache = new LRUCache<string, Representation, () => Representation>({
    maxSize, sizeCalculation: sizeOf, memoMethod: (_key, _stale, { context: make }) => make()
  })

  return {
    /** Gets or makes a response in an accepted coding. Throws the errors of `createRenderer`, and 406 if no coding is acceptable. */
    get (request: ListRequest, accepted?: string): Representation {
      const plain = cache.memo(request.key, { context: () => make(request) })
      const coding = compress ? chooseCoding(accepted, plain.body) : 'identity'
      return coding === 'identity' ? plain : cache.memo(`${coding} ${request.key}`, { context: () => renderer.encode(plain, coding) })
    },
    other: renderer.other,
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const [key, stored] of cache.entries()) sizes[stored.format] += sizeOf(stored, key)
      return sizes
    }
  }

  function make (request: ListRequest): Representation {
    if (request.format === 'json') return renderer.json(request)
    const jsonRequest = jsonRequestOf(request)
    return renderer.page(request, jsonRequest, cache.memo(jsonRequest.key, { context: () => renderer.json(jsonRequest) }))
  }
}
