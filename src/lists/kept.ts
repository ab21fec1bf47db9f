import { LRUCache } from 'lru-cache'

/** What is kept of questions, for a few origins each: hosts that differ push nothing else out. */
export type Kept<T> = {
  get: (canonical: string, origin: string) => T | undefined
  set: (canonical: string, origin: string, value: T) => void
  /** How many bytes it takes at present. */
  size: () => number
}

/** For how many origins an answer is kept. */
const maxOrigins = 4

/** Keeps what is used most recently and takes no more than `maxSize` bytes in all, as `sizeOf` has it. */
export function createKept<T> (maxSize: number, sizeOf: (value: T) => number): Kept<T> {
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
