import { createHash } from 'node:crypto'

/** Returns the next number, from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Creates a generator that repeats its numbers for the same seed. */
export function createRandom (seed: number | string): Random {
  let count = 0
  return () => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32LE() / 2 ** 32
}

/** Returns an integer between two bounds, both included. */
export function between (random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pick<T> (random: Random, items: readonly T[]): T {
  return items[between(random, 0, items.length - 1)] as T
}
