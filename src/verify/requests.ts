import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import { findFitnessName } from '../catalogue/schema-fields.ts'
import { lastValue } from '../http/target.ts'
import {
  aloneChoices, furtherChoices, headersIn, isWalked, keyOf, looseAccepts, pairedChoices, queryDimensions,
  queryOf, unknownToken, type Choice, type ListFacts
} from '../service/plan.ts'
import { isListed, linkIn, listLink, readBody } from '../service/read.ts'
import { walk } from '../service/walk.ts'
import { validToken } from './check.ts'
import {
  idsIn, plainOf, type Exchange, type Openness, type Reading, type Series, type Session
} from './exchange.ts'
import { judgeProperties } from './properties.ts'
import { recordErrors } from './records.ts'

/** The most pages of a series. */
export const maxPages = 400

/** The most pages of a repeated one. */
const maxRepeated = 20

/**
 * Yields the requests of a list: the plain one, those that tell most, which are its pages, each ordering and each other
 * query, then these by HEAD, as a program or browsable, then pairs. Send each one, and keep its series in the session,
 * before you ask for the next: the first two responses determine the others. If the plain request has no list, it is
 * the only one.
 */
export function * choicesOf (session: Session): Generator<Choice, undefined> {
  const { resource, token } = session
  const isPublic = resource.access === 'public'
  if (!isPublic && token === undefined) return
  yield {}
  const plain = plainOf(session)
  if (plain === undefined || !isListed(plain.first)) return
  yield { page: '1' }
  const facts = factsOf(session)
  session.facts = facts
  const choices = [...aloneChoices(resource, facts), ...furtherChoices(resource, facts)]
  if (facts.isWhole) choices.push({ page: 'last' }, { page: 'abc' }, { page: '0' })
  const tokens = token === undefined ? [unknownToken] : [unknownToken, validToken]
  if (isPublic) choices.push(...tokens.map(authorization => ({ authorization })))
  const isQuery = (choice: Choice) => Object.keys(choice).length === 1 && queryOf(choice) !== ''
  yield * choices.filter(isQuery)
  yield * choices
  for (const choice of pairedChoices(resource, facts)) {
    // A token must not make a difference to version 1.
    const hasToken = isPublic && token !== undefined && choice.method === 'HEAD'
    yield hasToken ? { ...choice, authorization: validToken } : choice
  }
}

/** Returns what the first numbered page tells; of a list that is always paged, the plain one may be all there is. */
export function factsOf (session: Session): ListFacts {
  const { sample, seriesByChoice } = session
  const numbered = seriesByChoice.get(keyOf({ page: '1' }))
  const series = numbered?.first.form === 'page' ? numbered : plainOf(session) as Series
  const { first, pages, isWhole } = series
  const [record] = sample.values()
  if (first.form !== 'page') return { pages: [], isWhole: false, pageSize: 0, record }
  const filled = pages.filter(({ ids }, index) => ids.length > 0 || index === 0)
  const numbers = filled.map(({ query }) => lastValue(query, 'page') ?? '')
  numbers[0] ||= String(Number(numbers[1] ?? 2) - 1) // links to the first page may lack it
  const areNumbers = numbers.every(number => /^\d+$/.test(number)) && new Set(numbers).size === numbers.length
  return {
    pages: areNumbers ? numbers : [],
    isWhole: areNumbers && isWhole,
    pageSize: (pages[0] as Reading).ids.length,
    record
  }
}

/** Reads the pages of a request, or its only response, and judges each response once. */
export async function readSeries (session: Session, choice: Choice): Promise<Series> {
  const index = session.facts.pages.indexOf(choice.page ?? '')
  const first = await observe(session, choice, choice, queryOf(choice), Math.max(0, index))
  const isPaged = first.page !== undefined && isWalked(choice, session.resource)
  const series = isPaged
    ? await readPages(session, choice, first)
    : { choice, first, pages: [first], isWhole: isWholeArray(first) }
  session.seriesByChoice.set(keyOf(choice), series)
  return series
}

/** Returns whether a response is an array without a link to further records. */
export function isWholeArray ({ form, headers: { link = '' } }: Reading): boolean {
  return form === 'array' && !/rel="?next/i.test(String(link))
}

