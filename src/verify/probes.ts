import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Resource } from '../lists/resources.ts'
import { headersIn, program, queryOf, refusedChoices, unknownToken, type Choice } from '../service/plan.ts'
import { isListed, readBody } from '../service/read.ts'
import { difference, expect, isOfV2, tokensOf, type Found, type Differences } from './check.ts'
import { plainOf, startOfBody, statusAndBody } from './exchange.ts'
import { isAllowed, isHtml, judgeErrorHeaders, namesIn } from './properties.ts'
import { has } from './records.ts'
import type { Related, Relation, Verdict } from './relations.ts'

async function relateTag ({ plain, readings, requestList }: Related): Promise<Verdict> {
  const { headers: { etag }, request } = plain.first
  if (etag === undefined) return difference('an ETag', 'none', { request })
  const page = [...readings.values()].find(reading => queryOf(reading.choice) === '' && isHtml(reading))
  if (page?.headers.etag === etag) {
    return difference('another ETag for HTML than for JSON', etag, { request: page.request })
  }
  const other = await requestList('', { 'if-none-match': '"verify-has-no-such-tag"' })
  if (other.status === 304) return difference('200 for another ETag', '304', { request: other.request })
  const same = await requestList('', { 'if-none-match': etag })
  const { status, body } = same
  const sent = same.headers.etag ?? 'none'
  if (status === 200 && sent !== etag) return 'needs an ETag that stays the same'
  const holds = status === 304 && body.length === 0 && sent === etag
  const got = `${status}, ${body.length} bytes, ETag: ${sent}`
  return expect(holds, `304 without a body, ETag: ${etag}`, got, { request: same.request })
}

/** The most images of a list that are requested, from its first record to its last. */
const mostImages = 5

async function relateImages ({ sample, requestPath, base }: Related): Promise<Verdict> {
  const targets = new Set<string>()
  for (const record of sample.values()) {
    for (const field of ['image_url', 'images', 'featured_image']) {
      const url = urlOf(record[field])
      if (url?.origin === base.origin) targets.add(url.pathname + url.search)
    }
  }
  if (targets.size === 0) return 'needs an image of the server'
  const found: Found[] = []
  const step = Math.ceil(targets.size / mostImages)
  for (const target of [...targets].filter((_, index) => index % step === 0)) {
    const { request, status, headers } = await requestPath(target)
    const type = headers['content-type'] ?? 'no type'
    const isImage = status === 200 && type.startsWith('image/')
    found.push(...expect(isImage, '200 and an image', `${status}, ${type}`, { request }))
  }
  return found
}

async function relateOptions ({ requestList }: Related): Promise<Differences> {
  const response = await requestList('', {}, 'OPTIONS')
  const { value } = readBody(response)
  const holds = response.status === 200 && isPlainObject(value) && 'renders' in value && 'parses' in value
  const expected = '200 with name, description, renders and parses'
  return expect(holds, expected, statusAndBody(response), { request: response.request })
}

/** Judges the response to what a browser asks before it sends the token of a script (contract D21). */
async function relatePreflight ({ requestPath, path }: Related): Promise<Differences> {
  const preflight = {
    origin: program.origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization'
  }
  const { request, status, headers } = await requestPath(path, preflight, 'OPTIONS')
  const origin = headers['access-control-allow-origin'] ?? 'none'
  const names = headers['access-control-allow-headers'] ?? 'none'
  const isOpen = ['*', program.origin].includes(origin)
  const holds = status < 300 && isOpen && namesIn(names).includes('authorization')
  const got = `${status}, ${origin}, ${names}`
  return expect(holds, '204, Access-Control-Allow-Origin: *, -Headers: authorization', got, { request })
}

async function relateRedirect ({ path, requestPath, base }: Related): Promise<Differences> {
  const { status, request, headers } = await requestPath(path.replace(/\/$/, '?a=1'))
  const location = headers.location ?? 'none'
  const url = urlOf(location, base)
  const holds = status === 301 && url?.pathname === path && url.search === '?a=1'
  return expect(holds, `301 to ${path}?a=1`, `${status}, Location: ${location}`, { request })
}

async function relatePost ({ requestList, probeWrites }: Related): Promise<Verdict> {
  if (!probeWrites) return 'needs --probe-writes'
  const response = await requestList('', { 'content-length': '0' }, 'POST')
  const { request, status, headers: { allow = 'none' } } = response
  const isRight = status !== 405 || isAllowed(allow)
  return [
    ...expect(status >= 300, 'an error', statusAndBody(response), { request }),
    ...expect(isRight, '405 with the methods that are allowed', `Allow: ${allow}`, { request, isDoubtful: true })
  ]
}

const isSmall = ({ key }: Resource) => key === 'brakes'

const notAcceptable = 'Could not satisfy the request Accept header.'

/** A request of a list, with what should answer it. */
type Probe = {
  query?: string
  headers?: HttpRequest['headers']
  status: number
  /** The media type of a 200, or the detail of an error. */
  says?: string
}

/** Sends requests that have nothing in common but their headers or their query. */
const probed = (all: readonly Probe[]): Relation['relate'] => async ({ requestList }) => {
  const found: Found[] = []
  for (const probe of all) found.push(...judgeProbe(await requestList(probe.query ?? '', probe.headers), probe))
  return found
}

