import { test } from 'tap'
import { started } from '../helper.ts'
import { createRandom } from '../../src/base/random.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { readRules } from '../../src/simulation/control.ts'
import { planOf } from '../../src/simulation/plan.ts'
import type { DelayDistribution } from '../../src/simulation/rule.ts'
import { rulesPath, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/saddles/'

test('what simulate() returned is live; rules() has all rules, unused() those that are not used up', async t => {
  const server = await started(t, {
    simulate: true, rateLimit: false, rules: [{ path: '/media/*', code: 404, times: 1 }]
  })
  const statusOf = async () => (await server.app.inject(path)).statusCode
  const always = server.simulate({ path, delay: 1 })
  const twice = server.simulate({ path, code: 503, times: 2 })
  t.same([always.used, twice.used, server.unused().map(({ id }) => id)], [0, 0, [1, 3]])
  t.same([await statusOf(), twice.used, server.unused().at(-1)?.used], [503, 1, 1])
  t.same([await statusOf(), await statusOf()], [503, 200])
  t.same([always.used, twice.used], [1, 2])
  t.same(server.rules(), [
    {
      id: 1, path: '/media/*', code: 404, times: 1, used: 0
    }, { id: 2, path, delay: 1, used: 1 }, { id: 3, path, code: 503, times: 2, used: 2 }
  ])
  t.same(
    (await server.app.inject(rulesPath)).json<{ unused: object }>().unused,
    [{ id: 1, path: '/media/*', code: 404, times: 1, used: 0 }]
  )
  server.reset()
  const again = [{ id: 4, path: '/media/*', code: 404, times: 1, used: 0 }]
  t.same([server.rules(), server.unused(), twice.used], [again, again, 2])
  await server.app.inject({ method: 'DELETE', url: `${rulesPath}/rules` })
  t.same(server.rules(), [])
})

test('a rule counts when its request arrives', async t => {
  const { app } = await simulated(t)
  const rule = app.simulation!.simulate({ path, code: 503, delay: 60, times: 1 })
  const first = app.inject(path).then(({ statusCode }) => statusCode)
  t.equal((await app.inject(path)).statusCode, 200)
  t.equal(rule.used, 1)
  t.equal(await first, 503)
})

const send = (method: 'POST' | 'PUT', payload: unknown) =>
  ({ method, url: rulesPath, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(payload) })

test('what GET /__simulate gives, POST, PUT and --rules take; used begins at 0', async t => {
  const { app } = await simulated(t)
  await app.inject(send('POST', [{ path, code: 503, times: 2 }, { path, sequence: [{ code: 404 }, {}] }]))
  await app.inject(path)
  const given = await stateOf(app)
  t.same(given.rules.map(({ used }) => used), [0, 1])

  const posted = await app.inject(send('POST', given.rules))
  t.same([posted.statusCode, posted.json<object[]>().length], [201, 2])
  const all = await app.inject(send('POST', given))
  t.same([all.statusCode, Object.keys(all.json())], [201, ['rules']])
  const put = await app.inject(send('PUT', given))
  t.same([put.statusCode, put.json()], [
    200, { rules: given.rules.map((rule, index) => ({ ...rule, id: 7 + index, used: 0 })) }
  ])
  const list = await app.inject(send('PUT', given.rules.slice(0, 1)))
  t.same([list.statusCode, list.json()], [200, [{ id: 9, path, code: 503, times: 2, used: 0 }]])
  t.same((await stateOf(app)).requests.length, 1, 'recorded requests stay')

  for (const text of [JSON.stringify(given), JSON.stringify(given.rules)]) {
    t.same(readRules({ file: 'rules.json', text }, 1).map(({ rule, used }) => [rule, used]), [
      [{ path, code: 503, times: 2 }, 0], [{ path, sequence: [{ code: 404 }, {}] }, 0]
    ])
  }
  const wrong = JSON.stringify({ rules: [{ path }, { path, times: 0 }] })
  t.throws(
    () => readRules({ file: 'rules.json', text: wrong }, 1),
    { message: /^rules\.json:1:\d+ rules\[1\]\.times: Must be an integer/ }
  )
})

test('several rules are added or replaced all or not at all', async t => {
  const { app } = await simulated(t)
  await app.inject(send('POST', { path, code: 503 }))
  for (const method of ['POST', 'PUT'] as const) {
    t.equal((await app.inject(send(method, [{ path }, { path, code: 1 }]))).statusCode, 400, method)
    t.equal((await app.inject(send(method, Array(1001).fill({ path })))).statusCode, 400, method)
    t.same((await stateOf(app)).rules.map(({ id }) => id), [1], method)
  }
  t.match((await app.inject(send('PUT', { path }))).json(), { detail: 'PUT takes an array of rules; POST adds one.' })
  t.same([(await app.inject(send('PUT', []))).json(), (await stateOf(app)).rules], [[], []])
})

const ruleWith = (...sequence: object[]) => ({ path, sequence })

test('a sequence has an effect for each of the next requests, and ends with the last one', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const { simulate, rules, unused, requests } = app.simulation!
  simulate({ path, code: 500 })
  simulate(ruleWith({ code: 503, retryAfter: 7 }, {}, { body: [], headers: { deprecation: 'true' } }))
  const responses = []
  for (let count = 0; count < 5; count++) {
    t.equal(unused().length, count < 3 ? 1 : 0, String(count))
    responses.push(await app.inject(path))
  }
  t.same(responses.map(({ statusCode }) => statusCode), [503, 200, 200, 500, 500])
  t.match(responses[0]?.headers, { 'retry-after': '7' })
  t.same([responses[1]?.json<object[]>().length === 0, responses[2]?.body], [false, '[]'])
  t.match(responses[2]?.headers, { deprecation: 'true', 'content-security-policy': 'sandbox' })
  t.same(rules().map(({ used }) => used), [2, 3])
  t.same(requests().map(({ simulated }) => simulated), [
    'rule 2: code=503, retry-after=7', null, 'rule 2: headers=deprecation, own body',
    'rule 1: code=500', 'rule 1: code=500'
  ])
})

