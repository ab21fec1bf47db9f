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
  const cache = new LRUCache<string, WithEncodings<Representation>>({ maxSize, sizeCalculation: (plain, key) => key.length + sizeOf(plain) })
  const share = createSingleFlight<WithEncodings<Representation>>()
  const select = createEncoder(maker.encode)
  const find = (listRequest: ListRequest, isGone?: IsGone) => cache.get(listRequest.key) ?? share(listRequest.key, isAbandoned => {
    assertCapacity()
    return then(make(listRequest, isAbandoned), made => {
      const plain = { ...made, compressed: {} }
      cache.set(listRequest.key, plain)
      return plain
    })
  }, isGone)

  return {
    /**
     * Finds or makes a response in an accepted coding; a promise for a long list and while a body is compressed. Throws the errors of
     * `createRenderer`, and 406 if no coding is acceptable. A long list is abandoned when all clients that wait for it are gone.
     */
    find (listRequest: ListRequest, accepted?: string, isGone?: IsGone): Representation | Promise<Representation> {
      const found = find(listRequest, isGone)
      const grown = (plain: WithEncodings<Representation>) => { if (cache.peek(listRequest.key) === plain) cache.set(listRequest.key, plain) }
      return compress ? then(found, plain => select(plain, accepted, () => grown(plain))) : found
    },
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const plain of cache.values()) sizes[plain.format] += sizeOf(plain)
      return sizes
    }
  }

  function make (listRequest: ListRequest, isAbandoned: IsGone): Representation | Promise<Representation> {
    if (listRequest.format === 'json') return maker.json(listRequest, isAbandoned)
    const shown = jsonRequestOf(listRequest)
    return then(find(shown, isAbandoned), json => maker.page(listRequest, shown, json))
  }
}

/** Calls `next` at once unless the value is a promise, so that cached responses stay synchronous. */
function then<T, Next> (value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
