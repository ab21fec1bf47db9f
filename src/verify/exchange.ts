import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { short } from '../base/text.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import type { Value } from '../lists/table.ts'
import type { Found, Ledger, Row, Target } from './check.ts'

type Ask = (target: string, headers?: HttpRequest['headers'], method?: string) => Promise<HttpResponse>

export type Session = Target & {
  resource: Resource
  /** The path of the list, below that of the base URL. */
  path: string
  /** Sends a request without credentials. */
  ask: Ask
  /** Sends a request with a query of the list, and with the token for version 2.1. */
  get: Ask
  ledger: Ledger
  /** The word that the first list of bikes uses in place of `fitness` (contract S27). */
  fitness?: string | undefined
  /** The first records of the plain request by their ids; until then, those of version 1 for other lists of bikes. */
  sample: Map<string, JsonObject>
}

export type ListRequest = {
  /** Its name among the series of the list. */
  name: string
  query: string
  headers?: HttpRequest['headers']
  ordering?: string
  /** What the specification leaves open: nothing, whether the request is rejected, or the whole response. */
  open?: 'refusal' | 'response' | undefined
  /** The most pages that are read, by default the first. */
  pages?: number
  /** Whether it is repeated by HEAD and with `format=api`, also for its second and its last page. */
  hasForms?: boolean
  /** How it repeats a request for a list. */
  form?: 'head' | 'html'
}

export type Exchange = {
  asked: ListRequest
  response: HttpResponse
  /** The position of the page in its series; 0 for a single response. */
  index: number
  text: string
  /** The value of a JSON body; undefined for an unreadable one. */
  value: unknown
  form: 'array' | 'page' | 'document' | 'refused' | 'unreadable'
  records: readonly unknown[]
  /** The ids as JSON, as written, so that integers over 2^53 stay apart. */
  ids: readonly string[]
  page?: JsonObject
  /** The response to the same request by GET, for one to HEAD. */
  get?: HttpResponse
}

/** The pages of a request, without their bodies. */
export type Series = {
  asked: ListRequest
  request: HttpRequest
  status: number
  form: Exchange['form']
  ids: string[]
  /** The values of the id and the sortable fields. */
  values: Readonly<Record<string, Value[]>>
  sizes: number[]
  counts: unknown[]
  /** Whether it has the first page, the last one, and those between. */
  isWhole: boolean
}

export type Collected = ReadonlyMap<string, Series>

/** What is true of every response of a kind. */
export type Property = Row & {
  kind: 'response' | 'success' | 'list' | 'page' | 'linked' | 'later' | 'cached' | 'html' | 'head'
  judge: (exchange: Exchange, session: Session) => readonly Found[]
}

/** Returns whether a value has more than 100 levels; records have far fewer. */
const isDeep = (value: unknown, depth = 0): boolean => depth === 100 ||
  (typeof value === 'object' && Object.values(value ?? {}).some(part => isDeep(part, depth + 1)))

/** Matches the strings and numbers of a JSON text. */
export const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns undefined for invalid or too deeply nested JSON. */
function parse (text: string): unknown {
  const { value } = attempt((): unknown => JSON.parse(text))
  return isDeep(value) ? undefined : value
}

export const jsonOf = ({ body }: HttpResponse) => parse(body.toString())

function recordsIn (value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isPlainObject(value) && Array.isArray(value['results']) ? value['results'] : undefined
}

/** Returns whether a response, or the first of a series, is a list. */
export const isListed = ({ form }: Pick<Series, 'form'>) => form === 'array' || form === 'page'

export function readBody (status: number, text: string): Pick<Exchange, 'value' | 'form' | 'records' | 'ids' | 'page'> {
  const value = parse(text)
  const records = status === 200 ? recordsIn(value) : undefined
  if (records !== undefined) {
    const page = isPlainObject(value) ? { page: value } : undefined
    return { value, form: page === undefined ? 'array' : 'page', records, ids: idsOf(text, records), ...page }
  }
  const rejected = status >= 400 && status < 500 ? 'refused' : 'unreadable'
  return { value, form: status === 200 && value !== undefined ? 'document' : rejected, records: [], ids: [] }
}

/** Returns the ids of records, also invalid ones, as JSON; integers over 2^53 as strings. */
function idsOf (text: string, records: readonly unknown[]): readonly string[] {
  const exact = text.replace(tokens, token => /^-?\d{16,}$/.test(token) ? `"${token}"` : token)
  const all = /\d{16}/.test(text) ? recordsIn(JSON.parse(exact)) as readonly unknown[] : records
  return all.map(record => shown(isPlainObject(record) ? record['id'] : undefined))
}

/** Formats a value as JSON, shortened to one line. */
export const shown = (value: unknown) => short(JSON.stringify(value) ?? 'nothing')

export const named = (record: JsonObject) => record['id'] === undefined ? 'a record without an id' : `record ${shown(record['id'])}`

/** Returns the URL of a link to a page of the same list in the same order; undefined for any other link. */
export function linkOf (link: unknown, { ordering }: ListRequest, { path, base }: Session): URL | undefined {
  const url = urlOf(link, base)
  const isOrdered = ordering === undefined || url?.searchParams.getAll('ordering').at(-1) === ordering
  return url?.pathname === path && isOrdered ? url : undefined
}

/** Returns the first characters of a body for a report. */
export const bodyOf = ({ body }: HttpResponse) => short(body.toString('utf8', 0, 500)) || 'no body'

/** Describes a response, and the error in its JSON. */
export function statusAndBody (response: HttpResponse): string {
  const { status, headers: { location }, body } = response
  if (status === 0) return bodyOf(response)
  if (location !== undefined) return `${status}, Location: ${location}`
  const text = body.toString()
  const { error } = /^\s*[[{]/.test(text) ? attempt((): unknown => JSON.parse(text)) : {} // other bodies speak for themselves
  return `${status}, ${bodyOf(response)}${error === undefined ? '' : `; ${short(error.message)}`}`
}
