import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { boot, start, type Server } from '../src/start.ts'
import { defaultSettings } from '../src/settings/settings.ts'
import { built, env } from './built.ts'
import { changedDirectory } from './catalogue/changed.ts'
import { booted, started } from './helper.ts'

const v2 = '/api/v2/bikes/?page=1'
const v1 = '/api/v1/brakes/'

test('start() resolves to a server on a free port, which can be closed twice', async t => {
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
  const [one, two] = await Promise.all([
    start({ tokens: ['one'], rateLimit: true, rateLimitV1: 1 }),
    start({ tokens: ['two'], rateLimit: true, rateLimitV1: 1 })
  ])
  t.teardown(() => Promise.all([one.close(), two.close()]))
  for (const [server, token, status] of [
    [one, 'one', 200],
    [one, 'two', 401],
    [two, 'two', 200],
    [two, 'one', 401]
  ] as const) {
    const headers = { authorization: `Token ${token}` }
    t.equal((await server.app.inject({ url: v2, headers })).statusCode, status, token)
  }
  const third = await started(t, { rateLimit: true, rateLimitV1: 1 })
  for (const status of [200, 429]) t.equal((await third.app.inject(v1)).statusCode, status, String(status))
})

test('a program limits no requests by default', async t => {
  const { app } = await started(t)
  for (let times = 0; times < 61; times++) {
    const { statusCode, headers } = await app.inject(v1)
    t.same([statusCode, headers['x-ratelimit-limit']], [200, undefined])
  }
  await t.rejects(start({ rateLimitV2: 1 }), { message: 'rateLimitV2 needs rateLimit' })
})

test('each start reads the data of its directory again', async t => {
  const data = changedDirectory(t, {})
  const brandOf = async ({ app }: Server) => {
    const [saddle] = (await app.inject('/api/v1/saddles/')).json<{ brand: string }[]>()
    return saddle?.brand
  }
  const first = await started(t, { data })
  const file = join(data, 'v1/saddles.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"Make"', '"Edited"'))
  const second = await started(t, { data })
  t.strictSame(await Promise.all([first, second].map(brandOf)), ['Make', 'Edited'])
  writeFileSync(file, '{')
  await t.rejects(start({ data }), {
    name: 'CatalogueErrors',
    errors: [{ file: /v1\/saddles\.json$/, line: 1, column: 2 }]
  })
})

test('a time in the future causes a warning at start and at a reload; a file that is not served at start', async t => {
  const data = changedDirectory(t, { forks: Buffer.of(), tyres: [['2025-01-01T00:00:00Z', '2999-01-01T00:00:00Z']] })
  const { server, warned } = await booted(t, { data })
  const file = join(data, 'v1/tyres.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('2999-01-01', '2999-01-02'))
  await server.reload()
  t.match(warned.toSorted(), [
    /v1\/forks\.json is not served/, /v1\/tyres\.json:4:14 updated "2999-01-01T00:00:00Z" is in the future$/,
    /v1\/tyres\.json:4:14 updated "2999-01-02T00:00:00Z" is in the future$/
  ])
  t.equal(warned.length, 3)
})

const open = 'trust-proxy is on and 0.0.0.0 is open to others'
const short = 'token-secret has fewer than 16 characters'

for (const { settings, warnings } of [
  { settings: { trustProxy: true, host: '0.0.0.0' }, warnings: [open] },
  { settings: { trustProxy: true, host: '127.0.0.1' }, warnings: [] },
  { settings: { trustProxy: ['127.0.0.1'], host: '0.0.0.0' }, warnings: [] },
  { settings: { tokenSecret: 's'.repeat(15) }, warnings: [short] },
  { settings: { tokenSecret: 's'.repeat(16) }, warnings: [] },
  // At start, and when the file is read again.
  { settings: { tokenSecretFile: 's'.repeat(15) }, warnings: [short, short] },
  { settings: { tokenSecretFile: 's'.repeat(16) }, warnings: [] }
]) {
  test(`${JSON.stringify(settings)} causes ${warnings.length} warnings`, async t => {
    const { server, said, warned } = await booted(t, settings)
    await server.reload()
    t.match(warned, warnings)
    t.equal(warned.length, warnings.length)
    t.notMatch(said.join(), 's'.repeat(15))
  })
}

test('a program that closes its servers exits without output', async t => {
  const program = `
    import { start } from '${pathToFileURL(join(built(), 'index.js')).href}'
    const servers = await Promise.all([start(), start({ rateLimit: true, redisUrl: 'redis://127.0.0.1:1' })])
    for (const server of servers) await (await fetch(server.url + '${v1}')).arrayBuffer()
    await (await start())[Symbol.asyncDispose]()
    await Promise.all(servers.map(server => server.close()))
  `
  const args = ['--input-type=module', '--eval', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  t.strictSame({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
})

test('each worker of a cluster has a port of its own', async t => {
  const program = `
    import cluster from 'node:cluster'
    import { start } from '${pathToFileURL(join(built(), 'index.js')).href}'
    if (cluster.isPrimary) {
      for (const worker of [cluster.fork(), cluster.fork()]) worker.on('message', port => console.log(port))
    }
    else {
      const server = await start()
      process.send(server.port, async () => {
        await server.close()
        process.disconnect()
      })
    }`
  const file = join(t.testdir({ 'program.mjs': program }), 'program.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env })
  t.strictSame({ status, stderr, ports: new Set(stdout.trim().split('\n')).size }, { status: 0, stderr: '', ports: 2 })
})

test('prepare gets the app before it listens, and the function that reloads it', async t => {
  const calls: unknown[] = []
  const settings = { ...defaultSettings, port: 0, logLevel: 'silent' } as const
  const { server } = await boot(settings, {
    prepare: (app, reload) => calls.push(app.server.listening, typeof reload),
    readAgain: () => { throw new Error('read again') }
  })
  t.teardown(server.close)
  t.same(calls, [false, 'function'])
  const failed = t.capture(server.app.logger, 'error')
  await server.reload()
  t.same(failed(), [])
})
