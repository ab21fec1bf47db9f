import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { readerOf } from '../lists/table.ts'
import { findFitnessName } from '../catalogue/schema-fields.ts'
import { isListed, linkOf, readBody, type Collected, type Exchange, type ListRequest, type Series, type Session } from './exchange.ts'
import { judgeProperties } from './properties.ts'

/** The most pages of a series and of a repeated one, and records that are compared by value. */
export const [maxPages, maxAgain, maxSample] = [400, 20, 1000]

/** The least year of the bikes that a filter of version 2.1 selects. */
export const filterYear = 2022

export const unknownToken = { authorization: 'Token verify-has-no-such-token' }

/** Yields the requests of a list, by what is known so far: without a list, only the plain one, which alone is stated for version 2.1. */
function * requestsOf ({ resource: { sortable, access }, token }: Session, seen: Collected): Generator<ListRequest> {
  yield { name: 'plain', query: '', pages: maxPages, hasForms: true }
  const plain = seen.get('plain') as Series
  if (!isListed(plain)) return
  const isV2 = access === 'token'
  const isArray = plain.form === 'array'
  const terms = isV2 ? sortable.slice(0, 1) : sortable.flatMap(field => [field, `-${field}`])
  const ordered = terms.map(ordering => ({ ordering, query: `?ordering=${ordering}`, open: isV2 ? 'response' : undefined } as const))
  for (const own of ordered) yield { ...own, name: `ordering/${own.ordering}`, pages: maxPages, hasForms: true }
  yield { name: 'page', query: '?page=1', open: isV2 ? 'response' : 'refusal', pages: isArray ? maxPages : 1, hasForms: true }
  const isPaged = !isArray || seen.get('page')?.form === 'page'
  if (isV2) yield { name: 'filter', query: `?year__gte=${filterYear}`, open: 'response', pages: maxPages, hasForms: true }
  else if (isArray && isPaged) {
    for (const { ordering, query } of ordered) {
      yield { name: `page/${ordering}`, query: `${query}&page=1`, ordering, open: 'refusal', pages: maxPages }
    }
  }
  yield { name: 'again', query: '', pages: maxAgain }
  yield { name: 'usual', query: '', headers: { accept: 'application/json', 'accept-encoding': 'gzip, br' } }
  for (const own of ordered) yield { ...own, name: `again/${own.ordering}`, pages: 2 }
  for (const name of ['format=json', 'unknown=1', 'ordering=nonsense']) yield { name, query: `?${name}`, open: 'response' }
  if (!isV2) yield { name: 'token', query: '', open: 'response', headers: unknownToken }
  if (!isV2 && token !== undefined) yield { name: 'token/own', query: '', open: 'response', headers: { authorization: `Token ${token}` } }
  if (isPaged) {
    yield { name: 'again/page', query: '?page=1', open: 'response', pages: isArray ? maxAgain : 1 }
    yield { name: 'beyond', query: '?page=999999', open: 'response' }
  }
}

/** Sends all requests of a list, and judges each response once. */
export async function collect (session: Session): Promise<Collected> {
  const series = new Map<string, Series>()
  for (const asked of requestsOf(session, series)) series.set(asked.name, await readSeries(session, asked))
  return series
}

/** Reads the pages of a request, and its other forms. */
async function readSeries (session: Session, asked: ListRequest): Promise<Series> {
  const { query, pages = 1 } = asked
  const first = await observe(session, asked, query, 0)
  const { response: { request, status }, form } = first
  const series: Series = {
    asked, request, status, form, ids: [], sizes: [], counts: [], isWhole: false,
    values: Object.fromEntries(['id', ...session.resource.sortable].map(field => [field, []]))
  }
  if (pages > 1) await readPages(session, series, first, pages)
  else add(session, series, first)
  if (asked.hasForms && isListed(first)) await observeForms(session, query, first)
  return series
}

