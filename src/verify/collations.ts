import type { Value } from '../lists/table.ts'

type Compare = (a: string, b: string) => number

/** A way to sort strings alphabetically, with its name for a report. */
export type Collation = { name: string, compare: Compare }

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)
const byCodePoint: Compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Ways to ignore case: in all scripts, in ASCII alone as SQLite does, and of decomposed letters. */
const foldings: Readonly<Record<string, (text: string) => string>> = {
  'lower case': text => text.toLowerCase(),
  'upper case': text => text.toUpperCase(),
  'lower case of ASCII': text => text.replace(/[A-Z]/g, letter => letter.toLowerCase()),
  'lower case, decomposed': text => text.normalize('NFD').toLowerCase(),
  'upper case, decomposed': text => text.normalize('NFD').toUpperCase()
}

function folded (name: string, fold: (text: string) => string): Collation[] {
  return [
    { name: `${name} by code units`, compare: (a, b) => byCodeUnit(fold(a), fold(b)) },
    { name: `${name} by code points`, compare: (a, b) => byCodePoint(fold(a), fold(b)) }
  ]
}

const collatorVariants: ReadonlyArray<readonly [suffix: string, options: Intl.CollatorOptions]> = [
  ['', {}],
  [', numeric', { numeric: true }],
  [', ignoring punctuation', { ignorePunctuation: true }],
  [', numeric, ignoring punctuation', { numeric: true, ignorePunctuation: true }]
]

/** Compares by base letters, so that accents and case are ties. */
function ofLocale (locale: string): Collation[] {
  return collatorVariants.map(([suffix, options]) => {
    const { compare } = new Intl.Collator(locale, { ...options, sensitivity: 'base' })
    return { name: `collation ${locale}${suffix}`, compare }
  })
}

/** What databases usually do; titles may also be sorted as they are, capitals first. */
const usual = [...Object.entries(foldings).flatMap(([name, fold]) => folded(name, fold)), ...ofLocale('en')]
const asWritten = folded('case-sensitive', text => text)

let others: readonly Collation[] | undefined

/** Returns the collations of every locale of the runtime, in about a second for the first time. */
function otherCollations (): readonly Collation[] {
  others ??= localesOfRuntime().flatMap(ofLocale)
  return others
}

/** Returns the locale of every code of two and three letters, with each of its types of collation. */
function localesOfRuntime (): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap(one => letters.map(other => one + other))
  const codes = [...pairs, ...pairs.flatMap(pair => letters.map(letter => pair + letter))]
  const types = Intl.supportedValuesOf('collation')
  const everywhere = new Set(['emoji', 'eor']) // the same in every locale
  const all = types.filter(type => everywhere.has(type)).map(type => `en-u-co-${type}`)
  for (const locale of Intl.Collator.supportedLocalesOf(codes)) {
    all.push(locale)
    for (const type of types) {
      const { collation } = new Intl.Collator(`${locale}-u-co-${type}`).resolvedOptions()
      if (collation === type && !everywhere.has(type)) all.push(`${locale}-u-co-${type}`)
    }
  }
  return all
}

/** Values in the order of a response, which an ordering is to sort. */
export type Sorted = { values: readonly Value[], isDescending: boolean }

/** Returns the first neighbours in the wrong order; undefined if there are none. Nulls may be at either end. */
export function misplacedBy ({ compare }: Collation, { values, isDescending }: Sorted): Value[] | undefined {
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

export type OrderVerdict = {
  /** An unusual collation that sorts all responses. */
  collation?: string
  /** The first response that no collation sorts together with those before it, and two of its values. */
  wrong?: { index: number, values: Value[] }
}

/** Finds a collation that sorts all responses of a list; for a title, perhaps one that is case-sensitive. */
export function judgeOrders (all: readonly Sorted[], isTitle: boolean): OrderVerdict {
  const known = isTitle ? [...usual, ...asWritten] : usual
  const isSortedBy = (collation: Collation) => all.every(sorted => misplacedBy(collation, sorted) === undefined)
  if (known.some(isSortedBy)) return {}
  const other = otherCollations().find(isSortedBy)
  if (other !== undefined) return { collation: other.name }
  let left = [...known, ...otherCollations()]
  const index = all.findIndex(sorted => {
    const sorting = left.filter(collation => misplacedBy(collation, sorted) === undefined)
    if (sorting.length > 0) left = sorting
    return sorting.length === 0
  })
  const sorted = all[index] as Sorted // as no collation sorts all of them
  return { wrong: { index, values: misplacedBy(clearest(left.slice(0, usual.length), sorted), sorted) as Value[] } }
}

/** Returns the usual collation that gets furthest, so that a report names the values that are wrong by any. */
function clearest (collations: readonly Collation[], sorted: Sorted): Collation {
  const placeIn = (collation: Collation) => {
    const [, after = null] = misplacedBy(collation, sorted) as Value[]
    return sorted.values.indexOf(after)
  }
  return collations.reduce((best, collation) => placeIn(collation) > placeIn(best) ? collation : best)
}
