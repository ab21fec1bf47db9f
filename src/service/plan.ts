import { valueAt, type JsonObject } from '../base/json.ts'
import type { HttpRequest } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Filter } from '../lists/filter.ts'
import type { Resource } from '../lists/resources.ts'
import { pairsOf, type Dimensions } from './pairs.ts'

/** The dimensions of a query, in the order in which its parameters are sent. */
export const queryDimensions = ['ordering', 'page', 'size', 'filter', 'range', 'format', 'unknown'] as const

/** The dimensions that are headers. */
const headerDimensions = ['accept', 'accept-encoding', 'origin', 'authorization', 'if-none-match'] as const

/**
 * The name of a part of a request that varies. Its value is sent: a term of `ordering`, a number of a page, perhaps
 * with a `page_size`, a `page_size` alone, a filter with its value, a header, a method. `repetition` counts requests
 * that are the same otherwise.
 */
export type Dimension = typeof queryDimensions[number] | typeof headerDimensions[number] |
  'slash' | 'method' | 'repetition'

/** A request of a list: the dimensions in which it isn't a plain GET. */
export type Choice = Readonly<Partial<Record<Dimension, string>>>

/** What was read of a list, on which its further requests depend. */
export type ListFacts = {
  /** The values of `page` of all its pages, in order; empty for a list without numbered pages. */
  pages: readonly string[]
  /** Whether they are all its pages. */
  isWhole: boolean
  /** The number of records on its first page; 0 without pages. */
  pageSize: number
  /** A record, whose values filters are given. */
  record: JsonObject | undefined
}

/** An invalid ordering, and an unknown parameter. */
const invalidOrdering = 'nonsense'
const unknownParameter = 'unknown=1'

/** A token that no service has issued, and the value of Authorization with it. */
export const invalidToken = 'verify-has-no-such-token'
export const unknownToken = `Token ${invalidToken}`

/** Headers of most programs, and of scripts of another origin. */
export const program = {
  accept: formats.json,
  'accept-encoding': 'gzip, br',
  origin: 'https://client.example'
} as const

const scriptDimensions = { 'accept-encoding': [program['accept-encoding']], origin: [program.origin] }
const programDimensions = { accept: [program.accept], ...scriptDimensions }

/** The Accept header of browsers. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** What browsers and an HTTP library of many apps accept; services may choose another representation. */
export const looseAccepts = ['*/*', 'application/json, text/plain, */*', browser]

/** The parameters of dimensions whose value is not a parameter itself. */
const parameterNames: Readonly<Partial<Record<Dimension, string>>> = {
  ordering: 'ordering', page: 'page', size: 'page_size', format: 'format'
}