async function observeForms (session: Session, query: string, { asked, index, response }: Exchange): Promise<void> {
  await observe(session, { ...asked, form: 'head' }, query, index, response)
  await observe(session, { ...asked, form: 'html' }, `${query === '' ? '?' : `${query}&`}format=api`, index)
}

function add ({ resource, sample }: Session, series: Series, exchange: Exchange): void {
  const { ids, page, asked: { name } } = exchange
  const records = exchange.records.filter(isPlainObject)
  series.ids = series.ids.concat(ids)
  for (const [field, values] of Object.entries(series.values)) {
    const valueOf = readerOf(resource.record, field)
    for (const record of records) values.push(valueOf(record as ServedRecord))
  }
  series.sizes.push(exchange.records.length)
  if (page !== undefined) series.counts.push(page['count'])
  if (name !== 'plain') return
  for (const [index, record] of exchange.records.entries()) {
    if (isPlainObject(record) && sample.size < maxSample) sample.set(ids[index] as string, record)
  }
}

/** Returns whether links lead to more records than `count`, perhaps without end. */
export const hasTooMany = ({ sizes, counts, ids }: Series) => sizes.length > 1 && Number(counts[0]) < ids.length

/** Reads pages of a series; where pages begin with 0, also the one before the first. Follows only the queries of links. */
async function readPages (session: Session, series: Series, first: Exchange, most: number): Promise<void> {
  const { asked } = first
  const { previous, next } = first.page ?? {}
  const before = typeof previous === 'string' && previous !== next ? await follow(previous, -1) : first
  if (before !== undefined && before !== first) add(session, series, before)
  let last: Exchange | undefined = first
  for (let index = 1; last !== undefined; index++) {
    add(session, series, last)
    if (hasTooMany(series)) return
    const link: unknown = last.page?.['next']
    if (typeof link !== 'string') break
    last = index === most ? undefined : await follow(link, index)
  }
  series.isWhole = last !== undefined && before !== undefined && typeof before.page?.['previous'] !== 'string'

  async function follow (link: string, index: number): Promise<Exchange | undefined> {
    const url = linkOf(link, asked, session)
    if (url === undefined) return undefined
    const exchange = await observe(session, asked, url.search, index)
    if (asked.hasForms && (index === 1 || exchange.page?.['next'] === null)) await observeForms(session, url.search, exchange)
    return exchange.page === undefined ? undefined : exchange
  }
}

/** Sends a request, and judges the response; one with a new difference is asked for again, because data may have changed. */
async function observe (session: Session, asked: ListRequest, query: string, index: number, get?: HttpResponse): Promise<Exchange> {
  const { ledger } = session
  let exchange = await read(get)
  let judged = judgeProperties(exchange, session)
  if (judged.some(({ id, differences }) => differences.some(found => ledger.isNew(id, found)))) {
    exchange = await read(get && await ask(session, asked, query))
    judged = judgeProperties(exchange, session)
  }
  for (const { id, differences } of judged) ledger.add(id, differences, exchange.response)
  return exchange

  async function read (get?: HttpResponse): Promise<Exchange> {
    const response = await ask(session, asked, query, get === undefined ? 'GET' : 'HEAD')
    const text = asked.form === undefined ? response.body.toString() : ''
    const body = readBody(response.status, text)
    session.fitness ??= findFitnessName(body.records.filter(isPlainObject))
    return { asked, response, index, text, ...body, ...get && { get } }
  }
}

/** Sends a request, and follows redirects to another query of the same list. */
async function ask (session: Session, asked: ListRequest, query: string, method = 'GET', redirects = 3): Promise<HttpResponse> {
  const { base, path, get } = session
  const response = await get(query, asked.headers, method)
  const { status, headers: { location } } = response
  const url = status >= 300 && status < 400 ? urlOf(location, new URL(path + query, base)) : undefined
  const isOwn = url?.pathname === path && url.search !== query
  return isOwn && redirects > 0 ? await ask(session, asked, url.search, method, redirects - 1) : response
}
