import type { Format } from '../http/negotiation.ts'
import { createStore, memoryOf } from '../http/stored.ts'
import { jsonRequestOf, type ListRequest } from './request.ts'
import type { Renderer, Representation, SerialiserOf } from './renderer.ts'

/** Caches the responses of lists. */
export function createResponseCache (renderer: Renderer, { compress }: { compress: boolean }) {
  const store = createStore<Representation>(28 * 2 ** 20, compress)

  return {
    /** Gets or makes a response in an accepted coding. Throws the errors of `createRenderer`. */
    get (request: ListRequest, accepted: string | undefined, serialiserOf: SerialiserOf): Representation {
      return store.get(request.keys, accepted, () => make(request, serialiserOf))
    },
    verbatim: renderer.verbatim,
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const [key, stored] of store.entries()) sizes[stored.format] += memoryOf(stored, key)
      return sizes
    }
  }

  function make (request: ListRequest, serialiserOf: SerialiserOf): Representation {
    if (request.format === 'json') return renderer.json(request, serialiserOf)
    const jsonRequest = jsonRequestOf(request)
    const json = store.plain(jsonRequest.keys.identity, () => renderer.json(jsonRequest, serialiserOf))
    return renderer.page(request, jsonRequest, json, serialiserOf)
  }
}
