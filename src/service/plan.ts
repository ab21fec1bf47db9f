import { valueAt, type JsonObject } from '../base/json.ts'
import type { HttpRequest } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Filter } from '../lists/filter.ts'
import type { Resource } from '../lists/resources.ts'
import { pairsOf, type Values } from './pairs.ts'

/** The dimensions of a query, in the order in which its parameters are sent. */
const ofQueries = ['ordering', 'page', 'size', 'filter', 'range', 'unknown', 'format'] as const

/**
 * In what requests of a list differ. Each value is what is sent: a term of `ordering`, a number of a page, a `page_size`, a filter with its
 * value, a media type, the value of Authorization, a method. `repetition` counts requests that are the same otherwise.
 */
export type Dimension = typeof ofQueries[number] | 'slash' | 'accept' | 'encoding' | 'origin' | 'token' | 'method' | 'repetition'

/** A request of a list: the dimensions in which it isn't a plain GET. */
export type Choice = Values<Dimension>

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
export const invalidOrdering = 'nonsense'
export const unknownParameter = 'unknown=1'

/** A token that no service has issued. */
export const unknownToken = 'Token verify-has-no-such-token'

/** Headers of most programs, and of scripts of another origin. */
export const program = { accept: formats.json, encoding: 'gzip, br', origin: 'https://client.example' } as const

const asProgram = { accept: [program.accept], encoding: [program.encoding], origin: [program.origin] }

