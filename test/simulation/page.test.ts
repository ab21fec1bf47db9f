import type { InjectOptions } from 'fastify'
import { test } from 'tap'
import { build, catalogue, exchange } from '../helper.ts'
import { inOrder } from '../site/in-order.ts'
import { addRule, get, rulesPath as address, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/saddles/'
const [image = ''] = catalogue.images.keys()
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const textOf = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

test('GET /__simulate is a page for browsers and JSON for others', async t => {
  const { app } = await simulated(t)
  const page = await app.inject({ url: address, headers: html })
  t.match(page, {
    statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  })
  t.match(page.headers['content-security-policy'], "default-src 'none'")
  t.notMatch(Object.keys(page.headers).join(), 'access-control')
  t.match(textOf(page.body), 'No requests yet.')
  t.match(page.body, 'aria-current="page">Simulation</a>')
  for (const accept of ['*/*', 'application/json', 'image/png', '']) {
    t.same(
      (await app.inject({ url: address, headers: { accept } })).json(),
      { rules: [], unused: [], requests: [], dropped: 0 },
      accept
    )
  }
  t.match(
    (await app.inject({ url: `${address}?format=json`, headers: html })).headers,
    { 'content-type': 'application/json' }
  )
  t.match(await app.inject({ method: 'HEAD', url: address, headers: html }), {
    statusCode: 200, body: '', headers: { 'content-type': /html/ }
  })
  t.notMatch((await (await build(t)).inject('/')).body, address)
})

/** Returns the text of each row, and of each earlier request in one, without its controls. */
const linesOf = (body: string) => body.split(/<li>(?=<(?:details|div|time|span))/).slice(1)
  .map(line => textOf(line.replace(/<select[^]*?<\/select>|<\/?i>/g, '')).replace(/(?:Fail |Copy as ).*/, '').trim())

test('the page shows requests and rules, newest first, and escapes them', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const add = (rule: object) => addRule(app, { path, ...rule })
  const show = async (query = '') => (await app.inject({ url: address + query, headers: html })).body
  await add({ method: 'GET', query: { x: '</code>' }, code: 503, times: 1 })
  await add({ times: 1 })
  await app.inject(path)
  await exchange(app, get(`${path}?q=%22<b>&x=</code>`))
  for (const url of [`${path}?__fault=truncate`, `${path}?__delay=1`, `${path}?__delay=1&__code=429`, image]) {
    await app.inject(url)
  }
  await app.inject({ url: path, headers: html })
  await exchange(app, get(`${path}?__fault=reset`))
  const body = await show()
  const lines = linesOf(body)
  t.match(lines, [
    /^\d\d:\d\d:\d\d connection reset GET \/api\/v1\/saddles\/ __fault=reset repeated after .* s \d+ ms$/,
    /429 after 1 ms GET \S+ __code=429&__delay=1/,
    /200 after 1 ms GET \S+ __delay=1/, /200 truncated body GET \S+ __fault=truncate/,
    /503 GET \/api\/v1\/saddles\/\?q=%22<b>&x=<\/code> rule 1: code=503/,
    /200 GET \/api\/v1\/saddles\/ \d+ ms$/,
    'Rule 2 used 1 of 1 /api/v1/saddles/ lets requests pass',
    'Rule 1 used 1 of 1 GET /api/v1/saddles/ code=503 with x: </code>'
  ])
  t.notMatch(body, /undefined|>null<|<b>&/)
  t.match(await show('?images'), image)
  for (let count = 0; count < 100; count++) await app.inject({ url: path, headers: { 'x-count': String(count) } })
  t.match(
    await show(),
    inOrder(
      /<option value="">any headers<\/option>\s+/,
      /<option value="\{&#34;x-count&#34;:&#34;99&#34;\}">x-count: 99<\/option>\s+<\/select>/
    )
  )
  await add({ code: 404, probability: 0.5 })
  const waiting = app.inject(`${path}?__delay=60000`)
  await app.inject('/livez')
  t.match(
    textOf(await show()),
    inOrder(
      /no response · 1 rule active · Simulation /,
      / Rule 3 used 0 \S+ code=404, probability 0.5 /,
      / no response GET \/api\/v1\/saddles\/ __delay=60000 /, // a slow machine gives no advice on a repetition
      /× 100 /,
      / 2 used up/
    )
  )
  await app.close()
  await waiting
})

