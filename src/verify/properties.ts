import { isUtf8 } from 'node:buffer'
import { isPlainObject } from '../base/json.ts'
import { invalidByteAt } from '../base/text.ts'
import { withoutMark } from '../catalogue/files.ts'
import type { HttpResponse } from '../client/client.ts'
import { allowedMethods } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import { program } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import { byAccess, checkOf, difference, expect, isOfV2, type Differences } from './check.ts'
import {
  isForJson, plainOf, report, startOfBody, statusAndBody, type Exchange, type Property, type Reading, type Session
} from './exchange.ts'
import { recordProperties } from './records.ts'

/** Returns whether a response is JSON, or should be. */
const isSuccess = (exchange: Exchange) => isForJson(exchange) && exchange.status === 200 &&
  (exchange.value !== undefined || !['representation', 'response'].includes(exchange.openness))

const isBrowsable = (exchange: Exchange) => exchange.choice.method === undefined &&
  (exchange.choice.format === 'api' || (exchange.openness === 'representation' && isHtml(exchange)))

const header = (name: 'allow' | 'content-type' | 'vary', expected: string, isRight: (value: string) => boolean) => ({
  concerns: isSuccess,
  isOfHeaders: true as const,
  judge: ({ headers: { [name]: value = 'none' } }: Exchange) => expect(isRight(value), expected, value)
})

/** Returns the names in a comma-separated header, in lower case and sorted, for comparison. */
export const namesIn = (list: string) => list.toLowerCase().split(',').map(name => name.trim()).sort()
export const isAllowed = (allow: string) => namesIn(allow).join() === namesIn(allowedMethods).join()
const variesByAccept = (vary: string) => namesIn(vary).includes('accept')

type Caching = ReturnType<typeof cachingOf>

/** Reads how long a response may be cached; the seconds, in all caches and in shared ones, are NaN if not stated. */
function cachingOf ({ headers: { 'cache-control': control = 'none' } }: Exchange) {
  return {
    control,
    age: secondsIn(control, 'max-age'),
    shared: secondsIn(control, 's-maxage'),
    isPrivate: /\b(?:private|no-store|no-cache)\b/i.test(control)
  }
}

/** Returns the seconds of a directive such as max-age=60; NaN without it. */
function secondsIn (control: string, directive: string): number {
  const [, seconds] = new RegExp(`(?:^|[\\s,])${directive}="?(\\d+)`, 'i').exec(control) ?? []
  return Number(seconds)
}

/** The longest lifetime, in seconds, that only shared caches may have: services purge those. */
const longestShared = 3600

/** Returns whether a lifetime agrees with the stated one: the same, none, or a shorter one that only browsers have. */
function agreesWith (stated: number, { age, shared, isPrivate }: Caching): boolean {
  if (Number.isNaN(age)) return Number.isNaN(shared) || shared === stated
  if (age === 0) return true
  if (age === stated) return Number.isNaN(shared) || shared <= longestShared
  if (age > stated || shared > stated) return false
  return shared === stated || isPrivate
}

function judgeStatus (exchange: Exchange, session: Session): Differences {
  const { status, headers, choice, form, openness } = exchange
  const isV2 = isOfV2(session.resource)
  // Version 2.1 may respond to the plain request with a document, which makes other requests needless.
  const isDocument = isV2 && form === 'document' && plainOf(session) === undefined
  if (isListed(exchange) || isDocument) return []
  const isRefused = [401, 403].includes(status) && choice.authorization === undefined
  const kind = String(status)
  const got = statusAndBody(exchange)
  const isOpen = openness === 'response' || (openness === 'refusal' && form === 'refused') ||
    (openness === 'representation' && status < 500)
  if (isOpen && !isRefused) {
    const isError = form !== 'document' || choice.accept !== undefined
    return expect(isError, 'a list, or an error', got, { kind, isDoubtful: true })
  }
  const credentials = isV2 ? 'for the token of --token' : 'without credentials'
  const expected = isRefused ? `200 ${credentials}` : '200 with an array or a page'
  const isOfGateway = isRefused && /^basic\b/i.test(headers['www-authenticate'] ?? '')
  const hint = isOfGateway ? '; it asks for a user and a password: https://USER:PASSWORD@HOST/' : ''
  return difference(expected, got + hint, { kind })
}

