import { groupBy } from '../base/group.ts'
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
import { findingKind, type Found } from './check.ts'
import type { Exchange, Openness, Reading, Series, Session } from './exchange.ts'
import { judgeProperties, type Judged } from './properties.ts'

/** The most pages of a series. */
export const maxPages = 400

/** The most pages of a repeated one. */
const maxRepeated = 20

/** The most records that are compared by value. */
const maxSample = 1000

/** How often a response with a difference is requested, to tell constant differences from occasional ones. */
const attempts = 3

/**
 * Yields the plain request of a list, then those with one query at a time. Send each one, and keep its series in the
 * session, before you ask for the next: the first two responses determine the others. If the plain request has no list,
 * it is the only one.
 */
export function * choicesBeforePairs (session: Session): Generator<Choice, void> {
  const { resource, token } = session
  yield {}
  if (!isListed(plainOf(session).first)) return
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
  if (isListRead(session, {}) !== true) return []
  const choices = [...pairedChoices(resource, facts)]
  if (token === undefined || resource.access === 'token') return choices
  return choices.map(choice => choice.method === 'HEAD' ? { ...choice, token: `Token ${token}` } : choice)
}

/** Returns the series of the plain request, which has no query and no headers of its own; it is read first. */
export function plainOf ({ seriesByChoice }: Pick<Session, 'seriesByChoice'>): Series {
  return seriesByChoice.get(keyOf({})) as Series
}

/** Returns what the first numbered page tells; of a list that is always paged, the plain one may be all there is. */
function factsOf (session: Session): ListFacts {
  const numbered = session.seriesByChoice.get(keyOf({ page: '1' })) as Series
  const series = numbered.first.form === 'page' ? numbered : plainOf(session)
  const [record] = session.sample.values()
  const pages = pageNumbersOf(session, series)
  if (pages.length === 0) return { pages, isWhole: false, pageSize: 0, record }
  return { pages, isWhole: series.isWhole, pageSize: series.first.size, record }
}

/** Returns the value of `page` for each page that has records; none for a list without numbered pages. */
function pageNumbersOf ({ base }: Session, { first, pages }: Series): string[] {
  if (first.form !== 'page') return []
  const filled = pages.filter(page => page === pages[0] || page.size > 0)
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
  const first = await observe(session, choice, queryOf(choice), Math.max(0, index))
  const isPaged = first.page !== undefined && isWalked(choice, session.resource)
  const single: Series = { choice, first, pages: [first], isWhole: isWholeArray(first) }
  const series = isPaged ? await readPages(session, choice, first) : single
  session.seriesByChoice.set(keyOf(choice), series)
  return series
}

/** Returns whether a response is an array without a link to further records. */
function isWholeArray ({ form, headers: { link = '' } }: Reading): boolean {
  return form === 'array' && !/rel="?next/i.test(String(link))
}

/** Returns whether links lead to more records than `count`, perhaps without end. */
export function hasTooMany (pages: readonly Reading[]): boolean {
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
  return observe(session, choiceOfPage, url.search, index)
}

type JudgedExchange = { exchange: Exchange, judged: readonly Judged[] }

/**
 * Sends a request, adds the differences of its response to the ledger, and returns the reading; that of the same
 * request if it was sent before. If a difference is new to the ledger, the request is sent three times, all responses
 * are judged, and the reading is of the one with the fewest differences.
 */
async function observe (session: Session, choice: Choice, query: string, index: number): Promise<Reading> {
  const { readings, ledger } = session
  const key = requestKey(choice, query)
  const known = readings.get(key)
  if (known !== undefined) return known
  const first = await judgedExchange(session, choice, query, index)
  const all = [first]
  const isNew = ({ id, differences }: Judged) => differences.some(found => ledger.isNew(id, found))
  if (first.judged.some(isNew)) {
    while (all.length < attempts) all.push(await judgedExchange(session, choice, query, index))
  }
  const { request } = first.exchange.response
  for (const { id, differences } of mergedDifferences(all)) ledger.add(id, differences, request)
  const best = all.reduce((one, other) => countDifferences(other) < countDifferences(one) ? other : one)
  const reading = readingOf(session, best.exchange)
  readings.set(key, reading)
  return reading
}

async function judgedExchange (
  session: Session, choice: Choice, query: string, index: number
): Promise<JudgedExchange> {
  const response = await requestChoice(session, choice, query)
  if (response.status === 404) await readPageAgain(session, choice)
  const readingOfGet = choice.method === 'HEAD' ? findReadingOfGet(session, choice, query) : undefined
  const openness = opennessOf(session, choice, index)
  const exchange: Exchange = { ...readBody(response), choice, response, openness, index, readingOfGet }
  session.fitness ??= findFitnessName(exchange.records.filter(isPlainObject))
  return { exchange, judged: judgeProperties(exchange, session) }
}

