import { isPlainObject, type JsonObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Resource } from '../lists/resources.ts'
import { headersIn, queryOf, refusedChoices, unknownToken } from '../service/plan.ts'
import { isListed, jsonOf, readBody } from '../service/read.ts'
import { difference, expect, tokensLike, type Found } from './check.ts'
import { startOfBody, statusAndBody } from './exchange.ts'
import { has } from './records.ts'
import type { Related, Relation } from './relations.ts'

async function relateTag ({ plain, requestList }: Related): Promise<readonly Found[] | string> {
  const { headers: { etag }, request } = plain.first
  if (etag === undefined) return difference('an ETag', 'none', { request })
  const other = await requestList('', { 'if-none-match': '"verify-has-no-such-tag"' })
  if (other.status === 304) return difference('200 for another ETag', '304', { request: other.request })
  const same = await requestList('', { 'if-none-match': etag })
  const { status, body } = same
  const sent = same.headers.etag ?? 'none'
  const isOther = sent !== etag && sent !== 'none'
  if (status === 200 && isOther) return 'needs an ETag that stays the same'
  const holds = status === 304 && body.length === 0 && sent === etag
  const got = `${status}, ${body.length} bytes, ETag: ${sent}`
  return expect(holds, `304 without a body, ETag: ${etag}`, got, { request: same.request })
}

async function relateImages ({ sample, requestPath, base }: Related): Promise<readonly Found[] | string> {
  const urls = [...sample.values()].flatMap(imageUrls)
  const url = urls.find(url => url?.origin === base.origin)
  if (url === undefined) return 'needs an image of the server'
  const { request, status, headers } = await requestPath(url.pathname + url.search)
  const type = headers['content-type'] ?? 'no type'
  const isImage = status === 200 && type.startsWith('image/')
  return expect(isImage, '200 and an image', `${status}, ${type}`, { request })
}

const imageFields = ['image_url', 'images', 'featured_image']
const imageUrls = (record: JsonObject) => imageFields.map(field => urlOf(record[field]))

async function relateOptions ({ requestList }: Related): Promise<readonly Found[]> {
  const response = await requestList('', {}, 'OPTIONS')
  const value = jsonOf(response)
  const holds = response.status === 200 && isPlainObject(value) && 'renders' in value && 'parses' in value
  const expected = '200 with name, description, renders and parses'
  return expect(holds, expected, statusAndBody(response), { request: response.request })
}

async function relateRedirect ({ path, requestPath, base }: Related): Promise<readonly Found[]> {
  const { status, request, headers } = await requestPath(path.replace(/\/$/, '?a=1'))
  const location = headers.location ?? 'none'
  const url = urlOf(location, base)
  const holds = status === 301 && url?.pathname === path && url.search === '?a=1'
  return expect(holds, `301 to ${path}?a=1`, `${status}, Location: ${location}`, { request })
}

async function relatePost ({ requestList }: Related): Promise<readonly Found[]> {
  const response = await requestList('', { 'content-length': '0' }, 'POST')
  const { request, status } = response
  return expect(status >= 300, 'an error', statusAndBody(response), { request })
}

