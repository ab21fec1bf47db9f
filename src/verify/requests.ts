import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { findFitnessName } from '../catalogue/schema-fields.ts'
import { readerOf } from '../lists/table.ts'
import {
  aloneChoices, furtherChoices, headersIn, invalidOrdering, isWalked, keyOf, looseAccepts, pairedChoices, queryIn, queryOf, unknownToken,
  type Choice, type ListFacts
} from '../service/plan.ts'
import { isListed, lastOf, listLink, readBody } from '../service/read.ts'
import { walk } from '../service/walk.ts'
import { kindOf, type Found } from './check.ts'
import type { Exchange, Openness, Reading, Series, Session } from './exchange.ts'
import { judgeProperties, type Judged } from './properties.ts'

/** The most pages of a series. */
export const maxPages = 400

/** The most pages of a repeated one. */
const maxRepeated = 20

/** The most records that are compared by value. */
const maxSample = 1000

/** How often a response with a difference is requested, to tell what is always wrong from what is wrong now and then. */
const attempts = 3

/** Yields what is asked of every list, by what is known so far: first every query alone. Only the plain one is sent if it is no list. */
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
  const plain = session.own.get(keyOf({}))
  return plain !== undefined && isListed(plain.first) ? [...pairedChoices(session.resource, session.facts)] : []
}

export const plainOf = ({ own }: Pick<Session, 'own'>) => own.get(keyOf({})) as Series

/** Returns the series of the first numbered page; of a list that is always paged, the plain one may be all there is. */
function factsOf (session: Session): ListFacts {
  const first = session.own.get(keyOf({ page: '1' })) as Series
  const plain = plainOf(session)
  const series = first.first.form === 'page' ? first : plain
  const filled = series.pages.filter(({ size }, index) => size > 0 || index === 0)
  const numbers = filled.map(({ request }) => lastOf(urlOf(request.target, session.base), 'page') ?? '1')
  const isNumbered = series.first.form === 'page' && new Set(numbers).size === numbers.length && numbers.every(text => /^\d+$/.test(text))
  const record = [...session.sample.values()][0]
  if (!isNumbered) return { pages: [], isWhole: false, pageSize: 0, record }
  return { pages: numbers, isWhole: series.isWhole, pageSize: series.first.size, record }
}

/** Reads the pages of a request, or its only response, and judges each response once. */
export async function readSeries (session: Session, choice: Choice): Promise<Series> {
  const { page } = choice
  const first = await observe(session, choice, queryOf(choice), Math.max(0, session.facts.pages.indexOf(page ?? '')))
  const series = isWalked(choice, session.resource)
    ? await readPages(session, choice, first)
    : { choice, first, pages: [first], isWhole: first.form === 'array' }
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
  const { previous, next } = first.page ?? {}
  const hasZero = typeof previous === 'string' && previous !== next
  const before = hasZero ? await follow(previous, -1) : undefined
  const pages = before?.page === undefined ? [] : [before]
  const steps = walk(first, { pageOf: ({ page }) => page, follow, most: choice.repetition === undefined ? maxPages : maxRepeated })
  let step = await steps.next()
  while (step.done !== true) {
    if (step.value === first || step.value.page !== undefined) pages.push(step.value)
    step = hasTooMany(pages) ? { done: true, value: 'circle' } : await steps.next()
  }
  const beginsFirst = !hasZero || typeof before?.page?.['previous'] !== 'string'
  return { choice, first, pages, isWhole: first.form === 'array' || (step.value === 'last' && beginsFirst) }

  function follow (link: string, index: number): Promise<Reading> | undefined {
    const url = listLink(link, session.path, session.base)
    const isOrdered = choice.ordering === undefined || lastOf(url, 'ordering') === choice.ordering
    if (url === undefined || !isOrdered) return undefined
    const number = lastOf(url, 'page')
    return observe(session, number === undefined ? choice : { ...choice, page: number }, url.search, index)
  }
}

