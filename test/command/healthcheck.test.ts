import dns from 'node:dns'
import { once } from 'node:events'
import { mock } from 'node:test'
import { test } from 'tap'
import type { SettingsError } from '../../src/settings/flags.ts'
import { run as healthcheck } from '../../src/command/healthcheck.ts'
import { serve } from '../helper.ts'

/** Returns the exit code and the line on standard error, or the message of the error. */
async function check (args: string[], env = {}) {
  let said = ''
  const stderr = { write: (text: string) => { said += text } }
  const running = healthcheck(args, { env, stderr })
  return running.then(code => `${code} ${said}`.trim(), (error: SettingsError) => error.message)
}

test('a server that is ready, at a URL or an address in variables; files of other variables are not read', async t => {
  const asked: (string | undefined)[] = []
  const origin = await serve(t, ({ url }, response) => {
    asked.push(url)
    response.end('{}')
  })
  const others = { BICYCLE_CATALOGUE_TOKENS_FILE: '/nowhere', BICYCLE_CATALOGUE_SEED: 'x' }
  const { port } = new URL(origin)
  t.equal(await check([origin]), '0')
  t.equal(await check([], { PORT: port, HOST: '0.0.0.0' }), '0')
  t.equal(await check([], { BICYCLE_CATALOGUE_PORT: port, ...others }), '0')
  t.strictSame(asked, ['/readyz', '/readyz', '/readyz'])
})

test('a server that drains, and one that hangs', async t => {
  const draining = await serve(t, (_, response) => response.writeHead(503).end())
  t.equal(await check([`${draining}/`]), `1 ${draining}/readyz responds with 503`)
  t.match(await check([await serve(t, () => {})]), /^1 .* does not respond: .*timeout/)
})

test('a server with an endless body', async t => {
  let left: Promise<unknown> | undefined
  const origin = await serve(t, (_, response) => {
    left = once(response, 'close')
    response.on('drain', fill)
    fill()
    function fill () { while (response.write('x'.repeat(65_536))); }
  })
  t.strictSame(await check([origin]), '0')
  t.ok(await left, 'it is not read')
})

test('no server, at any address of a host, no URL, and more than one', async t => {
  t.match(await check(['http://127.0.0.1:1']), /^1 http:\/\/127\.0\.0\.1:1\/readyz does not respond: /)
  t.equal(await check(['localhost']), '"localhost" is not an http or https URL')
  const refusal = 'healthcheck takes one URL at most, such as http://localhost:3000 (npm start -- healthcheck --help)'
  t.equal(await check(['http://127.0.0.1:1', 'extra']), refusal)
  const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]
  type Found = (error: null, addresses: object[]) => void
  const lookup = mock.method(dns, 'lookup', (_name: unknown, _options: unknown, found: Found) => found(null, addresses))
  t.teardown(() => lookup.mock.restore())
  t.equal(await check(['http://localhost:1']), '1 http://localhost:1/readyz does not respond: ECONNREFUSED')
})
