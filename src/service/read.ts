import { attempt } from '../base/attempt.ts'
import { readExactly, writeExactly } from '../base/json-text.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { withoutMark } from '../catalogue/files.ts'
import { readRecords, type Records } from '../recorded/texts.ts'
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
  /** The fields of a page. */
  page?: JsonObject | undefined
  /** The texts of the records, and those between them. */
  list?: Records
}

export const isListed = ({ form }: Pick<ServiceBody, 'form'>) => form === 'array' || form === 'page'

/** Returns whether a value has more than 100 levels; records have far fewer. */
function isDeep (value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 100) return true
  return Object.values(value).some(part => isDeep(part, depth + 1))
}

/** Reads a response as a list, a page, or what it is instead. */
export function readBody (response: HttpResponse): ServiceBody {
  const { status } = response
  const bytes = withoutMark(response.body)
  const text = bytes.toString()
  const list = status === 200 ? readRecords(bytes) : undefined
  if (list === undefined) {
    const parsed = attempt((): unknown => JSON.parse(text)).value
    const value = isDeep(parsed) ? undefined : parsed
    let form: Form = status >= 400 && status < 500 ? 'refused' : 'unreadable'
    if (status === 200 && value !== undefined) form = 'document'
    return { form, text, value, records: [], ids: [] }
  }
  const { values, page } = list
  const form = page === undefined ? 'array' : 'page'
  return { form, text, value: page ?? values, records: values, ids: idsOf(list), page, list }
}

function idsOf ({ values, bytesAt }: Records): string[] {
  return values.map((value, index) => {
    const text = bytesAt(index).toString()
    const record = /\d{16}/.test(text) ? readExactly(text) : value
    const id = isPlainObject(record) ? record['id'] : undefined
    return id === undefined ? 'nothing' : writeExactly(id)
  })
}

/** Returns a link of a page; null for none, which some services write as an empty string. */
export const linkIn = (link: unknown) => typeof link === 'string' && link !== '' ? link : null

/** Returns the URL of a link to the same list; undefined for any other link. */
export function listLink (link: unknown, path: string, base: URL): URL | undefined {
  const url = urlOf(link, base)
  return url?.pathname === path ? url : undefined
}
