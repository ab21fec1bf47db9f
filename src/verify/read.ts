import { attempt } from '../base/attempt.ts'
import { Unreachable, urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { short } from '../base/text.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { type Probe, Untried, type Check } from './check.ts'

export const { bikes, brakes, bikesV2 } = Object.fromEntries(resources.map(list => [list.key, list])) as Record<Resource['key'], Resource>

type Page = { next: unknown, results: readonly unknown[] }

/** A page as a server sends it; its other fields are unvalidated. */
export type Envelope = Page & { count: unknown, previous: unknown }

/** Bound `next` links that lead in a circle, the memory for a list in pages, and recursion over a value; records nest far less. */
const limits = { pages: 100, bytes: 64 * 2 ** 20, depth: 100 }

/** Parsed bodies: many checks read the same list. */
const values = new WeakMap<HttpResponse, unknown>()

/** Returns the value of a JSON body; undefined for anything else, and for JSON that nests too deep. */
export function jsonOf (response: HttpResponse): unknown {
  if (!values.has(response)) {
    const { value } = attempt((): unknown => JSON.parse(response.body.toString()))
    values.set(response, isDeep(value) ? undefined : value)
  }
  return values.get(response)
}

const isDeep = (value: unknown, depth = 0): boolean => depth === limits.depth ||
  (typeof value === 'object' && Object.values(value ?? {}).some(part => isDeep(part, depth + 1)))

/** Returns the detail of an error's body, or undefined. */
export const detailOf = (response: HttpResponse) => (jsonOf(response) as { detail?: unknown } | null | undefined)?.detail

/** Returns the page in a body, or undefined. */
export function pageOf (response: HttpResponse): Envelope | undefined {
  const value = jsonOf(response)
  return isPlainObject(value) && Array.isArray(value['results']) ? value as Envelope : undefined
}

/** The arguments of a check of any list: its id follows the list's key, its claim the list's path. */
export type ListCheck = readonly [
  id: string, claim: string, source: string | ((resource: Resource) => string), run: Check['run'], needs?: Check['needs']
]

/** Returns clauses for version 2.1, and for the other lists. */
export const byAccess = (ofV2: string, others: string) => ({ access }: Resource) => access === 'token' ? ofV2 : others

export function checkList (resource: Resource, ...[id, claim, source, run, needs]: ListCheck): Check {
  const { key, path, access } = resource
  const needed = needs ?? (access === 'token' ? access : undefined)
  const clauses = typeof source === 'string' ? source : source(resource)
  return { id: `${key}/${id}`, claim: `${path} ${claim}`, source: clauses, resource, run, needs: needed }
}

/** Requests a list, with the token if it needs one. */
export function get (probe: Probe, { path, access }: Resource, query = '', headers: HttpRequest['headers'] = {}): Promise<HttpResponse> {
  return probe.request(path + query, access === 'token' ? { ...headers, ...probe.credentials } : headers)
}

/** Returns the page of a 200, or its array as the only page; undefined for any other response. */
export function listIn (response: HttpResponse): Page | undefined {
  if (response.status !== 200) return undefined
  const value = jsonOf(response)
  return Array.isArray(value) ? { next: null, results: value } : pageOf(response)
}

export type List = { response: HttpResponse, records: readonly JsonObject[] }

/** Reads a whole list, all its pages. @throws {Untried} without one; a failure unless the query is empty, which has a check of its own */
export async function readList (probe: Probe, resource: Resource, query = ''): Promise<List> {
  const response = await get(probe, resource, query)
  const list = listIn(response)
  if (list !== undefined) {
    const pages = await readPages(probe, resource, list)
    return { response, records: pages.flatMap(({ results }) => results).filter(isPlainObject) }
  }
  if (query !== '') probe.must(response, false, '200 with a list', statusAndBody(response))
  throw new Untried(`needs a list, which ${resource.path} does not give`)
}

/** Returns a page and those after it, by path only, so that a token goes to no other server. @throws {Unreachable} if they are too long */
export async function readPages (probe: Probe, resource: Resource, first: Page): Promise<Page[]> {
  const pages = [first]
  const visited = new Set<string>()
  let bytes = 0
  for (;;) {
    const url = urlOf(pages.at(-1)?.next, probe.base)
    if (url?.pathname !== probe.pathOf(resource.path) || visited.size === visited.add(url.search).size) break
    if (pages.length === limits.pages) throw new Unreachable(`${resource.path}: a list of more than ${limits.pages} pages`)
    const response = await get(probe, resource, url.search)
    bytes += response.body.length
    if (bytes > limits.bytes) throw new Unreachable(`${resource.path}: a list of more than 64 MB`)
    const page = pageOf(response)
    if (page === undefined) break
    pages.push(page)
  }
  return pages
}

/** Returns the ids of records in their order, even those that are no numbers. */
export const idsOf = (records: readonly unknown[]) => records.map(record => shown((record as JsonObject | null)?.['id']))

export const haveSameOrder = (a: readonly unknown[], b: readonly unknown[]) => idsOf(a).join() === idsOf(b).join()

export const haveSameIds = (a: readonly unknown[], b: readonly unknown[]) => idsOf(a).sort().join() === idsOf(b).sort().join()

/** Formats a JSON value for a report, cut to a line. */
export const shown = (value: unknown) => short(JSON.stringify(value) ?? 'nothing')

/** Names a record in a report. */
export const named = (record: JsonObject) => `the record ${shown(record['id'])}`

/** Returns the first characters of a body for a report. */
export const bodyOf = ({ body }: HttpResponse) => short(body.toString('utf8', 0, 500)) || 'no body'

export const statusAndBody = (response: HttpResponse) => `${response.status}, ${bodyOf(response)}`
