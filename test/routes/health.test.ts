import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { version } from '../../src/package.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { boot } from '../../src/start.ts'
import { build, buildLogged, catalogue, open, readRaw } from '../helper.ts'

test('GET and HEAD of /livez and /readyz', async t => {
  const app = await build(t)
  for (const [url, content] of [
    ['/livez', { status: 'ok' }],
    [
      '/readyz',
      {
        status: 'ok',
        version,
        data: { digest: catalogue.digest, updated: catalogue.updated.toISOString() },
        uptime: Number
      }
    ]
  ] as const) {
    const { statusCode, headers, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(statusCode, 200, url)
    t.match(headers, {
      'content-type': /^application\/json$/, 'cache-control': 'no-store', 'access-control-allow-origin': '*'
    }, url)
    t.match(JSON.parse(body), content, url)
    t.notMatch(body, 'redis', url)
    const head = await app.inject({ method: 'HEAD', url })
    t.strictSame([head.statusCode, head.headers['content-type'], head.body], [200, 'application/json', ''], url)
    t.equal((await app.inject({ method: 'POST', url })).statusCode, 405, url)
  }
})

test('GET /readyz of a draining server is 503', async t => {
  const settings = { ...defaultSettings, port: 0, logLevel: 'silent' } as const
  const { server: { app } } = await boot(settings, { drainTimes: { announceTime: 1_000, maxTime: 4_000 } })
  const [[one], [other]] = [await open(app.server), await open(app.server)]
  const closed = app.close()
  for (const [socket, path, ...expected] of [
    [one, '/readyz', 503, '{"status":"draining"}'],
    [other, '/livez', 200, '{"status":"ok"}']
  ] as const) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const { status, headers, body } = readRaw(await text(socket))
    t.strictSame([status, body, headers.get('connection')], [...expected, 'close'], path)
  }
  await closed
})

test('GET /readyz shows the state of Redis, and is 200 without it; health checks are not logged', async t => {
  const limited = await build(t, { rateLimit: true, redisUrl: 'redis://127.0.0.1:1' })
  t.match(await limited.inject('/readyz'), { statusCode: 200, body: '"status":"ok"' })
  t.match((await limited.inject('/readyz')).json(), { redis: 'away' })
  const { app, log } = await buildLogged(t, { logRequests: true })
  for (const url of ['/livez', '/readyz', '/nope']) await app.inject(url)
  t.match(log, [{ url: '/nope' }])
})
