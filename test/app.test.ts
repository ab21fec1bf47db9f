import { mock } from 'node:test'
import { test } from 'tap'
import { buildApp } from '../src/app.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { brokenCatalogue, build, catalogue, readRaw, sendRaw } from './helper.ts'

test('log-requests logs one entry an answer, and no token', async t => {
  const lines: string[] = []
  const app = await buildApp(catalogue, { ...defaultSettings, logRequests: true, tokens: ['sekret'] }, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token sekret\r\n${headers}\r\n`
  await sendRaw(app, get('/api/v2/bikes/?page=1') + get('/nope/', 'Connection: close\r\n'))
  t.match(lines.map(line => JSON.parse(line) as object), [
    { level: 30, method: 'GET', url: '/api/v2/bikes/?page=1', status: 200, ms: Number, ip: '127.0.0.1', msg: 'answered' },
    { url: '/nope/', status: 404 }
  ])
  t.match(lines[0], /^\{"level":30,"time":\d+,"method":"GET",.*"msg":"answered"\}\n$/)
  t.equal(lines.length, 2)
  t.notMatch(lines.join(''), 'sekret')
})

for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
  test(`with ${JSON.stringify(settings)} no answer is logged`, async t => {
    const lines: string[] = []
    const app = await buildApp(catalogue, { ...defaultSettings, ...settings }, { write: line => lines.push(line) })
    t.teardown(() => app.close())
    await app.inject('/api/v1/bikes/')
    t.same(lines, [])
  })
}

test('a fault of ours is logged with its stack', async t => {
  const lines: string[] = []
  const app = await buildApp(brokenCatalogue('broken'), defaultSettings, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500)
  t.match(JSON.parse(lines.join('')), { level: 50, err: { message: 'broken', stack: /at / } })
})

test('lists that nobody asked for before are refused with 503 when those before them took too long; what is kept is answered', async t => {
  const app = await build(t, { metricsPort: 0, rateLimit: true })
  await app.inject('/api/v1/bikes/')
  await app.listen({ port: 0, host: '127.0.0.1' })
  let [now, spent] = [performance.now(), 0]
  mock.method(performance, 'now', () => { now += 20; return now })
  mock.method(process, 'cpuUsage', () => { spent += 300_000; return { user: spent, system: 0 } })
  t.teardown(() => mock.restoreAll())
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:80\r\n${headers}\r\n`
  const dear = Array.from({ length: 6 }, (_, n) => get(`/api/v1/saddles/?page=1&x=${n}`))
  const answers = await sendRaw(app, [...dear, get('/api/v1/bikes/'), get('/livez', 'Connection: close\r\n')].join(''))
  const heads = answers.split(/(?=HTTP\/1\.1 \d{3} )/)
  t.strictSame(heads.map(head => head.slice(9, 12)), ['200', '200', '200', '200', '200', '503', '200', '200'])
  const { headers, body } = readRaw(heads[5] as string)
  t.equal(body, '{"detail":"Service temporarily unavailable, try again later."}')
  t.match(Object.fromEntries(headers), {
    'retry-after': '1', 'cache-control': 'no-store', 'content-type': 'application/json', allow: 'GET, HEAD, OPTIONS', vary: 'Accept',
    'access-control-allow-origin': '*', 'x-ratelimit-remaining': '53'
  })
  const port = await app.metrics?.listen({ host: '127.0.0.1', port: 0 })
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  t.match(metrics, '\nbicycle_catalogue_requests_total{route="/api/v1/saddles/",status="503",kind="refused"} 1\n')
})
