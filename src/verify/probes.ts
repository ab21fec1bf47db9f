import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Resource } from '../lists/resources.ts'
import { headersIn, queryOf, refusedChoices, unknownToken } from '../service/plan.ts'
import { isListed, jsonOf, readBody } from '../service/read.ts'
import { expect, tokensLike, type Found } from './check.ts'
import { bodyOf, statusAndBody } from './exchange.ts'
import { has } from './records.ts'
import type { Related, Relation } from './relations.ts'

async function relateTag ({ get }: Related): Promise<readonly Found[] | string> {
  const { headers: { etag }, request } = await get('')
  if (etag === undefined) return expect(false, 'an ETag', 'none', { request })
  const other = await get('', { 'if-none-match': '"verify-has-no-such-tag"' })
  if (other.status === 304) return expect(false, '200 for another ETag', '304', { request: other.request })
  const same = await get('', { 'if-none-match': etag })
  const { status, body, headers: { etag: sent = 'none' } } = same
  if (status === 200 && ![etag, 'none'].includes(sent)) return 'needs an ETag that stays the same'
  const holds = status === 304 && body.length === 0 && sent === etag
  return expect(holds, `304 without a body, ETag: ${etag}`, `${status}, ${body.length} bytes, ETag: ${sent}`, { request: same.request })
}

const ofLists: readonly Relation[] = [
  { id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19', relate: relateTag },
  {
    id: 'images', claim: 'gives image URLs that can be fetched', clause: 'D12', of: has('url'),
    relate: async ({ sample, ask, base }) => {
      const urls = [...sample.values()].flatMap(record => [record['image_url'], record['images'], record['featured_image']])
      const url = urls.map(link => urlOf(link)).find(url => url?.origin === base.origin)
      if (url === undefined) return 'needs an image of the server'
      const { request, status, headers: { 'content-type': type = 'no type' } } = await ask(url.pathname + url.search)
      return expect(status === 200 && type.startsWith('image/'), '200 and an image', `${status}, ${type}`, { request })
    }
  },
  {
    id: 'options', claim: 'responds to OPTIONS with its metadata', clause: 'F7',
    relate: async ({ get }) => {
      const response = await get('', {}, 'OPTIONS')
      const value = jsonOf(response)
      const holds = response.status === 200 && isPlainObject(value) && 'renders' in value && 'parses' in value
      return expect(holds, '200 with name, description, renders and parses', statusAndBody(response), { request: response.request })
    }
  },
  {
    id: 'redirect', claim: 'is where the path without its slash redirects to', clause: 'F10',
    relate: async ({ path, ask, base }) => {
      const { status, request, headers: { location = 'none' } } = await ask(path.replace(/\/$/, '?a=1'))
      const url = urlOf(location, base)
      const holds = status === 301 && url?.pathname === path && url.search === '?a=1'
      return expect(holds, `301 to ${path}?a=1`, `${status}, Location: ${location}`, { request })
    }
  },
  {
    id: 'read-only', claim: 'responds to POST with an error', clause: 'S2', needs: 'probe-writes',
    relate: async ({ get }) => {
      const response = await get('', { 'content-length': '0' }, 'POST')
      return expect(response.status >= 300, 'an error', statusAndBody(response), { request: response.request })
    }
  }
]

const isSmall = ({ key }: Resource) => key === 'brakes'
const isV2 = ({ access }: Resource) => access === 'token'

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
    id: 'token/refused', claim: 'version 2.1 rejects requests without a valid token with 401', clause: 'F5, F12, F13, F24', of: isV2,
    requests: [
      { query: '', headers: {}, status: 401, says: 'Authentication credentials were not provided.' },
      { query: '', headers: { authorization: 'Token' }, status: 401, says: 'Invalid token header. No credentials provided.' },
      { query: '', headers: { authorization: unknownToken }, status: 401, says: 'Invalid token.' }
    ]
  },
  {
    id: 'paths', claim: 'unknown paths are 404', clause: 'F11', of: isSmall,
    requests: [{ query: 'unicycles/', headers: {}, status: 404 }]
  }
]

const relateOutcomes = (requests: readonly Outcome[]): Relation['relate'] => async ({ ask, path }) => {
  const found: Found[] = []
  for (const outcome of requests) found.push(...judgeOutcome(await ask(path + outcome.query, outcome.headers), outcome))
  return found
}

function judgeOutcome (response: HttpResponse, { headers, status, says }: Outcome): readonly Found[] {
  const { request, headers: { 'content-type': type = 'none', 'www-authenticate': scheme = 'none', 'cache-control': cache = '' } } = response
  const condition = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`).join()
  const expected = `${status}${says === undefined ? '' : `, ${says}`} for ${request.target}${condition}`
  const isRight = response.status === status && (says === undefined || saidBy(response, type) === says)
  const body = status === 200 ? '' : `, ${bodyOf(response)}`
  const found = expect(isRight, expected, `${response.status}, ${type}${body}`, { request })
  if (response.status !== 401) return found
  const isKept = /max-age="?0*[1-9]/i.test(cache)
  return [
    ...found,
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
async function relateToken ({ resource, ask, path, sample, token, facts }: Related): Promise<readonly Found[]> {
  const slug = String([...sample.values()][0]?.['slug'] ?? '')
  const invalid = [unknownToken, 'Token', 'Bearer verify', 'Basic dmVyaWZ5Og==']
  for (const other of Object.values(tokensLike(token))) invalid.push(`Token ${other}`)
  const found: Found[] = []
  let refused: number | undefined
  for (const choice of [{}, ...refusedChoices(resource, facts, invalid)]) {
    const target = choice.slash === undefined ? path : path.replace(/\/$/, '')
    const response = await ask(target + queryOf(choice), headersIn(choice), choice.method)
    const { request, status } = response
    refused ??= status
    const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
    found.push(...expect(!isOpen(response, slug, refused), expected, statusAndBody(response), { request, kind: 'open' }))
  }
  return found
}

/** Returns whether a response tells of bikes. A 200 may also be a page to log in, or an empty list if it is one for every query. */
function isOpen (response: HttpResponse, slug: string, refused: number): boolean {
  const { status, request: { method } } = response
  const body = readBody(response)
  if (body.records.length > 0 || (status === 200 && slug.length > 3 && body.text.includes(slug))) return true
  return refused !== 200 && status === 200 && (isListed(body) || method === 'HEAD')
}

/** Relations that send requests of their own; general ones concern formats, unknown paths and tokens. */
export const probes: readonly Relation[] = [
  ...ofLists,
  ...outcomes.map(({ requests, ...row }): Relation => ({ ...row, isGeneral: true, relate: relateOutcomes(requests) })),
  {
    id: 'token/needed', claim: 'version 2.1 needs a token', clause: 'S5', of: isV2, isGeneral: true, isFinal: true, relate: relateToken
  }
]
