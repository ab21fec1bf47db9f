import type { HttpRequest } from '../client/client.ts'
import { formats } from '../http/negotiation.ts'
import type { Check } from './check.ts'
import { bikes, bikesV2, bodyOf, brakes, checkList, detailOf, haveSameIds, jsonOf, named, readList, shown } from './read.ts'

/** The path of a small list, which stands for all. */
const { path } = brakes

const check = (id: string, claim: string, source: string, run: Check['run'], resource = brakes): Check =>
  ({ id, claim, source, resource, run })

const byAccept = 'F2, F5'
const byFormat = 'F3, F5'
const byToken = 'S5, F12, F13'

const notAcceptable = 'Could not satisfy the request Accept header.'
const noCredentials = 'Authentication credentials were not provided.'
const unknown = { authorization: 'Token verify-has-no-such-token' }

type Exchange = readonly [id: string, source: string, target: string, headers: HttpRequest['headers'], status: number, outcome?: string]

/** Requests, the status of their responses, and the media type of a 200 or the detail of an error, which is JSON. */
const exchanges: readonly Exchange[] = [
  ['negotiation/without-accept', byAccept, path, {}, 200, formats.json],
  ['negotiation/any', byAccept, path, { accept: '*/*' }, 200, formats.json],
  ['negotiation/json', byAccept, path, { accept: 'application/json' }, 200, formats.json],
  ['negotiation/html', byAccept, path, { accept: 'text/html' }, 200, formats.api],
  ['negotiation/json-first', byAccept, path, { accept: 'text/html,application/json;q=0.1' }, 200, formats.json],
  ['negotiation/specific-first', byAccept, path, { accept: '*/*, text/html' }, 200, formats.api],
  ['negotiation/none-fits', byAccept, path, { accept: 'application/xml' }, 406, notAcceptable],
  ['negotiation/format-json', byFormat, `${path}?format=json`, {}, 200, formats.json],
  ['negotiation/format-api', 'S12, F3', `${path}?format=api`, {}, 200, formats.api],
  ['negotiation/format-last', byFormat, `${path}?format=api&format=json`, {}, 200, formats.json],
  ['negotiation/format-empty', byFormat, `${path}?format=`, {}, 200, formats.json],
  ['negotiation/format-unknown', byFormat, `${path}?format=xml`, {}, 404, 'Not found.'],
  ['negotiation/format-and-accept', byFormat, `${path}?format=json`, { accept: 'text/html' }, 406, notAcceptable],
  ['paths/unknown', 'F11', '/api/v1/unicycles/', {}, 404],
  ['paths/case', 'F11', '/api/v1/Brakes/', {}, 404],
  ['token/absent', byToken, bikesV2.path, {}, 401, noCredentials],
  ['token/other-scheme', byToken, bikesV2.path, { authorization: 'Bearer verify' }, 401, noCredentials],
  ['token/empty', byToken, bikesV2.path, { authorization: 'Token' }, 401, 'Invalid token header. No credentials provided.'],
  ['token/spaces', byToken, bikesV2.path, { authorization: 'Token veri fy' }, 401,
    'Invalid token header. Token string should not contain spaces.'],
  ['token/unknown', byToken, bikesV2.path, unknown, 401, 'Invalid token.'],
  ['token/public', 'D26', path, unknown, 200, formats.json],
  ['negotiation/before-token', 'F1', `${bikesV2.path}?format=xml`, {}, 404, 'Not found.']
]

function checkExchange ([id, source, target, headers, status, outcome]: Exchange): Check {
  const conditions = Object.entries(headers).map(([name, value]) => ` with ${name}: ${value}`)
  return check(id, `${target}${conditions.join('')} is ${status === 200 ? outcome : status}`, source, async probe => {
    const response = await probe.request(target, headers)
    const { 'content-type': type = 'none', 'www-authenticate': challenge = 'none' } = response.headers
    const got = `${response.status}, ${type}`
    const isExpected = response.status === status
    if (outcome === undefined) probe.must(response, isExpected, String(status), got)
    else if (status === 200) {
      const judge = outcome === formats.api && source === byAccept && response.status < 500 ? 'may' : 'must' // many sites have JSON only
      probe[judge](response, isExpected && type.split(';')[0] === outcome, `200, ${outcome}`, got)
    } else {
      const isForbidden = status === 401 && response.status === 403 // as with DRF's SessionAuthentication before the token's
      const [expected, sent] = [`${status}, ${formats.json}, ${shown({ detail: outcome })}`, `${got}, ${bodyOf(response)}`]
      if (!probe.must(response, (isExpected || isForbidden) && type.split(';')[0] === formats.json, expected, sent)) return
      // Other languages have other texts.
      probe.may(response, isExpected && type === formats.json && detailOf(response) === outcome, expected, sent)
      if (status !== 401 || isForbidden) return
      probe[challenge === 'none' ? 'must' : 'may'](response, challenge === 'Token', 'WWW-Authenticate: Token', challenge)
    }
  }, target.startsWith(bikesV2.path) ? bikesV2 : brakes)
}