const ofLists: readonly Relation[] = [
  { id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19', relate: relateTag },
  {
    id: 'images', claim: 'gives image URLs that can be fetched', clause: 'D12', of: has('url'),
    relate: relateImages
  },
  { id: 'options', claim: 'responds to OPTIONS with its metadata', clause: 'F7', relate: relateOptions },
  {
    id: 'redirect', claim: 'is where the path without its slash redirects to', clause: 'F10',
    relate: relateRedirect
  },
  {
    id: 'read-only', claim: 'responds to POST with an error', clause: 'S2', needs: 'probe-writes', isFinal: true,
    relate: relatePost
  }
]

const isSmall = ({ key }: Resource) => key === 'brakes'
const isV2 = ({ access }: Resource) => access === 'token'

const emptyToken = 'Invalid token header. No credentials provided.'
const notAcceptable = 'Could not satisfy the request Accept header.'

type Outcome = {
  query: string
  headers: HttpRequest['headers']
  status: number
  /** The media type of a 200, or the detail of an error. */
  says?: string
}

type Outcomes = Pick<Relation, 'id' | 'claim' | 'clause' | 'of'> & { requests: readonly Outcome[] }

/** Requests of a list with what is expected. */
const outcomes: readonly Outcomes[] = [
  {
    id: 'negotiation/accept', claim: 'Accept chooses JSON or a page', clause: 'F2, F5', of: isSmall,
    requests: [
      { query: '', headers: { accept: '*/*' }, status: 200, says: formats.json },
      { query: '', headers: { accept: 'text/html' }, status: 200, says: formats.api },
      { query: '', headers: { accept: 'text/html,application/json;q=0.1' }, status: 200, says: formats.json },
      { query: '', headers: { accept: 'application/xml' }, status: 406, says: notAcceptable }
    ]
  },
  {
    id: 'negotiation/format', claim: 'format narrows that', clause: 'F3, F5', of: isSmall,
    requests: [
      { query: '?format=xml', headers: {}, status: 404, says: 'Not found.' },
      { query: '?format=json', headers: { accept: 'text/html' }, status: 406, says: notAcceptable }
    ]
  },
  {
    id: 'token/refused', claim: 'version 2.1 rejects requests without a valid token with 401',
    clause: 'F5, F12, F13, F24', of: isV2,
    requests: [
      { query: '', headers: {}, status: 401, says: 'Authentication credentials were not provided.' },
      { query: '', headers: { authorization: 'Token' }, status: 401, says: emptyToken },
      { query: '', headers: { authorization: unknownToken }, status: 401, says: 'Invalid token.' }
    ]
  },
  {
    id: 'paths', claim: 'unknown paths are 404', clause: 'F11', of: isSmall,
    requests: [{ query: 'unicycles/', headers: {}, status: 404 }]
  }
]

const relateOutcomes = (requests: readonly Outcome[]): Relation['relate'] => async ({ requestPath, path }) => {
  const found: Found[] = []
  for (const outcome of requests) {
    const response = await requestPath(path + outcome.query, outcome.headers)
    found.push(...judgeOutcome(response, outcome))
    if (response.status === 401) found.push(...judgeUnauthorized(response))
  }
  return found
}

function judgeOutcome (response: HttpResponse, outcome: Outcome): readonly Found[] {
  const { status, says } = outcome
  const { 'content-type': type = 'none' } = response.headers
  const isRight = response.status === status && (says === undefined || saidBy(response, type) === says)
  const got = [response.status, type]
  if (status !== 200) got.push(startOfBody(response))
  const { request } = response
  return expect(isRight, expectedOf(outcome, request.target), got.join(', '), { request })
}

function expectedOf ({ headers, status, says }: Outcome, target: string): string {
  const expected = says === undefined ? String(status) : `${status}, ${says}`
  const lines = Object.entries(headers)
  const conditions = lines.map(([name, value]) => ` with ${name}: ${value}`)
  return `${expected} for ${target}${conditions.join()}`
}

/** Judges the headers of a 401. */
function judgeUnauthorized ({ request, headers }: HttpResponse): readonly Found[] {
  const { 'www-authenticate': scheme = 'none', 'cache-control': cache = '' } = headers
  const isKept = /max-age="?0*[1-9]/i.test(cache)
  return [
    ...expect(scheme === 'Token', 'WWW-Authenticate: Token', scheme, { request }),
    ...expect(!isKept, '401 without a cache lifetime', cache, { request })
  ]
}

/** Returns the media type of a 200, or the detail of an error in JSON. */
function saidBy (response: HttpResponse, type: string): unknown {
  if (response.status === 200) return type.split(';', 1).join()
  const value = jsonOf(response)
  return isPlainObject(value) && type.includes('json') ? value['detail'] : undefined
}

/** Judges whether version 2.1 is closed to every query without a valid token, however it is sent. */
async function relateToken (related: Related): Promise<readonly Found[]> {
  const { resource, requestPath, path, token, facts, ledger } = related
  const [first] = related.sample.values()
  const slug = String(first?.['slug'] ?? '')
  const found: Found[] = []
  let refused: number | undefined
  for (const choice of [{}, ...refusedChoices(resource, facts, invalidTokens(token))]) {
    const target = choice.slash === undefined ? path : path.replace(/\/$/, '')
    const response = await requestPath(target + queryOf(choice), headersIn(choice), choice.method)
    refused ??= response.status
    if (!isLeak(response, slug, refused)) {
      if (choice.slash === undefined) ledger.add('token/refused', judgeRefusal(response, refused))
      continue
    }
    const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
    found.push({ expected, got: statusAndBody(response), request: response.request, kind: 'open' })
  }
  return found
}

/** Judges a refusal: an error of the client, or the status of a request without a token and a query. */
function judgeRefusal (response: HttpResponse, plainStatus: number): readonly Found[] {
  const { status, request } = response
  const isRefusal = status === plainStatus || (status >= 400 && status < 500)
  if (!isRefusal) return difference(String(plainStatus), statusAndBody(response), { request, kind: 'other status' })
  return status === 401 ? judgeUnauthorized(response) : []
}

/** Returns Authorization headers that must be refused. */
function invalidTokens (token: string | undefined): string[] {
  const similar = Object.values(tokensLike(token)).map(other => `Token ${other}`)
  return [unknownToken, 'Token', 'Bearer verify', 'Basic dmVyaWZ5Og==', ...similar]
}

/** Returns whether a response tells of bikes. A 200 may also be a login page, or an empty list for every query. */
function isLeak (response: HttpResponse, slug: string, refused: number): boolean {
  const { status, request: { method } } = response
  const body = readBody(response)
  const hasSlug = slug.length > 3 && body.text.includes(slug)
  if (body.records.length > 0 || (status === 200 && hasSlug)) return true
  return refused !== 200 && status === 200 && (isListed(body) || method === 'HEAD')
}

/** Relations that send requests of their own; general ones concern formats, unknown paths and tokens. */
export const probes: readonly Relation[] = [
  ...ofLists,
  ...outcomes.map(({ requests, ...row }): Relation =>
    ({ ...row, isGeneral: true, relate: relateOutcomes(requests) })),
  {
    id: 'token/needed', claim: 'version 2.1 needs a token', clause: 'S5', of: isV2,
    isGeneral: true, isFinal: true, relate: relateToken
  }
]
