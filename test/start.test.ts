import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { boot, start, type Server } from '../src/start.ts'
import { defaultSettings, type Options } from '../src/settings/settings.ts'
import { built } from './built.ts'
import { valid } from './catalogue/changed.ts'

const v2 = '/api/v2/bikes/?page=1'
const v1 = '/api/v1/brakes/'
const as = (token: string) => ({ headers: { authorization: `Token ${token}` } })

test('start() resolves to a server on a free port', async t => {
  const server = await start()
  t.match(server.url, `http://127.0.0.1:${server.port}`)
  const answer = await fetch(server.url + v1)
  t.equal(answer.status, 200)
  await answer.arrayBuffer()
  await Promise.all([server.close(), server.close()])
  await server.close()
  await t.rejects(fetch(server.url), 'closed, twice')
})

test('several servers have their own tokens and limits', async t => {
  const options = [{ tokens: ['one'], rateLimitV1: 1 }, { tokens: ['two'], rateLimitV1: 1 }]
  const [one, two] = await Promise.all(options.map(each => start(each))) as [Awaited<ReturnType<typeof start>>, Awaited<ReturnType<typeof start>>]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  for (const [server, token, status] of [[one, 'one', 200], [one, 'two', 401], [two, 'two', 200], [two, 'one', 401]] as const) {
    t.equal((await server.app.inject({ url: v2, ...as(token) })).statusCode, status)
  }
  const third = await start({ rateLimitV1: 1 })
  t.teardown(third.close)
  for (const status of [200, 429]) t.equal((await third.app.inject(v1)).statusCode, status)
})

test('a fixed token of 12 characters can be revoked', async t => {
  const fixed = 'abcdefghijkl'
  const server = await start({ tokens: [fixed, 'other'], revokedTokens: [fixed] })
  t.teardown(server.close)
  const statusOf = async (token: string) => (await fetch(`${server.url}/api/v2/bikes/`, { headers: { authorization: `Token ${token}` } })).status
  t.strictSame([await statusOf(fixed), await statusOf('other')], [401, 200])
})

test('a token is revoked by its id, with or without bct_, or as a whole', async t => {
  const tokenSecret = 's'.repeat(32)
  const { app, close } = await start({ tokenSecret })
  t.teardown(close)
  const token = app.tokens.issue()
  for (const entry of [token.slice(4, 16), token.slice(0, 16), token]) {
    const server = await start({ tokenSecret, revokedTokens: [entry] })
    t.equal((await server.app.inject({ url: v2, ...as(token) })).statusCode, 401, entry)
    await server.close()
  }
})

