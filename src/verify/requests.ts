import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpResponse, type Send } from '../client/client.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { readerOf } from '../lists/readers.ts'
import type { Resource } from '../lists/resources.ts'
import { findFitnessName } from '../catalogue/recorded/fitness.ts'
import type { Ledger } from './check.ts'
import {
  keepsOrdering, linkOf, parse, readListed, shown, type Collected, type Context, type Exchange, type ListRequest, type Series
} from './exchange.ts'
import { judgeProperties } from './properties.ts'

/** The least year of the bikes that a filter of version 2.1 selects. */
export const filterYear = 2022

export const unknownToken = { authorization: 'Token verify-has-no-such-token' }

/** A request, and whether it makes sense after the series so far. */
type Planned = ListRequest & { when?: (seen: Collected) => boolean }

const plain: ListRequest = { name: 'plain', query: '', form: 'list', isWalked: true, hasForms: true }

const isArray = (seen: Collected) => seen.get('plain')?.form === 'array'
const isPaged = (seen: Collected) => !isArray(seen) || seen.get('page')?.form === 'page'

/** Returns the requests of a list after the plain one. For version 2.1 only that one is stated. */
function requestsOf ({ sortable, access }: Resource): Planned[] {
  const isV2 = access === 'token'
  const [form, open] = ['list', 'response'] as const
  const terms = isV2 ? sortable.slice(0, 1) : sortable.flatMap(field => [field, `-${field}`])
  const ordered = terms.map(ordering => ({ form, ordering, isWalked: true, ...isV2 && { open } }))
  return [
    ...ordered.map(own => ({ ...own, name: `ordering/${own.ordering}`, query: `?ordering=${own.ordering}`, hasForms: true })),
    { name: 'page', query: '?page=1', form, open: isV2 ? open : 'refusal', isWalked: true, hasForms: true },
    ...isV2
      ? [{ name: 'filter', query: `?year__gte=${filterYear}`, form, open, isWalked: true }]
      : ordered.map((own): Planned => ({
        ...own, name: `page/${own.ordering}`, query: `?ordering=${own.ordering}&page=1`, open: 'refusal',
        when: seen => isArray(seen) && isPaged(seen)
      })),
    { name: 'again', query: '', form },
    ...ordered.slice(0, 1).map(own => ({ ...own, name: 'again/ordering', query: `?ordering=${own.ordering}`, isWalked: false })),
    { name: 'again/page', query: '?page=1', form, open, when: isPaged },
    { name: 'json', query: '?format=json', form, open },
    { name: 'unknown', query: '?unknown=1', form, open },
    { name: 'nonsense', query: '?ordering=nonsense', form, open },
    ...isV2 ? [] : [{ name: 'token', query: '', form, open, headers: unknownToken }],
    { name: 'beyond', query: '?page=999999', form, open, when: isPaged }
  ]
}

/** The most pages of a series, and records that are compared by value. */
export const [maxPages, maxSample] = [400, 1000]

export type Session = Context & { send: Send, ledger: Ledger }

/** Sends all requests of a list, and judges each response once. Without a list, only the plain request is sent. */
export async function collect (session: Session, resource: Resource): Promise<Collected> {
  const series = new Map([['plain', await readSeries(session, resource, plain)]])
  const isListed = ['array', 'page'].includes(String(series.get('plain')?.form))
  for (const asked of isListed ? requestsOf(resource) : []) {
    if (asked.when?.(series) !== false) series.set(asked.name, await readSeries(session, resource, asked, series))
  }
  return series
}

/** Reads the pages of a request, and its other forms. */
async function readSeries (session: Session, resource: Resource, asked: ListRequest, seen?: Collected): Promise<Series> {
  const { query } = asked
  const first = await observe(session, resource, asked, query, 0)
  const { response: { request, status }, listed } = first
  const series: Series = {
    asked, request, status, form: formOf(first), ids: [], sizes: [], counts: [], isWhole: false, sample: [],
    values: Object.fromEntries(['id', ...resource.sortable].map(field => [field, []]))
  }
  const isRepeated = asked.name === 'page' && seen?.get('plain')?.form === 'page'
  if (asked.isWalked && !isRepeated) await readPages(session, series, first)
  else add(series, first)
  if (asked.hasForms && listed !== undefined) {
    await observe(session, resource, { ...asked, form: 'head' }, query, 0, first.response)
    await observe(session, resource, { ...asked, form: 'html' }, `${query === '' ? '?' : `${query}&`}format=api`, 0)
  }
  return series
}

