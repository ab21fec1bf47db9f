import { LRUCache } from 'lru-cache'
import { createEncoder, createSingleFlight, type IsGone, type WithEncodings } from '../http/coding.ts'
import type { Format } from '../http/negotiation.ts'
import { cacheSize } from '../base/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { jsonRequestOf, type ListRequest } from './request.ts'
import type { Renderer, Representation } from './renderer.ts'

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

const sizeOf = (stored: WithEncodings<Representation>) =>
  [stored, ...Object.values(stored.compressed)].reduce((size, { memoryBytes }) => size + overhead + memoryBytes, 0)

/** Caches responses. Forged Host headers can evict other entries; `publicUrl` prevents that. */
export function createResponseCache (
  renderer: Renderer, { compress }: Pick<Settings, 'compress'>, maxSize = cacheSize(28 * 2 ** 20)
) {
  const sizeCalculation = (stored: WithEncodings<Representation>, key: string) => key.length + sizeOf(stored)
  const cache = new LRUCache<string, WithEncodings<Representation>>({ maxSize, sizeCalculation })
  const singleFlight = createSingleFlight<WithEncodings<Representation>>()
  const encode = createEncoder(renderer.encode)
  const find = (request: ListRequest, isGone?: IsGone) => cache.get(request.key) ?? singleFlight(request.key, isAbandoned => {
    return then(make(request, isAbandoned), made => {
      const stored = { ...made, compressed: {} }
      cache.set(request.key, stored)
      return stored
    })
  }, isGone)

  return {
    /**
     * Gets or makes a response in an accepted coding; a promise for a long list and while a body is compressed. Throws the errors of
     * `createRenderer`, and 406 if no coding is acceptable. A long list is abandoned when all clients that wait for it are gone.
     */
    get (request: ListRequest, accepted?: string, isGone?: IsGone): Representation | Promise<Representation> {
      const found = find(request, isGone)
      const grown = (stored: WithEncodings<Representation>) => { if (cache.peek(request.key) === stored) cache.set(request.key, stored) }
      return compress ? then(found, stored => encode(stored, accepted, () => grown(stored))) : found
    },
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const stored of cache.values()) sizes[stored.format] += sizeOf(stored)
      return sizes
    }
  }

  function make (request: ListRequest, isAbandoned: IsGone): Representation | Promise<Representation> {
    if (request.format === 'json') return renderer.json(request, isAbandoned)
    const jsonRequest = jsonRequestOf(request)
    return then(find(jsonRequest, isAbandoned), json => renderer.page(request, jsonRequest, json))
  }
}

/** Calls `next` at once unless the value is a promise, so that cached responses stay synchronous. */
function then<T, Next> (value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
