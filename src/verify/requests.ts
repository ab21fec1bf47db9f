import { groupBy } from '../base/group.ts'
import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { findFitnessName } from '../catalogue/schema-fields.ts'
import type { Resource } from '../lists/resources.ts'
import { readerOf, type Value } from '../lists/table.ts'
import {
  aloneChoices, furtherChoices, headersIn, invalidOrdering, isWalked, keyOf, looseAccepts, pairedChoices, queryIn,
  queryOf, unknownToken, type Choice, type ListFacts
} from '../service/plan.ts'
import { isListed, lastOf, listLink, readBody } from '../service/read.ts'
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
 * Yields what is asked of every list, by what is known so far: first every query alone. Only the plain request is
 * sent if its response is no list.
 */
export function * choicesAlone (session: Session): Generator<Choice, void> {
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

/** Returns the requests with pairs of values; none if the plain request has no list. */
export function pairsFor (session: Session): Choice[] {
  const { own, resource, facts } = session
  const plain = own.get(keyOf({}))
  const isList = plain !== undefined && isListed(plain.first)
  return isList ? [...pairedChoices(resource, facts)] : []
}

export const plainOf = ({ own }: Pick<Session, 'own'>) => own.get(keyOf({})) as Series

/** Returns what the first numbered page tells; of a list that is always paged, the plain one may be all there is. */
function factsOf (session: Session): ListFacts {
  const numbered = session.own.get(keyOf({ page: '1' })) as Series
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
  let series: Series = { choice, first, pages: [first], isWhole: first.form === 'array' }
  if (isPaged) series = await readPages(session, choice, first)
  session.own.set(keyOf(choice), series)
  return series
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
    pageOf: ({ page }) => page,
    follow: (link, index) => follow(session, choice, link, index),
    most: choice.repetition === undefined ? maxPages : maxRepeated
  })
  let step = await steps.next()
  while (step.done !== true) {
    if (step.value.page !== undefined) pages.push(step.value)
    step = hasTooMany(pages) ? { done: true, value: false } : await steps.next()
  }
  const beginsFirst = typeof before?.page?.['previous'] !== 'string'
  return { choice, first, pages, isWhole: step.value && beginsFirst }
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
  const own = page === undefined ? choice : { ...choice, page }
  return observe(session, own, url.search, index)
}

type JudgedExchange = { exchange: Exchange, judged: readonly Judged[] }

/**
 * Sends a request and judges its response, unless it was sent before. One with a new difference is sent again, to
 * judge all of them.
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
  for (const { id, differences } of together(all)) ledger.add(id, differences, request)
  const best = all.reduce((one, other) => countDifferences(other) < countDifferences(one) ? other : one)
  const reading = readingOf(session, best.exchange)
  readings.set(key, reading)
  return reading
}

async function judgedExchange (
  session: Session, choice: Choice, query: string, index: number
): Promise<JudgedExchange> {
  const response = await ask(session, choice, query)
  const get = choice.method === 'HEAD' ? responseToGet(session, choice, query) : undefined
  const openness = opennessOf(session, choice, index)
  const exchange: Exchange = { ...readBody(response), choice, response, openness, index, get }
  session.fitness ??= findFitnessName(exchange.records.filter(isPlainObject))
  return { exchange, judged: judgeProperties(exchange, session) }
}

/** Returns the response to GET of a request by HEAD, with the same headers if there is one. */
function responseToGet ({ readings }: Session, choice: Choice, query: string): Reading | undefined {
  return readings.get(requestKey({ ...choice, method: 'GET' }, query)) ?? readings.get(requestKey({}, query))
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

/** Returns the differences of several responses to the same request. */
function together (all: readonly JudgedExchange[]): Pick<Judged, 'id' | 'differences'>[] {
  const checks = groupBy(all.flatMap(({ judged }) => judged), ({ id }) => id)
  return [...checks].map(([id, judged]) => {
    const [{ isOfHeaders }] = judged
    const kinds = groupBy(judged.flatMap(({ differences }) => differences), findingKind)
    const differences = [...kinds.values()].map(same => partlyFound(same, all.length, isOfHeaders))
    return { id, differences }
  })
}

/** Returns a difference; one of some responses has their number, and is a warning if it concerns headers. */
function partlyFound (same: readonly [Found, ...Found[]], total: number, isOfHeaders: boolean): Found {
  const [found] = same
  if (same.length >= total) return found
  const got = `${found.got}, in ${same.length} of ${total} responses`
  const partly: Found = { ...found, kind: findingKind(found), got }
  if (isOfHeaders) partly.isDoubtful = true
  return partly
}

function readingOf (session: Session, exchange: Exchange): Reading {
  const { choice, openness, form, ids, response: { request, status, headers } } = exchange
  const isOfPlain = Object.keys(choice).every(name => name === 'page') && !session.own.has(keyOf({}))
  if (isOfPlain) keepSample(session.sample, exchange)
  const { results, ...page } = exchange.page ?? {}
  return {
    choice, openness, form, ids, request, status, headers,
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
async function ask (session: Session, choice: Choice, query: string, redirects = 3): Promise<HttpResponse> {
  const { base, path, get } = session
  const response = await get(query, headersIn(choice), choice.method)
  const isRedirect = response.status >= 300 && response.status < 400
  if (!isRedirect || redirects === 0) return response
  const { location } = response.headers
  const url = urlOf(location, new URL(path + query, base))
  const isOwn = url?.pathname === path && url.search !== query
  return isOwn ? await ask(session, choice, url.search, redirects - 1) : response
}

/** Returns what is open about a request: of several values, nothing if each alone has a list, otherwise all. */
function opennessOf (session: Session, choice: Choice, index: number): Openness {
  const isOfV1 = session.resource.access === 'public' && choice.token !== undefined
  if (isOfV1 || isBeyond(session, choice) || looseAccepts.includes(choice.accept ?? '')) return 'response'
  let openness: Openness = 'nothing'
  for (const [dimension, value] of Object.entries(queryIn(choice))) {
    const ofValue = opennessOfValue(session, dimension, value, index)
    if (ofValue === 'response') return ofValue
    if (ofValue === 'refusal') openness = ofValue
  }
  return openness
}

/** Returns whether a page may be one of those that there are not, because of filters or of a larger size. */
function isBeyond ({ facts }: Session, { page, size, filter, range }: Choice): boolean {
  const [first = '1'] = facts.pages
  if (page === undefined || page === first) return false
  return filter !== undefined || range !== undefined || Number(size) > facts.pageSize
}

function opennessOfValue (session: Session, dimension: string, value: string, index: number): Openness {
  if (dimension === 'format' && value === 'api') return 'nothing'
  const known = session.own.get(keyOf({ [dimension]: value }))
  if (known !== undefined) return isListed(known.first) ? 'nothing' : 'response'
  if (dimension === 'page') return opennessOfPage(session, value, index)
  const isTerm = dimension === 'ordering' && value !== invalidOrdering
  return isTerm && session.resource.access === 'public' ? 'nothing' : 'response'
}

/** Returns what is open about a page: nothing, if a link leads to it. */
function opennessOfPage ({ resource, facts }: Session, page: string, index: number): Openness {
  const isLinked = index !== 0 || facts.pages.includes(page)
  if (isLinked) return 'nothing'
  return page === '1' && resource.access === 'public' ? 'refusal' : 'response'
}
