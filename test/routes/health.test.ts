import { test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { version } from '../../src/package.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { build, catalogue } from '../helper.ts'

test('GET and HEAD of /livez and /readyz', async t => {
  const app = await build(t)
  for (const [url, content] of [
    ['/livez', { status: 'ok' }],
    ['/readyz', { status: 'ok', version, data: { digest: catalogue.digest, updated: catalogue.updated.toISOString() }, uptime: Number }]
  ] as const) {
    const answer = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(answer.statusCode, 200)
    t.match(answer.headers, { 'content-type': /^application\/json$/, 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    t.match(answer.json(), content)
    t.notOk('redis' in (answer.json() as object))
    const head = await app.inject({ method: 'HEAD', url })
    t.strictSame([head.statusCode, head.headers['content-type'], head.body], [200, 'application/json', ''])
    t.equal((await app.inject({ method: 'POST', url })).statusCode, 404)
  }
})

test('GET /readyz of a server that is about to end is 503', async t => {
  const app = await build(t)
  await app.connections.drain.begin()
  const { statusCode, headers, body } = await app.inject('/readyz')
  t.strictSame([statusCode, headers['cache-control'], body], [503, 'no-store', '{"status":"draining"}'])
  t.equal((await app.inject('/livez')).statusCode, 200)
})

test('GET /readyz says how Redis is, whose absence is no reason to send requests elsewhere', async t => {
  const app = await build(t, { rateLimit: true, redisUrl: 'redis://127.0.0.1:1' })
  const answer = await app.inject('/readyz')
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { status: 'ok', redis: 'away' })
})

test('what asks after the server stands in no log', async t => {
  const lines: string[] = []
  const app = await buildApp(catalogue, { ...defaultSettings, logRequests: true }, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  for (const url of ['/livez', '/readyz', '/nope']) await app.inject(url)
  t.match(lines, [/"url":"\/nope"/])
})
