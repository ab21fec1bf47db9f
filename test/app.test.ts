import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import { test } from 'tap'
import { buildApp } from '../src/app.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { brokenCatalogue, build, catalogue, readRaw } from './helper.ts'

test('an internal error is logged with its stack; answers only with logRequests and from their level on', async t => {
  for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
    const lines: string[] = []
    const app = await buildApp(brokenCatalogue('broken'), { ...defaultSettings, ...settings }, { write: line => lines.push(line) })
    t.teardown(() => app.close())
    await app.inject('/api/v1/bikes/')
    t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500)
    t.match(JSON.parse(lines.join('')), { level: 50, err: { message: 'broken', stack: /at / } })
  }
})

test('an overloaded server answers only uncached lists with 503', async t => {
  const app = await build(t, { metricsPort: 0, rateLimit: true })
  await app.inject('/api/v1/bikes/')
  await app.listen({ port: 0, host: '127.0.0.1' })
  let now = performance.now()
  mock.method(performance, 'now', () => { now += 200; return now })
  t.teardown(() => mock.restoreAll())
  const uncached = Array.from({ length: 20 }, (_, n) => `/api/v1/saddles/?page=1&x=${n}`)
  const paths = [...uncached, '/api/v1/bikes/', '/livez']
  const sockets: Socket[] = []
  for (let count = 0; count < paths.length; count++) {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await Promise.all([once(socket, 'connect'), once(app.server, 'connection')])
    sockets.push(socket)
  }
  // All in one turn of the event loop, each on its own connection.
  for (const [index, path] of paths.entries()) sockets[index]?.write(`GET ${path} HTTP/1.1\r\nHost: localhost:80\r\nConnection: close\r\n\r\n`)
  const answers = await Promise.all(sockets.map(async socket => readRaw(await text(socket))))
  const statuses = answers.map(({ status }) => status)
  t.match(statuses.join(' '), /^(200 ){1,10}(503 )+200 200$/)
  const refused = statuses.filter(status => status === 503).length
  const { headers, body } = answers[19]!
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
