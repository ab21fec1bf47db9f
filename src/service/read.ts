import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'

/** What a response is: an array or a page of records, another JSON document, a 4xx, or anything else. */
export type Form = 'array' | 'page' | 'document' | 'refused' | 'unreadable'

/** The body of a response, read as that of a list. */
export type Body = {
  form: Form
  /** The text without a byte order mark, which readers may ignore (RFC 8259, 8.1). */
  text: string
  /** The value of JSON; undefined for invalid or too deeply nested JSON. */
  value: unknown
  records: readonly unknown[]
  /** The ids as JSON, as they are written, so that integers over 2^53 stay apart; `nothing` for a record without an id. */
  ids: readonly string[]
  page?: JsonObject
}

export const isListed = ({ form }: Pick<Body, 'form'>) => form === 'array' || form === 'page'

/** Matches the strings and numbers of a JSON text. */
export const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns whether a value has more than 100 levels; records have far fewer. */
function isDeep (value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 100 || Object.values(value).some(part => isDeep(part, depth + 1))
}

/** Returns undefined for invalid or too deeply nested JSON. */
function parse (text: string): unknown {
  const { value } = attempt((): unknown => JSON.parse(text))
  return isDeep(value) ? undefined : value
}

const textOf = ({ body }: HttpResponse) => body.toString().replace(/^\ufeff/, '')

export const jsonOf = (response: HttpResponse) => parse(textOf(response))

function recordsIn (value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isPlainObject(value) && Array.isArray(value['results']) ? value['results'] : undefined
}

/** Reads a response as a list, a page, or what it is instead. */
export function readBody (response: HttpResponse): Body {
  const { status } = response
  const text = textOf(response)
  const value = parse(text)
  const records = status === 200 ? recordsIn(value) : undefined
  if (records === undefined) return { form: formOf(status, value), text, value, records: [], ids: [] }
  const list = { text, value, records, ids: idsOf(text, records) }
  return isPlainObject(value) ? { form: 'page', ...list, page: value } : { form: 'array', ...list }
}

function formOf (status: number, value: unknown): Form {
  if (status === 200 && value !== undefined) return 'document'
  return status >= 400 && status < 500 ? 'refused' : 'unreadable'
}

function idsOf (text: string, records: readonly unknown[]): readonly string[] {
  const exact = text.replace(tokens, token => /^-?\d{16,}$/.test(token) ? `"${token}"` : token)
  const all = /\d{16}/.test(text) ? recordsIn(JSON.parse(exact)) as readonly unknown[] : records
  return all.map(record => (isPlainObject(record) ? JSON.stringify(record['id']) : undefined) ?? 'nothing')
}

/** Returns the URL of a link to the same list; undefined for any other link. */
export function listLink (link: unknown, path: string, base: URL): URL | undefined {
  const url = urlOf(link, base)
  return url?.pathname === path ? url : undefined
}

/** Returns the value that a parameter has for a service that takes the last one. */
export const lastOf = (url: URL | undefined, name: string) => url?.searchParams.getAll(name).at(-1)
