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

/** A response that is not in alphabetical order. */
export type Misplaced = {
  /** Its position among the responses. */
  index: number
  /** The first two of its values that are in the wrong order by the collation that gets furthest. */
  values: readonly Value[]
  /** Whether all responses are in the same order, which may be that of another language. */
  isConsistent: boolean
}

/** Finds the first response that is not in alphabetical order; titles may also be sorted as written, capitals first. */
export function findMisplaced (all: readonly Sorted[], isTitle: boolean): Misplaced | undefined {
  let index = -1
  let place = -1
  let values: readonly Value[] = []
  for (const compare of isTitle ? [...ignoringCase, ...asWritten] : ignoringCase) {
    const ownIndex = all.findIndex(sorted => misplacedBy(compare, sorted) !== undefined)
    const sorted = all[ownIndex]
    if (sorted === undefined) return undefined
    const ownValues = misplacedBy(compare, sorted) as Value[]
    const ownPlace = sorted.values.indexOf(ownValues[1] as Value)
    if (ownIndex < index || (ownIndex === index && ownPlace <= place)) continue
    index = ownIndex
    place = ownPlace
    values = ownValues
  }
  const isSortedBy = (compare: Compare) => all.every(sorted => misplacedBy(compare, sorted) === undefined)
  const order = ascending(all.reduce((one, other) => other.values.length > one.values.length ? other : one))
  const isConsistent = isSortedBy(orderOf(order)) && !asWritten.some(isSortedBy) && isNearlyAlphabetical(order)
  return { index, values, isConsistent }
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
  const letters = values.map(value => value.normalize().toLowerCase().charAt(0)).filter(first => /[a-z]/.test(first))
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
