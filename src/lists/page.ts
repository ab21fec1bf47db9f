import type { JsonObject } from '../base/json.ts'
import { readInteger } from '../base/python.ts'
import { writeQuery } from '../http/target.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

export type ListPage = {
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
  count: number, page: string, pageSize: string | undefined, usualSize: number, largest = maxPageSize
): ListPage | undefined {
  const sentSize = readInteger(pageSize ?? '') ?? 0
  const size = sentSize > 0 ? Math.min(sentSize, largest) : usualSize
  const last = Math.max(1, Math.ceil(count / size)) // an empty list has one page
  const number = page === 'last' ? last : readInteger(page)
  if (number === undefined || number < 1 || number > last) return undefined
  return { number, last, start: (number - 1) * size, size, count }
}

/** The fields of a page in the contract's form. */
const contractPage: JsonObject = { count: 0, next: null, previous: null, results: [] }

/** Returns the fields of a page: those of another one, or of the contract, with its own count and its own links. */
export function pageFields (
  page: ListPage, address: string, query: URLSearchParams, form = contractPage
): JsonObject {
  const { number, last, count } = page
  const fields: Record<string, unknown> = { ...form }
  if ('count' in form) fields['count'] = count
  if ('next' in form && number < last) fields['next'] = linkTo(number + 1)
  if ('previous' in form && number > 1) fields['previous'] = linkTo(number - 1)
  return fields

  /** Returns the URL of another page of the same query; the first page's has no `page` (contract F14). */
  function linkTo (other: number): string {
    const parameters = new URLSearchParams(query)
    parameters.delete('page')
    if (other !== 1) parameters.set('page', String(other))
    const text = writeQuery(parameters)
    return text === '' ? address : `${address}?${text}`
  }
}
