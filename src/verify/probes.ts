import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Resource } from '../lists/resources.ts'
import { expect, tokensLike, type Found } from './check.ts'
import { bodyOf, isListed, jsonOf, readBody, statusAndBody } from './exchange.ts'
import { has } from './records.ts'
import type { Related, Relation } from './relations.ts'
import { unknownToken } from './requests.ts'

/** Headers that browsers send for a script of another origin. */
const ofScript = { accept: 'application/json', 'accept-encoding': 'gzip, br', origin: 'https://client.example' }

const ofLists: readonly Relation[] = [
  {
    id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19',
    relate: async ({ get }) => {
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
  },
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
    id: 'cors', claim: 'can be read by scripts of other origins', clause: 'D21',
    relate: async ({ get }) => {
      const { origin } = ofScript
      const responses = [await get('', { origin }), await get('?page=1', { origin })]
      return responses.flatMap(({ request, headers: { 'access-control-allow-origin': allowed = 'none' } }) =>
        expect(['*', origin].includes(allowed), 'Access-Control-Allow-Origin: *', allowed, { request }))
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

type Headers = HttpRequest['headers']
type Expected = readonly [query: string, headers: Headers, status: number, outcome?: string]

const isSmall = ({ key }: Resource) => key === 'brakes'
const isV2 = ({ access }: Resource) => access === 'token'

const notAcceptable = 'Could not satisfy the request Accept header.'

/** Requests of a list, with the expected status, and the media type of a 200 or the detail of an error. */
const exchanges: ReadonlyArray<readonly [id: string, claim: string, clause: string, of: (resource: Resource) => boolean, ...Expected[]]> = [
  ['negotiation/accept', 'Accept chooses JSON or a page', 'F2, F5', isSmall,
    ['', { accept: '*/*' }, 200, formats.json],
    ['', { accept: 'text/html' }, 200, formats.api],
    ['', { accept: 'text/html,application/json;q=0.1' }, 200, formats.json],
    ['', { accept: 'application/xml' }, 406, notAcceptable]],
  ['negotiation/format', 'format narrows that', 'F3, F5', isSmall,
    ['?format=xml', {}, 404, 'Not found.'],
    ['?format=json', { accept: 'text/html' }, 406, notAcceptable]],
  ['token/refused', 'version 2.1 rejects requests without a valid token with 401', 'F5, F12, F13, F24', isV2,
    ['', {}, 401, 'Authentication credentials were not provided.'],
    ['', { authorization: 'Token' }, 401, 'Invalid token header. No credentials provided.'],
    ['', unknownToken, 401, 'Invalid token.']],
  ['paths', 'unknown paths are 404', 'F11', isSmall, ['unicycles/', {}, 404]]
]

const outcomes = (requests: readonly Expected[]): Relation['relate'] => async ({ ask, path }) => {
  const found: Found[] = []
  for (const expected of requests) found.push(...judgeOutcome(await ask(path + expected[0], expected[1]), expected))
  return found
}

function judgeOutcome (response: HttpResponse, [, headers, status, outcome]: Expected): readonly Found[] {
  const { request, headers: { 'content-type': type = 'none', 'www-authenticate': scheme = 'none', 'cache-control': cache = '' } } = response
  const value = jsonOf(response)
  const got = status === 200 ? type.split(';', 1).join() : isPlainObject(value) && type.includes('json') && value['detail']
  const condition = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`).join()
  const expected = `${status}${outcome === undefined ? '' : `, ${outcome}`} for ${request.target}${condition}`
  const isRight = response.status === status && (outcome === undefined || got === outcome)
  return [
    ...expect(isRight, expected, `${response.status}, ${type}${status === 200 ? '' : `, ${bodyOf(response)}`}`, { request }),
    ...expect(response.status !== 401 || scheme === 'Token', 'WWW-Authenticate: Token', scheme, { request }),
    ...expect(response.status !== 401 || !/max-age="?0*[1-9]/i.test(cache), '401 without a cache lifetime', cache, { request })
  ]
}

const samples = { boolean: 'true', integer: '2000', decimal: '1', date: '2020-01-01', search: 'a', anyOf: 'a' }

/** Returns queries of version 2.1, each of which must need a token: some of other kinds, every filter, and every ordering. */
const queriesOf = ({ filters, sortable }: Resource) => [
  '', '?page=1', '?page_size=1', '?ordering=title', '?format=json', '?format=api', '?unknown=1',
  ...Object.values(filters).map(({ name, kind }) => `?${name}=${samples[kind]}`),
  ...sortable.flatMap(field => [`?ordering=${field}`, `?ordering=-${field}`]), '?page=2', '?ordering=-title&page=2'
]

async function relateToken ({ resource, ask, path, sample, token }: Related): Promise<readonly Found[]> {
  const queries = queriesOf(resource)
  const slug = String([...sample.values()][0]?.['slug'] ?? '')
  const found: Found[] = []
  let refused: number | undefined
  const others = ['Token', 'Bearer verify', 'Basic dmVyaWZ5Og==', ...Object.values(tokensLike(token)).map(other => `Token ${other}`)]
  const tokens = [unknownToken, ...others.map(authorization => ({ authorization }))].map((headers): [Headers] => [headers])
  const ways: [Headers?, method?: string][] = [[], [{}, 'HEAD'], [{ accept: 'text/html' }], [ofScript], ...tokens]
  const requests = queries.flatMap((query, index) => ways.slice(0, index < 8 ? ways.length : 1).map(way => [query, ...way] as const))
  for (const [query, headers, method] of requests) {
    const response = await ask(path + query, headers, method)
    const { request, status } = response
    const text = response.body.toString()
    const body = readBody(status, text)
    refused ??= status
    // A 200 may also be an HTML login page, or an empty list, if it is one for every query.
    const hasBikes = body.records.length > 0 || (slug.length > 3 && status === 200 && text.includes(slug))
    const isOpen = hasBikes || (refused !== 200 && status === 200 && (isListed(body) || method === 'HEAD'))
    const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
    found.push(...expect(!isOpen, expected, statusAndBody(response), { request, kind: 'open' }))
  }
  return found
}

/** Relations that send requests of their own; general ones concern formats, unknown paths and tokens. */
export const probes: readonly Relation[] = [
  ...ofLists,
  ...exchanges.map(([id, claim, clause, of, ...own]): Relation => ({ id, claim, clause, of, isGeneral: true, relate: outcomes(own) })),
  { id: 'token/needed', claim: 'version 2.1 needs a token', clause: 'S5', of: isV2, isGeneral: true, relate: relateToken }
]