function judgeProbe (response: HttpResponse, { headers = {}, status, says }: Probe): Differences {
  const { request, headers: { 'content-type': type = 'none' } } = response
  const got = [response.status, type, startOfBody(response)].join(', ')
  const isRight = response.status === status && (says === undefined || saidBy(response, type) === says)
  const lines = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`)
  const claim = `${[status, says].filter(Boolean).join(', ')} for ${request.target}${lines.join()}`
  return [...expect(isRight, claim, got, { request }), ...judgeErrorHeaders(response)]
}

/** Returns the media type of a 200, or the detail of an error in JSON. */
function saidBy (response: HttpResponse, type: string): unknown {
  if (response.status === 200) return type.split(';', 1).join()
  const { value } = readBody(response)
  return isPlainObject(value) && type.includes('json') ? value['detail'] : undefined
}

/** What 401 says to requests without a valid token, by their Authorization. */
const refusals: Readonly<Record<string, string>> = {
  '': 'Authentication credentials were not provided.',
  Token: 'Invalid token header. No credentials provided.',
  [unknownToken]: 'Invalid token.'
}

/** Judges whether version 2.1 is closed to every query without a valid token, however it is sent. */
async function relateToken (related: Related): Promise<Differences> {
  const { resource, requestPath, path, facts, ledger, sample } = related
  const [first] = sample.values()
  const slug = first?.['slug']
  const found: Found[] = []
  let refused: number | undefined
  for (const choice of refusedChoices(resource, facts, invalidCredentials(related))) {
    const target = choice.slash === undefined ? path : path.replace(/\/$/, '')
    const headers = headersIn(choice)
    const response = await requestPath(target + queryOf(choice), headers, choice.method)
    const { request, status } = response
    const body = readBody(response)
    refused ??= status
    // A 304 tells that bikes are unchanged. A 200 may also be a login page, or an empty list for every query.
    const hasBikes = body.records.length > 0 ||
      (typeof slug === 'string' && slug.length > 3 && body.text.includes(slug))
    const isAnswer = refused !== 200 && (isListed(body) || choice.method === 'HEAD')
    if (status === 304 || (status === 200 && (hasBikes || isAnswer))) {
      const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
      found.push({ expected, got: statusAndBody(response), request, kind: 'open' })
    } else if (choice.slash === undefined) {
      const { authorization = '', ...others } = choice
      const says = Object.keys(others).length === 0 ? refusals[authorization] : undefined
      const isRefusal = status === refused || (status >= 400 && status < 500)
      const different = difference(String(refused), statusAndBody(response), { request, kind: 'other status' })
      ledger.add('token/refused', isRefusal ? judgeErrorHeaders(response) : different)
      if (says !== undefined) ledger.add('token/refused', judgeProbe(response, { status: 401, says, headers }))
    }
  }
  return found
}

/** Returns credentials that must be refused, also the valid token in another place, and the tag of a valid response. */
function invalidCredentials (related: Related): Choice[] {
  const [valid, ...similar] = tokensOf(related.token).keys()
  const values = [unknownToken, 'Token', 'Bearer verify', 'Basic dmVyaWZ5Og==', `Bearer ${valid}`, String(valid)]
  for (const other of similar) values.push(`Token ${other}`)
  const all: Choice[] = values.map(authorization => ({ authorization }))
  const tag = plainOf(related)?.first.headers.etag
  if (tag !== undefined) all.push({ 'if-none-match': tag })
  return [...all, { unknown: `token=${valid}` }]
}

/** Relations that send requests of their own; general ones concern formats, unknown paths and tokens. */
export const probes: readonly Relation[] = [
  { id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19', relate: relateTag },
  {
    id: 'images', claim: 'gives image URLs that can be fetched', clause: 'D12', of: has('url'),
    relate: relateImages
  },
  { id: 'options', claim: 'responds to OPTIONS with its metadata', clause: 'F7', relate: relateOptions },
  {
    id: 'preflight', claim: 'lets scripts of other origins send a token', clause: 'D21', of: isOfV2,
    relate: relatePreflight
  },
  {
    id: 'redirect', claim: 'is where the path without its slash redirects to', clause: 'F10',
    relate: relateRedirect
  },
  {
    id: 'read-only', claim: 'responds to POST with an error', clause: 'S2', relate: relatePost
  },
  {
    id: 'negotiation/accept', claim: 'Accept chooses JSON or a page', clause: 'F2, F5', of: isSmall, isGeneral: true,
    relate: probed([
      { headers: { accept: '*/*' }, status: 200, says: formats.json },
      { headers: { accept: 'text/html' }, status: 200, says: formats.api },
      { headers: { accept: 'text/html,application/json;q=0.1' }, status: 200, says: formats.json },
      { headers: { accept: 'application/xml' }, status: 406, says: notAcceptable }
    ])
  },
  {
    id: 'negotiation/format', claim: 'format narrows that', clause: 'F3, F5', of: isSmall, isGeneral: true,
    relate: probed([
      { query: '?format=xml', status: 404, says: 'Not found.' },
      { query: '?format=json', headers: { accept: 'text/html' }, status: 406, says: notAcceptable }
    ])
  },
  {
    id: 'paths', claim: 'unknown paths are 404', clause: 'F11, F24', of: isSmall, isGeneral: true,
    relate: probed([{ query: 'unicycles/', status: 404 }])
  },
  {
    id: 'limits', claim: 'a limit says when to ask again', clause: 'F17', of: isSmall, isGeneral: true,
    relate: () => 'needs a response with 429' // others are judged as they come
  },
  {
    id: 'token/needed', claim: 'version 2.1 needs a token', clause: 'S5', of: isOfV2,
    isGeneral: true, relate: relateToken
  },
  {
    id: 'token/refused', claim: 'version 2.1 rejects requests without a valid token with 401',
    clause: 'F5, F12, F13, F24', of: isOfV2, isGeneral: true, relate: () => 'needs the check token/needed'
  }
]
