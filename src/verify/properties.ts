import { isUtf8 } from 'node:buffer'
import { invalidByteAt } from '../base/text.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import { allowedMethods } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import { invalidOrdering, keyOf, looseAccepts, program } from '../service/plan.ts'
import { isListed, lastOf, listLink } from '../service/read.ts'
import { byAccess, checkOf, expect, type Found } from './check.ts'
import { idsIn, shown, statusAndBody, type Exchange, type Property, type Reading, type Session } from './exchange.ts'
import { recordProperties } from './records.ts'

/** Returns whether a response is one to GET that should be JSON. */
const isForJson = ({ choice }: Exchange) => choice.method === undefined && choice.format !== 'api'

/** The responses that a property holds for. */
const kinds: Readonly<Record<Property['kind'], (exchange: Exchange) => boolean>> = {
  response: isForJson,
  success: exchange => isForJson(exchange) && exchange.response.status === 200 &&
    (exchange.openness !== 'response' || exchange.value !== undefined),
  list: exchange => isForJson(exchange) && isListed(exchange),
  page: exchange => isForJson(exchange) && exchange.form === 'page',
  linked: exchange => isForJson(exchange) && exchange.openness !== 'response' && Boolean(exchange.page?.['next']),
  later: exchange => isForJson(exchange) && exchange.page !== undefined && exchange.index > 0,
  cached: ({ choice, response }) => choice.method === undefined && response.status === 200,
  html: ({ choice }) => choice.method === undefined && choice.format === 'api',
  head: ({ get }) => get !== undefined,
  origin: ({ choice }) => choice.origin !== undefined,
  loose: ({ choice }) => looseAccepts.includes(choice.accept ?? '')
}

/** Returns every value of a header; a client that takes the first one of two lines does not see the other. */
function headerOf ({ headers, distinct }: HttpResponse, name: string): string {
  return distinct?.[name]?.join(', ') ?? String(headers[name] ?? 'none')
}

const header = (name: 'allow' | 'content-type' | 'vary', expected: string, isRight: (value: string) => boolean) => ({
  kind: 'success' as const,
  isOfHeaders: true as const,
  judge: ({ response }: Exchange) => {
    const value = headerOf(response, name)
    return expect(isRight(value), expected, value)
  }
})

/** Returns the names in a comma-separated header, in lower case and sorted, for comparison. */
const namesIn = (list: string) => list.toLowerCase().split(',').map(name => name.trim()).sort()
const isAllowed = (allow: string) => namesIn(allow).join() === namesIn(allowedMethods).join()

type Caching = {
  /** What the response says, for a report. */
  control: string
  /** The lifetimes in seconds, in all caches and in shared ones; NaN without one. */
  age: number
  shared: number
  isPrivate: boolean
}

/** Reads how long a response may be cached: its Cache-Control, or its Expires (RFC 9111, 5.3). */
function cachingOf ({ headers: { 'cache-control': control, expires, date } }: HttpResponse): Caching {
  if (control === undefined && expires !== undefined) {
    const age = (Date.parse(expires) - (date === undefined ? Date.now() : Date.parse(date))) / 1000
    return { control: `Expires: ${expires}`, age: Math.max(0, Math.round(age)), shared: NaN, isPrivate: false }
  }
  const secondsOf = (name: string) => Number(new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(control ?? '')?.[1])
  const isPrivate = /\b(?:private|no-store|no-cache)\b/i.test(control ?? '')
  return { control: control ?? 'none', age: secondsOf('max-age'), shared: secondsOf('s-maxage'), isPrivate }
}

/** The longest lifetime in shared caches beside a stated one in browsers: services purge such caches, but not after a day. */
const longestShared = 3600

/** Returns whether a lifetime contradicts the stated one; none does not, nor a shorter one that only browsers have. */
function contradicts (stated: number, { age, shared, isPrivate }: Caching): boolean {
  if (Number.isNaN(age)) return shared >= 0 && shared !== stated
  if (age === 0) return false
  if (age === stated) return shared > longestShared
  if (age > stated || shared > stated) return true
  return shared !== stated && !isPrivate
}

const fields = ['count', 'next', 'previous', 'results']