/** Judges a lifetime that the specification leaves open; a contradiction of a stated one is judged as such. */
function judgeCaching (exchange: Exchange, { resource }: Session): Differences {
  const { maxAge, isAgeStated } = resource
  const caching = cachingOf(exchange)
  const { control, age, isPrivate } = caching
  if (isAgeStated && !agreesWith(Number(maxAge), caching)) return []
  const got = control.includes('no-cache') ? `${control}, as under dev, --simulate and --watch` : control
  if (maxAge !== null) return expect(age === maxAge && !isPrivate, `Cache-Control with max-age=${maxAge}`, got)
  const isRight = control !== 'none' && !/\bpublic\b/.test(control)
  return expect(isRight, 'Cache-Control without public', got)
}

function judgeAge (exchange: Exchange, { resource: { maxAge } }: Session): Differences {
  const caching = cachingOf(exchange)
  return expect(agreesWith(Number(maxAge), caching), `max-age=${maxAge}`, caching.control)
}

function judgeBrowsable (exchange: Exchange): Differences {
  const { status, headers: { 'content-type': type = 'none' }, body: { length }, openness } = exchange
  const isRefused = openness !== 'nothing' && status !== 200
  const isPage = isHtml(exchange) && length > 0
  return expect(isRefused || isPage, '200, text/html', `${status}, ${type}, ${length} bytes`)
}

export function isHtml ({ status, headers }: Pick<Reading, 'status' | 'headers'>): boolean {
  return status === 200 && headers['content-type']?.startsWith('text/html') === true
}

function judgeBrowsableHeaders ({ status, headers }: Exchange): Differences {
  const { allow = 'none', vary = 'none' } = headers
  const isRight = isAllowed(allow) && variesByAccept(vary)
  const expected = `Allow: ${allowedMethods}, Vary: Accept`
  return expect(status !== 200 || isRight, expected, `Allow: ${allow}, Vary: ${vary}`)
}

function judgeHead (exchange: Exchange): Differences {
  const { request, status, headers } = exchange.readingOfGet as Reading // other exchanges are not judged
  if (exchange.status === 200 && status !== 200) return difference('200, as for HEAD', String(status), { request })
  const found = [...expect(exchange.status === status, `${status}, as for GET`, String(exchange.status))]
  for (const name of ['content-type', 'allow', 'cache-control', 'vary']) {
    const own = String(exchange.headers[name] ?? 'none')
    const wanted = String(headers[name] ?? 'none')
    found.push(...expect(own === wanted, `${name}: ${wanted}, as for GET`, own, { kind: name }))
  }
  return found
}

function judgeCors ({ headers }: Exchange): Differences {
  const { 'access-control-allow-origin': allowed = 'none' } = headers
  return expect(['*', program.origin].includes(allowed), 'Access-Control-Allow-Origin: *', allowed)
}

function judgeAccept (exchange: Exchange): Differences {
  const holds = isListed(exchange) || exchange.form === 'document' || isHtml(exchange)
  return expect(holds, '200 with a list or a page', statusAndBody(exchange))
}

/** Judges the headers of an error. */
export function judgeErrorHeaders ({ request, status, headers }: HttpResponse): Differences {
  const { 'www-authenticate': scheme = 'none', 'cache-control': cache = '' } = headers
  const isKept = status >= 400 && /max-?age="?0*[1-9]/i.test(cache)
  return [
    ...expect(status !== 401 || scheme === 'Token', 'WWW-Authenticate: Token', scheme, { request }),
    ...expect(!isKept, `${status} without a cache lifetime`, cache, { request })
  ]
}

