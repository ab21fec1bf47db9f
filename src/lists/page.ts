import { readInteger } from '../base/python.ts'
import type { PageLinks } from '../recorded/responses.ts'
import { writeQuery } from '../http/target.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

export type ListPage = {
  /** The number of the first page. */
  first: number
  /** Its own number. */
  number: number
  /** The number of the last page. */
  last: number
  /** The position of its first record. */
  start: number
  size: number
  /** Records in the whole list. */
  count: number
}

/**
 * Finds a page; undefined for an invalid one. `last` is valid, too. An invalid `page_size` is ignored, and a large one
 * capped.
 */
export function findPage (
  count: number, page: string, pageSize: string | undefined, usualSize: number, first = 1
): ListPage | undefined {
  const sentSize = readInteger(pageSize ?? '') ?? 0
  const size = sentSize > 0 ? Math.min(sentSize, maxPageSize) : usualSize
  const last = lastPage(count, size, first)
  const number = page === 'last' ? last : readInteger(page)
  if (number === undefined || number < first || number > last) return undefined
  return { first, number, last, start: (number - first) * size, size, count }
}

/** Returns the number of the last page; an empty list has one page. */
export function lastPage (count: number, size: number, first: number): number {
  const pages = Math.ceil(count / size)
  return first + Math.max(1, pages) - 1
}

/** Returns the count and the links of a page. */
export function pageLinks (page: ListPage, address: string, query: URLSearchParams): PageLinks {
  const { first, number, last, count } = page
  return {
    count,
    next: number < last ? linkTo(number + 1) : null,
    previous: number > first ? linkTo(number - 1) : null
  }

  /** Returns the URL of another page of the same query; the first page's has no `page` (contract F14). */
  function linkTo (other: number): string {
    const parameters = new URLSearchParams(query)
    parameters.delete('page')
    if (other !== first) parameters.set('page', String(other))
    const text = writeQuery(parameters)
    return text === '' ? address : `${address}?${text}`
  }
}