/** Reads the pages along next links; where pages begin with 0, also the one before the first. */
async function readPages (session: Session, choice: Choice, first: Reading): Promise<Series> {
  const previous = first.page?.['previous']
  const hasBefore = typeof previous === 'string' && previous !== first.page?.['next']
  const before = hasBefore ? await follow(session, choice, previous, -1) : undefined
  const pages = before?.page === undefined ? [] : [before]
  const steps = walk(first, {
    nextOf: ({ page }) => page && linkIn(page['next']),
    follow: (link, _response, index) => follow(session, choice, link, index),
    most: choice.repetition === undefined ? maxPages : maxRepeated
  })
  const count = first.page?.['count']
  for await (const reading of steps) {
    if (reading.page !== undefined) pages.push(reading)
    const hasTooMany = typeof count === 'number' && idsIn({ pages }).length > count
    if (hasTooMany && pages.length > 1) break // perhaps without end
  }
  const beginsFirst = typeof before?.page?.['previous'] !== 'string'
  const isWhole = beginsFirst && linkIn(pages.at(-1)?.page?.['next']) === null
  return { choice, first, pages, isWhole }
}

/** Requests the page of a link; undefined for a link to another list, or without the ordering. */
function follow (session: Session, choice: Choice, link: string, index: number): Promise<Reading> | undefined {
  const url = listLink(link, session.path, session.base)
  if (url === undefined) return undefined
  const ordering = lastValue(url.searchParams, 'ordering')
  if ((choice.ordering ?? ordering) !== ordering) return undefined
  const page = lastValue(url.searchParams, 'page')
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
  const { readings, sample } = session
  const key = requestKey(choice, query)
  const known = readings.get(key)
  if (known !== undefined) return known
  const response = await requestChoice(session, choice, query)
  const body = readBody(response)
  const { form, ids, records, page } = body
  const reading: Reading = {
    key, choice, series, index, form, ids,
    request: response.request,
    status: response.status,
    headers: response.headers,
    query: new URLSearchParams(query),
    page: page && { ...page, results: null }
  }
  session.fitness ??= findFitnessName(records.filter(isPlainObject))
  // The one to GET has no token.
  const { authorization, method, ...choiceOfGet } = choice
  const exchange: Exchange = {
    ...reading, ...response, ...body,
    openness: opennessOf(session, choice, index),
    errors: recordErrors(records, session),
    readingOfGet: method === 'HEAD' ? readings.get(requestKey(choiceOfGet, query)) : undefined
  }
  judgeProperties(exchange, session, reading)
  const isOfPlain = plainOf(session) === undefined
  for (const [index, id] of ids.entries()) {
    const record = records[index]
    if (isPlainObject(record) && (isOfPlain || !sample.has(id))) sample.set(id, record)
  }
  readings.set(key, reading)
  return reading
}

/** Returns a key that is the same for queries with their parameters in another order. */
function requestKey (choice: Choice, query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  const { method = 'GET', repetition } = choice
  return JSON.stringify([method, parameters.toString(), headersIn(choice), repetition])
}

/** Sends a request, and follows redirects to other queries of the same list. */
async function requestChoice (session: Session, choice: Choice, query: string, redirects = 3): Promise<HttpResponse> {
  const { base, path, requestList } = session
  const response = await requestList(query, headersIn(choice), choice.method)
  const { status, headers: { location } } = response
  const url = urlOf(location, new URL(path + query, base))
  const isOwn = url?.pathname === path && url.search !== query
  const isFollowed = isOwn && status >= 300 && status < 400 && redirects > 0
  return isFollowed ? requestChoice(session, choice, url.search, redirects - 1) : response
}

/**
 * Returns what the specification leaves open about a request: the most that it leaves open about one of its query's
 * values. A value that was already sent alone is judged by its response: if that was a list, nothing is open.
 */
function opennessOf ({ resource, facts, seriesByChoice }: Session, choice: Choice, index: number): Openness {
  const { page, filter, authorization, accept = '' } = choice
  const isPublic = resource.access === 'public'
  const mayLackPage = filter !== undefined && page !== undefined && page !== (facts.pages[0] ?? '1')
  if (mayLackPage || (isPublic && authorization !== undefined)) return 'response'
  let openness: Openness = looseAccepts.includes(accept) ? 'representation' : 'nothing'
  for (const dimension of queryDimensions) {
    const value = choice[dimension]
    if (value === undefined || value === 'api') continue
    const alone = seriesByChoice.get(keyOf({ [dimension]: value }))
    if (alone !== undefined && isListed(alone.first)) continue
    const isLinked = dimension === 'page' && (index !== 0 || facts.pages.includes(value))
    const isTerm = dimension === 'ordering' && isPublic && resource.sortable.includes(value.replace('-', ''))
    if (alone === undefined && (isLinked || isTerm)) continue
    const isFirst = dimension === 'page' && value === '1' && isPublic && alone === undefined
    if (!isFirst) return 'response'
    if (openness === 'nothing') openness = 'refusal'
  }
  return openness
}
