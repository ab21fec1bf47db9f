import { resources, type Resource } from '../lists/resources.ts'
import type { Asked } from './ask.ts'
import type { Check, Probe } from './check.ts'
import { answered, checkOf, detailOf, named, readList, shown, type Sent } from './read.ts'

const v1 = resources.find(({ key }) => key === 'bikes') as Resource
const v2 = resources.find(({ key }) => key === 'bikesV2') as Resource

const absent = 'Authentication credentials were not provided.'

/** What is answered to each form of credentials (reference, "Token authentication"). */
const refusals: ReadonlyArray<readonly [id: string, authorization: string | undefined, detail: string]> = [
  ['absent', undefined, absent],
  ['other-scheme', 'Bearer verify', absent],
  ['empty', 'Token', 'Invalid token header. No credentials provided.'],
  ['spaces', 'Token veri fy', 'Invalid token header. Token string should not contain spaces.'],
  ['unknown', 'Token verify-has-no-such-token', 'Invalid token.']
]

/** The checks of credentials, and of version 2.1 against version 1. */
export const tokenChecks: readonly Check[] = [
  ...refusals.map(([id, authorization, detail]): Check => ({
    id: `token/${id}`,
    claim: `${v2.path} with ${authorization === undefined ? 'no credentials' : `Authorization: ${authorization}`} is 401`,
    source: 'reference, "Token authentication"',
    run: probe => refused(probe, authorization === undefined ? {} : { authorization }, detail)
  })),
  { id: 'token/public', claim: `${v1.path} needs no token and ignores a bad one`, source: 'specification, "Authentication"', run: ignored },
  checkOf(v2)('superset', 'has every v1 bike, and more of it', 'specification, "What the service does"', superset)
]

async function refused (probe: Probe, headers: Asked['headers'], detail: string): Promise<void> {
  const answer = await probe.get(v2.path, headers)
  const { 'www-authenticate': challenge = 'none' } = answer.headers
  const holds = answer.status === 401 && detailOf(answer) === detail
  probe.must(answer, holds, `401, ${shown({ detail })}`, answered(answer))
  probe.must(answer, challenge === 'Token', 'WWW-Authenticate: Token', challenge)
}

async function ignored (probe: Probe): Promise<void> {
  const answer = await probe.get('/api/v1/brakes/', { authorization: 'Token verify-has-no-such-token' })
  probe.must(answer, answer.status === 200, '200', String(answer.status))
}

/** Fields that v1 leaves empty, and version 2.1 fills. */
const filled = ['rating', 'reviews', 'weight_kg']

async function superset (probe: Probe): Promise<void> {
  const [{ records: bikes }, { answer, records }] = [await readList(probe, v1), await readList(probe, v2)]
  const detailed = new Map(records.map(record => [record['id'], record]))
  for (const bike of bikes) {
    const own = detailed.get(bike['id'])
    if (!probe.must(answer, own !== undefined, `${named(bike)} of ${v1.path}`, 'none', bike) || own === undefined) return
    const different = differences(bike, own)
    const expected = `${different.join(', ')} as in ${v1.path}`
    if (!probe.must(answer, different.length === 0, expected, `another value in ${named(own)}`, own)) return
  }
  probe.must(answer, records.length === bikes.length, `${bikes.length} bikes as in ${v1.path}`, String(records.length))
}

function differences (bike: Sent, detailed: Sent): string[] {
  return Object.keys(bike).filter(field => !filled.includes(field) && JSON.stringify(bike[field]) !== JSON.stringify(detailed[field]))
}