/** Sends a request and judges its response, unless it was sent before. One with a new difference is sent again, to judge all of them. */
async function observe (session: Session, choice: Choice, query: string, index: number): Promise<Reading> {
  const { readings, ledger } = session
  const key = requestKey(choice, query)
  const known = readings.get(key)
  if (known !== undefined) return known
  const read = async (): Promise<Exchange> => {
    const response = await ask(session, query, headersIn(choice), choice.method)
    const get = choice.method === 'HEAD' ? responseToGet(session, choice, query) : undefined
    const exchange = { ...readBody(response), choice, response, openness: opennessOf(session, choice, index), index, get }
    session.fitness ??= findFitnessName(exchange.records.filter(isPlainObject))
    return exchange
  }
  const exchanges = [await read()]
  const isNew = ({ id, differences }: Judged) => differences.some(found => ledger.isNew(id, found))
  if (judgeProperties(exchanges[0] as Exchange, session).some(isNew)) {
    while (exchanges.length < attempts) exchanges.push(await read())
  }
  const judged = exchanges.map(exchange => judgeProperties(exchange, session))
  const { request } = (exchanges[0] as Exchange).response
  for (const { id, differences } of together(judged)) ledger.add(id, differences, request)
  const best = judged.indexOf(judged.reduce((one, other) => sizeOf(other) < sizeOf(one) ? other : one))
  const reading = readingOf(session, exchanges[best] as Exchange)
  readings.set(key, reading)
  return reading
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

const sizeOf = (judged: readonly Judged[]) => judged.reduce((sum, { differences }) => sum + differences.length, 0)

/** Returns the differences of several responses to the same request; of those that only some have, in how many they are. */
function together (judged: readonly (readonly Judged[])[]): Judged[] {
  const all = new Map<string, Judged & { counts: Map<string, { found: Found, count: number }> }>()
  for (const one of judged.flat()) {
    const entry = all.get(one.id) ?? { ...one, counts: new Map() }
    all.set(one.id, entry)
    for (const found of one.differences) {
      const counted = entry.counts.get(kindOf(found)) ?? { found, count: 0 }
      entry.counts.set(kindOf(found), { ...counted, count: counted.count + 1 })
    }
  }
  return [...all.values()].map(({ id, isOfHeaders, counts }) => ({
    id,
    isOfHeaders,
    differences: [...counts.values()].map(({ found, count }): Found => {
      if (count >= judged.length) return found
      const got = `${found.got}, in ${count} of ${judged.length} responses`
      const partly: Found = { ...found, kind: kindOf(found), got }
      return isOfHeaders ? { ...partly, isDoubtful: true } : partly
    })
  }))
}

function readingOf ({ resource, sample, own }: Session, exchange: Exchange): Reading {
  const { choice, openness, form, ids, page, response: { request, status, headers } } = exchange
  const records = exchange.records.filter(isPlainObject)
  const values = Object.fromEntries(['id', ...resource.sortable].map(field => {
    const valueOf = readerOf(resource.record, field)
    return [field, records.map(record => valueOf(record as ServedRecord))]
  }))
  const isOfPlain = !own.has(keyOf({})) && Object.keys(choice).every(name => name === 'page')
  for (const [index, record] of isOfPlain ? exchange.records.entries() : []) {
    if (isPlainObject(record) && sample.size < maxSample) sample.set(ids[index] as string, record)
  }
  const { results, ...envelope } = page ?? {}
  return {
    choice, openness, form, ids, request, status, headers, values, size: exchange.records.length, page: page && envelope
  }
}

/** Sends a request, and follows redirects to another query of the same list. */
async function ask (
  session: Session, query: string, headers: HttpRequest['headers'], method: string | undefined, redirects = 3
): Promise<HttpResponse> {
  const { base, path, get } = session
  const response = await get(query, headers, method)
  const { status, headers: { location } } = response
  const url = status >= 300 && status < 400 ? urlOf(location, new URL(path + query, base)) : undefined
  const isOwn = url?.pathname === path && url.search !== query
  return isOwn && redirects > 0 ? await ask(session, url.search, headers, method, redirects - 1) : response
}

/** Returns what is open about a request: of several values, nothing if each alone has a list, otherwise all. */
function opennessOf (session: Session, choice: Choice, index: number): Openness {
  const { resource, own } = session
  const isOfV1 = resource.access === 'public' && choice.token !== undefined
  if (isOfV1 || isBeyond(session, choice) || looseAccepts.includes(choice.accept ?? '')) return 'response'
  let openness: Openness = 'nothing'
  for (const [dimension, value] of Object.entries(queryIn(choice))) {
    if (dimension === 'format' && value === 'api') continue
    const known = own.get(keyOf({ [dimension]: value }))
    if (known !== undefined && !isListed(known.first)) return 'response'
    const alone = known === undefined ? opennessOfValue(session, dimension, value, index) : 'nothing'
    if (alone !== 'nothing') openness = alone
  }
  return openness
}

/** Returns whether a page may be one of those that there are not, because of filters or of a larger size. */
function isBeyond ({ facts }: Session, { page, size, filter, range }: Choice): boolean {
  if (page === undefined || page === (facts.pages[0] ?? '1')) return false
  return filter !== undefined || range !== undefined || Number(size) > facts.pageSize
}

function opennessOfValue ({ resource: { access }, facts }: Session, dimension: string, value: string, index: number): Openness {
  if (dimension === 'page') {
    const isLinked = index !== 0 || facts.pages.includes(value)
    if (isLinked) return 'nothing'
    return value === '1' && access === 'public' ? 'refusal' : 'response'
  }
  const isTerm = dimension === 'ordering' && value !== invalidOrdering
  return isTerm && access === 'public' ? 'nothing' : 'response'
}
