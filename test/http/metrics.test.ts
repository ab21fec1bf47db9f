import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { start } from '../../src/start.ts'
import type { Options } from '../../src/settings/settings.ts'
import { changedDirectory } from '../catalogue/changed.ts'
import { listen, started } from '../helper.ts'

/** Starts a server with metrics; `read` returns the metrics by name and labels. */
async function watched (t: Test, options: Options = {}) {
  const server = await started(t, { metricsPort: 0, ...options })
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(server.url + path, { method, headers, redirect: 'manual' })
    await response.arrayBuffer()
    return response
  }
  const read = async () => {
    const text = await (await fetch(String(server.metricsUrl))).text()
    const lines = [...text.matchAll(/^bicycle_catalogue_(\w+(?:\{.*\})?) (\S+)$/gm)]
    return new Map(lines.map(([, name = '', value]) => [name, Number(value)]))
  }
  return { server, ask, read }
}

test('responses are counted by route, status and source', async t => {
  const { ask, read } = await watched(t, { rateLimit: true, rateLimitV1: 5 })
  const etag = String((await ask('/api/v1/brakes/')).headers.get('etag'))
  await ask('/api/v1/brakes/?x=1')
  await ask('/api/v1/brakes/', { 'if-none-match': etag })
  await ask('/api/v1/brakes/?page=99')
  for (const path of ['/api/v1/brakes/', '/robots.txt', '/nope/']) await ask(path, {}, 'PUT')
  await ask('/api/v1/brakes/')
  for (const path of ['/nope', '/nope/2', '/media/none.jpg', '/api/v1/brakes', '/livez', '/readyz']) await ask(path)
  const { headers } = await ask('/')
  await ask('/', { 'if-none-match': String(headers.get('etag')) })

  const metrics = await read()
  for (const [labels, count] of [
    ['route="/api/v1/brakes/",status="200",kind="made"', 1],
    ['route="/api/v1/brakes/",status="200",kind="cached"', 1],
    ['route="/api/v1/brakes/",status="304",kind="304"', 1],
    ['route="/api/v1/brakes/",status="404",kind="other"', 1],
    ['route="/api/v1/brakes/",status="429",kind="other"', 1],
    ['route="/api/v1/brakes/",status="405",kind="other"', 1],
    ['route="/robots.txt",status="405",kind="other"', 1],
    ['route="none",status="404",kind="other"', 3],
    ['route="none",status="301",kind="other"', 1],
    ['route="/media/*",status="404",kind="other"', 1],
    ['route="/",status="200",kind="other"', 1],
    ['route="/",status="304",kind="304"', 1]
  ] as const) t.equal(metrics.get(`requests_total{${labels}}`), count, labels)
  t.equal([...metrics.keys()].filter(name => name.startsWith('requests_total')).length, 12, 'probes are not counted')
})

test('durations are a histogram in seconds', async t => {
  const { ask, read } = await watched(t, { simulate: true, rateLimit: false })
  await ask('/api/v1/brakes/')
  await ask('/api/v1/brakes/', { prefer: 'delay=60' })
  const metrics = await read()
  const of = (name: string) => metrics.get(`request_duration_seconds_${name}`)
  const labels = 'route="/api/v1/brakes/",kind="cached"'
  const bucket = (bound: string) => `bucket{le="${bound}",${labels}}`
  t.strictSame([of(bucket('0.05')), of(bucket('+Inf')), of(`count{${labels}}`)], [0, 1, 1])
  t.ok(Number(of(`sum{${labels}}`)) >= 0.06)
})

