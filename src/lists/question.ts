import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { askedFilters } from './filter.ts'
import { readOrdering, writeOrdering, type Term } from './ordering.ts'
import { askedPage, maxPageSize } from './page.ts'
import { lastValue, parseQuery, writeQuery } from './query.ts'
import type { Resource } from './resources.ts'
import { roomFor } from '../settings/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { errors } from '../http/errors.ts'
import { negotiate, type Negotiated } from '../http/negotiation.ts'

/** What a request asks of a list, read once into one typed value. */
export type Asked = Negotiated & {
  resource: Resource
  /** The scheme and host that the request was sent to. */
  origin: string
  /** The path and query as sent. */
  target: string
  query: URLSearchParams
  terms: readonly Term[]
  /** The filters that are present, not yet read. */
  filters: readonly [name: string, text: string][]
  /** The page as sent, or undefined for the plain array. */
  page: string | undefined
  /** One text for all requests that mean the same, but for their origin. */
  canonical: string
}

/** Bounds what the memory of requests takes, in bytes. */
const memoryBytes = roomFor(8 * 2 ** 20)

/** What a request in memory takes at most: a parameter of two characters becomes two texts, and each text may stand there three times. */
const bytesOf = (text: string) => 1024 + 64 * text.length

/**
 * A function that reads requests of a list. It remembers what it has read, so that a repeated request costs one look-up, and has `join`
 * be called before it reads another; it throws the 400, 404 and 406 of negotiation.
 */
export function createReader ({ paginate }: Settings, join = () => {}) {
  const memory = new LRUCache<string, Asked>({ maxSize: memoryBytes, sizeCalculation: (_, key) => bytesOf(key) })

  return function read (resource: Resource, { origin, url, headers: { accept = '*/*' } }: FastifyRequest): Asked {
    // Neither an origin nor a target holds a blank, so that no two requests have one key.
    const key = `${origin} ${url} ${accept}`
    const known = memory.get(key)
    if (known !== undefined) return known
    join()
    const asked = readAsked(resource, origin, url, accept, paginate === 'always')
    memory.set(key, asked)
    return asked
  }
}

function readAsked (resource: Resource, origin: string, target: string, accept: string, always: boolean): Asked {
  const query = parseQuery(target.slice(resource.path.length + 1))
  if (query === undefined) throw errors.badRequest()
  const negotiated = negotiate(lastValue(query, 'format'), accept)
  if (negotiated === 404) throw errors.notFound()
  if (negotiated === 406) throw errors.notAcceptable()
  return ask(resource, origin, target, query, negotiated, always)
}

/** Questions that take every way to an answer: records of a list are selected, ordered, and written as JSON, laid out, and as a page. */
export function questionsOf (resource: Resource, pageSize = maxPageSize): Asked[] {
  const target = `${resource.path}?page=1&page_size=${pageSize}&search=c&price__gte=1&ordering=-${resource.sortable[0]}`
  return ['application/json', 'application/json; indent=4', 'text/html']
    .map(accept => readAsked(resource, 'http://localhost', target, accept, true))
}

/** Says what a query means: the only way to a question, so that none can hold what its query does not say. */
function ask (resource: Resource, origin: string, target: string, query: URLSearchParams, negotiated: Negotiated, always: boolean): Asked {
  const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  const filters = askedFilters(query, resource.filters)
  const page = askedPage(query, always)
  const question = { ...negotiated, resource, origin, target, query, terms, filters, page }
  return { ...question, canonical: canonicalOf(question) }
}

type Question = Omit<Asked, 'canonical'>

/** What follows the format begins otherwise for each form of answer and no part holds a blank, so that no two questions have one text. */
function canonicalOf ({ resource, format, indent, target, query, terms, filters, page }: Question): string {
  return `${resource.path} ${format}${indent} ${meaning()}`

  function meaning (): string {
    if (format === 'api') return `target ${target}` // a browsable page shows the request line
    if (page !== undefined) return `page ${writeQuery(query)}` // its links repeat the whole query
    return `list ${writeOrdering(terms)} ${writeQuery(filters)}`
  }
}

/** The same question with JSON as the answer, and without parameters that say nothing: what a browsable page shows. */
export function askJson ({ resource, origin, query, page }: Asked): Asked {
  const says = new Set(['page', ...[...query].filter(([, value]) => value !== '').map(([name]) => name)])
  const telling = new URLSearchParams([...query].filter(([name]) => name !== 'format' && says.has(name)))
  const target = telling.size === 0 ? resource.path : `${resource.path}?${telling}`
  return ask(resource, origin, target, telling, { format: 'json', indent: 0 }, page !== undefined)
}
