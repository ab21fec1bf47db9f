import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { boot, start } from '../src/start.ts'
import { defaultSettings, type Options } from '../src/settings/settings.ts'
import { built } from './built.ts'
import { valid } from './catalogue/changed.ts'

const v2 = '/api/v2/bikes/?page=1'
const v1 = '/api/v1/brakes/'
const as = (token: string) => ({ headers: { authorization: `Token ${token}` } })

test('start gives a server on a free port that answers', async t => {
  const server = await start()
  t.match(server.url, `http://127.0.0.1:${server.port}`)
  const answer = await fetch(server.url + v1)
  t.equal(answer.status, 200)
  await answer.arrayBuffer()
  await Promise.all([server.close(), server.close()])
  await server.close()
  await t.rejects(fetch(server.url), 'closed, twice')
})

test('many servers at once, each with its own tokens and allowance, and one catalogue', async t => {
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

test('a token is revoked by its id, also behind bct_, or as a whole', async t => {
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

test('the data of a directory are read once while they are in use, and anew afterwards', async t => {
  const folder = t.testdir()
  cpSync(valid, folder, { recursive: true })
  const settings = { ...defaultSettings, port: 0, data: folder, logLevel: 'error' } as const
  const first = await boot(settings)
  rmSync(join(folder, 'v1'), { recursive: true })
  const second = await boot(settings)
  t.equal(first.catalogue, second.catalogue)
  await first.server.close()
  const third = await boot(settings)
  t.equal(third.catalogue, first.catalogue, 'still in use')
  await second.server.close()
  await third.server.app.close()
  await t.rejects(boot(settings), { name: 'CatalogueFaults' })
})

test('a file that nothing is made of is told at start', async t => {
  const data = t.testdir()
  cpSync(valid, data, { recursive: true })
  writeFileSync(join(data, 'v1/pedals.json'), '')
  const lines: string[] = []
  const { server } = await boot({ ...defaultSettings, port: 0, data }, { stream: { write: line => lines.push(line) } })
  await server.close()
  t.match(lines.map(line => JSON.parse(line) as unknown), [{ level: 40, msg: /v1\/pedals\.json is not served/ }])
})

test('bad data reject with every fault', async t => {
  const data = t.testdir({ v1: { 'bikes.json': '{' } })
  for (let times = 0; times < 2; times++) {
    await t.rejects(start({ data }), { name: 'CatalogueFaults', faults: [{ file: /v1\/bikes\.json$/, line: 1, column: 2 }] })
  }
})

test('a wrong option rejects with what would be right', async t => {
  await t.rejects(start({ prot: 80 } as Options), { name: 'SettingsError', message: 'there is no setting "prot"; did you mean "port"?' })
  // @ts-expect-error a port is a number
  await t.rejects(start({ port: 'x' }), { name: 'SettingsError', message: 'port must be a whole number from 0 to 65535, got "x"' })
})

test('a port in use rejects, and leaves nothing behind', async t => {
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
      const told = lines.filter(line => line.includes('token-secret has fewer than 16 characters'))
      t.equal(told.length, warned ? 1 : 0)
      t.notMatch(lines.join(), secret)
    }
  })
}

test('a program that closes its servers ends by itself, and has said nothing', async t => {
  const program = `
    import { start } from '${pathToFileURL(join(built(), 'start.js')).href}'
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

test('whoever prepares gets the app before it listens, and what reloads it', async t => {
  const told: unknown[] = []
  const settings = { ...defaultSettings, port: 0, logLevel: 'silent' } as const
  const { server } = await boot(settings, { prepare: (app, reload) => told.push(app.server.listening, typeof reload) })
  t.teardown(server.close)
  t.same(told, [false, 'function'])
})