function formOf ({ listed, value, response: { status } }: Exchange): Series['form'] {
  if (listed !== undefined) return listed.page === undefined ? 'array' : 'page'
  if (status === 200 && value !== undefined) return 'document'
  return status >= 400 && status < 500 ? 'refused' : 'unreadable'
}

/** Adds a page to its series. */
function add (series: Series, { resource, listed, asked: { name } }: Exchange): void {
  if (listed === undefined) return
  const records = listed.records.filter(isPlainObject)
  series.ids = series.ids.concat(listed.ids)
  for (const [field, values] of Object.entries(series.values)) {
    const valueOf = readerOf(resource.record, field)
    for (const record of records) values.push(valueOf(record as ServedRecord))
  }
  series.sizes.push(listed.records.length)
  if (listed.page !== undefined) series.counts.push(listed.page['count'])
  if (name === 'plain') series.sample = [...series.sample, ...records].slice(0, maxSample)
}

/** Reads all pages of a series; where pages begin with 0, also the one before the first. Follows only the queries of links. */
async function readPages (session: Session, series: Series, first: Exchange): Promise<void> {
  const { resource, asked, response: { request } } = first
  const visited = new Set([urlOf(request.target, session.base)?.search])
  const { previous, next } = first.listed?.page ?? {}
  const before = typeof previous === 'string' && previous !== next ? await follow(previous, -1) : first
  if (before !== undefined && before !== first) add(series, before)
  let last: Exchange | undefined = first
  for (let index = 1; last !== undefined; index++) {
    add(series, last)
    if (index > 1 && Number(series.counts[0]) < series.ids.length) {
      series.astray = `${series.ids.length} records on ${series.sizes.length} pages, and count ${shown(series.counts[0])}`
      return
    }
    const link: unknown = last.listed?.page?.['next']
    if (typeof link !== 'string') break
    last = index === maxPages ? undefined : await follow(link, index)
  }
  series.isWhole = last !== undefined && before !== undefined && typeof before.listed?.page?.['previous'] !== 'string'

  async function follow (link: string, index: number): Promise<Exchange | undefined> {
    const url = linkOf(link, resource, session)
    if (url === undefined || !keepsOrdering(url, asked)) return undefined
    if (visited.size === visited.add(url.search).size) {
      if (index > 0) series.astray = `a link of page ${series.sizes.length} leads back to ${url.search}`
      return undefined
    }
    const exchange = await observe(session, resource, asked, url.search, index)
    return exchange.listed?.page === undefined ? undefined : exchange
  }
}

/** Sends a request, and judges the response; one with a new difference is asked for again, because data may have changed. */
async function observe (
  session: Session, resource: Resource, asked: ListRequest, query: string, index: number, get?: HttpResponse
): Promise<Exchange> {
  const { ledger } = session
  let exchange = await read(get)
  let judged = judgeProperties(exchange, session)
  if (judged.some(({ id, differences }) => differences.some(found => ledger.isNew(id, found)))) {
    exchange = await read(get && await ask(session, resource, asked, query))
    judged = judgeProperties(exchange, session)
  }
  for (const { id, differences } of judged) ledger.add(id, differences, exchange.response)
  return exchange

  async function read (get?: HttpResponse): Promise<Exchange> {
    const response = await ask(session, resource, asked, query, get === undefined ? 'GET' : 'HEAD')
    const text = asked.form === 'list' ? response.body.toString() : ''
    const value = parse(text)
    const listed = response.status === 200 ? readListed(text, value) : undefined
    session.fitness ??= listed && findFitnessName(listed.records.filter(isPlainObject))
    return { resource, asked, response, index, text, value, listed, ...get && { get } }
  }
}

/** Sends a request, with the token for version 2.1, and follows redirects to another query of the same list. */
async function ask (
  session: Session, resource: Resource, asked: ListRequest, query: string, method = 'GET', redirects = 3
): Promise<HttpResponse> {
  const own = resource.access === 'token' && session.token !== undefined ? { authorization: `Token ${session.token}` } : {}
  const path = session.pathOf(resource.path)
  const response = await session.send({ method, target: path + query, headers: { ...own, ...asked.headers } })
  const { status, headers: { location } } = response
  const url = status >= 300 && status < 400 ? urlOf(location, new URL(path + query, session.base)) : undefined
  const isOwn = url?.pathname === path && url.search !== query
  return isOwn && redirects > 0 ? await ask(session, resource, asked, url.search, method, redirects - 1) : response
}
