import { attempt } from '../base/attempt.ts'
import type { ListKey } from '../../schemas/lists.ts'
import { scanForErrors } from '../catalogue/errors/positions.ts'
import { createSource } from '../catalogue/errors/source.ts'
import { type HttpResponse, urlOf } from '../client/client.ts'
import { resources } from '../lists/resources.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'

/** Sends a GET and returns the response, whatever its status. */
export type Get = (url: URL, token?: string) => Promise<HttpResponse>

type Limits = { pages: number, records: number }

/** A list as the service serves it; a list in pages has the length of its first one, unless that holds all. */
export type PulledList = { key: ListKey, records: readonly JsonObject[], isPaged: boolean, pageSize: number }

export type Pulled = {
  lists: readonly PulledList[]
  /** The settings with which our server answers in the same form. */
  settings: { paginate: 'always', pageSize: number } | { paginate: 'on-request' }
  /** A line for each list that is missing or takes another form, and for each kind of value that JavaScript changes. */
  messages: readonly string[]
}

/** The largest page of our server. */
const maxPageSize = 100

/** Reads all lists below an address, those of v2.1 only with a token. @throws {Error} for a response that is no list, or an endless list */
export async function readLists (get: Get, base: URL, token: string | undefined, limits: Limits): Promise<Pulled> {
  const [lists, messages]: [PulledList[], string[]] = [[], []]
  for (const { key, path, access } of resources.filter(({ access }) => access === 'public' || token !== undefined)) {
    const url = new URL(`.${path}`, base)
    const list = await readList(get, base, url, access === 'token' ? token : undefined, limits, messages)
    if (typeof list !== 'string') lists.push({ key, ...list })
    else if (key === 'bikes') throw new Error(`${url.href} ${list}; if the service has a base path, add it: ${base.href}path`)
    else messages.push(`${url.href} ${list}, so the list is missing`)
  }
  const isPaged = lists[0]?.isPaged === true
  for (const list of lists.filter(list => list.isPaged !== isPaged)) {
    messages.push(`${list.key} has ${list.isPaged ? 'pages' : 'no pages'}, unlike bikes, whose form is served for all lists`)
  }
  const pageSize = Math.max(1, ...lists.filter(({ key }) => key !== 'bikesV2').map(({ pageSize }) => pageSize))
  if (isPaged && pageSize > maxPageSize) messages.push(`lists have pages of ${pageSize}; pages of ${maxPageSize}, the most, are served`)
  const pages = { paginate: 'always', pageSize: Math.min(pageSize, maxPageSize) } as const
  return { lists, settings: isPaged ? pages : { paginate: 'on-request' }, messages }
}

/** Reads a list, an array or page by page; returns the reason where there is none. */
async function readList (get: Get, base: URL, list: URL, token: string | undefined, limits: Limits, messages: string[]) {
  const [visited, records, changes] = [new Set<string>(), [] as JsonObject[], new Map<string, string[]>()]
  let [isPaged, pageSize] = [false, 0]
  let url: URL | undefined = list
  while (url !== undefined) {
    const { href }: URL = url
    if (visited.has(href)) throw new Error(`${list.href} has pages that lead in a circle: ${href}`)
    if (visited.size === limits.pages) throw new Error(`${list.href} has more than ${limits.pages} pages`)
    const response: HttpResponse = await get(url, token)
    if (response.status === 404 && visited.size === 0) return 'responds with 404'
    visited.add(href)
    const { count, next, results, errors } = pageOf(url, response)
    if (!Array.isArray(results) || !results.every(isPlainObject)) {
      const reason = 'responds with no list of records'
      if (token !== undefined && visited.size === 1) return reason // the specification does not show the form of version 2.1
      throw new Error(`${href} ${reason}`)
    }
    for (const error of errors) changes.set(error.rule, [...(changes.get(error.rule) ?? []), `${href} ${error.message}`])
    if (visited.size === 1) [isPaged, pageSize] = [next !== undefined, results.length]
    for (const record of results) records.push(record)
    if (records.length > limits.records) throw new Error(`${list.href} has more than ${limits.records} records`)
    url = typeof next === 'string' ? within(base, next, url, token !== undefined) : undefined
    if (url === undefined && typeof count === 'number' && count !== records.length) {
      throw new Error(`${list.href} counts ${count} records and has ${records.length}; pull again, as it may have changed meanwhile`)
    }
  }
  for (const [first, ...more] of changes.values()) messages.push(more.length === 0 ? String(first) : `${first} (and ${more.length} more)`)
  return { records, isPaged, pageSize }
}

/** Resolves a link; a token reaches no other origin, and no path outside the base URL. */
function within (base: URL, link: string, from: URL, hasToken: boolean): URL {
  const url = urlOf(link, from)
  if (url?.origin !== from.origin) throw new Error(`${from.href} leads to another origin: ${link}`)
  const isOutside = hasToken && !url.pathname.startsWith(base.pathname)
  if (isOutside) throw new Error(`${from.href} leads out of ${base.href}, below which alone the token is sent: ${link}`)
  return url
}

/** Reads a response as a page; an array is the only one, without `next`. The errors are values that JavaScript changes. */
function pageOf ({ href }: URL, { status, headers, body }: HttpResponse) {
  const hints = ['location', 'retry-after'].filter(name => name in headers).map(name => `, ${name}: ${headers[name]}`)
  const refusal = [401, 403].includes(status) ? '; does the service accept the token of --token?' : ''
  if (status !== 200) throw new Error(`${href} responds with ${status}${hints.join('')}${refusal}`)
  const { value: text = '', error: notText } = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(body))
  const { error: notJson, errors } = scanForErrors(createSource('', href, text), true)
  const error = notText ?? notJson
  if (error !== undefined) throw new Error(`${href} responds with no JSON: ${error.message}`)
  const value: unknown = JSON.parse(text)
  const page: JsonObject = isPlainObject(value) ? { next: null, ...value } : { results: value }
  return { count: page['count'], next: page['next'], results: page['results'], errors }
}
