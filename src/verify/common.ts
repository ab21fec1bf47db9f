import { isPlainObject, type JsonObject } from '../base/json.ts'
import type { HttpRequest, HttpResponse } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import { Untried, type Check, type Probe } from './check.ts'
import {
  bikes, bikesV2, bodyOf, brakes, checkList, get, haveSameIds, jsonOf, judged, listIn, named, readList, shown, statusAndBody
} from './read.ts'
import { readFitnessName } from './records.ts'

/** The path of a small list, as an example of all. */
const { path } = brakes

const check = (id: string, claim: string, source: string, run: Check['run'], resource = brakes): Check =>
  ({ id, claim, source, resource, run })

const notAcceptable = 'Could not satisfy the request Accept header.'
const noCredentials = 'Authentication credentials were not provided.'
const unknown = { authorization: 'Token verify-has-no-such-token' }
const v2 = bikesV2.path

type Exchange = readonly [query: string, headers: HttpRequest['headers'], status: number, outcome: string]

/** Requests to a path, with the expected status, and the media type of a 200 or the detail of an error. */
const exchanges: ReadonlyArray<readonly [id: string, claim: string, source: string, path: string, ...Exchange[]]> = [
  ['negotiation/accept', 'Accept chooses JSON or a page', 'F2', path,
    ['', {}, 200, formats.json],
    ['', { accept: '*/*' }, 200, formats.json],
    ['', { accept: 'application/json' }, 200, formats.json],
    ['', { accept: 'text/html' }, 200, formats.api],
    ['', { accept: 'text/html,application/json;q=0.1' }, 200, formats.json],
    ['', { accept: '*/*, text/html' }, 200, formats.api],
    ['', { accept: 'application/xml' }, 406, notAcceptable]],
  ['negotiation/format', 'format narrows that', 'F3', path,
    ['?format=json', {}, 200, formats.json],
    ['?format=api&format=json', {}, 200, formats.json],
    ['?format=', {}, 200, formats.json],
    ['?format=xml', {}, 404, 'Not found.'],
    ['?format=json', { accept: 'text/html' }, 406, notAcceptable]],
  ['token/refused', 'version 2.1 rejects requests without a valid token with 401', 'F12', v2,
    ['', {}, 401, noCredentials],
    ['', { authorization: 'Bearer verify' }, 401, noCredentials],
    ['', { authorization: 'Token' }, 401, 'Invalid token header. No credentials provided.'],
    ['', { authorization: 'Token veri fy' }, 401, 'Invalid token header. Token string should not contain spaces.'],
    ['', unknown, 401, 'Invalid token.']],
  ['token/public', 'version 1 ignores a token', 'D26', path, ['', unknown, 200, formats.json]],
  ['paths', 'unknown paths are 404', 'F11', '/api/v1/', ['unicycles/', {}, 404, ''], ['Brakes/', {}, 404, '']]
]

const origin = 'https://client.example'
const resourceOf = (path: string) => path === v2 ? bikesV2 : brakes
const typeOf = ({ headers: { 'content-type': type = 'none' } }: HttpResponse) => type

