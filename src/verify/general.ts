import { isPlainObject } from '../base/json.ts'
import type { HttpRequest, HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { expect, type Found } from './check.ts'
import { bodyOf, jsonOf, recordsIn, statusAndBody } from './exchange.ts'
import type { Related, Relation } from './relations.ts'
import { unknownToken } from './requests.ts'

type Headers = HttpRequest['headers']
type Expected = readonly [query: string, headers: Headers, status: number, outcome?: string]

const isSmall = ({ key }: Resource) => key === 'brakes'
const isV2 = ({ access }: Resource) => access === 'token'

const origin = 'https://client.example'
const notAcceptable = 'Could not satisfy the request Accept header.'
const noCredentials = 'Authentication credentials were not provided.'

/** Requests of a list, with the expected status, and the media type of a 200 or the detail of an error. */
const exchanges: ReadonlyArray<readonly [id: string, claim: string, clause: string, of: (resource: Resource) => boolean, ...Expected[]]> = [
  ['negotiation/accept', 'Accept chooses JSON or a page', 'F2, F5', isSmall,
    ['', { accept: '*/*' }, 200, formats.json],
    ['', { accept: 'application/json' }, 200, formats.json],
    ['', { accept: 'text/html' }, 200, formats.api],
    ['', { accept: 'text/html,application/json;q=0.1' }, 200, formats.json],
    ['', { accept: '*/*, text/html' }, 200, formats.api],
    ['', { accept: 'application/xml' }, 406, notAcceptable]],
  ['negotiation/format', 'format narrows that', 'F3, F5', isSmall,
    ['?format=api&format=json', {}, 200, formats.json],
    ['?format=', {}, 200, formats.json],
    ['?format=xml', {}, 404, 'Not found.'],
    ['?format=json', { accept: 'text/html' }, 406, notAcceptable]],
  ['token/refused', 'version 2.1 rejects requests without a valid token with 401', 'F5, F12', isV2,
    ['', {}, 401, noCredentials],
    ['', { authorization: 'Bearer verify' }, 401, noCredentials],
    ['', { authorization: 'Token' }, 401, 'Invalid token header. No credentials provided.'],
    ['', { authorization: 'Token veri fy' }, 401, 'Invalid token header. Token string should not contain spaces.'],
    ['', unknownToken, 401, 'Invalid token.']],
  ['paths', 'unknown paths are 404', 'F11', isSmall, ['unicycles/', {}, 404]]
]

function judgeOutcome (response: HttpResponse, [, headers, status, outcome]: Expected): readonly Found[] {
  const { request, headers: { 'content-type': type = 'none' } } = response
  const value = jsonOf(response)
  const got = status === 200 ? type.split(';', 1).join() : isPlainObject(value) && value['detail']
  const condition = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`).join()
  const expected = `${status}${outcome === undefined ? '' : `, ${outcome}`} for ${request.target}${condition}`
  const isRight = response.status === status && (outcome === undefined || got === outcome)
  return expect(isRight, expected, `${response.status}, ${status === 200 ? type : bodyOf(response)}`, { request })
}

/** A value for each kind of filter. */
const samples = { boolean: 'true', integer: '2000', decimal: '1', date: '2020-01-01', search: 'a', anyOf: 'a' }

/** Queries of version 2.1, each of which must need a token: every other kind, and every filter. */
const queries = [
  '', '?page=1', '?page_size=1', '?ordering=title', '?format=json', '?format=api', '?unknown=1',
  ...resources.flatMap(({ filters }) => Object.values(filters)).map(({ name, kind }) => `?${name}=${samples[kind]}`)
]

/** Requests without a valid token; the extended token is sent where there is one. */
function waysOf (token: string | undefined): [query: string, headers: Headers, method?: string][] {
  const main = queries.slice(0, 8)
  const wrong: Headers[] = [unknownToken, ...token === undefined ? [] : [{ authorization: `Token ${token}x` }]]
  return [
    ...queries.map((query): [string, Headers] => [query, {}]),
    ['', { accept: 'text/html' }],
    ...wrong.flatMap(headers => main.map((query): [string, Headers] => [query, headers])),
    ...main.slice(0, 4).map((query): [string, Headers, string] => [query, {}, 'HEAD'])
  ]
}

async function relateToken ({ ask, path, lists, context: { token } }: Related): Promise<readonly Found[]> {
  const [bike] = lists.get('bikes')?.get('plain')?.sample ?? []
  const slug = String(bike?.['slug'] ?? '')
  const found: Found[] = []
  let refused: number | undefined
  for (const [query, headers, method] of waysOf(token)) {
    const response = await ask(path + query, headers, method)
    const { request, status, body } = response
    refused ??= status
    // A 200 may also be an HTML login page, or an empty list, if it is one for every query.
    const records = status === 200 ? recordsIn(jsonOf(response)) : undefined
    const hasBikes = Number(records?.length) > 0 || (slug.length > 3 && status === 200 && body.includes(slug))
    const isOpen = hasBikes || (refused !== 200 && status === 200 && (records !== undefined || method === 'HEAD'))
    const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
    found.push(...expect(!isOpen, expected, statusAndBody(response), { request, kind: 'open' }))
  }
  return found
}

/** Relations that concern more than one list: formats, unknown paths, tokens, other origins and rate limits. */
export const generalRelations: readonly Relation[] = [
  ...exchanges.map(([id, claim, clause, of, ...requests]): Relation => ({
    id, claim, clause, of,
    relate: async ({ ask, path }) => {
      const found: Found[] = []
      for (const expected of requests) {
        const [query, headers] = expected
        found.push(...judgeOutcome(await ask(path + query, headers), expected))
      }
      return found
    }
  })),
  { id: 'token/needed', claim: 'version 2.1 needs a token', clause: 'S5', of: isV2, relate: relateToken },
  one('token/challenge', 'a 401 names the scheme Token', 'F13', 'WWW-Authenticate: Token',
    ({ status, headers: { 'www-authenticate': scheme = 'none' } }) => status !== 401 || scheme === 'Token' ? undefined : scheme, {}, isV2),
  one('cors/origin', 'scripts of other origins may read', 'D21', 'Access-Control-Allow-Origin: *', ({ headers }) =>
    ['*', origin].includes(String(headers['access-control-allow-origin'])) ? undefined : headers['access-control-allow-origin'] ?? 'none',
  { origin }),
  one('cookies', 'JSON sets no cookie', 'D22', 'no Set-Cookie', ({ headers }) => headers['set-cookie']?.join()),
  one('limits/headers', 'headers of rate limits make sense', 'D28', 'X-RateLimit-Limit, a lower -Remaining, -Reset', ({ headers }) => {
    const values = ['limit', 'remaining', 'reset'].map(name => headers[`x-ratelimit-${name}`])
    const [limit = NaN, remaining = NaN, reset = NaN] = values.map(value => Number(value ?? NaN))
    const holds = [limit, remaining, reset].every(value => Number.isInteger(value) && value >= 0) && remaining < limit
    return holds ? undefined : values.filter(value => value !== undefined).join(', ') || 'none'
  })
].map(relation => ({ ...relation, isGeneral: true }))

/** Returns a relation of one response of a list. */
function one (
  id: string, claim: string, clause: string, expected: string, gotOf: (response: HttpResponse) => string | undefined,
  headers = {}, of = isSmall
): Relation {
  const relate: Relation['relate'] = async ({ ask, path }) => {
    const response = await ask(path, headers)
    const got = gotOf(response)
    return expect(got === undefined, expected, String(got), { request: response.request })
  }
  return { id, claim, clause, of, relate }
}
