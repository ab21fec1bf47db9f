import { LRUCache } from 'lru-cache'
import { createSelect, createShare, type IsGone, type Plain } from '../http/coding.ts'
import type { Format } from '../http/negotiation.ts'
import type { AssertCapacity } from '../http/overload.ts'
import { cacheSize } from '../settings/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { shownQuestion, type Question } from './question.ts'
import type { Maker, Representation } from './representation.ts'

/** Estimates the memory of a response without its body, in bytes. */
const overhead = 2 ** 12

const sizeOf = (plain: Plain<Representation>) =>
  [plain, ...Object.values(plain.compressed)].reduce((size, { held }) => size + overhead + held, 0)

/** Caches responses; throws 503 on a miss while overloaded. Forged Host headers can evict other entries; `publicUrl` prevents that. */
export function createRepresentations (
  maker: Maker, { compress }: Pick<Settings, 'compress'>, assertCapacity: AssertCapacity = () => {}, maxSize = cacheSize(28 * 2 ** 20)
) {
  const cache = new LRUCache<string, Plain<Representation>>({ maxSize, sizeCalculation: (plain, key) => key.length + sizeOf(plain) })
  const share = createShare<Plain<Representation>>()
  const select = createSelect(maker.encode)
  const find = (question: Question, isGone?: IsGone) => cache.get(question.key) ?? share(question.key, isAbandoned => {
    assertCapacity()
    return then(make(question, isAbandoned), made => {
      const plain = { ...made, compressed: {} }
      cache.set(question.key, plain)
      return plain
    })
  }, isGone)

  return {
    /**
     * Finds or makes a response in an accepted coding; a promise for a long list and while a body is compressed. Throws the errors of
     * `createMaker`, and 406 if no coding is acceptable. A long list is abandoned when all clients that wait for it are gone.
     */
    find (question: Question, accepted?: string, isGone?: IsGone): Representation | Promise<Representation> {
      const found = find(question, isGone)
      const grown = (plain: Plain<Representation>) => { if (cache.peek(question.key) === plain) cache.set(question.key, plain) }
      return compress ? then(found, plain => select(plain, accepted, () => grown(plain))) : found
    },
    /** Returns the memory of cached responses, in bytes. */
    size (): Readonly<Record<Format, number>> {
      const sizes = { json: 0, api: 0 }
      for (const plain of cache.values()) sizes[plain.format] += sizeOf(plain)
      return sizes
    }
  }

  function make (question: Question, isAbandoned: IsGone): Representation | Promise<Representation> {
    if (question.format === 'json') return maker.json(question, isAbandoned)
    const shown = shownQuestion(question)
    return then(find(shown, isAbandoned), json => maker.page(question, shown, json))
  }
}

/** Calls `next` at once unless the value is a promise, so that cached responses stay synchronous. */
function then<T, Next> (value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
