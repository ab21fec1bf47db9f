import type { Column, Table, Value } from './table.ts'

/** One term of an `ordering` parameter. */
export type Term = { field: string, descending: boolean }

/**
 * Gives the terms of an `ordering` value that count: a comma list, each term trimmed, `-` for descending; terms that are
 * not sortable fields and repeats of a field are dropped without an error (reference, "Ordering").
 */
export function readOrdering (text: string | undefined, sortable: readonly string[]): Term[] {
  const terms = new Map<string, Term>()
  for (const term of (text ?? '').split(',').map(term => term.trim())) {
    const descending = term.startsWith('-')
    const field = descending ? term.slice(1) : term
    if (sortable.includes(field) && !terms.has(field)) terms.set(field, { field, descending })
  }
  return [...terms.values()]
}

/** Writes terms as an `ordering` value: one text for all values that mean the same. */
export function writeOrdering (terms: readonly Term[]): string {
  return terms.map(({ field, descending }) => descending ? `-${field}` : field).join()
}

/** Case-insensitive alphabetical comparison; the locale is fixed so that every machine gives the same order. */
const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })

function compareValues (a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string' ? compare(a, b) : Number(a) - Number(b)
}

/** Where each record stands among the values of a field: equal values share a rank; ranks are below `last`, which is that of null. */
export type Ranks = { ranks: Uint32Array, last: number }

/** Ranks the records of a column by its values. */
export function ranksOf ({ codes, values }: Column): Ranks {
  const sorted = [...values.keys()].filter(code => values[code] !== null)
    .sort((a, b) => compareValues(values[a] as Value, values[b] as Value))
  const rankOfCode = new Uint32Array(values.length).fill(values.length)
  let rank = 0
  for (const [index, code] of sorted.entries()) {
    const previous = values[sorted[index - 1] ?? code] as Value
    if (compareValues(previous, values[code] as Value) !== 0) rank++
    rankOfCode[code] = rank
  }
  return { ranks: codes.map(code => rankOfCode[code] as number), last: values.length }
}

/** Gives the positions of a table's records ordered by the terms; equal records stay in ascending id order. */
export function orderPositions<T> ({ records, ranks }: Table<T>, terms: readonly Term[]): Uint32Array {
  const inOrder = new Uint32Array(records.length).map((_, position) => position)
  return terms.reduceRight<Uint32Array>((positions, { field, descending }) => sortStably(positions, ranks.get(field) as Ranks, descending), inOrder)
}

/** Sorts positions by rank, null last in both directions, by counting how many there are of each. */
function sortStably (positions: Uint32Array, { ranks, last }: Ranks, descending: boolean): Uint32Array {
  const places = descending ? ranks.map(rank => rank < last ? last - 1 - rank : rank) : ranks
  const starts = new Uint32Array(last + 2)
  for (let position = 0; position < places.length; position++) starts[places[position]! + 1]!++
  for (let place = 1; place < starts.length; place++) starts[place]! += starts[place - 1]!
  const sorted = new Uint32Array(positions.length)
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!
    sorted[starts[places[position]!]!++] = position
  }
  return sorted
}
