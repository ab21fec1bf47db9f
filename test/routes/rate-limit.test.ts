import { clock } from '../clock.ts'
import { test } from 'tap'
import { build, buildLogged } from '../helper.ts'

const v1 = '/api/v1/brakes/'
const v2 = '/api/v2/bikes/'
const on = { rateLimit: true, rateLimitV1: 2, rateLimitV2: 2, tokens: ['one', 'two'] }
const as = (token: string) => ({ authorization: `Token ${token}` })

test('v1 has one limit for each address over all lists; a request over it is 429', async t => {
  clock.stop(t)
  const app = await build(t, on)
  const first = await app.inject(v1)
  t.match(first.headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '60' })
  t.match((await app.inject('/api/v1/wheels/')).headers, { 'x-ratelimit-remaining': '0' })
  clock.ahead += 500
  const over = await app.inject(v1)
  t.strictSame([over.statusCode, over.body], [
    429,
    '{"detail":"Request was throttled. Expected available in 60 seconds."}'
  ])
  t.match(over.headers, {
    'retry-after': '60', 'x-ratelimit-remaining': '0', 'cache-control': 'no-store',
    allow: 'GET, HEAD, OPTIONS', vary: 'Accept', 'content-type': /^application\/json$/
  })
  t.equal((await app.inject({ url: v1, remoteAddress: '10.0.0.2' })).statusCode, 200, 'another address')
  clock.ahead += 59_000
  t.match(await app.inject(v1), {
    headers: { 'retry-after': /^1$/ },
    body: '{"detail":"Request was throttled. Expected available in 1 second."}'
  })
  clock.ahead += 600
  t.equal((await app.inject(v1)).statusCode, 200, 'a new minute')
})

test('a clock of the machine that is set back neither shortens nor extends a window', async t => {
  clock.stop(t)
  const app = await build(t, { ...on, rateLimitV1: 1 })
  t.equal((await app.inject(v1)).statusCode, 200)
  const time = Date.now()
  t.intercept(Date, 'now', { value: () => time - 3_600_000 })
  t.match(await app.inject(v1), { statusCode: 429, headers: { 'retry-after': '60' } })
  clock.ahead += 60_000
  t.equal((await app.inject(v1)).statusCode, 200, 'a new minute')
})

test('the log says how to switch the limit off at the first 429 of a client on this machine', async t => {
  clock.stop(t)
  for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.2']) {
    const { app, log } = await buildLogged(t, { rateLimitV1: 1 })
    for (const status of [200, 429, 429]) {
      t.equal((await app.inject({ url: v1, remoteAddress })).statusCode, status, remoteAddress)
    }
    const hint = {
      level: 40,
      msg: 'A client on this machine exceeded the rate limit. Switch it off with --rate-limit off.'
    }
    t.match(log, remoteAddress === '10.0.0.2' ? [] : [hint], remoteAddress)
    t.equal(log.length, remoteAddress === '10.0.0.2' ? 0 : 1, remoteAddress)
  }
})

test('concurrent requests pass up to exactly the limit', async t => {
  clock.stop(t)
  const app = await build(t, { ...on, rateLimitV1: 25 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject(v1)))
  for (const status of [200, 429]) {
    t.equal(answers.filter(({ statusCode }) => statusCode === status).length, 25, String(status))
  }
})

test('requests of any method and invalid pages count; 406, redirects, unknown paths and preflights do not', async t => {
  clock.stop(t)
  const app = await build(t, { ...on, rateLimitV1: 5 })
  const free: [method: 'GET' | 'OPTIONS', url: string, headers: Record<string, string>][] = [
    ['GET', v1, { accept: 'application/xml' }],
    ['GET', `${v1}?format=xml`, {}],
    ['GET', '/api/v1/brakes', {}],
    ['GET', '/nope/', {}],
    ['OPTIONS', v1, { origin: 'http://x', 'access-control-request-method': 'GET' }], ['GET', '/tokens/', {}]
  ]
  for (const [method, url, headers] of free) {
    t.notOk((await app.inject({ method, url, headers })).headers['x-ratelimit-limit'], url)
  }
  const counted = [['GET', v1], ['HEAD', v1], ['OPTIONS', v1], ['POST', v1], ['GET', '/api/v1/bikes/?page=0']] as const
  for (const [index, [method, url]] of counted.entries()) {
    t.equal((await app.inject({ method, url })).headers['x-ratelimit-remaining'], String(4 - index), `${method} ${url}`)
  }
  for (const method of ['POST', 'OPTIONS'] as const) {
    t.equal((await app.inject({ method, url: v1 })).statusCode, 429, `${method}, neither 405 nor 200`)
  }
  t.equal((await app.inject({ url: v1, headers: { accept: 'application/xml' } })).statusCode, 406, 'still 406')
  const page = await app.inject({ url: v1, headers: { accept: 'text/html' } })
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'retry-after': /\d+/ })
})

test('v2 has a limit for each token, apart from v1', async t => {
  clock.stop(t)
  const app = await build(t, on)
  for (const remaining of ['1', '0']) {
    t.equal((await app.inject({ url: v2, headers: as('one') })).headers['x-ratelimit-remaining'], remaining, remaining)
  }
  t.equal((await app.inject({ url: v2, headers: as('one') })).statusCode, 429)
  t.equal((await app.inject({ url: v2, headers: as('two') })).statusCode, 200)
  t.equal((await app.inject(v1)).headers['x-ratelimit-remaining'], '1')
})

test('an invalid token is always 401 and counts against its address; a missing one does not count', async t => {
  clock.stop(t)
  const app = await build(t, on)
  for (let times = 0; times < 3; times++) t.equal((await app.inject(v2)).statusCode, 401)
  for (const remaining of ['1', '0', '0']) {
    t.match(await app.inject({ url: v2, headers: as('bad') }), {
      statusCode: 401,
      headers: { 'x-ratelimit-remaining': remaining }
    }, remaining)
  }
  t.equal((await app.inject(v1)).statusCode, 429)
})

test('rate-limit=off removes limits and headers', async t => {
  clock.stop(t)
  const app = await build(t, { ...on, rateLimit: false })
  for (let times = 0; times < 5; times++) {
    for (const [url, token, status] of [[v1, 'one', 200], [v2, 'one', 200], [v2, 'bad', 401]] as const) {
      const { statusCode, headers } = await app.inject({ url, headers: as(token) })
      t.strictSame([statusCode, headers['x-ratelimit-limit']], [status, undefined], `${url} ${token}`)
    }
  }
})
