import { readInteger } from '../base/python.ts'
import type { PageLinks } from '../catalogue/recorded/responses.ts'
import { writeQuery } from '../http/target.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

/** A page of a list of `count` records: the numbers of the first page, of this one and of the last, and its first position. */
export type ListPage = { first: number, number: number, last: number, start: number, size: number, count: number }

/** Finds a page: `last` is valid, too, an invalid `page_size` is ignored, and a large one capped. Undefined for an invalid page. */
export function findPage (
  count: number, page: string, pageSize: string | undefined, usualSize: number, first = 1
): ListPage | undefined {
  const wanted = readInteger(pageSize ?? '') ?? 0
  const size = wanted > 0 ? Math.min(wanted, maxPageSize) : usualSize
  const last = lastPage(count, size, first)
  const number = page === 'last' ? last : readInteger(page)
  if (number === undefined || number < first || number > last) return undefined
  return { first, number, last, start: (number - first) * size, size, count }
}

/** Returns the number of the last page; an empty list has one page. */
export const lastPage = (count: number, size: number, first: number) => first + Math.max(1, Math.ceil(count / size)) - 1

/** Returns the URL of another page of the same query; the first page's has no `page` (contract F14). */
function pageLink (address: string, query: URLSearchParams, page: string): string {
  const others = [...query].filter(([name]) => name !== 'page')
  const text = writeQuery(page === '' ? others : [...others, ['page', page]])
  return text === '' ? address : `${address}?${text}`
}

/** Returns the count and the links of a page. */
export function pageLinks (page: ListPage, address: string, query: URLSearchParams): PageLinks {
  const { first, number, last, count } = page
  const linkTo = (other: number) => pageLink(address, query, other === first ? '' : String(other))
  return {
    count,
    next: number < last ? linkTo(number + 1) : null,
    previous: number > first ? linkTo(number - 1) : null
  }
}
