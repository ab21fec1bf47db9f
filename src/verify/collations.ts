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

/** Returns the first neighbours in the wrong order; undefined if there are none. Nulls may be at either end. */
export function misplacedBy (compare: Compare, { values, isDescending }: Sorted): Value[] | undefined {
  const sign = isDescending ? -1 : 1
  let before: Value = null
  for (const after of values) {
    if (after === null) continue
    if (before !== null && sign * compareValues(before, after, compare) > 0) return [before, after]
    before = after
  }
  return undefined
}

function compareValues (before: Value, after: Value, compare: Compare): number {
  const areStrings = typeof before === 'string' && typeof after === 'string'
  return areStrings ? compare(before, after) : Number(before) - Number(after)
}

/** The order in which a service sorts, and the alphabetical one that is nearest to it, mostly the same. */
export type ServedOrder = { compare: Compare, alphabetical: Compare }

/** Finds the order that responses have; titles may also be sorted as written, capitals first. */
export function findOrder (all: readonly Sorted[], isTitle: boolean): ServedOrder {
  const known = isTitle ? [...ignoringCase, ...asWritten] : ignoringCase
  const parts = known.map(compare => sortedPart(all, compare))
  const alphabetical = known[parts.indexOf(Math.max(...parts))] as Compare
  const [first] = all
  const isSortedBy = (compare: Compare) => sortedPart(all, compare) === all.length
  if (first === undefined || isSortedBy(alphabetical)) return { compare: alphabetical, alphabetical }
  const values = ascending(all.reduce((one, other) => other.values.length > one.values.length ? other : one, first))
  const own = orderOf(values)
  const isOther = isSortedBy(own) && !asWritten.some(isSortedBy) && isNearlyAlphabetical(values)
  return { compare: isOther ? own : alphabetical, alphabetical }
}

/** Returns the number of responses that are in order; one that isn't counts for its part before the first mistake. */
function sortedPart (all: readonly Sorted[], compare: Compare): number {
  let sum = 0
  for (const sorted of all) {
    const wrong = misplacedBy(compare, sorted)
    sum += wrong === undefined ? 1 : sorted.values.indexOf(wrong[1] as Value) / sorted.values.length
  }
  return sum
}

const ascending = ({ values, isDescending }: Sorted) => (isDescending ? values.toReversed() : values).map(String)

/** Returns the order that values have themselves. */
function orderOf (values: readonly string[]): Compare {
  const ranks = new Map<string, number>()
  for (const value of values) if (!ranks.has(value)) ranks.set(value, ranks.size)
  return (a, b) => Number(ranks.get(a)) - Number(ranks.get(b))
}

/**
 * Returns whether three quarters of the pairs with different first letters are in the order of the English alphabet,
 * as in other languages. In the order of another field it is half of them.
 */
function isNearlyAlphabetical (values: readonly string[]): boolean {
  const firsts = values.slice(0, 500).map(value => value.normalize().toLowerCase().charAt(0))
  const letters = firsts.filter(first => /[a-z]/.test(first))
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
