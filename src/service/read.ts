import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'

/** What a response is: an array or a page of records, another JSON document, a 4xx, or anything else. */
export type Form = 'array' | 'page' | 'document' | 'refused' | 'unreadable'

/** The body of a response, read as that of a list. */
export type ServiceBody = {
  form: Form
  /** The text without a byte order mark, which readers may ignore (RFC 8259, 8.1). */
  text: string
  /** The value of JSON; undefined for invalid or too deeply nested JSON. */
  value: unknown
  records: readonly unknown[]
  /**
   * The ids as JSON, as they are written, so that integers over 2^53 stay apart; `nothing` for a record without an id.
   */
  ids: readonly string[]
  page?: JsonObject
}

export const isListed = ({ form }: Pick<ServiceBody, 'form'>) => form === 'array' || form === 'page'

/** Matches the strings and numbers of a JSON text. */
export const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns whether a value has more than 100 levels; records have far fewer. */
function isDeep (value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 100) return true
  return Object.values(value).some(part => isDeep(part, depth + 1))
}

/** Returns undefined for invalid or too deeply nested JSON. */
function parse (text: string): unknown {
  const { value } = attempt((): unknown => JSON.parse(text))
  return isDeep(value) ? undefined : value
}

const textOf = ({ body }: HttpResponse) => body.toString().replace(/^\ufeff/, '')

export const jsonOf = (response: HttpResponse) => parse(textOf(response))

function recordsIn (value: unknown): readonly unknown[] | undefined {
  const records = isPlainObject(value) ? value['results'] : value
  return Array.isArray(records) ? records : undefined
}

/** Reads a response as a list, a page, or what it is instead. */
export function readBody (response: HttpResponse): ServiceBody {
  const { status } = response
  const text = textOf(response)
  const value = parse(text)
  const records = status === 200 ? recordsIn(value) : undefined
  if (records === undefined) return { form: otherForm(status, value), text, value, records: [], ids: [] }
  const list = { text, value, records, ids: idsOf(text, records) }
  if (isPlainObject(value)) return { form: 'page', ...list, page: value }
  return { form: 'array', ...list }
}

/** Returns the form of a response without records. */
function otherForm (status: number, value: unknown): Form {
  if (status === 200 && value !== undefined) return 'document'
  return status >= 400 && status < 500 ? 'refused' : 'unreadable'
}

function idsOf (text: string, records: readonly unknown[]): string[] {
  const ids: string[] = []
  for (const record of /\d{16}/.test(text) ? exactRecords(text) : records) {
    const id = isPlainObject(record) ? record['id'] : undefined
    ids.push(JSON.stringify(id) ?? 'nothing')
  }
  return ids
}

/** Returns the records of a text with strings in place of its long integers, which JSON.parse may round. */
function exactRecords (text: string): readonly unknown[] {
  const exact = text.replace(tokens, token => /^-?\d{16,}$/.test(token) ? `"${token}"` : token)
  return recordsIn(JSON.parse(exact)) as readonly unknown[]
}

/** Returns the URL of a link to the same list; undefined for any other link. */
export function listLink (link: unknown, path: string, base: URL): URL | undefined {
  const url = urlOf(link, base)
  return url?.pathname === path ? url : undefined
}

/** Returns the value that a parameter has for a service that takes the last one. */
export const lastOf = (url: URL | undefined, name: string) => url?.searchParams.getAll(name).at(-1)
