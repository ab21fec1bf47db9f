import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { findFitnessName } from '../catalogue/schema-fields.ts'
import type { Resource } from '../lists/resources.ts'
import { readerOf, type Value } from '../lists/table.ts'
import {
  aloneChoices, furtherChoices, headersIn, isWalked, keyOf, looseAccepts, pairedChoices, queryIn,
  queryOf, unknownToken, type Choice, type ListFacts
} from '../service/plan.ts'
import { isListed, lastOf, linkIn, listLink, readBody } from '../service/read.ts'
import { walk } from '../service/walk.ts'
import { report, type Exchange, type Openness, type Reading, type Series, type Session } from './exchange.ts'
import { judgeProperties } from './properties.ts'

/** The most pages of a series. */
export const maxPages = 400

/** The most pages of a repeated one. */
const maxRepeated = 20

/** The most records that are compared by value. */
const maxSample = 1000

/**
 * Yields the plain request of a list, then those with one query at a time. Send each one, and keep its series in the
 * session, before you ask for the next: the first two responses determine the others. If the plain request has no list,
 * it is the only one.
 */
export function * choicesBeforePairs (session: Session): Generator<Choice, void> {
  const { resource, token } = session
  yield {}
  const plain = plainOf(session) as Series
  if (!isListed(plain.first)) return
  yield { page: '1' }
  session.facts = factsOf(session)
  yield * aloneChoices(resource, session.facts)
  yield * furtherChoices(resource, session.facts)
  if (resource.access === 'token') return
  yield { token: unknownToken }
  if (token !== undefined) yield { token: `Token ${token}` }
}

/**
 * Yields the choices after the plain request, those that tell most of a list first: its pages, each ordering and other
 * query, then these by HEAD, as a program or browsable, then pairs.
 */
export function * tellingFirst (session: Session): Generator<Choice, void> {
  const choices = choicesBeforePairs(session)
  choices.next() // the plain request was sent
  const { value } = choices.next()
  if (value === undefined) return
  yield value
  const isAlone = (choice: Choice) => Object.keys(choice).length === 1 && queryOf(choice) !== ''
  yield * [...choices].sort((one, other) => Number(isAlone(other)) - Number(isAlone(one)))
  yield * choicesWithPairs(session)
}

/**
 * Returns the requests with pairs of queries; none if the plain request has no list. Those of version 1 by HEAD have
 * the token, which must not make a difference.
 */
export function choicesWithPairs (session: Session): Choice[] {
  const { resource, facts, token } = session
  const plain = plainOf(session)
  if (plain === undefined || !isListed(plain.first)) return []
  const choices = [...pairedChoices(resource, facts)]
  if (token === undefined || resource.access === 'token') return choices
  return choices.map(choice => choice.method === 'HEAD' ? { ...choice, token: `Token ${token}` } : choice)
}

/** Returns the series of the plain request, which has no query and no headers of its own; it is read first. */
export function plainOf ({ seriesByChoice }: Pick<Session, 'seriesByChoice'>): Series | undefined {
  return seriesByChoice.get(keyOf({}))
}

/** Returns what the first numbered page tells; of a list that is always paged, the plain one may be all there is. */
export function factsOf (session: Session): ListFacts {
  const numbered = session.seriesByChoice.get(keyOf({ page: '1' }))
  const series = numbered?.first.form === 'page' ? numbered : plainOf(session) as Series
  const [record] = session.sample.values()
  const pages = pageNumbersOf(session, series)
  const pageSize = series.first.form === 'page' ? series.first.ids.length : 0
  return { pages, isWhole: pages.length > 0 && series.isWhole, pageSize, record }
}

/** Returns the value of `page` for each page that has records; none for a list without numbered pages. */
function pageNumbersOf ({ base }: Session, { first, pages }: Series): string[] {
  if (first.form !== 'page') return []
  const filled = pages.filter(page => page === pages[0] || page.ids.length > 0)
  const numbers = new Set<string>()
  for (const { request } of filled) {
    const number = lastOf(urlOf(request.target, base), 'page') ?? '1'
    if (!/^\d+$/.test(number)) return []
    numbers.add(number)
  }
  return numbers.size === filled.length ? [...numbers] : []
}