test('browsable pages and their thumbnails are not recorded and use up no rules', async t => {
  const { app } = await simulated(t, { rateLimit: false, failureRate: 1 })
  await addRule(app, { path: '*', code: 503 })
  for (const url of [path, '/', '/docs/', image.replace('/media/', '/thumbnails/')]) {
    t.equal((await app.inject({ url, headers: html })).statusCode, 200, url)
  }
  const { rules, requests } = await stateOf(app)
  t.same([rules[0]?.used, requests], [0, []])
})

test('the page of a simulated error says first that it is simulated', async t => {
  const { app } = await simulated(t)
  const shown = async (
    url: string,
    headers = {}
  ) => textOf(/<main[^>]*>([^]*)<\/main>/.exec((await app.inject({
    url, headers: { ...html, ...headers }
  })).body)?.[1] ?? '').trim()
  t.match(await shown(`${path}?__code=429`), /^429 Too Many Requests Simulated: __code=429 ?\. Simulation/)
  t.match(await shown(path, { prefer: 'code=503' }), / Simulated: Prefer: code=503/)
  t.notMatch(await shown('/api/v1/bikes/?page=99&__delay=1'), 'Simulated')
})

/** Requests with each kind of advice. */
const wrong: readonly InjectOptions[] = [
  { url: '/api/v1/bike/' },
  { url: '/api/v1/bikes/', method: 'POST' },
  { url: '/api/v1/bikes' },
  { url: '/api/v2/bikes/', headers: { authorization: 'Bearer ci' } },
  { url: '/api/v1/wheels/?brnad=trek' },
  { url: '/api/v1/tyres/?ordering=price' },
  { url: '/api/v1/chains/?page=99' }
]

test('the page prints every kind of advice whole, and offers one rule for two simultaneous requests', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  await exchange(app, 'GET /api/v1/brakes/ x HTTP/1.1\r\nHost: a\r\n\r\n')
  for (const request of wrong) await app.inject(request)
  await addRule(app, { path, code: 503, retryAfter: 60, times: 2 })
  await app.inject(path)
  await app.inject(path)
  await addRule(app, { path: '/api/v1/groupsets/', delay: 50, times: 1 })
  await Promise.all([app.inject('/api/v1/groupsets/'), app.inject('/api/v1/groupsets/')])
  await addRule(app, { path: '/api/v1/handlebars/', sequence: [{ delay: 50 }] })
  await Promise.all([app.inject('/api/v1/handlebars/'), app.inject('/api/v1/handlebars/')])
  const { requests } = await stateOf(app)
  const advice = requests.flatMap(({ advice }) => advice)
  t.same(advice.map(({ id }) => id), [
    'syntax', 'path', 'method', 'slash', 'token', 'parameter', 'ordering', 'page', 'retry-after'
  ])
  const { body } = await app.inject({ url: address, headers: html })
  for (const { text } of advice) t.ok(textOf(body).includes(text), text)
  const twins = { path: '/api/v1/groupsets/', delay: 50, times: 2 }
  t.match(body, `data-post="${JSON.stringify(twins).replaceAll('"', '&#34;')}">Choose the next 2</button>`)
})

test('the page has the 50 newest rows, and ten earlier requests of each', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (let page = 1; page <= 60; page++) await app.inject(`${path}?page=${page}`)
  for (let count = 0; count < 20; count++) await app.inject(path)
  const { body } = await app.inject({ url: address, headers: html })
  t.match(textOf(body), '11 more are older. The JSON has them.')
  t.equal(linesOf(body).length, 50 + 10)
})

test('the page tells a rule with its conditions, and a sequence step by step', async t => {
  const { app } = await simulated(t)
  await addRule(app, { path, when: { 'x-test': true }, rate: 1000, fault: 'drip' })
  const sequence = [{ code: 404 }, { delay: { median: 5, p99: 50 } }, {}]
  await addRule(app, { path, when: { 'x-test': 'a' }, sequence })
  const { body } = await app.inject({ url: address, headers: html })
  t.match(linesOf(body), [
    'code=404; then delay=median 5 p99 50; then no change with x-test: a', 'fault=drip, rate=1000 with x-test'
  ])
})
