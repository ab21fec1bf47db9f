import type { Ranks, Table } from './table.ts'

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

/** The positions of a table's records ordered by the terms; equal records stay in ascending id order. */
export function orderPositions<T> ({ records, ranks }: Table<T>, terms: readonly Term[]): Uint32Array {
  let positions: Uint32Array = new Uint32Array(records.length).map((_, position) => position)
  // The sort is stable, so that the first term is sorted by last.
  for (const { field, descending } of terms.toReversed()) positions = sortStably(positions, ranks.get(field) as Ranks, descending)
  return positions
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
