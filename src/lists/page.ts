import { readInteger } from '../base/python.ts'
import { writeQuery } from '../http/target.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

/** A page of a list of `count` records: its first position, its number and the last page's, both from 1. */
export type ListPage = { number: number, last: number, start: number, size: number, count: number }

/** Finds a page: `last` is valid, too, an invalid `page_size` is ignored, and a large one capped. Undefined for an invalid page. */
export function findPage (count: number, page: string, pageSize: string | undefined, usualSize: number): ListPage | undefined {
  const wanted = readInteger(pageSize ?? '') ?? 0
  const size = wanted > 0 ? Math.min(wanted, maxPageSize) : usualSize
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

/** Returns the fields of a page before its records. */
export function pageFields ({ number, last, count }: ListPage, address: string, query: URLSearchParams) {
  const next = number < last ? pageLink(address, query, number + 1) : null
  const previous = number > 1 ? pageLink(address, query, number - 1) : null
  return { count, next, previous }
}
