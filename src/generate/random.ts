/** The next number, from 0 (included) to 1 (excluded). */
export type Random = () => number

/** A random source that yields the same numbers for the same seed (mulberry32, 32 bits of state). */
export function seeded (seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a whole number between two bounds, both included. */
export function between (random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** Returns one of at least one item. */
export function pick<T> (random: Random, items: readonly T[]): T {
  return items[between(random, 0, items.length - 1)] as T
}

/** Returns `count` different items in random order, or all of them when there are fewer. */
export function sample<T> (random: Random, items: readonly T[], count: number): T[] {
  const places = new Set<number>()
  while (places.size < Math.min(count, items.length)) places.add(between(random, 0, items.length - 1))
  return [...places].map(place => items[place] as T)
}

/** Returns a number that differs from `value` by at most the share, such as 0.1 for ten per cent. */
export function about (random: Random, value: number, share: number): number {
  return value * (1 - share + 2 * share * random())
}

const day = 86_400_000

/** The time that the generated catalogue covers, in milliseconds since 1970. */
export type Span = { start: number, end: number }

/** Writes a moment in UTC; every other one has microseconds, as in the hand-written data. */
function timestamp (random: Random, moment: number): string {
  const text = new Date(moment).toISOString()
  if (random() < 0.5) return text.replace(/\.\d+Z$/, 'Z')
  return text.replace('Z', `${String(Math.floor(random() * 1000)).padStart(3, '0')}Z`)
}

/** Returns when the bike at `share` (0 to 1) of the catalogue was added: later for a higher id, and 30 days before the end. */
export function added (random: Random, { start, end }: Span, share: number): { moment: number, text: string } {
  const moment = Math.floor(start + (end - 30 * day - start) * share)
  return { moment, text: timestamp(random, moment) }
}

/** Returns `count` timestamps in ascending order after a moment and before the end. */
export function later (random: Random, moment: number, { end }: Span, count: number): string[] {
  const slot = (end - moment) / count
  return Array.from({ length: count }, (_, index) => timestamp(random, Math.floor(moment + (index + 0.05 + 0.9 * random()) * slot)))
}

/** Returns a timestamp of the last two weeks of the span. */
export function lately (random: Random, { end }: Span): string {
  return timestamp(random, Math.floor(end - 14 * day * random()))
}
