import type { Table } from './table.ts'
import { strip } from '../base/python.ts'

export type Term = { field: string, descending: boolean }

/**
 * Parses comma-separated terms, trimmed, `-` for descending; ignores fields that are not sortable or are repeated
 * (contract F9).
 */
export function readOrdering (text: string | undefined, sortable: readonly string[]): Term[] {
  const terms = new Map<string, Term>()
  const sent = (text ?? '').split(',')
  for (const term of sent.map(strip)) {
    const descending = term.startsWith('-')
    const field = descending ? term.slice(1) : term
    if (sortable.includes(field) && !terms.has(field)) terms.set(field, { field, descending })
  }
  return [...terms.values()]
}

export function writeOrdering (terms: readonly Term[]): string {
  return terms.map(({ field, descending }) => descending ? `-${field}` : field).join()
}

/** Orders the positions of a table's records: null last in both directions, ties in their default order. */
export function orderPositions<T> ({ records, ranks }: Table<T>, terms: readonly Term[]): number[] {
  const columns = terms.map(({ field, descending }) => ({ ranks: ranks(field), descending }))
  return [...records.keys()].sort((a, b) => {
    for (const { ranks, descending } of columns) {
      const order = compareRanks(ranks[a] ?? null, ranks[b] ?? null, descending)
      if (order !== 0) return order
    }
    return a - b
  })
}

function compareRanks (a: number | null, b: number | null, descending: boolean): number {
  if (a === null) return b === null ? 0 : 1
  if (b === null) return -1
  return descending ? b - a : a - b
}
