import { type HttpResponse, isJsonObject, type JsonObject, urlOf } from '../http/client.ts'
import { type Resource, resources } from '../lists/resources.ts'
import { createStore, type PulledList, type StoredFile } from './store.ts'

/** Sends a GET and returns the response, whatever its status. */
export type Get = (url: URL, token?: string) => Promise<HttpResponse>

type ListLimits = { pages: number, records: number }

/** The largest page of our own server; a service without `page_size` ignores it. */
const pageSize = 100

/** The lists in the order in which they are read: parts before the records that nest them. */
const order: readonly PulledList[] = [
  'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars', 'bikes', 'bikesV2'
]

/** The data files of a service, and the time of its last change if it says so, otherwise of the pull. */
export type Pulled = { files: StoredFile[], updated: string }

/**
 * Reads all lists below a base address, those of v2.1 only with a token.
 * @throws {Error} for a response that is no list, or a list without end
 */
export async function readLists (get: Get, base: URL, token: string | undefined, limits: ListLimits): Promise<Pulled> {
  const store = createStore()
  let modified = 0
  for (const list of order) {
    const { path, access } = resources.find(({ key }) => key === list) as Resource
    if (access === 'token' && token === undefined) continue
    for await (const { headers, records } of readList(get, new URL(`.${path}`, base), access === 'token' ? token : undefined, limits)) {
      for (const record of records) store.add(list, record)
      modified = Math.max(modified, Date.parse(headers['last-modified'] ?? '') || 0)
    }
  }
  return { files: store.files(), updated: new Date(modified || Date.now()).toISOString() }
}

/** Reads a list, plain or page by page, and yields the records of each response. */
async function * readList (get: Get, list: URL, token: string | undefined, limits: ListLimits) {
  const visited = new Set<string>()
  let length = 0
  let url: URL | undefined = new URL(`?page_size=${pageSize}`, list)
  while (url !== undefined) {
    if (visited.has(url.href)) throw new Error(`${list.href} has pages that lead in a circle: ${url.href}`)
    if (visited.size === limits.pages) throw new Error(`${list.href} has more than ${limits.pages} pages`)
    visited.add(url.href)
    const response: HttpResponse = await get(url, token)
    const { count, next, results: records } = pageOf(url, response)
    length += records.length
    if (length > limits.records) throw new Error(`${list.href} has more than ${limits.records} records`)
    url = typeof next === 'string' ? withinOrigin(next, url) : undefined
    if (url === undefined && typeof count === 'number' && count !== length) {
      throw new Error(`${list.href} counts ${count} records and has ${length}; pull again, as it may have changed meanwhile`)
    }
    yield { headers: response.headers, records }
  }
}

/** Resolves a link, so that a token reaches no other origin. */
function withinOrigin (link: string, from: URL): URL {
  const url = urlOf(link, from)
  if (url?.origin !== from.origin) throw new Error(`${from.href} leads to another origin: ${link}`)
  return url
}

type Page = { count?: unknown, next?: unknown, results: readonly JsonObject[] }

/** Reads a response as a page; a plain list is the only one. */
function pageOf ({ href }: URL, { status, headers, body }: HttpResponse): Page {
  const hints = ['location', 'retry-after'].filter(name => name in headers).map(name => `, ${name}: ${headers[name]}`)
  if (status !== 200) throw new Error(`${href} responds with ${status}${hints.join('')}`)
  const value = parse(body)
  const page = isJsonObject(value) ? value : { results: value }
  const { results } = page
  if (!Array.isArray(results) || !results.every(isJsonObject)) throw new Error(`${href} responds with no list of records`)
  return { ...page, results }
}

function parse (body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