test('GET and HEAD of /metrics are answered; gauges show connections, cached bytes and the served version', async t => {
  const { server, ask, read } = await watched(t)
  await ask('/api/v1/brakes/')
  const metrics = await read()
  t.ok(Number(metrics.get('cache_bytes{cache="json"}')) > 4096)
  t.equal(metrics.get('cache_bytes{cache="api"}'), 0)
  t.ok(Number(metrics.get('connections')) >= 1)
  t.equal([...metrics].filter(([name]) => name.startsWith('info{version=')).length, 1)

  const url = String(server.metricsUrl)
  const head = await fetch(url, { method: 'HEAD' })
  t.strictSame([head.status, head.headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8'])
  t.equal((await fetch(`${url}?collect=all`)).status, 200, 'with parameters too, which Prometheus may add')
  t.equal((await fetch(url, { method: 'POST' })).status, 404)
  t.equal((await fetch(new URL('/', url))).status, 404)
})

test('a failed reload is a metric until one succeeds, and each has its time', async t => {
  const data = changedDirectory(t, {})
  const file = join(data, 'v1/saddles.json')
  const { server, read } = await watched(t, { data, logLevel: 'silent' })
  const content = readFileSync(file)
  let earlier = performance.timeOrigin / 1000
  for (const [change, successful] of [[undefined, 1], ['{', 0], [content, 1]] as const) {
    if (change !== undefined) {
      writeFileSync(file, change)
      await server.reload()
    }
    const metrics = await read()
    const time = Number(metrics.get('last_reload_timestamp_seconds'))
    t.equal(metrics.get('last_reload_successful'), successful, String(successful))
    t.ok(time > earlier && time <= Date.now() / 1000, `${time} is after ${earlier}`)
    earlier = time
  }
})

test('a reload fails with invalid tokens, secret, certificate or rules, even if the data is valid', async t => {
  const directory = t.testdir({ tokens: 'one', secret: 'a-secret-of-24-characters', rules: '[]' })
  const file = (name: string) => join(directory, name)
  const options = {
    tokensFile: file('tokens'),
    tokenSecretFile: file('secret'),
    simulate: true,
    rules: file('rules'),
    logLevel: 'silent'
  } as const
  const server = await start({ port: 0, metricsPort: 0, ...options })
  t.teardown(() => server.close())
  const read = async () => {
    await server.reload()
    const text = await (await fetch(String(server.metricsUrl))).text()
    return /^bicycle_catalogue_last_reload_successful (\d)$/m.exec(text)?.[1]
  }
  for (const name of ['tokens', 'secret', 'rules']) {
    const content = readFileSync(file(name))
    writeFileSync(file(name), name === 'rules' ? '{' : '')
    t.equal(await read(), '0', name)
    t.equal(await read(), '0', `${name}, once more`)
    writeFileSync(file(name), content)
    t.equal(await read(), '1', `${name}, valid again`)
  }
})

test('docs/reference/operation.md lists every metric of the server, and no other', async t => {
  const servers = await Promise.all([watched(t), watched(t, { rateLimit: true, redisUrl: 'redis://127.0.0.1:1' })])
  const texts = await Promise.all(servers.map(async ({ server }) => (await fetch(String(server.metricsUrl))).text()))
  const matches = texts.flatMap(text => [...text.matchAll(/^# TYPE (bicycle_catalogue_\w+)/gm)])
  const metrics = matches.map(([, name = '']) => name)
  const page = readFileSync(new URL('../../docs/reference/operation.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(bicycle_catalogue_.*?)` \|/gm)].map(([, cell = '']) => cell)
  t.strictSame(rows.toSorted(), [...new Set(metrics)].toSorted())
  const withRedis = await servers[1].read()
  t.equal(withRedis.get('redis_up'), 0)
})

test('no value that clients choose creates another time series', async t => {
  const { ask, read } = await watched(t, { rateLimit: false })
  const odd = (n: number) => {
    const headers = { 'accept-language': `x${n}`, accept: `*/*;q=0.${n}` }
    return ask(`/api/v1/brakes/?ordering=x${n}&page=1&y=${n}`, headers)
  }
  await odd(1)
  await ask('/x')
  const before = (await read()).size
  for (let n = 2; n < 6; n++) await Promise.all([odd(n), ask(`/x${n}`)])
  t.equal((await read()).size, before)
})

test('the metrics close with their server; without the setting there are none', async t => {
  const { server } = await watched(t, { metricsPort: '127.0.0.1:0' })
  await server.close()
  await t.rejects(fetch(String(server.metricsUrl)))
  const plain = await started(t)
  t.equal(plain.metricsUrl, undefined)
})

test('start() rejects when the port for metrics is in use', async t => {
  const port = await listen(t, createServer(), '::1')
  const message = `Port ${port} is already in use on ::1. ` +
    'Choose another with --metrics-port, or use --metrics-port 0 for any free port.'
  await t.rejects(start({ metricsPort: `[::1]:${port}` }), { name: 'ListenError', message })
})
