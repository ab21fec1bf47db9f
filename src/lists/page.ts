import { lastValue, writeQuery } from './query.ts'

export const defaultPageSize = 10
export const maxPageSize = 100

const integer = /^[+-]?\p{Nd}+(?:_\p{Nd}+)*$/u

const digits = new Map<string, string>()

/** The value of a decimal digit of another script than ours; their ten digits stand in a row in Unicode. */
function digit (character: string): string {
  const known = digits.get(character)
  if (known !== undefined) return known
  const code = character.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  const value = String((code - zero) % 10)
  digits.set(character, value)
  return value
}

/** Reads a whole number as Python's int() does: blanks around it, a sign, single underscores, digits of any script. */
export function readInteger (text: string): number | undefined {
  const trimmed = text.trim()
  if (!integer.test(trimmed)) return undefined
  return Number(trimmed.replaceAll('_', '').replace(/(?![0-9])\p{Nd}/gu, digit))
}

/** The number of records a page holds; a bad `page_size` is ignored, a too large one cut. */
export function readPageSize (text: string | undefined): number {
  const size = readInteger(text ?? '') ?? 0
  return size > 0 ? Math.min(size, maxPageSize) : defaultPageSize
}

/** A page of a list of `count` records: where it begins, its own number and the last one's, both from 1. */
export type PagePlace = { number: number, last: number, start: number, size: number, count: number }

/** Finds the page that `page` and `page_size` name; `last` is a name too. Undefined for an invalid page. */
export function findPage (count: number, page: string, pageSize: string | undefined): PagePlace | undefined {
  const size = readPageSize(pageSize)
  const last = Math.max(1, Math.ceil(count / size))
  const number = page === 'last' ? last : readInteger(page)
  if (number === undefined || number < 1 || number > last) return undefined
  return { number, last, start: (number - 1) * size, size, count }
}

/** The address of another page of the same query: the first page's has no `page` (reference, "Pagination"). */
export function pageLink (address: string, query: URLSearchParams, number: number): string {
  const others = [...query].filter(([name]) => name !== 'page')
  const text = writeQuery(number === 1 ? others : [...others, ['page', String(number)]])
  return text === '' ? address : `${address}?${text}`
}

type Sliceable<T> = { slice: (start: number, end: number) => T }

/** Wraps the page of a list (an array of any kind) in the envelope `count, next, previous, results`. */
export function envelope<T extends Sliceable<T>> (records: T, place: PagePlace, address: string, query: URLSearchParams) {
  const { number, last, start, size, count } = place
  return {
    count,
    next: number < last ? pageLink(address, query, number + 1) : null,
    previous: number > 1 ? pageLink(address, query, number - 1) : null,
    results: records.slice(start, start + size)
  }
}

/** Tells which page a query asks for, or undefined when it asks for the plain array. */
export function askedPage (query: URLSearchParams, always: boolean): string | undefined {
  return lastValue(query, 'page') ?? (always ? '1' : undefined)
}