/** The number of a page in its URL; that of the last parameter, as services that append one take it. */
function numberIn (url: URL | undefined): number | undefined {
  const text = lastOf(url, 'page') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function judgeEnvelope ({ page, index, response, choice }: Exchange, { base, facts }: Session): readonly Found[] {
  const isWanted = index !== 0 || (choice.page !== undefined && facts.pages.length > 0)
  if (page === undefined) return expect(!isWanted, fields.join(', '), 'a plain array')
  const names = Object.keys(page)
  if (!fields.every(field => names.includes(field))) return expect(false, fields.join(', '), names.join(', '))
  const { next, previous, count } = page
  const odd = [next, previous].find(link => link !== null && urlOf(link) === undefined)
  const isFirst = isFirstPage(numberIn(urlOf(response.request.target, base)), index, numberIn(urlOf(previous, base)))
  return [
    ...expect(odd === undefined, 'a URL or null as next and previous', shown(odd)),
    ...expect(Number.isInteger(count) && Number(count) >= 0, 'an integer as count', shown(count)),
    ...expect(previous === null || !isFirst, 'previous null on the first page', shown(previous))
  ]
}

/** Returns whether a page must have no previous one. Where pages begin with 0, page 1 has page 0. */
function isFirstPage (number: number | undefined, index: number, previous: number | undefined): boolean {
  if (index < 0) return true
  return index === 0 && (number === undefined || (number === 1 && previous !== 0 && previous !== undefined))
}

/** Judges the link to the next or to the previous page. */
const judgeLink = (name: 'next' | 'previous'): Property['judge'] => (exchange, session) => {
  const { path, base } = session
  const { target } = exchange.response.request
  const link = exchange.page?.[name]
  const url = listLink(link, path, base)
  const own = numberIn(urlOf(target, base)) ?? 1
  const kept = keptParameters(exchange, session)
  const lost = kept.find(([parameter, value]) => lastOf(url, parameter) !== value)
  const isFirst = !target.includes('page=')
  const isRight = name === 'next' ? isNext(numberIn(url), own, isFirst) : url !== undefined && isPrevious(numberIn(url), own, isFirst)
  const wanted = name === 'next' ? `page=${own + 1}` : `page=${own - 1}, or none for the first`
  const others = kept.map(([parameter, value]) => ` and ${parameter}=${value}`).join('')
  const kind = lost === undefined ? name : `${name} without ${lost[0]}`
  return expect(isRight && lost === undefined, `an absolute URL of ${path} with ${wanted}${others}`, shown(link), { kind })
}

/** Returns whether a number follows that of a page; pages may begin with 0. */
const isNext = (number: number | undefined, own: number, isFirst: boolean) => number === own + 1 || (isFirst && number === 1)

/**
 * Returns whether a number precedes that of a page; the link to the first one may have none. A later page whose number
 * is 1 belongs to a list without numbered pages, which its next links show.
 */
function isPrevious (number: number | undefined, own: number, isFirst: boolean): boolean {
  return isFirst || own === 1 || number === own - 1 || (own === 2 && number === undefined)
}

type Parameter = readonly [name: string, value: string]

/** Returns the parameters of a request that links must keep, because the response obeys them. */
function keptParameters ({ choice, records, page }: Exchange, session: Session): Parameter[] {
  const { ordering, size, filter, range } = choice
  const kept: Parameter[] = []
  if (ordering !== undefined && isObeyed(ordering, session)) kept.push(['ordering', ordering])
  const isOfSize = records.length === Number(size) && page?.['next'] !== null // the last page may be as short
  if (size !== undefined && isOfSize) kept.push(['page_size', size])
  const filters = isSelected(page, session) ? new URLSearchParams([filter, range].filter(text => text !== undefined).join('&')) : []
  return [...kept, ...filters]
}

/** Returns whether a page is one of fewer records than the list has. */
function isSelected (page: Exchange['page'], { own }: Session): boolean {
  const plain = own.get(keyOf({}))
  const count = page?.['count']
  return plain !== undefined && typeof count === 'number' && count < idsIn(plain).length
}

/** Returns whether an ordering changes the order of the plain list. Those of version 1 are stated, and judged until they are known. */
function isObeyed (ordering: string, { own, resource: { sortable, access } }: Session): boolean {
  const plain = own.get(keyOf({}))
  const ordered = own.get(keyOf({ ordering }))
  const isKnown = plain !== undefined && ordered !== undefined && isListed(ordered.first)
  const isStated = access === 'public' && sortable.includes(ordering.replace('-', ''))
  if (!isKnown || ordering === invalidOrdering) return isStated
  return ordered.first.ids.join() !== plain.first.ids.slice(0, ordered.first.size).join()
}

function judgeOrigin ({ page: { next, previous } = {} }: Exchange, { base: { origin } }: Session): readonly Found[] {
  const foreign = [next, previous].find(link => (urlOf(link)?.origin ?? origin) !== origin)
  return expect(foreign === undefined, `links that begin with ${origin}`, shown(foreign))
}

function judgeStatus ({ choice, openness, response, form }: Exchange, { resource: { access }, own }: Session): readonly Found[] {
  const { status } = response
  const isRefused = [401, 403].includes(status) && choice.token === undefined
  const isOpen = openness === 'response' || (openness === 'refusal' && form === 'refused')
  const isDocument = access === 'token' && form === 'document' && !own.has(keyOf({})) // in place of the list
  const kind = String(status)
  const got = statusAndBody(response)
  const isOther = status === 200 && form === 'document' && choice.accept === undefined // in place of a refusal
  if (isListed({ form }) || isDocument || (isOpen && !isRefused && !isOther)) return []
  if (isOpen && isOther) return expect(false, 'a list, or an error', got, { kind, isDoubtful: true })
  if (!isRefused) return expect(false, '200 with an array or a page', got, { kind })
  return expect(false, access === 'token' ? '200 for the token of --token' : '200 without credentials', got, { kind })
}

/** Judges a lifetime that the specification leaves open; a contradiction of a stated one is judged as such. */
function judgeCaching ({ response }: Exchange, { resource: { maxAge, isAgeStated } }: Session): readonly Found[] {
  const caching = cachingOf(response)
  const { control, age, isPrivate } = caching
  if (isAgeStated && contradicts(Number(maxAge), caching)) return []
  const got = control.includes('no-cache') ? `${control}, as under dev, --simulate and --watch` : control
  if (maxAge === null) return expect(control !== 'none' && !/\bpublic\b/.test(control), 'Cache-Control without public', got)
  return expect(age === maxAge && !isPrivate, `Cache-Control with max-age=${maxAge}`, got)
}

function judgeAge ({ response }: Exchange, { resource: { maxAge } }: Session): readonly Found[] {
  const caching = cachingOf(response)
  return expect(!contradicts(Number(maxAge), caching), `max-age=${maxAge}`, caching.control)
}

function judgeBrowsable ({ response, openness }: Exchange): readonly Found[] {
  const { status, headers: { 'content-type': type = 'none' }, body: { length } } = response
  const isRefused = openness !== 'nothing' && status !== 200
  const isHtml = status === 200 && type.startsWith('text/html') && length > 0
  return expect(isRefused || isHtml, '200, text/html', `${status}, ${type}, ${length} bytes`)
}

function judgeBrowsableHeaders ({ response: { status, headers } }: Exchange): readonly Found[] {
  const { allow = 'none', vary = 'none' } = headers
  const holds = status !== 200 || (isAllowed(allow) && namesIn(vary).includes('accept'))
  return expect(holds, `Allow: ${allowedMethods}, Vary: Accept`, `Allow: ${allow}, Vary: ${vary}`)
}

function judgeHead ({ response, get, choice: { origin } }: Exchange): readonly Found[] {
  const { status, headers } = get as Reading // other exchanges are not judged
  const found = [...expect(response.status === status, `${status}, as for GET`, String(response.status))]
  for (const name of ['content-type', 'allow', 'cache-control', 'vary']) {
    const own = String(response.headers[name] ?? 'none')
    const wanted = String(headers[name] ?? 'none')
    // The response to GET may be to a request without an origin.
    const isMore = name === 'vary' && origin !== undefined && namesIn(wanted).every(name => namesIn(own).includes(name))
    found.push(...expect(own === wanted || isMore, `${name}: ${wanted}, as for GET`, own, { kind: name }))
  }
  return found
}

function judgeCors ({ response: { headers } }: Exchange): readonly Found[] {
  const { 'access-control-allow-origin': allowed = 'none' } = headers
  return expect(['*', program.origin].includes(allowed), 'Access-Control-Allow-Origin: *', allowed)
}

function judgeAccept ({ response, form }: Exchange): readonly Found[] {
  const { status, headers: { 'content-type': type = 'none' } } = response
  const isHtml = status === 200 && type.startsWith('text/html')
  return expect(isListed({ form }) || form === 'document' || isHtml, '200 with a list or a page', statusAndBody(response))
}

/** Every property, in the order of a list's report. */
export const properties: readonly Property[] = [
  { id: 'status', claim: 'responds with 200 and a list', clause: byAccess('S5', 'S3, S4'), kind: 'response', judge: judgeStatus },
  {
    id: 'utf-8', claim: 'is encoded as UTF-8', clause: 'S7', kind: 'success',
    judge: ({ response: { body } }) =>
      expect(isUtf8(body), 'UTF-8, as JSON is (RFC 8259, 8.1)', `another byte at position ${invalidByteAt(body)}`)
  },
  {
    id: 'content-type', claim: 'is application/json', clause: 'S7',
    ...header('content-type', 'application/json without a charset', type => type.toLowerCase() === formats.json)
  },
  { id: 'allow', claim: `allows ${allowedMethods}`, clause: 'S8', ...header('allow', `Allow: ${allowedMethods}`, isAllowed) },
  {
    id: 'vary', claim: 'varies by Accept', clause: 'S9',
    ...header('vary', 'Vary: Accept', vary => namesIn(vary).includes('accept'))
  },
  {
    id: 'cache', claim: 'says how long it may be cached', clause: byAccess('D18', 'D17'), kind: 'success', isOfHeaders: true,
    judge: judgeCaching
  },
  {
    id: 'cache/age', claim: 'is cached as long as stated', clause: ({ key }) => key === 'bikes' ? 'S20' : 'S21',
    of: ({ isAgeStated }) => isAgeStated, kind: 'cached', isOfHeaders: true, judge: judgeAge
  },
  ...recordProperties,
  {
    id: 'envelope', claim: `has pages with ${fields.join(', ')}`, clause: byAccess('D1', 'S10'), kind: 'list', judge: judgeEnvelope
  },
  {
    id: 'links', claim: 'has next links to the next page', clause: byAccess('D1', 'S13, S19'), kind: 'linked', judge: judgeLink('next')
  },
  {
    id: 'previous', claim: 'leads from each page to the one before', clause: byAccess('D1', 'S10'), kind: 'later',
    judge: judgeLink('previous')
  },
  { id: 'pages', claim: 'has links to its own origin', clause: byAccess('D1', 'F14'), kind: 'page', judge: judgeOrigin },
  {
    id: 'format-api', claim: 'is a browsable page with format=api', clause: byAccess('F3', 'S12'), kind: 'html', judge: judgeBrowsable
  },
  {
    id: 'format-api/headers', claim: 'has Allow and Vary on its browsable page', clause: 'F26', kind: 'html', isOfHeaders: true,
    judge: judgeBrowsableHeaders
  },
  {
    id: 'head', claim: 'responds to HEAD with the status and headers of GET', clause: 'F6', kind: 'head', isOfHeaders: true,
    judge: judgeHead
  },
  {
    id: 'cors', claim: 'can be read by scripts of other origins', clause: 'D21', kind: 'origin', isOfHeaders: true, judge: judgeCors
  },
  { id: 'accept', claim: 'responds to what browsers and apps accept', clause: 'F2', kind: 'loose', judge: judgeAccept }
]

export type Judged = { id: string, isOfHeaders: boolean, differences: readonly Found[] }

export function judgeProperties (exchange: Exchange, session: Session): Judged[] {
  const judged: Judged[] = []
  for (const property of properties) {
    const { kind, of, isOfHeaders = false } = property
    if (!kinds[kind](exchange) || of?.(session.resource) === false) continue
    judged.push({ id: checkOf(session.resource, property).id, isOfHeaders, differences: property.judge(exchange, session) })
  }
  return judged
}
