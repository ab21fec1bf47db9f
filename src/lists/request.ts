import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { presentFilters } from './filter.ts'
import { readOrdering, writeOrdering, type Term } from './ordering.ts'
import { lastValue, parseQuery, writeQuery } from '../http/target.ts'
import { resources, servedResource, type Resource, type ServedResource } from './resources.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { readInteger } from '../base/python.ts'
import { cacheSize } from '../base/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { errors } from '../http/errors.ts'
import { negotiate, type Negotiated } from '../http/negotiation.ts'

/** A request of a list, read once into one typed value. */
export type ListRequest = Negotiated & {
  resource: ServedResource
  origin: string
  /** The path and query as sent. */
  target: string
  query: URLSearchParams
  terms: readonly Term[]
  /** Those that are present, as sent. */
  filters: readonly [name: string, text: string][]
  /** As sent; undefined for the unpaged list. */
  page: string | undefined
  /** Equal for requests with the same response, whatever their origin. */
  canonical: string
  /** Equal for requests with the same response and origin, which contains no space. */
  key: string
}

/** The most bytes that a cached request takes: a parameter of two characters becomes two strings, and each may be held three times. */
const bytesOf = (text: string) => 1024 + 64 * text.length

/** Returns a function that reads and caches requests of lists; it throws the 400, 404 and 406 of negotiation. */
export function createListRequestParser (settings: Pick<Settings, 'paginate' | 'pageSize'>, catalogue: Pick<Catalogue, 'forms'>) {
  const served = new Map(resources.map(resource => [resource.key, servedResource(resource, settings, catalogue)]))
  const memory = new LRUCache<string, ListRequest>({ maxSize: cacheSize(8 * 2 ** 20), sizeCalculation: (_, key) => bytesOf(key) })

  return function read ({ key: list }: Resource, { origin, url, headers: { accept = '*/*' } }: FastifyRequest): ListRequest {
    // Neither an origin nor a target contains a space, so keys are unique.
    const key = `${origin} ${url} ${accept}`
    const cached = memory.get(key)
    if (cached !== undefined) return cached
    const resource = served.get(list) as ServedResource
    const query = parseQuery(url.slice(resource.path.length + 1))
    if (query === undefined) throw errors.badRequest()
    const negotiated = negotiate(lastValue(query, 'format'), accept)
    if (negotiated === 404) throw errors.notFound()
    if (negotiated === 406) throw errors.notAcceptable()
    const { paginate, firstPage } = resource
    const usual = paginate === 'always' ? String(firstPage) : undefined
    const page = paginate === 'never' ? undefined : lastValue(query, 'page') ?? usual
    const listRequest = createListRequest({ ...negotiated, resource, origin, target: url, query, page })
    memory.set(key, listRequest)
    return listRequest
  }
}

/** Reads a query; all list requests are created here, so that none contradicts its query. */
function createListRequest (sent: Negotiated & Pick<ListRequest, 'resource' | 'origin' | 'target' | 'query' | 'page'>): ListRequest {
  const { resource, origin, target, query, format, indent, page } = sent
  const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  const filters = presentFilters(query, resource.filters)
  const canonical = `${resource.path} ${format}${indent} ${meaning()}`
  return { ...sent, terms, filters, canonical, key: `${origin} ${canonical}` }

  /** Differs for list requests with different responses: each form has its own prefix, and no part contains a space. */
  function meaning (): string {
    if (format === 'api') return `target ${target}` // a browsable page shows the request line
    if (page !== undefined || resource.isReplayed) return `page ${writeQuery(query)}` // its links repeat the whole query
    return `list ${writeOrdering(terms)} ${writeQuery(filters)}`
  }
}

/** The parameters of browsable pages: the format, and the first of the rows that are shown of an unpaged list. */
const pageParameters: ReadonlySet<string> = new Set(['format', 'rows'])

/** Returns the list request that a browsable page shows: as JSON, without empty parameters, and a record in a page that the service has. */
export function jsonRequestOf ({ resource, origin, query, page }: ListRequest): ListRequest {
  const present = new Set(['page', ...[...query].filter(([, value]) => value !== '').map(([name]) => name)])
  const effective = new URLSearchParams([...query].filter(([name]) => !pageParameters.has(name) && present.has(name)))
  let own = page
  const record = lastValue(query, 'page_size') === '1' ? readInteger(page ?? '') : undefined
  if (record !== undefined) {
    const size = resource.pageSizeParameter ? 1 : resource.pageSize
    own = String(Math.floor((record - 1) / size) + resource.firstPage)
    effective.set('page', own)
    if (!resource.pageSizeParameter) effective.delete('page_size')
  }
  const target = effective.size === 0 ? resource.path : `${resource.path}?${effective}`
  return createListRequest({ format: 'json', indent: 0, resource, origin, target, query: effective, page: own })
}
