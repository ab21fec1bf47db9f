import type { Random } from '../../src/simulation/random.ts'

/** Gives a whole number between two bounds, both included. */
export function between (random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** Gives one of the items, of which there must be one. */
export function pick<T> (random: Random, items: readonly T[]): T {
  return items[between(random, 0, items.length - 1)] as T
}

/** Gives `count` different items in random order, or all of them when there are fewer. */
export function sample<T> (random: Random, items: readonly T[], count: number): T[] {
  const places = new Set<number>()
  while (places.size < Math.min(count, items.length)) places.add(between(random, 0, items.length - 1))
  return [...places].map(place => items[place] as T)
}

/** Gives a number that differs from `value` by at most the share, such as 0.1 for ten per cent. */
export function about (random: Random, value: number, share: number): number {
  return value * (1 - share + 2 * share * random())
}
