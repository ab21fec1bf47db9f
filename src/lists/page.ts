import { readInteger } from '../http/text.ts'
import { writeQuery } from './query.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

/** Returns the page size; ignores an invalid `page_size`, and caps a large one. */
export function readPageSize (text: string | undefined, otherwise = defaultPageSize): number {
  const size = readInteger(text ?? '') ?? 0
  return size > 0 ? Math.min(size, maxPageSize) : otherwise
}

/** A page of a list of `count` records: its first position, its number and the last page's, both from 1. */
export type PagePlace = { number: number, last: number, start: number, size: number, count: number }

/** Finds the page that `page` and `page_size` select; `last` is valid, too. Undefined for an invalid page. */
export function findPage (count: number, page: string, pageSize: string | undefined, otherwise?: number): PagePlace | undefined {
  const size = readPageSize(pageSize, otherwise)
  const last = Math.max(1, Math.ceil(count / size))
  const number = page === 'last' ? last : readInteger(page)
  if (number === undefined || number < 1 || number > last) return undefined
  return { number, last, start: (number - 1) * size, size, count }
}

/** Returns the URL of another page of the same query; the first page's has no `page` (contract F14). */
function pageLink (address: string, query: URLSearchParams, number: number): string {
  const others = [...query].filter(([name]) => name !== 'page')
  const text = writeQuery(number === 1 ? others : [...others, ['page', String(number)]])
  return text === '' ? address : `${address}?${text}`
}

/** Returns the envelope `count, next, previous, results` of a page. */
export function envelope<T> (records: readonly T[], place: PagePlace, address: string, query: URLSearchParams) {
  const { number, last, start, size, count } = place
  return {
    count,
    next: number < last ? pageLink(address, query, number + 1) : null,
    previous: number > 1 ? pageLink(address, query, number - 1) : null,
    results: records.slice(start, start + size)
  }
}
