import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { askedFilters } from './filter.ts'
import { readOrdering, writeOrdering, type Term } from './ordering.ts'
import { askedPage } from './page.ts'
import { lastValue, parseQuery, writeQuery } from './query.ts'
import type { Resource } from './resources.ts'
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
  /** The same with the origin: what the representation is kept by. */
  key: string
}

/** Bounds what the memory of requests holds, in characters of their text. */
const memoryCharacters = 2 ** 20

/**
 * Gives a function that reads requests of a list. It remembers what it has read, so that a repeated request costs one
 * look-up; it throws the 400, 404 and 406 of negotiation.
 */
export function createReader ({ paginate }: Settings) {
  const memory = new LRUCache<string, Asked>({ maxSize: memoryCharacters, sizeCalculation: (_, key) => key.length + 256 })

  return function read (resource: Resource, request: FastifyRequest): Asked {
    const { origin, url, headers: { accept } } = request
    const key = `${origin} ${url} ${accept}`
    const known = memory.get(key)
    if (known !== undefined) return known
    const asked = readAsked(resource, origin, url, accept, paginate === 'always')
    memory.set(key, asked)
    return asked
  }
}

function readAsked (resource: Resource, origin: string, target: string, accept: string | undefined, always: boolean): Asked {
  const query = parseQuery(target.slice(resource.path.length + 1))
  if (query === undefined) throw errors.badRequest()
  const negotiated = negotiate(lastValue(query, 'format'), accept)
  if (negotiated === 404) throw errors.notFound()
  if (negotiated === 406) throw errors.notAcceptable()
  const terms = readOrdering(lastValue(query, 'ordering'), resource.sortable)
  const filters = askedFilters(query, resource.filters)
  const page = askedPage(query, always)
  const question = { ...negotiated, resource, origin, target, query, terms, filters, page }
  return withKey(question)
}

type Question = Omit<Asked, 'canonical' | 'key'>

function withKey (question: Question): Asked {
  const canonical = canonicalOf(question)
  return { ...question, canonical, key: `${question.origin} ${canonical}` }
}

function canonicalOf ({ resource, format, indent, target, query, terms, filters, page }: Question): string {
  // A page and its links repeat the whole query, a browsable page shows the request line.
  const parameters = format === 'api' ? target : page === undefined ? `${writeOrdering(terms)}?${writeQuery(filters)}` : `?${writeQuery(query)}`
  return `${resource.path} ${format}${indent} ${parameters}`
}

/** Gives the same question with JSON as the answer, and without parameters that say nothing: what a browsable page shows. */
export function askJson (asked: Asked): Asked {
  const query = new URLSearchParams([...asked.query].filter(([name, value]) => name !== 'format' && value !== ''))
  const target = query.size === 0 ? asked.resource.path : `${asked.resource.path}?${query}`
  return withKey({ ...asked, format: 'json', indent: 0, target, query })
}