/** Reads the pages of a request, or its only response, and judges each response once. */
export async function readSeries (session: Session, choice: Choice): Promise<Series> {
  const index = session.facts.pages.indexOf(choice.page ?? '')
  const first = await observe(session, choice, choice, queryOf(choice), Math.max(0, index))
  const isPaged = first.page !== undefined && isWalked(choice, session.resource)
  const single: Series = { choice, first, pages: [first], isWhole: isWholeArray(first) }
  const series = isPaged ? await readPages(session, choice, first) : single
  session.seriesByChoice.set(keyOf(choice), series)
  return series
}

/** Returns whether a response is an array without a link to further records. */
export function isWholeArray ({ form, headers: { link = '' } }: Pick<Reading, 'form' | 'headers'>): boolean {
  return form === 'array' && !/rel="?next/i.test(String(link))
}

/** Returns whether links lead to more records than `count`, perhaps without end. */
function hasTooMany (pages: readonly Reading[]): boolean {
  const size = pages.reduce((sum, { ids }) => sum + ids.length, 0)
  const count = pages[0]?.page?.['count']
  return pages.length > 1 && typeof count === 'number' && count < size
}

/** Reads the pages along next links; where pages begin with 0, also the one before the first. */
async function readPages (session: Session, choice: Choice, first: Reading): Promise<Series> {
  const before = await pageBefore(session, choice, first)
  const pages = before?.page === undefined ? [] : [before]
  const steps = walk(first, {
    nextOf,
    follow: (link, _response, index) => follow(session, choice, link, index),
    most: choice.repetition === undefined ? maxPages : maxRepeated
  })
  let step = await steps.next()
  while (step.done !== true) {
    if (step.value.page !== undefined) pages.push(step.value)
    step = hasTooMany(pages) ? { done: true, value: 'limit' } : await steps.next()
  }
  const beginsFirst = typeof before?.page?.['previous'] !== 'string'
  return { choice, first, pages, isWhole: step.value === 'last' && beginsFirst }
}

function nextOf ({ page }: Reading): string | null | undefined {
  return page === undefined ? undefined : linkIn(page['next'])
}

/** Reads the page before the first one; undefined where there is none. */
async function pageBefore (session: Session, choice: Choice, { page }: Reading): Promise<Reading | undefined> {
  const previous = page?.['previous']
  if (typeof previous !== 'string' || previous === page?.['next']) return undefined
  return await follow(session, choice, previous, -1)
}

/** Requests the page of a link; undefined for a link to another list, or without the ordering. */
function follow (session: Session, choice: Choice, link: string, index: number): Promise<Reading> | undefined {
  const url = listLink(link, session.path, session.base)
  const isOrdered = choice.ordering === undefined || lastOf(url, 'ordering') === choice.ordering
  if (url === undefined || !isOrdered) return undefined
  const page = lastOf(url, 'page')
  const choiceOfPage = page === undefined ? choice : { ...choice, page }
  return observe(session, choice, choiceOfPage, url.search, index)
}

/**
 * Sends a request of a series, judges its response alone, and returns the reading; that of the same request if it was
 * sent before.
 */
async function observe (
  session: Session, series: Choice, choice: Choice, query: string, index: number
): Promise<Reading> {
  const { readings, resource } = session
  const key = requestKey(choice, query)
  const known = readings.get(key)
  if (known !== undefined) return known
  const response = await requestChoice(session, choice, query)
  const body = readBody(response)
  const readingOfGet = choice.method === 'HEAD' ? findReadingOfGet(session, choice, query) : undefined
  const openness = opennessOf(session, choice, index)
  const exchange: Exchange = { ...body, choice, response, openness, index, readingOfGet }
  const { form, ids, records } = body
  session.fitness ??= findFitnessName(records.filter(isPlainObject))
  for (const { id, differences } of judgeProperties(exchange, session)) {
    report(session, id, differences, { request: response.request, key, series })
  }
  const isOfPlain = Object.keys(choice).every(name => name === 'page') && !session.seriesByChoice.has(keyOf({}))
  if (isOfPlain) keepSample(session.sample, exchange)
  const isWhole = Object.keys(series).every(name => name === 'page')
  const reading: Reading = {
    choice, series, form, ids, index,
    request: response.request,
    status: response.status,
    headers: response.headers,
    query: new URLSearchParams(query),
    values: isWhole ? valuesOf(resource, records) : {},
    page: body.page && { ...body.page, results: null }
  }
  readings.set(key, reading)
  return reading
}

