import { LRUCache } from 'lru-cache'
import { createEncoder, createSingleFlight, type IsGone, type WithEncodings } from '../http/coding.ts'
import type { Format } from '../http/negotiation.ts'
import type { AssertCapacity } from '../http/overload.ts'
import { cacheSize } from '../base/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { jsonRequestOf, type ListRequest } from './request.ts'
import type { Renderer, Representation } from './renderer.ts'

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

const sizeOf = (plain: WithEncodings<Representation>) =>
  [plain, ...Object.values(plain.compressed)].reduce((size, { memoryBytes }) => size + overhead + memoryBytes, 0)

/** Caches responses; throws 503 on a miss while overloaded. Forged Host headers can evict other entries; `publicUrl` prevents that. */
export function createResponseCache (
  maker: Renderer, { compress }: Pick<Settings, 'compress'>, assertCapacity: AssertCapacity = () => {}, maxSize = cacheSize(28 * 2 ** 20)
) {
  const sizeCalculation = (plain: WithEncodings<Representation>, key: string) => key.length + sizeOf(plain)
  const cache = new LRUCache<string, WithEncodings<Representation>>({ maxSize, sizeCalculation })
  const share = createSingleFlight<WithEncodings<Representation>>()
  const select = createEncoder(maker.encode)
  const find = (request: ListRequest, isGone?: IsGone) => cache.get(request.key) ?? share(request.key, isAbandoned => {
    assertCapacity()
    return then(make(request, isAbandoned), made => {
      const plain = { ...made, compressed: {} }
      cache.set(request.key, plain)
      return plain
    })
  }, isGone)

  return {
    /**
     * Finds or makes a response in an accepted coding; a promise for a long list and while a body is compressed. Throws the errors of
     * `createRenderer`, and 406 if no coding is acceptable. A long list is abandoned when all clients that wait for it are gone.
     */
    find (request: ListRequest, accepted?: string, isGone?: IsGone): Representation | Promise<Representation> {
      const found = find(request, isGone)
      const grown = (plain: WithEncodings<Representation>) => { if (cache.peek(request.key) === plain) cache.set(request.key, plain) }
      return compress ? then(found, plain => select(plain, accepted, () => grown(plain))) : found
    },
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const plain of cache.values()) sizes[plain.format] += sizeOf(plain)
      return sizes
    }
  }

  function make (request: ListRequest, isAbandoned: IsGone): Representation | Promise<Representation> {
    if (request.format === 'json') return maker.json(request, isAbandoned)
    const shown = jsonRequestOf(request)
    return then(find(shown, isAbandoned), json => maker.page(request, shown, json))
  }
}

/** Calls `next` at once unless the value is a promise, so that cached responses stay synchronous. */
function then<T, Next> (value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
