import type { Value } from '../lists/table.ts'

export type Compare = (a: string, b: string) => number

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)
const byCodePoint: Compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Orders that distinguish capitals from small letters. */
const asWritten: readonly Compare[] = [byCodeUnit, byCodePoint]

/** Orders that are alphabetical: what databases, languages and catalogues of English names do. */
const ignoringCase: readonly Compare[] = [
  ...asWritten.flatMap((compare): Compare[] => [
    (a, b) => compare(a.toLowerCase(), b.toLowerCase()),
    (a, b) => compare(a.toUpperCase(), b.toUpperCase())
  ]),
  ...[{}, { numeric: true }, { ignorePunctuation: true }, { numeric: true, ignorePunctuation: true }].map(options =>
    new Intl.Collator('en', { ...options, sensitivity: 'base' }).compare) // accents and case are ties
]

/** Values in the order of a response, which an ordering is to sort. */
export type Sorted = { values: readonly Value[], isDescending: boolean }

/** Returns the neighbours in the wrong order. Nulls may be at either end. */
export function misplacedBy (compare: Compare, { values, isDescending }: Sorted): [Value, Value][] {
  const sign = isDescending ? -1 : 1
  const pairs: [Value, Value][] = []
  let before: Value = null
  for (const after of values) {
    if (after === null) continue
    if (before !== null && sign * compareValues(before, after, compare) > 0) pairs.push([before, after])
    before = after
  }
  return pairs
}

function compareValues (before: Value, after: Value, compare: Compare): number {
  const areStrings = typeof before === 'string' && typeof after === 'string'
  return areStrings ? compare(before, after) : Number(before) - Number(after)
}

/** The order in which a service sorts, and the alphabetical one that is nearest to it, mostly the same. */
export type ServedOrder = { compare: Compare, alphabetical: Compare }

/**
 * Finds the order that responses have; titles may also be sorted as written, capitals first. The order of another
 * language is that of the longest response, if all have it.
 */
export function findOrder (all: readonly Sorted[], isTitle: boolean): ServedOrder {
  const known = isTitle ? [...ignoringCase, ...asWritten] : ignoringCase
  const mistakesOf = (compare: Compare) => all.flatMap(sorted => misplacedBy(compare, sorted)).length
  const mistakes = known.map(mistakesOf)
  const least = Math.min(...mistakes)
  const alphabetical = known[mistakes.indexOf(least)] as Compare
  const [longest] = all.toSorted((one, other) => other.values.length - one.values.length)
  if (longest === undefined || least === 0) return { compare: alphabetical, alphabetical }
  const values = (longest.isDescending ? longest.values.toReversed() : longest.values).map(String)
  const ranks = new Map([...new Set(values)].map((value, rank) => [value, rank]))
  const compare: Compare = (a, b) => Number(ranks.get(a)) - Number(ranks.get(b))
  const isShared = mistakesOf(compare) === 0 && !asWritten.some(compare => mistakesOf(compare) === 0)
  return { compare: isShared && isNearlyAlphabetical(values) ? compare : alphabetical, alphabetical }
}

/**
 * Returns whether three quarters of the pairs with different first letters are in the order of the English alphabet,
 * as in other languages. In the order of another field it is half of them.
 */
function isNearlyAlphabetical (values: readonly string[]): boolean {
  const letters = values.slice(0, 500).map(value => value.charAt(0).toLowerCase()).filter(first => /[a-z]/.test(first))
  let right = 0
  let wrong = 0
  for (const [index, one] of letters.entries()) {
    for (const other of letters.slice(index + 1)) {
      if (one < other) right++
      if (one > other) wrong++
    }
  }
  return right >= 3 * wrong
}
