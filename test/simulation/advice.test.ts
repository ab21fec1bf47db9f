import { test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { addRule, rulesPath, simulated, stateOf } from './simulated.ts'

const [path, v2] = ['/api/v1/bikes/', '/api/v2/bikes/']
const token = { authorization: 'Token ci' }

const cases: readonly [url: string, headers: Record<string, string>, advice: string[]][] = [
  [path, {}, []],
  [`${path}?page=1&page_size=5&ordering=-title&format=json`, {}, []],
  [v2, token, []],
  [v2, {}, []],
  [`${v2}?year__gte=x`, token, []],
  [v2, { authorization: 'Bearer ci' }, ['token: Authorization must be: Token, a space, and the token; got Bearer']],
  [v2, { authorization: 'ci' }, ['token: Authorization must be: Token, a space, and the token']],
  [
    '/api/v1/bikes?page=1', {},
    ['slash: the path ends with a slash: /api/v1/bikes/; without it, each request costs a redirect']
  ],
  [`${path}?brnad=trek`, {}, ['parameter: brnad: Unknown parameter.']],
  [`${path}?ordering=price`, {}, ['ordering: ordering: Cannot be ordered by: price. It can be ordered by: title.']],
  [`${path}?page=1&page_size=500`, {}, ['page: page_size: Enter a whole number from 1 to 100.']],
  [`${path}?page_size=5`, {}, ['page: page_size: Has an effect only with page.']],
  [`${path}?page=99`, {}, ['page: page: there is no page 99; follow next until it is null']],
  [`${path}?page=x`, {}, ['page: page: there is no page x; follow next until it is null']],
  [`${path}?page=99&__code=404`, {}, []]
]

test('a recorded request and the log have advice for a client that misuses the API', async t => {
  const { app, log } = await simulated(t, { rateLimit: false, logRequests: true })
  for (const [url, headers] of cases) await app.inject({ url, headers })
  const { requests } = await stateOf(app)
  t.same(
    requests.map(({ advice }) => advice.map(({ id, text }) => `${id}: ${text}`)),
    cases.map(([, , advice]) => advice)
  )
  t.same(log.map(({ advice }) => advice), cases.map(([, , [advice]]) => advice?.replace(/^\w+: /, '')))
})

test('a request that is repeated before its Retry-After is over is advised, until a reset', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  await addRule(app, { path, code: 503, retryAfter: 30, times: 1 })
  for (const url of [path, path, `${path}?page=1`]) await app.inject(url)
  const advice = async () => (await stateOf(app)).requests.map(({ advice }) => advice)
  t.match(await advice(), [[], [{ id: 'retry-after', text: /^repeated after [\d.]+ s; Retry-After was 30 s$/ }], []])
  await app.inject({ method: 'DELETE', url: rulesPath })
  await app.inject(path)
  t.same(await advice(), [[]])
})

test('no advice on correct requests: other tests, links of a recorded service, missing pages of examples', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  await addRule(app, { path, query: { page: '2' }, example: 'one' })
  await addRule(app, { path, code: 503, retryAfter: 30, when: { 'x-test': 'a' } })
  for (const test of ['a', 'b', 'a']) await app.inject({ url: path, headers: { 'x-test': test } })
  t.equal((await app.inject(`${path}?page=2`)).statusCode, 404)
  t.same((await stateOf(app)).requests.map(({ advice }) => advice.length), [0, 0, 1, 0])
  const catalogue = await loadCatalogue(t.testdir({
    v1: { 'bikes.json': '[{"id":1}]' },
    'recording.json': JSON.stringify({ lists: { bikes: { responses: { '': {}, 'cursor=x': { body: ['[]'] } } } } })
  }))
  const recorded = await simulated(t, {}, catalogue as never)
  await recorded.app.inject(`${path}?cursor=x`)
  t.match(await stateOf(recorded.app), { requests: [{ status: 200, advice: [] }] })
})
