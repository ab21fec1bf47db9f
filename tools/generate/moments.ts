import type { Random } from './random.ts'

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
