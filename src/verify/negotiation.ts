import { formats } from '../http/negotiation.ts'
import type { Answer, Asked } from './ask.ts'
import type { Check, Probe } from './check.ts'
import { bodyOf, detailOf, isEnvelope, jsonOf, shown } from './read.ts'

/** The list that is asked about what all lists have in common: a small one. */
const path = '/api/v1/brakes/'

/** What a request for a format gets: its media type, or the status and text of an error, which is always JSON. */
type Outcome = typeof formats[keyof typeof formats] | readonly [status: number, detail: string]

const notFound = [404, 'Not found.'] as const
const notAcceptable = [406, 'Could not satisfy the request Accept header.'] as const

/** What each request for a format gets (reference, "Negotiation by Accept" and "?format="). */
const negotiations: ReadonlyArray<readonly [id: string, query: string, accept: string | undefined, outcome: Outcome]> = [
  ['without-accept', '', undefined, formats.json],
  ['any', '', '*/*', formats.json],
  ['json', '', 'application/json', formats.json],
  ['html', '', 'text/html', formats.api],
  ['json-first', '', 'text/html,application/json;q=0.1', formats.json],
  ['specific-first', '', '*/*, text/html', formats.api],
  ['none-fits', '', 'application/xml', notAcceptable],
  ['format-json', '?format=json', undefined, formats.json],
  ['format-api', '?format=api', undefined, formats.api],
  ['format-last', '?format=api&format=json', undefined, formats.json],
  ['format-empty', '?format=', undefined, formats.json],
  ['format-unknown', '?format=xml', undefined, notFound],
  ['format-and-accept', '?format=json', 'text/html', notAcceptable]
]

/** The checks of what all lists have in common: formats, unknown paths and parameters, tags, other origins. */
export const commonChecks: readonly Check[] = [
  ...negotiations.map(([id, query, accept, outcome]): Check => ({
    id: `negotiation/${id}`,
    claim: claimOf(query, accept, outcome),
    source: `reference, "${query === '' ? 'Negotiation by Accept' : '?format='}"`,
    run: probe => negotiate(probe, query, accept === undefined ? {} : { accept }, outcome)
  })),
  { id: 'negotiation/indent', claim: 'indent=4 in Accept lays JSON out', source: 'reference, "Negotiation by Accept"', run: indent },
  { id: 'query/unknown', claim: 'unknown parameters are ignored', source: 'reference, "Query and header edges"', run: unknownParameter },
  { id: 'paths/unknown', claim: 'an unknown path is 404', source: 'reference, "Paths"', run: unknownPath },
  { id: 'paths/case', claim: 'paths are matched in their case', source: 'reference, "Paths"', run: upperCase },
  { id: 'caching/tags', claim: 'a tag sent back gives 304', source: 'RFC 9110, 13.1.2', run: tags },
  { id: 'cors/origin', claim: 'scripts of other origins may read', source: 'decided by this project, H9', run: cors },
  { id: 'cookies', claim: 'JSON sets no cookie', source: 'decided by this project, H11', run: cookies },
  { id: 'limits/headers', claim: 'what is said of rate limits makes sense', source: 'decided by this project, R2', run: limits }
]

function claimOf (query: string, accept: string | undefined, outcome: Outcome): string {
  const asked = accept === undefined ? path + query : `${path}${query} with Accept: ${accept}`
  return `${asked} is ${typeof outcome === 'string' ? outcome : outcome[0]}`
}

async function negotiate (probe: Probe, query: string, headers: Asked['headers'], outcome: Outcome): Promise<void> {
  const answer = await probe.get(path + query, headers)
  const { 'content-type': type = 'none' } = answer.headers
  if (typeof outcome === 'string') {
    probe.must(answer, answer.status === 200 && type.split(';')[0] === outcome, `200, ${outcome}`, `${answer.status}, ${type}`)
    return
  }
  const [status, detail] = outcome
  const holds = answer.status === status && type === formats.json && detailOf(answer) === detail
  const got = `${answer.status}, ${type}, ${bodyOf(answer)}`
  probe.must(answer, holds, `${status}, ${formats.json}, ${shown({ detail })}`, got)
}

async function indent (probe: Probe): Promise<void> {
  const answer = await probe.get(path, { accept: 'application/json; indent=4' })
  const value = jsonOf(answer)
  const text = answer.body.toString()
  probe.must(answer, text === JSON.stringify(value, null, 4), 'JSON indented by 4', bodyOf(answer))
}

async function unknownParameter (probe: Probe): Promise<void> {
  const [plain, answer] = [await probe.get(path), await probe.get(`${path}?unknown=1&limit=1`)]
  const holds = answer.status === 200 && recordsIn(answer) === recordsIn(plain)
  probe.must(answer, holds, 'the same records as without them', `${answer.status}, others`)
}

/** The records of an answer as text; the links of a page repeat the whole query. */
function recordsIn (answer: Answer): string | undefined {
  const value = jsonOf(answer)
  return JSON.stringify(isEnvelope(value) ? value.results : value)
}

async function unknownPath (probe: Probe): Promise<void> {
  const answer = await probe.get('/api/v1/unicycles/')
  probe.must(answer, answer.status === 404, '404', String(answer.status))
}

async function upperCase (probe: Probe): Promise<void> {
  const answer = await probe.get('/api/v1/Brakes/')
  probe.must(answer, answer.status === 404, '404', String(answer.status))
}

async function tags (probe: Probe): Promise<void> {
  const plain = await probe.get(path)
  const { etag } = plain.headers
  if (!probe.may(plain, etag !== undefined, 'an ETag', 'none') || etag === undefined) return
  const same = await probe.get(path, { 'if-none-match': etag })
  const holds = same.status === 304 && same.body.length === 0 && same.headers.etag === etag
  probe.must(same, holds, `304 without a body, ETag: ${etag}`, `${same.status}, ${same.body.length} bytes, ETag: ${same.headers.etag}`)
  const other = await probe.get(path, { 'if-none-match': '"another"' })
  probe.must(other, other.status === 200, '200 for another tag', String(other.status))
}

async function cors (probe: Probe): Promise<void> {
  const answer = await probe.get(path, { origin: 'https://client.example' })
  const allowed = answer.headers['access-control-allow-origin']
  if (!probe.may(answer, allowed !== undefined, 'Access-Control-Allow-Origin: *', 'none')) return
  probe.must(answer, allowed === '*' || allowed === 'https://client.example', '* or the origin that asks', shown(allowed))
}

async function cookies (probe: Probe): Promise<void> {
  const answer = await probe.get(path)
  probe.may(answer, answer.headers['set-cookie'] === undefined, 'no Set-Cookie', shown(answer.headers['set-cookie']))
}

async function limits (probe: Probe): Promise<void> {
  const answer = await probe.get(path)
  const names = ['limit', 'remaining', 'reset'].map(name => `x-ratelimit-${name}`)
  const values = names.map(name => answer.headers[name])
  if (!probe.may(answer, values.some(value => value !== undefined), 'X-RateLimit-Limit, -Remaining, -Reset', 'none')) return
  const [limit = NaN, remaining = NaN, reset = NaN] = values.map(Number)
  const holds = [limit, remaining, reset].every(value => Number.isInteger(value) && value >= 0) && remaining < limit
  probe.must(answer, holds, 'whole numbers, fewer remaining than the limit', shown(values))
}