function judgeMissing (exchange: Exchange): Differences {
  const { headers: { 'content-type': type = 'none' }, value } = exchange
  const isDetail = isPlainObject(value) && typeof value['detail'] === 'string' && type.includes('json')
  const found = expect(isDetail, '404 with a detail in JSON', `${type}, ${startOfBody(exchange)}`)
  return [...found, ...judgeErrorHeaders(exchange)]
}

/** Every property, in the order of a list's report. */
export const properties: readonly Property[] = [
  {
    id: 'status', claim: 'responds with 200 and a list', clause: byAccess('S5', 'S3, S4'),
    concerns: isForJson, judge: judgeStatus
  },
  {
    id: 'utf-8', claim: 'is encoded as UTF-8', clause: 'S7', concerns: isSuccess,
    judge: ({ body }) => [
      ...expect(isUtf8(body), 'UTF-8, as JSON is (RFC 8259, 8.1)', `another byte at position ${invalidByteAt(body)}`),
      ...expect(withoutMark(body) === body, 'no byte order mark (RFC 8259, 8.1)', 'one', { isDoubtful: true })
    ]
  },
  {
    id: 'content-type', claim: 'is application/json', clause: 'S7',
    ...header('content-type', 'application/json without a charset', type => type.toLowerCase() === formats.json)
  },
  {
    id: 'allow', claim: `allows ${allowedMethods}`, clause: 'S8',
    ...header('allow', `Allow: ${allowedMethods}`, isAllowed)
  },
  { id: 'vary', claim: 'varies by Accept', clause: 'S9', ...header('vary', 'Vary: Accept', variesByAccept) },
  {
    id: 'cache', claim: 'says how long it may be cached', clause: byAccess('D18', 'D17'),
    concerns: isSuccess, isOfHeaders: true, judge: judgeCaching
  },
  {
    id: 'cache/age', claim: 'is cached as long as stated', clause: ({ key }) => key === 'bikes' ? 'S20' : 'S21',
    of: ({ isAgeStated }) => isAgeStated,
    concerns: ({ choice, status }) => choice.method === undefined && status === 200,
    isOfHeaders: true, judge: judgeAge
  },
  ...recordProperties,
  {
    id: 'errors', claim: 'responds with 404 in JSON that is not cached', clause: 'F5, F24',
    lacks: 'needs a page that does not exist',
    concerns: exchange => isForJson(exchange) && exchange.status === 404 &&
      exchange.choice.accept?.includes('html') !== true,
    judge: judgeMissing
  },
  {
    id: 'format-api', claim: 'is a browsable page with format=api', clause: byAccess('F3', 'S12'),
    concerns: isBrowsable, judge: judgeBrowsable
  },
  {
    id: 'format-api/headers', claim: 'has Allow and Vary on its browsable page', clause: 'F26',
    concerns: isBrowsable, isOfHeaders: true, judge: judgeBrowsableHeaders
  },
  {
    id: 'head', claim: 'responds to HEAD with the status and headers of GET', clause: 'F6',
    concerns: ({ readingOfGet }) => readingOfGet !== undefined, isOfHeaders: true, judge: judgeHead
  },
  {
    id: 'cors', claim: 'can be read by scripts of other origins', clause: 'D21',
    concerns: ({ choice }) => choice.origin !== undefined, isOfHeaders: true, judge: judgeCors
  },
  {
    id: 'accept', claim: 'responds to what browsers and apps accept', clause: 'F2',
    concerns: ({ choice, openness }) => choice.method === undefined && openness === 'representation',
    judge: judgeAccept
  }
]

/** Reports the differences of a response alone from each property that concerns it. */
export function judgeProperties (exchange: Exchange, session: Session, reading: Reading): void {
  const { resource } = session
  for (const property of properties) {
    if (!property.concerns(exchange) || property.of?.(resource) === false) continue
    report(session, checkOf(resource, property).id, property.judge(exchange, session), reading)
  }
}
