import { isPlainObject } from '../base/json.ts'
import type { HttpRequest, HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import { resources } from '../lists/resources.ts'
import { expect, type Check, type Found } from './check.ts'
import { bodyOf, jsonOf, recordsIn, shown, statusAndBody } from './exchange.ts'
import { from, inTurn, type Probe, type Probing } from './probes.ts'
import { unknownToken, type Collected } from './requests.ts'

const origin = 'https://client.example'
const [brakes, v2] = ['/api/v1/brakes/', '/api/v2/bikes/']

type CommonProbing = Omit<Probing, 'own' | 'get' | 'resource'> & {
  /** The series of the bikes of version 1. */
  bikes: Collected | undefined
}

/** A check that concerns no single list. */
export type CommonProbe = Check & Pick<Probe, 'needs'> & {
  /** The list that it needs. */
  path: string
  probe: (probing: CommonProbing) => Promise<readonly Found[] | string>
}

type Exchange = readonly [query: string, headers: HttpRequest['headers'], status: number, outcome: string]

const notAcceptable = 'Could not satisfy the request Accept header.'
const noCredentials = 'Authentication credentials were not provided.'

/** Requests to a path, with the expected status, and the media type of a 200 or the detail of an error. */
const exchanges: ReadonlyArray<readonly [id: string, claim: string, source: string, path: string, ...Exchange[]]> = [
  ['negotiation/accept', 'Accept chooses JSON or a page', 'F2', brakes,
    ['', { accept: '*/*' }, 200, formats.json],
    ['', { accept: 'application/json' }, 200, formats.json],
    ['', { accept: 'text/html' }, 200, formats.api],
    ['', { accept: 'text/html,application/json;q=0.1' }, 200, formats.json],
    ['', { accept: '*/*, text/html' }, 200, formats.api],
    ['', { accept: 'application/xml' }, 406, notAcceptable]],
  ['negotiation/format', 'format narrows that', 'F3', brakes,
    ['?format=api&format=json', {}, 200, formats.json],
    ['?format=', {}, 200, formats.json],
    ['?format=xml', {}, 404, 'Not found.'],
    ['?format=json', { accept: 'text/html' }, 406, notAcceptable]],
  ['token/refused', 'version 2.1 rejects requests without a valid token with 401', 'F12', v2,
    ['', {}, 401, noCredentials],
    ['', { authorization: 'Bearer verify' }, 401, noCredentials],
    ['', { authorization: 'Token' }, 401, 'Invalid token header. No credentials provided.'],
    ['', { authorization: 'Token veri fy' }, 401, 'Invalid token header. Token string should not contain spaces.'],
    ['', unknownToken, 401, 'Invalid token.']],
  ['paths', 'unknown paths are 404', 'F11', '/api/v1/', ['unicycles/', {}, 404, ''], ['Brakes/', {}, 404, '']]
]

const typeOf = ({ headers: { 'content-type': type = 'none' } }: HttpResponse) => type

function judgeOutcome (response: HttpResponse, target: string, [, headers, status, outcome]: Exchange): readonly Found[] {
  const [type = ''] = typeOf(response).split(';')
  const condition = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`)
  const holds = response.status === status && (status !== 200 || type === outcome)
  const expected = `${status === 200 ? `200, ${outcome}` : status} for ${target}${condition.join()}`
  return expect(holds, expected, `${response.status}, ${type}`, from(response))
}

function judgeError (response: HttpResponse, [, , status, detail]: Exchange): readonly Found[] {
  const [type, value] = [typeOf(response), jsonOf(response)]
  const holds = type === formats.json && isPlainObject(value) && value['detail'] === detail
  const expected = `${formats.json}, ${shown({ detail })}`
  return expect(response.status !== status || holds, expected, `${type}, ${bodyOf(response)}`, from(response))
}

/** A value for each kind of filter. */
const samples = { boolean: 'true', integer: '2000', decimal: '1', date: '2020-01-01', search: 'a', anyOf: 'a' }

/** Queries of version 2.1, each of which must need a token: every filter, and every other kind. */
const queries = [
  '', '?page=1', '?page_size=1', '?ordering=title', '?format=json', '?format=api', '?unknown=1',
  ...resources.flatMap(({ filters }) => Object.values(filters)).map(({ name, kind }) => `?${name}=${samples[kind]}`)
]

/** Requests without a valid token; the extended token is sent where there is one. */
function waysOf (token: string | undefined): [query: string, headers: HttpRequest['headers'], method?: string][] {
  const main = queries.slice(0, 8)
  const wrong = [unknownToken, ...token === undefined ? [] : [{ authorization: `Token ${token}x` }]]
  return [
    ...queries.map((query): [string, HttpRequest['headers']] => [query, {}]),
    ['', { accept: 'text/html' }],
    ...wrong.flatMap(headers => main.map((query): [string, HttpRequest['headers']] => [query, headers])),
    ...main.slice(0, 4).map((query): [string, HttpRequest['headers'], string] => [query, {}, 'HEAD'])
  ]
}

async function probeToken ({ ask, bikes, context: { pathOf, token } }: CommonProbing): Promise<readonly Found[]> {
  const bike = bikes?.get('plain')?.sample[0]
  const slug = String(bike?.['slug'] ?? '')
  const found: Found[] = []
  let refused: number | undefined
  for (const [query, headers, method] of waysOf(token)) {
    const response = await ask(pathOf(v2) + query, headers, method)
    const { status, body } = response
    refused ??= status
    // A 200 may also be an HTML login page, or an empty list, if it is one for every query.
    const records = status === 200 ? recordsIn(jsonOf(response)) : undefined
    const hasBikes = Number(records?.length) > 0 || (slug.length > 3 && status === 200 && body.includes(slug))
    const isOpen = hasBikes || (refused !== 200 && status === 200 && (records !== undefined || method === 'HEAD'))
    const expected = `no bikes, as with status ${refused === 200 ? 401 : refused}`
    found.push(...expect(!isOpen, expected, statusAndBody(response), { ...from(response), kind: 'open' }))
  }
  return found
}

const challenge = 'www-authenticate'

/** Requests that concern no single list: formats, unknown paths, tokens, other origins and rate limits. */
export const commonProbes: readonly CommonProbe[] = [
  ...exchanges.map(([id, claim, source, path, ...requests]): CommonProbe => ({
    id, claim, source, path,
    probe: ({ ask, context: { pathOf } }) => inTurn(requests, async exchange =>
      judgeOutcome(await ask(pathOf(path) + exchange[0], exchange[1]), path + exchange[0], exchange))
  })),
  {
    id: 'errors', claim: 'errors are JSON with their detail', source: 'F5', path: brakes,
    probe: async ({ ask, context: { pathOf } }) => {
      const errors = exchanges.flatMap(([, , , path, ...requests]) => requests.map(exchange => ({ path, exchange })))
        .filter(({ exchange: [, , status, detail] }) => status !== 200 && detail !== '')
      return await inTurn(errors, async ({ path, exchange }) => judgeError(await ask(pathOf(path) + exchange[0], exchange[1]), exchange))
    }
  },
  {
    id: 'negotiation/before-token', claim: 'the format is checked before the token', source: 'F1', path: v2,
    probe: async ({ ask, context: { pathOf } }) => {
      if ((await ask(`${pathOf(brakes)}?format=xml`)).status !== 404) return 'needs 404 for an unknown format'
      const response = await ask(`${pathOf(v2)}?format=xml`)
      return expect(response.status === 404, '404 without a token', String(response.status), from(response))
    }
  },
  {
    id: 'token/challenge', claim: 'a 401 names the scheme Token', source: 'F13', path: v2,
    probe: async ({ ask, context: { pathOf } }) => {
      const response = await ask(pathOf(v2))
      const { status, headers: { [challenge]: scheme = 'none' } } = response
      return expect(status !== 401 || scheme === 'Token', 'WWW-Authenticate: Token', String(scheme), from(response))
    }
  },
  { id: 'token/needed', claim: 'version 2.1 needs a token', source: 'S5', path: v2, probe: probeToken },
  {
    id: 'token/keyword', claim: 'a token counts after the word Token only', source: 'F12', path: v2, needs: 'token',
    probe: ({ ask, context: { pathOf, token } }) => inTurn(['Bearer ', ''], async keyword => {
      const response = await ask(pathOf(v2), { authorization: `${keyword}${token}` })
      return expect(response.status !== 200, `401 for Authorization: ${keyword}$TOKEN`, '200', from(response))
    })
  },
  one('negotiation/indent', 'indent=4 in Accept indents JSON', 'F4', 'JSON indented by 4', response =>
    jsonOf(response) !== undefined && /^(?:\[\]|[[{]\n {4}\S)/.test(response.body.toString()) ? undefined : bodyOf(response),
  '', { accept: 'application/json; indent=4' }),
  one('query/too-many', 'more than 1,000 parameters are 400', 'F20', '400',
    ({ status }) => status === 400 ? undefined : String(status), `?${'a&'.repeat(1000)}a`),
  one('cors/origin', 'scripts of other origins may read', 'D21', 'Access-Control-Allow-Origin: *', ({ headers }) =>
    ['*', origin].includes(String(headers['access-control-allow-origin'])) ? undefined : headers['access-control-allow-origin'] ?? 'none',
  '', { origin }),
  one('cookies', 'JSON sets no cookie', 'D22', 'no Set-Cookie', ({ headers }) => headers['set-cookie']?.join()),
  one('limits/headers', 'headers of rate limits make sense', 'D28', 'X-RateLimit-Limit, a lower -Remaining, -Reset', ({ headers }) => {
    const values = ['limit', 'remaining', 'reset'].map(name => headers[`x-ratelimit-${name}`])
    const [limit = NaN, remaining = NaN, reset = NaN] = values.map(value => Number(value ?? NaN))
    const holds = [limit, remaining, reset].every(value => Number.isInteger(value) && value >= 0) && remaining < limit
    return holds ? undefined : values.filter(value => value !== undefined).join(', ') || 'none'
  })
]

/** Returns a check of one response of a small list. */
function one (
  id: string, claim: string, source: string, expected: string, gotOf: (response: HttpResponse) => string | undefined,
  query = '', headers = {}
): CommonProbe {
  const probe = async ({ ask, context: { pathOf } }: CommonProbing) => {
    const response = await ask(pathOf(brakes) + query, headers)
    const got = gotOf(response)
    return expect(got === undefined, expected, String(got), from(response))
  }
  return { id, claim, source, path: brakes, probe }
}