/** Returns the query of a request with its question mark; empty without parameters. */
export function queryOf (choice: Choice): string {
  const parameters: string[] = []
  for (const dimension of queryDimensions) {
    const value = choice[dimension]
    const name = parameterNames[dimension]
    if (value !== undefined) parameters.push(name === undefined ? value : `${name}=${value}`)
  }
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/** Returns the headers of a request, without the token of the list. */
export function headersIn (choice: Choice): HttpRequest['headers'] {
  const headers: Record<string, string> = {}
  for (const name of headerDimensions) {
    const value = choice[name]
    if (value !== undefined) headers[name] = value
  }
  return headers
}

/** The plain request after all others. */
export const lastChoice = { repetition: 'last' }

/** Returns a text that is the same for the same choice. */
export const keyOf = (choice: Choice) => JSON.stringify(Object.entries(choice).sort())

/** The dimensions of a request whose next links are followed. */
const walkedDimensions = ['ordering', 'page', 'filter', 'repetition']

/** Returns whether next links are followed: from the first page of a list, an ordering or a filter. */
export function isWalked (choice: Choice, { sortable }: Resource): boolean {
  const { page = '1', ordering, repetition } = choice
  const isPlain = Object.keys(choice).every(dimension => walkedDimensions.includes(dimension))
  if (!isPlain || page !== '1' || repetition === lastChoice.repetition) return false
  return ordering === undefined || sortable.includes(ordering.replace('-', ''))
}

/** Fields that a client may try to sort by. */
const fieldsToTry = ['title', 'brand', 'model_name']

/** Returns a field by which the contract does not sort a list. */
export function unsortableField ({ sortable, record }: Resource): string {
  return fieldsToTry.find(field => field in record.properties && !sortable.includes(field)) as string
}

/** Returns the terms that sort by fields, ascending and descending. */
function bothWays (fields: readonly string[]): string[] {
  return fields.flatMap(field => [field, `-${field}`])
}

/** The values of filters by their kind, for fields that a record lacks. */
const filterValues = { boolean: 'true', integer: '2000', decimal: '1', date: '2020-01-01', search: 'a', anyOf: 'a' }

/** The filter of version 2.1 that is judged by the records it selects. */
const yearFilter = 'year__gte=2022'

/** A second filter, which selects every bike. */
const latestYear = 'year__lte=2200'

/** Returns a filter with the value of its field in a record, or else one of its kind. */
function filterWith ({ name, kind, fields }: Filter, record: JsonObject | undefined): string {
  const [field = ''] = fields
  const value = kind === 'search' ? undefined : valueAt(record, field.split('.'))
  // A character that is not whole has no encoding.
  const isWritten = ['string', 'number', 'boolean'].includes(typeof value) && /^\P{Cs}+$/u.test(String(value))
  const text = isWritten ? String(value) : filterValues[kind]
  return `${name}=${encodeURIComponent(text)}`
}

/** A small page_size, which leaves a second record and page, and one above the usual maximum. */
const pageSizes = ['2', '1000']

/** Returns the value of `page` for a page of a size. */
const sized = (page: number, size = pageSizes[0]) => `${page}&page_size=${size}`

/** Returns the first, second, middle and last page, and one of a size; the first one alone of a list without pages. */
function somePages ({ pages }: ListFacts): string[] {
  if (pages.length === 0) return ['1']
  const middle = pages[pages.length >> 1]
  const some = ['1', pages[1], middle, pages.at(-1)].filter(page => page !== undefined)
  // The second page of a size has a link in both directions.
  return [...new Set(some), sized(2)]
}

/** Returns the values of each dimension of the queries of a list; for version 2.1, one field stands for all. */
function dimensionsOf (resource: Resource, facts: ListFacts) {
  const { sortable, access } = resource
  const terms = access === 'token' ? bothWays(['title']) : [...bothWays(sortable), unsortableField(resource)]
  return {
    ordering: [...terms, invalidOrdering],
    page: somePages(facts),
    unknown: [unknownParameter],
    format: ['json']
  }
}

/** Returns two filters of version 2.1. */
function filterDimensions ({ access }: Resource): Dimensions {
  return access === 'public' ? {} : { filter: [yearFilter], range: [latestYear] }
}

/** Dimensions of which the specification states nothing; pairs send them in other forms. */
const unstatedDimensions: readonly string[] = ['size', 'unknown', 'format']

/**
 * Yields every query alone: bare, repeated, as a program, by HEAD and browsable; then the first page of each ordering.
 */
export function * aloneChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const dimensions = { ...dimensionsOf(resource, facts), ...filterDimensions(resource), size: pageSizes }
  yield * formsOf({}, resource)
  yield { format: 'api', method: 'HEAD' }
  for (const [dimension, values] of Object.entries(dimensions)) {
    for (const value of values) yield * formsOf({ [dimension]: value }, resource)
  }
  for (const accept of looseAccepts) yield { accept }
  yield { accept: browser, method: 'HEAD' }
  if (facts.pages.length === 0) return
  if (facts.isWhole) yield { page: String(Number(facts.pages.at(-1)) + 1) }
  for (const size of pageSizes) yield { page: sized(1, size) }
  for (const ordering of dimensions.ordering) yield { ordering, page: '1' }
}