test('each start reads the data of its directory again', async t => {
  const data = t.testdir()
  cpSync(valid, data, { recursive: true })
  const brandOf = async ({ app }: Server) => ((await app.inject('/api/v1/saddles/')).json() as { brand: string }[])[0]?.brand
  const first = await start({ data })
  t.teardown(first.close)
  const file = join(data, 'v1/saddles.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('"Make"', '"Edited"'))
  const second = await start({ data })
  t.teardown(second.close)
  t.strictSame(await Promise.all([first, second].map(brandOf)), ['Make', 'Edited'])
  writeFileSync(file, '{')
  await t.rejects(start({ data }), { name: 'CatalogueFaults' })
})

test('a file that is not served causes a warning at start', async t => {
  const data = t.testdir()
  cpSync(valid, data, { recursive: true })
  writeFileSync(join(data, 'v1/pedals.json'), '')
  const lines: string[] = []
  const { server } = await boot({ ...defaultSettings, port: 0, data }, { stream: { write: line => lines.push(line) } })
  await server.close()
  t.match(lines.map(line => JSON.parse(line) as unknown), [{ level: 40, msg: /v1\/pedals\.json is not served/ }])
})

test('an update in the future causes a warning, at start and at a reload', async t => {
  const data = t.testdir()
  cpSync(valid, data, { recursive: true })
  const setUpdated = (updated: string) => {
    const file = join(data, 'v1/tyres.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"updated": "[^"]*"/, `"updated": "${updated}"`))
  }
  setUpdated('2999-01-01T00:00:00Z')
  const warnings: string[] = []
  const stream = { write: (line: string) => { if (line.includes('"level":40')) warnings.push((JSON.parse(line) as { msg: string }).msg) } }
  const { server } = await boot({ ...defaultSettings, port: 0, data }, { stream })
  t.teardown(server.close)
  setUpdated('2999-01-02T00:00:00Z')
  await server.reload()
  t.match(warnings, [
    /v1\/tyres\.json:4:14 updated "2999-01-01T00:00:00Z" is in the future$/, /v1\/tyres\.json:4:14 updated "2999-01-02T00:00:00Z" is in the future$/
  ])
  t.equal(warnings.length, 2)
})

test('invalid data reject with every fault', async t => {
  const data = t.testdir({ v1: { 'bikes.json': '{' } })
  for (let times = 0; times < 2; times++) {
    await t.rejects(start({ data }), { name: 'CatalogueFaults', faults: [{ file: /v1\/bikes\.json$/, line: 1, column: 2 }] })
  }
})

test('an invalid option rejects with the correction', async t => {
  await t.rejects(start({ prot: 80 } as Options), { name: 'SettingsError', message: 'there is no setting "prot"; did you mean "port"?' })
  // @ts-expect-error a port is a number
  await t.rejects(start({ port: 'x' }), { name: 'SettingsError', message: 'port must be a whole number from 0 to 65535, got "x"' })
})

test('start() rejects when the port is in use', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await t.rejects(start({ port }), { name: 'ListenError' })
})

for (const { settings, warned } of [
  { settings: { trustProxy: true, host: '0.0.0.0' }, warned: true },
  { settings: { trustProxy: true, host: '127.0.0.1' }, warned: false },
  { settings: { trustProxy: ['127.0.0.1'], host: '0.0.0.0' }, warned: false }
]) {
  test(`with trust-proxy ${JSON.stringify(settings.trustProxy)} on ${settings.host} there is ${warned ? 'a' : 'no'} warning`, async t => {
    const lines: string[] = []
    const { server } = await boot({ ...defaultSettings, ...settings, port: 0 }, { stream: { write: line => lines.push(line) } })
    await server.close()
    t.equal(lines.filter(line => line.includes('trust-proxy is on and 0.0.0.0 is open to others')).length, warned ? 1 : 0)
  })
}

for (const { secret, warned } of [{ secret: 's'.repeat(15), warned: true }, { secret: 's'.repeat(16), warned: false }]) {
  test(`with a secret of ${secret.length} characters there is ${warned ? 'a' : 'no'} warning`, async t => {
    for (const key of ['tokenSecret', 'tokenSecretFile']) {
      const lines: string[] = []
      const { server } = await boot({ ...defaultSettings, [key]: secret, port: 0 }, { stream: { write: line => lines.push(line) } })
      await server.reload()
      await server.close()
      const calls = lines.filter(line => line.includes('token-secret has fewer than 16 characters'))
      t.equal(calls.length, warned ? 1 + Number(key === 'tokenSecretFile') : 0, 'at start, and when a file is read again')
      t.notMatch(lines.join(), secret)
    }
  })
}

test('a program that closes its servers exits without output', async t => {
  const program = `
    import { start } from '${pathToFileURL(join(built(), 'index.js')).href}'
    const servers = await Promise.all([start(), start({ rateLimit: false, redisUrl: 'redis://127.0.0.1:1' })])
    for (const server of servers) await (await fetch(server.url + '${v1}')).arrayBuffer()
    {
      const server = await start()
      await server[Symbol.asyncDispose]()
    }
    await Promise.all(servers.map(server => server.close()))
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env: { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' } })
  t.teardown(() => child.kill('SIGKILL'))
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  t.strictSame({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' })
})

test('prepare gets the app before it listens, and the function that reloads it', async t => {
  const calls: unknown[] = []
  const settings = { ...defaultSettings, port: 0, logLevel: 'silent' } as const
  const { server } = await boot(settings, { prepare: (app, reload) => calls.push(app.server.listening, typeof reload) })
  t.teardown(server.close)
  t.same(calls, [false, 'function'])
})

test('a reload does not read the certificate of --tls again', async t => {
  const { server } = await boot({ ...defaultSettings, logLevel: 'silent', port: 0, tls: true }, { readAgain: () => { throw new Error('read again') } })
  t.teardown(server.close)
  await t.resolves(server.reload())
})
