import type { Ranks } from './ranks.ts'
import type { Table } from './table.ts'

/** One term of an `ordering` parameter. */
export type Term = { field: string, descending: boolean }

/**
 * The terms of an `ordering` value that count: a comma list, each term trimmed, `-` for descending; terms that are
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
  let positions: Uint32Array = new Uint32Array(records.length)
  for (let position = 0; position < positions.length; position++) positions[position] = position
  // The sort is stable, so that the first term is sorted by last.
  for (const { field, descending } of terms.toReversed()) positions = sortStably(positions, ranks(field), descending)
  return positions
}

/** Sorts the positions of a whole list by rank, null last in both directions: each position goes to the next free place of its rank. */
function sortStably (positions: Uint32Array, { ranks, counts }: Ranks, descending: boolean): Uint32Array {
  const places = firstPlaces(counts, descending)
  const sorted = new Uint32Array(positions.length)
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!
    sorted[places[ranks[position]!]!++] = position
  }
  return sorted
}

/** Where the records of each rank begin; the last rank is that of null. */
function firstPlaces (counts: Uint32Array, descending: boolean): Uint32Array {
  const places = new Uint32Array(counts.length)
  const last = counts.length - 1
  let place = 0
  for (let index = 0; index < last; index++) {
    const rank = descending ? last - 1 - index : index
    places[rank] = place
    place += counts[rank]!
  }
  places[last] = place
  return places
}
