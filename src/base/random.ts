/** Returns the next number, from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Creates a generator that repeats its numbers for the same seed (mulberry32, 32 bits of state). */
export function seeded (seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns an integer between two bounds, both included. */
export function between (random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pick<T> (random: Random, items: readonly T[]): T {
  return items[between(random, 0, items.length - 1)] as T
}