/** What browsers and an HTTP library of many apps accept; services may choose another representation. */
export const looseAccepts = ['*/*', 'application/json, text/plain, */*', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8']

/** Returns the query of a request with its question mark; empty without parameters. */
export function queryOf (choice: Choice): string {
  const names: Readonly<Partial<Record<Dimension, string>>> = { ordering: 'ordering', page: 'page', size: 'page_size', format: 'format' }
  const parameters: string[] = []
  for (const dimension of ofQueries) {
    const value = choice[dimension]
    const name = names[dimension]
    if (value !== undefined) parameters.push(name === undefined ? value : `${name}=${value}`)
  }
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/** Returns the headers of a request, without the token of the list. */
export function headersIn ({ accept, encoding, origin, token }: Choice): HttpRequest['headers'] {
  const headers: Record<string, string> = {}
  if (accept !== undefined) headers['accept'] = accept
  if (encoding !== undefined) headers['accept-encoding'] = encoding
  if (origin !== undefined) headers['origin'] = origin
  if (token !== undefined) headers['authorization'] = token
  return headers
}

/** Returns a text that is the same for the same choice. */
export const keyOf = (choice: Choice) => JSON.stringify(Object.entries(choice).sort())

/** Returns the part of a choice that is its query. */
export function queryIn (choice: Choice): Choice {
  const entries = ofQueries.filter(name => choice[name] !== undefined).map(name => [name, choice[name]])
  return Object.fromEntries(entries) as Choice
}

/** Returns whether a request is a bare GET of JSON, whose response a recording replays. */
export const isReplayed = (choice: Choice) =>
  Object.keys(choice).every(name => ofQueries.includes(name as typeof ofQueries[number]) && name !== 'format' && name !== 'unknown')

/** Returns whether the next links of a response are followed: from the first page of a list, an ordering or a filter. */
export function isWalked ({ repetition, ...choice }: Choice, { sortable }: Resource): boolean {
  const { page, ordering, size, range } = choice
  if (!isReplayed(choice) || size !== undefined || range !== undefined) return false
  return (page === undefined || page === '1') && (ordering === undefined || sortable.includes(ordering.replace('-', '')))
}

/** Fields that a client may try to sort by. */
const fieldsToTry = ['title', 'brand', 'model_name']

/** Returns a field by which the contract does not sort a list. */
export function unsortableField ({ sortable, record }: Pick<Resource, 'sortable' | 'record'>): string {
  return fieldsToTry.find(field => field in record.properties && !sortable.includes(field)) as string
}

const bothWays = (fields: readonly string[]) => fields.flatMap(field => [field, `-${field}`])

/** The values of filters by their kind, for fields that a record lacks. */
const filterValues = { boolean: 'true', integer: '2000', decimal: '1', date: '2020-01-01', search: 'a', anyOf: 'a' }

/** The filter of version 2.1 that is judged by the records it selects. */
export const yearFilter = 'year__gte=2022'

/** A second filter, which selects every bike. */
const latestYear = 'year__lte=2200'

function filterWith ({ name, kind, fields: [field = ''] }: Filter, record: JsonObject | undefined): string {
  if (yearFilter.startsWith(`${name}=`)) return yearFilter
  const value = valueAt(record, field.split('.'))
  const isWritten = kind !== 'search' && ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
  return `${name}=${encodeURIComponent(isWritten ? String(value) : filterValues[kind])}`
}

/** Returns the first, second, middle and last page; the first one alone of a list without pages. */
function somePages ({ pages }: ListFacts): string[] {
  const middle = pages.slice(pages.length >> 1)
  return [...new Set(['1', ...pages.slice(1, 2), ...middle.slice(0, 1), ...pages.slice(-1)])]
}

/** Returns the number of the page after the last one; undefined for a list without pages, or with unread ones. */
export function pageBeyond ({ pages, isWhole }: ListFacts): string | undefined {
  const last = pages.at(-1)
  return last === undefined || !isWhole ? undefined : String(Number(last) + 1)
}

/** A small page_size, which leaves a second record and page, and one above the usual maximum. */
const pageSizes = { small: '2', large: '1000' }

/** A value of the dimension `page` that stands for two: other pages of a size hide which one is the last. */
const sized = (page: string) => `${page}&page_size=${pageSizes.small}`

function withSize (choice: Choice): Choice {
  const parts = choice.page?.split('&page_size=')
  return parts?.length === 2 ? { ...choice, page: parts[0] as string, size: parts[1] as string } : choice
}

/** The values of each dimension of the queries of a list; for version 2.1, one field stands for all. */
function dimensionsOf ({ sortable, access, record }: Resource, facts: ListFacts) {
  const terms = access === 'token' ? bothWays(['title']) : [...bothWays(sortable), unsortableField({ sortable, record })]
  return { ordering: [...terms, invalidOrdering], page: somePages(facts), unknown: [unknownParameter], format: ['json'] }
}

/** Two filters of version 2.1. */
const filterDimensions = ({ access }: Resource): Readonly<Partial<Record<Dimension, readonly string[]>>> =>
  access === 'public' ? {} : { filter: [yearFilter], range: [latestYear] }

/** Dimensions of which the specification states nothing; pairs send them in other forms. */
const unstated: readonly string[] = ['size', 'unknown', 'format']

/** Yields every query alone: bare, repeated, as a program, by HEAD and browsable; then the first page of each ordering. */
export function * aloneChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const dimensions = { ...dimensionsOf(resource, facts), ...filterDimensions(resource), size: Object.values(pageSizes) }
  yield * formsOf({}, resource)
  for (const [dimension, values] of Object.entries(dimensions)) {
    for (const value of values) yield * formsOf({ [dimension]: value }, resource)
  }
  for (const accept of looseAccepts) yield { accept }
  if (facts.pages.length === 0) return
  const beyond = pageBeyond(facts)
  if (beyond !== undefined) yield { page: beyond }
  for (const size of Object.values(pageSizes)) yield { page: '1', size }
  if (facts.pages.length === 1) yield * formsOf({ page: '2', size: pageSizes.small }, resource)
  for (const ordering of dimensions.ordering) yield { ordering, page: '1' }
}

function * formsOf (query: Choice, resource: Resource): Generator<Choice> {
  const isUnstated = query.ordering === invalidOrdering || unstated.some(dimension => dimension in query)
  yield query
  if (isWalked(query, resource) || query.page !== undefined) yield { ...query, repetition: '1' }
  if (isUnstated) return
  yield { ...query, ...program }
  yield { ...query, method: 'HEAD' }
  yield { ...query, format: 'api' }
}

/** Yields what version 2.1 has more than other lists: every ordering and every filter alone. */
export function * furtherChoices (resource: Resource, { record }: ListFacts): Generator<Choice> {
  if (resource.access === 'public') return
  for (const ordering of bothWays(resource.sortable)) yield { ordering }
  for (const filter of Object.values(resource.filters)) yield { filter: filterWith(filter, record) }
}

/** Yields rows with every pair of values; filters, HEAD and browsable pages have rows of their own, as they hide records or the body. */
export function * pairedChoices (resource: Resource, facts: ListFacts): Generator<Choice> {
  const { ordering, page, ...others } = dimensionsOf(resource, facts)
  const sizedPages = facts.pages.length === 1 ? [sized('1'), sized('2')] : [sized('1')]
  const { accept, ...ofScript } = asProgram
  const few = { ordering: ordering.slice(0, 2), page: page.slice(-2) }
  yield * pairsOf<Dimension>({ ordering, page: [...page, ...sizedPages], ...others, ...asProgram }).map(withSize)
  const filters = filterDimensions(resource)
  if (filters.filter !== undefined) yield * pairsOf<Dimension>({ ...filters, ...few, ...asProgram })
  const forms = { ordering: few.ordering, page: [...few.page, sized('1')], unknown: others.unknown }
  for (const row of pairsOf<Dimension>({ ...forms, ...asProgram, format: ['json'] })) yield { ...withSize(row), method: 'HEAD' }
  for (const row of pairsOf<Dimension>({ ...forms, ...ofScript })) yield { ...withSize(row), format: 'api' }
}

/** Yields requests of version 2.1 that must be refused: queries in every way, with each invalid token, then pairs of queries. */
export function * refusedChoices (resource: Resource, facts: ListFacts, invalidTokens: readonly string[]): Generator<Choice> {
  const dimensions = {
    ...dimensionsOf(resource, facts), ...filterDimensions(resource), size: ['1', pageSizes.large], format: ['json', 'api']
  }
  const { accept, ...ofScript } = program
  const ways: Choice[] = [{ method: 'HEAD' }, { accept: 'text/html' }, { accept, ...ofScript }, ...invalidTokens.map(token => ({ token }))]
  yield * ways
  for (const way of [{}, { token: unknownToken }]) yield { ...way, slash: 'without' }
  for (const [dimension, values] of Object.entries(dimensions)) {
    for (const [index, value] of values.entries()) {
      yield { [dimension]: value }
      const isFirst = index === 0 && ['ordering', 'page', 'format', 'filter'].includes(dimension)
      for (const way of isFirst ? ways : []) yield { [dimension]: value, ...way }
    }
  }
  yield * furtherChoices(resource, facts)
  const { ordering, page } = dimensions
  yield * pairsOf<Dimension>({ ordering, page })
  yield * pairsOf<Dimension>({ ...dimensions, ...asProgram, method: ['HEAD'] })
}
