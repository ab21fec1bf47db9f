import { isUtf8 } from 'node:buffer'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { invalidByteAt, short } from '../base/text.ts'
import { syntaxErrors } from '../catalogue/errors/positions.ts'
import { createSource } from '../catalogue/errors/source.ts'
import { Unreachable, urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { type Probe, sources, Untried, type Check } from './check.ts'

export const { bikes, brakes, bikesV2 } = Object.fromEntries(resources.map(list => [list.key, list])) as Record<Resource['key'], Resource>

/** A page as a server sends it, with unvalidated properties, and its response. */
export type Page = { next: unknown, results: readonly unknown[], count?: unknown, previous?: unknown, response: HttpResponse }

/** Bound the memory for all pages of a list, and the depth of a value; records nest far less. */
const limits = { pages: 100, bytes: 64 * 2 ** 20, depth: 100 }

/** Parsed bodies: many checks read the same list. */
const values = new WeakMap<HttpResponse, unknown>()

/** Returns the value of a JSON body; undefined for invalid, encoded or too deeply nested JSON. */
export function jsonOf (response: HttpResponse): unknown {
  if (!values.has(response)) {
    const { value } = attempt((): unknown => JSON.parse(response.body.toString()))
    values.set(response, isDeep(value) || codingOf(response) !== undefined ? undefined : value)
  }
  return values.get(response)
}

/** Returns an unrequested content coding. */
const codingOf = ({ headers: { 'content-encoding': coding = 'identity' } }: HttpResponse) => coding === 'identity' ? undefined : coding

const isDeep = (value: unknown, depth = 0): boolean => depth === limits.depth ||
  (typeof value === 'object' && Object.values(value ?? {}).some(part => isDeep(part, depth + 1)))

/** Describes the first byte of a body that is invalid UTF-8; undefined if there is none. */
export function invalidByteOf ({ body }: HttpResponse): string | undefined {
  if (isUtf8(body)) return undefined
  const at = invalidByteAt(body)
  return `the byte 0x${body.toString('hex', at, at + 1)} at ${at}: ${shown(body.toString('latin1', Math.max(0, at - 12), at + 12))}`
}

export function pageOf (response: HttpResponse): Page | undefined {
  const value = jsonOf(response)
  return isPlainObject(value) && Array.isArray(value['results']) ? { ...value as Page, response } : undefined
}

/** The arguments of a check of any list. The list's key precedes the id, its path the claim. */
export type ListCheck = readonly [
  id: string, claim: string, source: string | ((resource: Resource) => string), run: Check['run'],
  others?: Pick<Check, 'needs' | 'compares'>
]

/** Chooses clauses for version 2.1, or for the other lists. */
export const byAccess = (ofV2: string, others: string) => ({ access }: Resource) => access === 'token' ? ofV2 : others

export function checkList (resource: Resource, ...[id, claim, source, run, others]: ListCheck): Check {
  const { key, path, access } = resource
  const clauses = typeof source === 'string' ? source : source(resource)
  const needs = access === 'token' ? { needs: access } : {}
  return { id: `${key}/${id}`, claim: `${path} ${claim}`, source: clauses, resource, run, ...needs, ...others }
}

/** Requests a list, with the token if it needs one. */
export function get (probe: Probe, { path, access }: Resource, query = '', headers: HttpRequest['headers'] = {}): Promise<HttpResponse> {
  return probe.request(path + query, access === 'token' ? { ...headers, ...probe.credentials } : headers)
}

/** Returns a check of one response; `gotOf` describes an error in it. */
export const judged = (
  expected: string | ((resource: Resource) => string), gotOf: (response: HttpResponse, resource: Resource) => string | undefined,
  query = '', headers?: HttpRequest['headers'], method?: string
): Check['run'] => async (probe, resource) => {
  const own = resource.access === 'token' ? probe.credentials : {}
  const response = await probe.request(resource.path + query, { ...own, ...headers }, method)
  const got = gotOf(response, resource)
  if (got !== undefined) probe.expect(response, false, typeof expected === 'string' ? expected : expected(resource), got)
}

/** Returns the page of a 200, or its array as a single page; undefined for any other response. */
export function listIn (response: HttpResponse): Page | undefined {
  if (response.status !== 200) return undefined
  const value = jsonOf(response)
  return Array.isArray(value) ? { next: null, results: value, response } : pageOf(response)
}

/** A list with all its pages; incomplete if the last `next` link leads away or back. */
export type List = {
  response: HttpResponse, pages: readonly Page[], results: readonly unknown[], records: readonly JsonObject[], isWhole: boolean
}

/** Reads pages of a list, by default all. @throws {Untried} without a list; also adds a finding for a query, as `status` covers the rest */
export async function readList (probe: Probe, resource: Resource, query = '', most = Infinity): Promise<List> {
  const response = await get(probe, resource, query)
  const first = listIn(response)
  if (first !== undefined) {
    const pages = await readPages(probe, resource, first, most)
    const results = pages.flatMap(({ results }) => results)
    const isWhole = typeof pages.at(-1)?.next !== 'string'
    return { response, pages, results, records: results.filter(isPlainObject), isWhole }
  }
  if (query !== '') probe.expect(response, false, '200 with a list', statusAndBody(response))
  throw new Untried(`needs a list, which ${resource.path} does not give`)
}

/**
 * Returns a page and those after it, until a link leads back. It takes only the query of links, so that no other server gets the token.
 * @throws {Unreachable} for too many pages or bytes
 */
export async function readPages (probe: Probe, resource: Resource, first: Page, most = Infinity): Promise<Page[]> {
  const pages = [first]
  const visited = new Set<string>()
  let bytes = 0
  while (pages.length < most) {
    const url = urlOf(pages.at(-1)?.next, probe.base)
    if (url?.pathname !== probe.pathOf(resource.path) || visited.size === visited.add(url.search).size) break
    if (pages.length === limits.pages) throw new Unreachable(`${resource.path}: a list of more than ${limits.pages} pages`)
    const response = await get(probe, resource, url.search)
    bytes += response.body.length
    if (bytes > limits.bytes) throw new Unreachable(`${resource.path}: a list of more than 64 MB`)
    const page = pageOf(response)
    if (page === undefined) break
    for (const record of page.results.filter(isPlainObject)) sources.set(record, response)
    pages.push(page)
  }
  return pages
}

/** Returns the ids of records, also invalid ones, as JSON. */
export const idsOf = (records: readonly unknown[]) => records.map(record => shown((record as JsonObject | null)?.['id']))

export const haveSameOrder = (a: readonly unknown[], b: readonly unknown[]) => idsOf(a).join() === idsOf(b).join()

export const haveSameIds = (a: readonly unknown[], b: readonly unknown[]) => idsOf(a).sort().join() === idsOf(b).sort().join()

/** Formats a value as JSON, shortened to one line. */
export const shown = (value: unknown) => short(JSON.stringify(value) ?? 'nothing')

/** Names a record, and its page, in a report. */
export function named (record: JsonObject): string {
  const [, query] = sources.get(record)?.request.target.split('?') ?? []
  const name = record['id'] === undefined ? 'a record without an id' : `the record ${shown(record['id'])}`
  return query === undefined ? name : `${name} on ?${query}`
}

/** Returns the first characters of a body for a report. */
export const bodyOf = ({ body }: HttpResponse) => short(body.toString('utf8', 0, 500)) || 'no body'

/** Describes a response, and why its body is unreadable: an unexpected coding, or the first error in its JSON. */
export function statusAndBody (response: HttpResponse): string {
  const { status, headers: { location }, body } = response
  const coding = codingOf(response)
  if (coding !== undefined) return `${status}, Content-Encoding: ${coding} without Accept-Encoding in the request`
  if (location !== undefined) return `${status}, Location: ${location}`
  const isInvalid = status === 200 && body.length > 0 && jsonOf(response) === undefined
  const [error] = isInvalid ? syntaxErrors(createSource('', 'body', body.toString())) : []
  const isIn = error?.rule === 'syntax' && `${error.line}:${error.column}` !== '1:1' // otherwise the body shows it
  const at = isIn ? `; line ${error.line}, column ${error.column}: ${error.message}` : ''
  return `${status}, ${bodyOf(response)}${at}`
}
