import { mock } from 'node:test'
import { test } from 'tap'
import { buildApp } from '../src/app.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { brokenCatalogue, build, catalogue, readRaw, sendRaw } from './helper.ts'

for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
  test(`with ${JSON.stringify(settings)} no answer is logged`, async t => {
    const lines: string[] = []
    const app = await buildApp(catalogue, { ...defaultSettings, ...settings }, { write: line => lines.push(line) })
    t.teardown(() => app.close())
    await app.inject('/api/v1/bikes/')
    t.same(lines, [])
  })
}

test('an internal error is logged with its stack', async t => {
  const lines: string[] = []
  const app = await buildApp(brokenCatalogue('broken'), defaultSettings, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500)
  t.match(JSON.parse(lines.join('')), { level: 50, err: { message: 'broken', stack: /at / } })
})

test('an overloaded server answers only uncached lists with 503', async t => {
  const app = await build(t, { metricsPort: 0, rateLimit: true })
  await app.inject('/api/v1/bikes/')
  await app.listen({ port: 0, host: '127.0.0.1' })
  let now = performance.now()
  mock.method(performance, 'now', () => { now += 200; return now })
  t.teardown(() => mock.restoreAll())
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:80\r\n${headers}\r\n`
  const uncached = Array.from({ length: 20 }, (_, n) => get(`/api/v1/saddles/?page=1&x=${n}`))
  const answers = await sendRaw(app, [...uncached, get('/api/v1/bikes/'), get('/livez', 'Connection: close\r\n')].join(''))
  const heads = answers.split(/(?=HTTP\/1\.1 \d{3} )/)
  const statuses = heads.map(head => head.slice(9, 12))
  t.match(statuses.join(' '), /^(200 ){2,10}(503 )+200 200$/)
  const refused = statuses.filter(status => status === '503').length
  const { headers, body } = readRaw(heads[19] as string)
  t.equal(body, '{"detail":"Service temporarily unavailable, try again later."}')
  t.match(Object.fromEntries(headers), {
    'retry-after': '1', 'cache-control': 'no-store', 'content-type': 'application/json', allow: 'GET, HEAD, OPTIONS', vary: 'Accept',
    'access-control-allow-origin': '*', 'x-ratelimit-remaining': '39'
  })
  const port = await app.metrics?.listen({ host: '127.0.0.1', port: 0 })
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  t.match(metrics, `\nbicycle_catalogue_requests_total{route="/api/v1/saddles/",status="503",kind="refused"} ${refused}\n`)
})

test('a route with schemas validates and serialises', async t => {
  const app = await buildApp(catalogue, { ...defaultSettings, logLevel: 'silent' })
  t.teardown(() => app.close())
  const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  app.post('/twice', { schema: { body: number, response: { 200: number } } }, async ({ body }) => ({ n: 2 * (body as { n: number }).n, m: 1 }))
  t.same((await app.inject({ method: 'POST', url: '/twice', payload: { n: 21 } })).json(), { n: 42 })
  t.equal((await app.inject({ method: 'POST', url: '/twice', payload: { n: 'x' } })).statusCode, 400)
})
