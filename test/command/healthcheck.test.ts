import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { test, type Test } from 'tap'
import { healthcheck } from '../../src/command/healthcheck.ts'

async function serve (t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return (server.address() as AddressInfo).port
}

async function check (args: string[], env = {}) {
  let told = ''
  const stream = { write: (text: string) => !!(told += text) }
  const code = await healthcheck(args, { env, stdout: stream, stderr: stream })
  return { code, told }
}

test('a server that is ready, at a URL or where the variables say', async t => {
  const asked: (string | undefined)[] = []
  const port = await serve(t, ({ url }, response) => {
    asked.push(url)
    response.end('{}')
  })
  for (const result of [await check([`http://127.0.0.1:${port}`]), await check([], { PORT: String(port), HOST: '0.0.0.0' })]) t.strictSame(result, { code: 0, told: '' })
  t.strictSame(asked, ['/readyz', '/readyz'])
})

test('what has become of files that do not say where the server is', async t => {
  const port = await serve(t, (_, response) => response.end('{}'))
  t.strictSame(await check([], { BICYCLE_CATALOGUE_PORT: String(port), REVOKED_TOKENS_FILE: '/nowhere', SEED: 'x' }), { code: 0, told: '' })
})

test('a server that drains', async t => {
  const port = await serve(t, (_, response) => response.writeHead(503).end())
  t.strictSame(await check([`http://127.0.0.1:${port}/`]), { code: 1, told: `http://127.0.0.1:${port}/readyz answers 503\n` })
})

test('a server that hangs, before and within its answer', async t => {
  const port = await serve(t, () => {})
  const other = await serve(t, (_, response) => response.write('{'))
  const started = performance.now()
  const results = await Promise.all([port, other].map(port => check([`http://127.0.0.1:${port}`])))
  for (const { code, told } of results) {
    t.equal(code, 1)
    t.match(told, /gives no answer: .*timeout/)
  }
  t.ok(performance.now() - started < 2000)
})

test('no server, and no URL', async t => {
  t.match(await check(['http://127.0.0.1:1']), { code: 1, told: /^http:\/\/127\.0\.0\.1:1\/readyz gives no answer: / })
  t.strictSame(await check(['localhost']), { code: 1, told: '"localhost" is no http or https URL\n' })
})

for (const flag of ['--help', '-h']) {
  test(`bicycle-catalogue healthcheck ${flag}`, async t => {
    t.match(await check([flag]), { code: 0, told: /^Usage: bicycle-catalogue healthcheck \[URL\]\n[^]+Exits with 0 .*\n$/ })
  })
}

test('more than one URL', async t => {
  t.strictSame(await check(['http://127.0.0.1:1', 'extra']), {
    code: 1,
    told: 'healthcheck takes one URL at most, such as http://127.0.0.1:3000 (bicycle-catalogue healthcheck --help)\n'
  })
})

test('no server at any address of a host', async t => {
  const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]
  const lookup = mock.method(dns, 'lookup', (...[, , found]: [unknown, unknown, (error: null, addresses: object[]) => void]) => found(null, addresses))
  t.teardown(() => lookup.mock.restore())
  t.strictSame(await check(['http://localhost:1']), { code: 1, told: 'http://localhost:1/readyz gives no answer: ECONNREFUSED\n' })
})
