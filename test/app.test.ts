import { mock } from 'node:test'
import { test } from 'tap'
import { buildApp } from '../src/app.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { brokenCatalogue, build, catalogue, readRaw, sendRaw } from './helper.ts'

test('log-requests logs one entry an answer, and no token', async t => {
  const lines: string[] = []
  const app = await buildApp(catalogue, { ...defaultSettings, logRequests: true, tokens: ['sekret'] }, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  await app.inject({ url: '/api/v2/bikes/?page=1', headers: { authorization: 'Token sekret' } })
  await app.inject({ url: '/nope/', headers: { authorization: 'Token sekret' } })
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

for (const [path, own] of [['/api/v1/saddles/', { vary: 'Accept', allow: 'GET, HEAD, OPTIONS' }], ['/', {}]] as const) {
  test(`GET ${path} is refused with 503 when those before it took too long and the server had no pause`, async t => {
    let spent = 0
    mock.method(process, 'cpuUsage', () => {
      spent += 300_000
      return { user: spent, system: 0 }
    })
    mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization: 1 }))
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => {
      mock.timers.reset()
      mock.restoreAll()
    })
    const app = await build(t, { metricsPort: 0 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    mock.timers.tick(2000)
    const answers = await sendRaw(app, `GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    const [first = '', second = ''] = answers.split(/(?<=\})(?=HTTP\/1\.1 503)/)
    t.match(first, /^HTTP\/1\.1 200 /)
    const { status, headers, body } = readRaw(second)
    t.strictSame([status, body], [503, '{"detail":"Service temporarily unavailable, try again later."}'])
    t.match(Object.fromEntries(headers), { ...own, 'retry-after': '1', 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  })
}