/** The checks that concern no single list: formats, unknown paths and parameters, other origins, rate limits and credentials. */
export const commonChecks: readonly Check[] = [
  ...exchanges.map(checkExchange),
  check('negotiation/indent', 'indent=4 in Accept indents JSON', 'F4', async probe => {
    const response = await probe.request(path, { accept: 'application/json; indent=4' })
    const holds = jsonOf(response) !== undefined && /^(?:\[\]|[[{]\n {4}\S)/.test(response.body.toString())
    probe.must(response, holds, 'JSON indented by 4', bodyOf(response))
  }),
  check('query/unknown', 'unknown parameters are ignored', 'F19', async probe => {
    const [plain, { response, records }] = [await readList(probe, brakes), await readList(probe, brakes, '?unknown=1&limit=1')]
    probe.must(response, haveSameIds(records, plain.records), 'the same records as without them', `${records.length} records`)
  }),
  check('query/too-many', 'more than 1,000 parameters are 400', 'F20', async probe => {
    const response = await probe.request(`${path}?${'a&'.repeat(1000)}a`)
    probe.may(response, response.status === 400, '400', String(response.status))
  }),
  check('cors/origin', 'scripts of other origins may read', 'D21', async probe => {
    const origin = 'https://client.example'
    const response = await probe.request(path, { origin })
    const allowed = response.headers['access-control-allow-origin']
    if (!probe.may(response, allowed !== undefined, 'Access-Control-Allow-Origin: *', 'none')) return
    probe.must(response, allowed === '*' || allowed === origin, `* or ${origin}`, shown(allowed))
  }),
  check('cookies', 'JSON sets no cookie', 'D22', async (probe, _, response) => {
    probe.may(response, response.headers['set-cookie'] === undefined, 'no Set-Cookie', shown(response.headers['set-cookie']))
  }),
  check('limits/headers', 'headers of rate limits make sense', 'D28', async (probe, _, response) => {
    const values = ['limit', 'remaining', 'reset'].map(name => response.headers[`x-ratelimit-${name}`])
    if (!probe.may(response, values.some(value => value !== undefined), 'X-RateLimit-Limit, -Remaining, -Reset', 'none')) return
    const [limit = NaN, remaining = NaN, reset = NaN] = values.map(Number)
    const holds = [limit, remaining, reset].every(value => Number.isInteger(value) && value >= 0) && remaining < limit
    probe.must(response, holds, 'whole numbers, fewer remaining than the limit', shown(values))
  }),
  checkList(bikesV2, 'superset', 'has every v1 bike, and more of it', 'D33', async probe => {
    const [{ records: basic }, { response, records }] = [await readList(probe, bikes), await readList(probe, bikesV2)]
    const detailed = new Map(records.map(record => [shown(record['id']), record]))
    for (const bike of basic) {
      const own = detailed.get(shown(bike['id'])) ?? {}
      const different = Object.keys(bike) // but for fields that v1 leaves empty, and version 2.1 fills
        .filter(field => !/^(?:rating|reviews|weight_kg)$/.test(field) && JSON.stringify(bike[field]) !== JSON.stringify(own[field]))
      const expected = `${different.join(', ')} of ${named(bike)} as in ${bikes.path}`
      const got = shown(Object.fromEntries(different.map(field => [field, own[field]])))
      if (!probe.must(response, different.length === 0, expected, got, own)) return
    }
    probe.must(response, records.length === basic.length, `${basic.length} bikes as in ${bikes.path}`, String(records.length))
  })
]
