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

/** Gives the rank of each record in a column, from 0; equal values share a rank, null comes last in both directions. */
function ranksOf ({ codes, values }: Column, descending: boolean): Uint32Array {
  const sorted = [...values.keys()].filter(code => values[code] !== null)
    .sort((a, b) => compareValues(values[a] as Value, values[b] as Value))
  if (descending) sorted.reverse()
  const rankOfCode = new Uint32Array(values.length).fill(values.length)
  let rank = 0
  for (const [index, code] of sorted.entries()) {
    const previous = values[sorted[index - 1] ?? code] as Value
    if (compareValues(previous, values[code] as Value) !== 0) rank++
    rankOfCode[code] = rank
  }
  return codes.map(code => rankOfCode[code] as number)
}

/** Gives the positions of a table's records ordered by the terms; equal records stay in ascending id order. */
export function orderPositions<T> ({ records, column }: Table<T>, terms: readonly Term[]): Uint32Array {
  const positions = Uint32Array.from(records.keys())
  const ranks = terms.map(({ field, descending }) => ranksOf(column(field), descending))
  if (ranks.length === 0) return positions
  return positions.sort((a, b) => {
    for (const rank of ranks) {
      const order = (rank[a] as number) - (rank[b] as number)
      if (order !== 0) return order
    }
    return 0
  })
}
