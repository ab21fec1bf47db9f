import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { presentFilters } from './filter.ts'
import { readOrdering, writeOrdering, type Term } from './ordering.ts'
import type { Coding } from '../http/body.ts'
import { lastValue, writeQuery, type parseQuery } from '../http/target.ts'
import { resources, servedResource, type PageSettings, type Resource, type ServedResource } from './resources.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { readInteger } from '../base/python.ts'
import { cacheSize } from '../base/memory.ts'
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
  /** Equal for requests with the same response and origin, which contains no space; one for each coding of the body. */
  keys: Readonly<Record<Coding, string>>
}

/**
 * The most bytes that a cached request takes: a parameter of two characters becomes two strings, and each may be held
 * three times.
 */
const bytesOf = (text: string) => 1024 + 64 * text.length

/** The most list requests that are cached for a URL, which differ in their origin or Accept. */
const maxVariants = 8

type Variant = { readonly accept: string, readonly listRequest: ListRequest }

/** Returns a function that reads and caches requests of lists; it throws the 400, 404 and 406 of negotiation. */
export function createListRequestParser (settings: PageSettings, catalogue: Pick<Catalogue, 'sources'>) {
  const served = new Map<string, ServedResource>()
  for (const resource of resources) served.set(resource.key, servedResource(resource, settings, catalogue))
  const memory = new LRUCache<string, readonly Variant[]>({
    maxSize: cacheSize(8 * 2 ** 20),
    sizeCalculation: (variants, url) => variants.length * bytesOf(url)
  })

  return function parse (list: Resource, request: FastifyRequest): ListRequest {
    const { origin, url, headers: { accept = '*/*' } } = request
    const variants = memory.get(url) ?? []
    for (const variant of variants) {
      if (variant.accept === accept && variant.listRequest.origin === origin) return variant.listRequest
    }
    const resource = served.get(list.key) as ServedResource
    const query = request.query as ReturnType<typeof parseQuery>
    const listRequest = readListRequest(resource, origin, url, query, accept)
    memory.set(url, [{ accept, listRequest }, ...variants].slice(0, maxVariants))
    return listRequest
  }
}

function readListRequest (
  resource: ServedResource, origin: string, target: string, query: URLSearchParams | undefined, accept: string
): ListRequest {
  if (query === undefined) throw errors.badRequest()
  const negotiated = negotiate(lastValue(query, 'format'), accept)
  if (negotiated === 404) throw errors.notFound()
  if (negotiated === 406) throw errors.notAcceptable()
  const page = requestedPage(resource, query)
  return createListRequest({ ...negotiated, resource, origin, target, query, page })
}

function requestedPage ({ paginate }: ServedResource, query: URLSearchParams): string | undefined {
  if (paginate === 'never') return undefined
  const usual = paginate === 'always' ? '1' : undefined
  return lastValue(query, 'page') ?? usual
}

/** Reads a query; all list requests are created here, so that none contradicts its query. */
function createListRequest (sent: Omit<ListRequest, 'terms' | 'filters' | 'canonical' | 'keys'>): ListRequest {
  const { resource, target, query, format, indent, page } = sent
  const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  const filters = presentFilters(query, resource.filters)
  const canonical = `${resource.path} ${format}${indent} ${meaning()}`
  const key = `${sent.origin} ${canonical}`
  const keys = { identity: key, br: `br ${key}`, gzip: `gzip ${key}` }
  return { ...sent, terms, filters, canonical, keys }

  /** Differs for list requests with different responses: each form has its own prefix, and no part contains a space. */
  function meaning (): string {
    if (format === 'api') return `target ${target}` // a browsable page shows the request line
    // A page has it in its links, and a source may have a response to it.
    const repeatsQuery = page !== undefined || resource.source.verbatim !== undefined
    if (repeatsQuery) return `page ${writeQuery(query)}`
    return `list ${writeOrdering(terms)} ${writeQuery(filters)}`
  }
}

/** The parameters of browsable pages: the format, and the first of the rows that are shown of an unpaged list. */
const browsableParameters: ReadonlySet<string> = new Set(['format', 'rows'])

/**
 * Returns the list request that a browsable page shows: as JSON, without empty parameters, and a record in a page that
 * the service has.
 */
export function jsonRequestOf ({ resource, origin, query, page }: ListRequest): ListRequest {
  const effective = effectiveQuery(query)
  let own = page
  const isRecord = lastValue(query, 'page_size') === '1'
  const record = isRecord ? readInteger(page ?? '') : undefined
  if (record !== undefined) {
    const { pageSizeParameter, pageSize } = resource
    const size = pageSizeParameter ? 1 : pageSize
    own = String(Math.floor((record - 1) / size) + 1)
    effective.set('page', own)
    if (!pageSizeParameter) effective.delete('page_size')
  }
  const target = effective.size === 0 ? resource.path : `${resource.path}?${effective}`
  return createListRequest({ format: 'json', indent: 0, resource, origin, target, query: effective, page: own })
}

/** Returns a query without the parameters of browsable pages, and without those that have no value but empty ones. */
function effectiveQuery (query: URLSearchParams): URLSearchParams {
  const present = new Set(['page'])
  for (const [name, value] of query) {
    if (value !== '') present.add(name)
  }
  const effective = new URLSearchParams()
  for (const [name, value] of query) {
    if (present.has(name) && !browsableParameters.has(name)) effective.append(name, value)
  }
  return effective
}
