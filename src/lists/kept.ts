import { LRUCache } from 'lru-cache'
import { createSelect, type Plain } from '../http/coding.ts'
import type { Format } from '../http/negotiation.ts'
import type { InLine } from '../http/overload.ts'
import { createShare } from '../http/turns.ts'
import { roomFor } from '../settings/memory.ts'
import type { Settings } from '../settings/settings.ts'
import type { Preparations } from './prepare.ts'
import type { Asked } from './question.ts'
import type { Maker, Representation } from './representation.ts'

/** The answers to the questions of all lists, kept as long as there is room. */
export type Representations = Preparations & Pick<Maker, 'plainLength'> & {
  /**
   * Finds or makes what a request asks for, in a coding that its Accept-Encoding accepts: a promise where many records are written for
   * the first time, or a body is compressed.
   */
  find: (asked: Asked, accepted?: string) => Representation | Promise<Representation>
  /** How many bytes the answers take that are kept. */
  size: () => Readonly<Record<Format, number>>
}

/** Bounds the memory that answers take, in bytes: JSON and pages apart, because each page is made for one origin. */
const bounds = { json: roomFor(16 * 2 ** 20), pages: roomFor(12 * 2 ** 20) }

/** About what an answer takes besides its body, in bytes. */
const overhead = 2 ** 12

const sizeOf = (plain: Plain<Representation>) =>
  [plain, ...Object.values(plain.compressed)].reduce((size, { held }) => size + overhead + held, 0)

/** Keeps what a maker makes; what is not kept is made in line. */
export function createRepresentations (
  maker: Maker, { compress }: Pick<Settings, 'compress'>, inLine: InLine = work => work(), { json, pages } = bounds
): Representations {
  const kept = { json: createKept(json, sizeOf), api: createKept(pages, sizeOf) }
  const share = createShare<Plain<Representation>>()

  return {
    find: compress ? createSelect<Asked, Representation>({ find, encode: maker.encode, grown }) : find,
    plainLength: maker.plainLength,
    prepareFirst: maker.prepareFirst,
    prepareAll: maker.prepareAll,
    size
  }

  function find (asked: Asked): Plain<Representation> | Promise<Plain<Representation>> {
    const { format, canonical, origin } = asked
    return keptFor(asked) ?? share(`${format} ${origin} ${canonical}`, () => inLine(() => make(asked)))
  }

  function keptFor ({ format, canonical, origin }: Asked): Plain<Representation> | undefined {
    return kept[format].get(canonical, origin)
  }

  function make (asked: Asked): Plain<Representation> | Promise<Plain<Representation>> {
    const made = maker.make(asked)
    return made instanceof Promise ? made.then(made => keep(asked, { ...made, compressed: {} })) : keep(asked, { ...made, compressed: {} })
  }

  function keep ({ format, canonical, origin }: Asked, plain: Plain<Representation>): Plain<Representation> {
    kept[format].set(canonical, origin, plain)
    return plain
  }

  function grown (asked: Asked, plain: Plain<Representation>): void {
    if (keptFor(asked) === plain) keep(asked, plain)
  }

  function size () {
    return { json: kept.json.size(), api: kept.api.size() }
  }
}

/** What is kept of questions, for a few origins each: hosts that differ push nothing else out. */
type Kept<T> = {
  get: (canonical: string, origin: string) => T | undefined
  set: (canonical: string, origin: string, value: T) => void
  /** How many bytes it takes at present. */
  size: () => number
}

/** For how many origins an answer is kept. */
const maxOrigins = 4

/** Keeps what is used most recently and takes no more than `maxSize` bytes in all, as `sizeOf` has it. */
function createKept<T> (maxSize: number, sizeOf: (value: T) => number): Kept<T> {
  const kept = new LRUCache<string, ReadonlyMap<string, T>>({
    maxSize,
    sizeCalculation: (byOrigin, canonical) =>
      [...byOrigin].reduce((size, [origin, value]) => size + origin.length + sizeOf(value), canonical.length)
  })
  return {
    size: () => kept.calculatedSize,
    get: (canonical, origin) => kept.get(canonical)?.get(origin),
    set (canonical, origin, value) {
      const others = [...kept.peek(canonical) ?? []].filter(([other]) => other !== origin).slice(1 - maxOrigins)
      kept.set(canonical, new Map([...others, [origin, value]]))
    }
  }
}