/** Reads a page alone again: records may have been deleted since, and the page with them. */
async function readPageAgain (session: Session, { page, ...others }: Choice): Promise<void> {
  const isAlone = Object.keys(others).length === 0
  if (isAlone || page === undefined || isListRead(session, { page }) === false) return
  const choice = { page }
  const response = await requestChoice(session, choice, queryOf(choice))
  const exchange: Exchange = { ...readBody(response), choice, response, openness: 'response', index: 0 }
  const first = readingOf(session, exchange)
  session.seriesByChoice.set(keyOf(choice), { choice, first, pages: [first], isWhole: false })
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

const countDifferences = ({ judged }: JudgedExchange) =>
  judged.reduce((sum, { differences }) => sum + differences.length, 0)

/** Returns the differences of several responses to the same request by checks, each kind of difference once. */
function mergedDifferences (all: readonly JudgedExchange[]): Pick<Judged, 'id' | 'differences'>[] {
  const merged: Pick<Judged, 'id' | 'differences'>[] = []
  const checks = groupBy(all.flatMap(({ judged }) => judged), ({ id }) => id)
  for (const [id, judged] of checks) {
    const [{ isOfHeaders }] = judged
    const kinds = groupBy(judged.flatMap(({ differences }) => differences), findingKind)
    const differences = [...kinds.values()].map(same => mergedDifference(same, all.length, isOfHeaders))
    merged.push({ id, differences })
  }
  return merged
}

/**
 * Returns the first of several differences of the same kind. Unless every response has one, it says how many do, and is
 * a warning if it concerns headers.
 */
function mergedDifference (same: readonly [Found, ...Found[]], total: number, isOfHeaders: boolean): Found {
  const [found] = same
  if (same.length >= total) return found
  const got = `${found.got}, in ${same.length} of ${total} responses`
  const partly: Found = { ...found, kind: findingKind(found), got }
  if (isOfHeaders) partly.isDoubtful = true
  return partly
}

function readingOf (session: Session, exchange: Exchange): Reading {
  const { choice, form, ids, response: { request, status, headers } } = exchange
  const isOfPlain = Object.keys(choice).every(name => name === 'page') && !session.seriesByChoice.has(keyOf({}))
  if (isOfPlain) keepSample(session.sample, exchange)
  const { results, ...page } = exchange.page ?? {}
  return {
    choice, form, ids, request, status, headers,
    size: exchange.records.length,
    values: valuesOf(session.resource, exchange.records),
    page: exchange.page && page
  }
}

function valuesOf ({ record, sortable }: Resource, all: Exchange['records']): Reading['values'] {
  const records = all.filter(isPlainObject) as ServedRecord[]
  const values: Record<string, Value[]> = {}
  for (const field of ['id', ...sortable]) values[field] = records.map(readerOf(record, field))
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
 * values. A value that was already sent alone is judged by its response: if that was a list, nothing is open. A page of
 * a size is such a value, too.
 */
function opennessOf (session: Session, choice: Choice, index: number): Openness {
  const isOfV1 = session.resource.access === 'public' && choice.token !== undefined
  if (isOfV1 || mayLackPage(session, choice)) return 'response'
  const isLoose = looseAccepts.includes(choice.accept ?? '')
  const openness = opennessOfQuery(session, choice, index)
  return isLoose && openness !== 'response' ? 'representation' : openness
}

function opennessOfQuery (session: Session, choice: Choice, index: number): Openness {
  const { page, size, ...others } = queryIn(choice)
  const isSized = page !== undefined && size !== undefined
  const isReadPage = isSized && isListRead(session, { page, size }) === true
  const values = Object.entries(isReadPage ? others : queryIn(choice))
  const all = values.map(([dimension, value]) => opennessOfValue(session, dimension, value, index))
  if (all.includes('response')) return 'response'
  return all.includes('refusal') ? 'refusal' : 'nothing'
}

/** Returns whether the response to a choice is a list; undefined before it was read. */
function isListRead ({ seriesByChoice }: Session, choice: Choice): boolean | undefined {
  const series = seriesByChoice.get(keyOf(choice))
  return series && isListed(series.first)
}

/** Returns whether a page may not exist, because filters or a larger page size leave fewer pages. */
function mayLackPage ({ facts }: Session, { page, size, filter, range }: Choice): boolean {
  const [first = '1'] = facts.pages
  if (page === undefined || page === first) return false
  return filter !== undefined || range !== undefined || Number(size) > facts.pageSize
}

function opennessOfValue (session: Session, dimension: string, value: string, index: number): Openness {
  if (dimension === 'format' && value === 'api') return 'nothing'
  const isListAlone = isListRead(session, { [dimension]: value })
  if (isListAlone !== undefined) return isListAlone ? 'nothing' : 'response'
  if (dimension === 'page') return opennessOfPage(session, value, index)
  const { access, sortable } = session.resource
  const isTerm = dimension === 'ordering' && sortable.includes(value.replace('-', ''))
  return isTerm && access === 'public' ? 'nothing' : 'response'
}

/** Returns what is open about a page: nothing, if a link leads to it. */
function opennessOfPage ({ resource, facts }: Session, page: string, index: number): Openness {
  const isLinked = index !== 0 || facts.pages.includes(page)
  if (isLinked) return 'nothing'
  return page === '1' && resource.access === 'public' ? 'refusal' : 'response'
}