const exchangeChecks = exchanges.map(([id, claim, source, path, ...requests]) => check(id, claim, source, async probe => {
  for (const [query, headers, status, outcome] of requests) {
    const response = await probe.request(path + query, headers)
    const [type = ''] = typeOf(response).split(';')
    const condition = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`)
    const holds = response.status === status && (status !== 200 || type === outcome)
    const expected = status === 200 ? `200, ${outcome}` : status
    probe.expect(response, holds, `${expected} for ${path}${query}${condition.join()}`, `${response.status}, ${type}`)
  }
}, resourceOf(path)))

/** Requests without a valid token; version 2.1 must reject each of them. */
const ways: ReadonlyArray<readonly [query: string, headers: HttpRequest['headers']]> = [
  ['', {}], ['', { accept: 'text/html' }], ['', unknown], ['?unknown=1', {}], ['?page=1', {}], ['?page=1', unknown],
  ['?page_size=1', {}], ['?ordering=title', {}], ['?search=a', {}], ['?year__gte=2000', {}],
  ['?format=json', {}], ['?format=api', {}], ['?format=api', unknown]
]

/** Checks that apply to all lists: formats, unknown paths and parameters, other origins, rate limits and credentials. */
export const commonChecks: readonly Check[] = [
  ...exchangeChecks,
  check('errors', 'errors are JSON with their detail', 'F5', async probe => {
    const errors = exchanges.flatMap(([, , , path, ...requests]) => requests.map(([query, ...rest]) => [path + query, ...rest] as const))
      .filter(([, , status, detail]) => status !== 200 && detail !== '')
    for (const [target, headers, status, detail] of errors) {
      const response = await probe.request(target, headers)
      const [type, value] = [typeOf(response), jsonOf(response)]
      const holds = response.status !== status || (type === formats.json && isPlainObject(value) && value['detail'] === detail)
      probe.expect(response, holds, `${formats.json}, ${shown({ detail })}`, `${type}, ${bodyOf(response)}`)
    }
  }),
  check('negotiation/before-token', 'the format is checked before the token', 'F1', async probe => {
    if ((await probe.request(`${path}?format=xml`)).status !== 404) throw new Untried('needs 404 for an unknown format')
    const response = await probe.request(`${v2}?format=xml`)
    probe.expect(response, response.status === 404, '404 without a token', String(response.status))
  }, bikesV2),
  check('token/challenge', 'a 401 names the scheme Token', 'F13', async probe => {
    const response = await probe.request(v2)
    const holds = response.status !== 401 || response.headers['www-authenticate'] === 'Token'
    probe.expect(response, holds, 'WWW-Authenticate: Token', response.headers['www-authenticate'] ?? 'none')
  }, bikesV2),
  check('token/needed', 'version 2.1 needs a token', 'S5', async probe => {
    const [bike] = (listIn(await get(probe, bikes))?.results ?? []) as (JsonObject | null)[]
    const slug = String(bike?.['slug'] ?? '')
    for (const [query, headers] of ways) {
      const [response, head] = [await probe.request(v2 + query, headers), await probe.request(v2 + query, headers, 'HEAD')]
      const hasBikes = Number(listIn(response)?.results.length) > 0 || (slug.length > 3 && response.body.includes(slug))
      if (!probe.expect(response, response.status !== 200 || !hasBikes, 'no bikes', statusAndBody(response))) return
      // A 200 may also be an HTML login page.
      if (!probe.expect(head, head.status !== 200 || response.status === 200, `${response.status} as for GET`, String(head.status))) return
    }
  }, bikesV2),
  {
    ...check('token/keyword', 'a token counts after the word Token only', 'F12', async probe => {
      for (const keyword of ['Bearer ', '']) {
        const response = await probe.request(v2, { authorization: `${keyword}${probe.token}` })
        probe.expect(response, response.status !== 200, `401 for Authorization: ${keyword}$TOKEN`, '200')
      }
    }, bikesV2),
    needs: 'token'
  },
  check('negotiation/indent', 'indent=4 in Accept indents JSON', 'F4', judged('JSON indented by 4', response =>
    jsonOf(response) !== undefined && /^(?:\[\]|[[{]\n {4}\S)/.test(response.body.toString()) ? undefined : bodyOf(response),
  '', { accept: 'application/json; indent=4' })),
  {
    ...check('query/unknown', 'unknown parameters are ignored', 'F19', async probe => {
      const [plain, { response, records }] = [await readList(probe, brakes), await readList(probe, brakes, '?unknown=1&limit=1')]
      probe.expect(response, haveSameIds(records, plain.records), 'the same records as without them', `${records.length} records`)
    }),
    compares: true
  },
  check('query/too-many', 'more than 1,000 parameters are 400', 'F20',
    judged('400', ({ status }) => status === 400 ? undefined : String(status), `?${'a&'.repeat(1000)}a`)),
  check('cors/origin', 'scripts of other origins may read', 'D21', judged('Access-Control-Allow-Origin: *', ({ headers }) =>
    ['*', origin].includes(String(headers['access-control-allow-origin'])) ? undefined : headers['access-control-allow-origin'] ?? 'none',
  '', { origin })),
  check('cookies', 'JSON sets no cookie', 'D22', judged('no Set-Cookie', ({ headers }) => headers['set-cookie']?.join())),
  check('limits/headers', 'headers of rate limits make sense', 'D28', judged('X-RateLimit-Limit, a lower -Remaining, -Reset', response => {
    const values = ['limit', 'remaining', 'reset'].map(name => response.headers[`x-ratelimit-${name}`])
    const [limit = NaN, remaining = NaN, reset = NaN] = values.map(value => Number(value ?? NaN))
    const holds = [limit, remaining, reset].every(value => Number.isInteger(value) && value >= 0) && remaining < limit
    return holds ? undefined : values.filter(value => value !== undefined).join(', ') || 'none'
  })),
  checkList(bikesV2, 'superset', 'has every v1 bike, and more of it', 'D33', judgeSuperset, { compares: true })
]

/** Matches fields that v1 leaves empty, counters (they may grow between two requests) and fitness fields. */
const changing = /^(?:rating|reviews|weight_kg)$|_(?:count|gear_id|lifetime_distance|last_synced)$/

async function judgeSuperset (probe: Probe): Promise<void> {
  const [{ records: basic }, { response, records }] = [await readList(probe, bikes), await readList(probe, bikesV2)]
  const [name, own] = [await readFitnessName(probe), await readFitnessName(probe, bikesV2)]
  probe.expect(response, name === own, `${name}_gear_id as in ${bikes.path}`, `${own}_gear_id`)
  const detailed = new Map(records.map(record => [shown(record['id']), record]))
  for (const bike of basic.filter(({ id }) => id !== undefined)) {
    const other = detailed.get(shown(bike['id'])) ?? {}
    const isSame = (field: string) => changing.test(field) || JSON.stringify(bike[field]) === JSON.stringify(other[field])
    const different = Object.keys(bike).filter(field => !isSame(field))
    const got = shown(Object.fromEntries(different.map(field => [field, other[field]])))
    if (!probe.expect(response, different.length === 0, `${different.join(', ')} of ${named(bike)} as in ${bikes.path}`, got, other)) return
  }
  probe.expect(response, records.length === basic.length, `${basic.length} bikes as in ${bikes.path}`, String(records.length))
}