/** Returns the response to the same request by GET and without its token; undefined if it was not read. */
function findReadingOfGet ({ readings }: Session, choice: Choice, query: string): Reading | undefined {
  const { token, method, ...choiceOfGet } = choice
  return readings.get(requestKey(choiceOfGet, query))
}

/** Returns a key that is the same for queries with their parameters in another order. */
function requestKey (choice: Choice, query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  const { method = 'GET', repetition } = choice
  return JSON.stringify([method, parameters.toString(), headersIn(choice), repetition])
}

/** Returns the values of the fields that queries name. */
function valuesOf ({ record, sortable, filters }: Resource, records: Exchange['records']): Reading['values'] {
  const values: Record<string, Value[]> = {}
  for (const field of [...sortable, ...Object.values(filters).flatMap(({ fields }) => fields)]) {
    const read = readerOf(record, field)
    values[field] ??= records.map(one => isPlainObject(one) ? read(one as ServedRecord) : null)
  }
  return values
}

function keepSample (sample: Session['sample'], { records, ids }: Exchange): void {
  for (const [index, record] of records.entries()) {
    if (isPlainObject(record) && sample.size < maxSample) sample.set(ids[index] as string, record)
  }
}

/** Sends a request, and follows redirects to another query of the same list. */
async function requestChoice (session: Session, choice: Choice, query: string, redirects = 3): Promise<HttpResponse> {
  const { base, path, requestList } = session
  const response = await requestList(query, headersIn(choice), choice.method)
  const isRedirect = response.status >= 300 && response.status < 400
  if (!isRedirect || redirects === 0) return response
  const { location } = response.headers
  const url = urlOf(location, new URL(path + query, base))
  const isOwn = url?.pathname === path && url.search !== query
  return isOwn ? await requestChoice(session, choice, url.search, redirects - 1) : response
}

/**
 * Returns what the specification leaves open about a request: the most that it leaves open about one of its query's
 * values. A value that was already sent alone is judged by its response: if that was a list, nothing is open.
 */
function opennessOf ({ resource, facts, seriesByChoice }: Session, choice: Choice, index: number): Openness {
  const { page, size, filter, range, token, accept = '' } = choice
  const isPublic = resource.access === 'public'
  const isListAlone = (alone: Choice) => {
    const series = seriesByChoice.get(keyOf(alone))
    return series && isListed(series.first)
  }
  const [firstPage = '1'] = facts.pages
  // Filters or a larger page size leave fewer pages.
  const isOther = filter !== undefined || range !== undefined || Number(size) > facts.pageSize
  const mayLackPage = page !== undefined && page !== firstPage && isOther
  if (mayLackPage || (isPublic && token !== undefined)) return 'response'
  let openness: Openness = looseAccepts.includes(accept) ? 'representation' : 'nothing'
  const isSizedRead = page !== undefined && size !== undefined && isListAlone({ page, size }) === true
  for (const [dimension, value] of Object.entries(queryIn(choice))) {
    if (value === 'api' || (isSizedRead && (dimension === 'page' || dimension === 'size'))) continue
    const isListed = isListAlone({ [dimension]: value })
    const isLinked = dimension === 'page' && (index !== 0 || facts.pages.includes(value))
    const isTerm = dimension === 'ordering' && isPublic && resource.sortable.includes(value.replace('-', ''))
    if (isListed === true || (isListed === undefined && (isLinked || isTerm))) continue
    const isFirst = dimension === 'page' && value === '1' && isPublic && isListed === undefined
    if (!isFirst) return 'response'
    if (openness === 'nothing') openness = 'refusal'
  }
  return openness
}