/**
 * Yields a query by GET; then as a program, by HEAD and browsable, unless the specification leaves the query open or
 * it is invalid; and again if it has pages, as a cache may have kept something else.
 */
function * formsOf (query: Choice, resource: Resource): Generator<Choice> {
  const { ordering, page } = query
  yield query
  const isUnstated = unstatedDimensions.some(dimension => dimension in query)
  if (!isUnstated && ordering !== invalidOrdering) {
    yield { ...query, ...program }
    yield { ...query, method: 'HEAD' }
    yield { ...query, format: 'api' }
  }
  if (isWalked(query, resource) || page !== undefined) yield { ...query, repetition: '1' }
}

/** Yields what version 2.1 has more than other lists: every ordering and every filter alone. */
export function * furtherChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const { access, sortable, filters } = resource
  if (access === 'public') return
  for (const ordering of bothWays(sortable)) yield { ordering }
  for (const filter of Object.values(filters)) yield { filter: filterWith(filter, facts.record) }
}

/** The most pages of a list that are all recorded. */
export const manyPages = 20

/** Dimensions of the responses that a recording replays. */
const replayedDimensions = ['ordering', 'page', 'size', 'filter']

/** Kinds of filters that give the same results while counters and dates change. */
const steadyKinds: readonly Filter['kind'][] = ['anyOf', 'boolean', 'search']

/**
 * Yields the part of the plan that a recording replays, without HEAD and refusals: each query that clients are likely
 * to send, and all pages if there are few.
 */
export function * replayedChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const { access, sortable, filters } = resource
  for (const choice of aloneChoices(resource, facts)) {
    const isReplayed = Object.keys(choice).every(dimension => replayedDimensions.includes(dimension))
    if (isReplayed && choice.ordering !== invalidOrdering) yield choice
  }
  if (sortable.length === 0) yield { ordering: `-${unsortableField(resource)}` }
  if (facts.pages.length <= manyPages) for (const page of facts.pages) yield { page }
  if (access === 'public') return
  for (const filter of Object.values(filters)) {
    if (steadyKinds.includes(filter.kind)) yield { filter: filterWith(filter, facts.record) }
  }
  for (const ordering of bothWays(sortable)) yield { ordering }
}

/**
 * Yields choices with every pair of values; filters, HEAD and browsable pages have choices of their own, as they hide
 * records or the body.
 */
export function * pairedChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const queries = dimensionsOf(resource, facts)
  const paired = pairsOf({ ...queries, ...programDimensions })
  yield * paired
  const few = {
    ordering: queries.ordering.slice(0, 2),
    page: queries.page.slice(-3)
  }
  // A response to HEAD is compared with the one to GET.
  const isOfFew = ({ ordering = '', page = '' }: Choice) => few.ordering.includes(ordering) && few.page.includes(page)
  for (const choice of paired.filter(isOfFew)) yield { ...choice, method: 'HEAD' }
  if (resource.access === 'token') {
    yield * pairsOf({ ...filterDimensions(resource), ...few, ...programDimensions })
  }
  yield * pairsOf({ ...few, accept: [browser], unknown: queries.unknown, ...scriptDimensions })
}

/**
 * Yields requests of version 2.1 that must be refused: some queries with each kind of invalid credentials, and all that
 * are sent with the token.
 */
export function * refusedChoices (
  resource: Resource, facts: ListFacts, invalidCredentials: readonly Choice[]
): Generator<Choice> {
  const ways: Choice[] = [{ method: 'HEAD' }, { accept: 'text/html' }, program, ...invalidCredentials]
  for (const query of [{}, { ordering: 'title' }, { page: '1' }, { filter: yearFilter }]) {
    yield query
    for (const way of ways) yield { ...query, ...way }
  }
  yield { size: '1' }
  yield { slash: 'without' }
  yield { authorization: unknownToken, slash: 'without' }
  for (const plan of [aloneChoices, furtherChoices, pairedChoices]) {
    for (const choice of plan(resource, facts)) {
      if (!looseAccepts.includes(choice.accept ?? '')) yield choice
    }
  }
}