const bodies = { path: '/api/v1/bikes/' }

const invalid: readonly (readonly [rule: object, errors: object])[] = [
  [{ ...bodies, sequence: [] }, { sequence: [/^Must be an array of 1 to 100 steps/] }],
  [{ ...bodies, sequence: [null] }, { sequence: [/^Must be an array of 1 to 100 steps/] }],
  [{ ...bodies, sequence: Array(101).fill({}) }, { sequence: [/^Must be an array of 1 to 100 steps/] }],
  [
    { ...bodies, sequence: [{}, { times: 1 }] },
    { sequence: [/^Step 2: times: Unknown field. The fields are: code, retryAfter,/] }
  ],
  [{ ...bodies, sequence: [{ sequence: [{}] }] }, { sequence: [/^Step 1: sequence: Unknown field/] }],
  [
    { ...bodies, sequence: [{ code: 1 }, {}, { delay: {}, headers: { a: 1 } }] },
    { sequence: [/^Step 1: code: Must be 400/, /^Step 3: delay: Must be/, /^Step 3: headers: Must be/] }
  ],
  [
    { ...bodies, sequence: [{}, { code: 400, seed: 1, retryAfter: 1 }] },
    { sequence: ['Step 2: seed: Needs example random.', 'Step 2: retryAfter: Needs code 429 or 503.'] }
  ],
  [{ path: '/media/*', sequence: [{ example: 'one' }] }, { sequence: ['Step 1: example: Images have no records.'] }],
  [{ ...bodies, code: 503, sequence: [{}] }, { code: ['Cannot be combined with sequence; put it into a step.'] }],
  [
    { ...bodies, times: 2, sequence: [{}] },
    { times: ['Cannot be combined with sequence, which has a step for each request.'] }
  ],
  [{ ...bodies, rate: 5 }, { rate: ['Needs fault drip.'] }],
  [{ ...bodies, rate: 5, fault: 'drip', delay: 5 }, { rate: ['Cannot be combined with delay.'] }],
  ...[
    {}, { median: 5 }, { median: 9, p99: 5 }, { median: 0, p99: 5 }, { median: 5, p99: 60_001 },
    { median: 1, p99: 2, x: 1 }, { median: 1.5, p99: 2 }
  ]
    .map(delay => [{ ...bodies, delay }, { delay: [/^Must be milliseconds, such as 500 or 100-2000/] }] as const)
]

test('sequences, distributions and rates are checked', async t => {
  const { app } = await simulated(t)
  for (const [rule, errors] of invalid) {
    const { statusCode, body } = await app.inject(send('POST', rule))
    t.equal(statusCode, 400, JSON.stringify(rule))
    t.match(JSON.parse(body), errors, body)
  }
  t.same((await stateOf(app)).rules, [])
})

test('delays of a distribution: half are below the median, 1 % above the 99th percentile, none above 60 s', async t => {
  const random = createRandom(7)
  const delaysOf = (delay: DelayDistribution) =>
    Array.from({ length: 2_000 }, () => planOf({ delay }, true, defaultSettings, random).milliseconds)
  const delays = delaysOf({ median: 200, p99: 2_000 })
  const above = (limit: number) => delays.filter(milliseconds => milliseconds > limit).length / delays.length
  t.ok(above(200) > 0.45 && above(200) < 0.55, String(above(200)))
  t.ok(above(2_000) > 0.003 && above(2_000) < 0.02, String(above(2_000)))
  t.equal(Math.max(...delaysOf({ median: 50_000, p99: 60_000 })), 60_000)
  t.same(new Set(delaysOf({ median: 5, p99: 5 })), new Set([5]))
})

test('a body of a rate takes its length by the rate', async t => {
  const { app } = await simulated(t)
  const { length } = (await app.inject(path)).rawPayload
  app.simulation!.simulate({ path, fault: 'drip', rate: 20 * length })
  const before = performance.now()
  const { rawPayload } = await app.inject(path)
  t.equal(rawPayload.length, length)
  t.ok(performance.now() - before > 39) // 20 timers of 2.5 ms, which Node may round down
  t.match(app.simulation!.requests(), [{}, { simulated: `rule 1: fault=drip, rate=${20 * length}` }])
})
