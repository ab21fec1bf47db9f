import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { freePort } from '../../tools/process.ts'
import { buildLogged, listen, started } from '../helper.ts'

const skip = spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed'
const v1 = '/api/v1/brakes/'

async function startRedis (t: Test, port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', [
    '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', t.testdir()
  ])
  t.teardown(() => redis.kill('SIGKILL'))
  for await (const chunk of redis.stdout) if (/Ready to accept connections/.test(String(chunk))) break
  redis.stdout.resume()
  return redis
}

/** Sends a command to a Redis over a separate connection. */
async function tell (port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write(`${command}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

/** A limit that no test reaches before its window ends, unless it says so. */
const many = 1_000_000

async function serve (t: Test, port: number, rateLimitV1 = many) {
  const { app, log } = await buildLogged(t, { rateLimitV1, redisUrl: `redis://127.0.0.1:${port}` })
  return { app, log: () => log.splice(0) }
}

async function stateOf (app: FastifyInstance): Promise<string> {
  return (await app.inject('/readyz')).json<{ redis: string }>().redis
}

async function until (app: FastifyInstance, state: string): Promise<void> {
  while (await stateOf(app) !== state) await new Promise(resolve => setImmediate(resolve))
}

const countOf = async (app: FastifyInstance) => (await app.inject(v1)).headers['x-ratelimit-remaining']

test('two servers share a rate limit through Redis', { skip }, async t => {
  const port = await freePort()
  await startRedis(t, port)
  const [{ app: one }, { app: two }] = [await serve(t, port, 3), await serve(t, port, 3)]
  for (const app of [one, two]) await until(app, 'up')
  t.equal(await countOf(one), '2')
  t.equal(await countOf(two), '1')
  t.equal(await countOf(one), '0')
  for (const [name, app] of Object.entries({ one, two })) {
    t.match(await app.inject(v1), {
      statusCode: 429,
      headers: { 'x-ratelimit-limit': '3', 'retry-after': /^(60|59)$/ }
    }, name)
  }
  t.match(await tell(port, 'KEYS *'), /^bicycle-catalogue:v1:127\.0\.0\.1\r$/m)

  const issue = async (app: typeof one) => {
    const form = {
      method: 'POST',
      url: '/tokens/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'label=a'
    } as const
    const { statusCode, headers } = await app.inject(form)
    return [statusCode, headers['x-ratelimit-remaining']]
  }
  t.same([await issue(one), await issue(two)], [[200, '9'], [200, '8']])
})

const key = 'bicycle-catalogue:v1:127.0.0.1'

/** Each error begins and ends with a signal or commands. */
const errors: { name: string, message: RegExp, begin: NodeJS.Signals | string[], end: NodeJS.Signals | string[] }[] = [
  { name: 'a hung Redis', message: /\(no reply within 100 ms\)/, begin: 'SIGSTOP', end: 'SIGCONT' },
  { name: 'a full Redis', message: /\(OOM /, begin: ['CONFIG SET maxmemory 1'], end: ['CONFIG SET maxmemory 0'] },
  {
    name: 'a key of another type',
    message: /\(WRONGTYPE /,
    begin: [`DEL ${key}`, `LPUSH ${key} a`],
    end: [`DEL ${key}`]
  },
  { name: 'a key that never expires', message: /\(invalid reply\)/, begin: [`SET ${key} 5000`], end: [`DEL ${key}`] }
]

for (const { name, message, begin, end } of errors) {
  test(`${name} leaves the count to each server, is logged once, and recovers`, { skip }, async t => {
    const port = await freePort()
    const redis = await startRedis(t, port)
    const { app, log } = await serve(t, port)
    await until(app, 'up')
    log()
    const act = async (how: NodeJS.Signals | string[]) => {
      if (typeof how === 'string') redis.kill(how)
      else for (const command of how) await tell(port, command)
    }

    await act(begin)
    const started = performance.now()
    const counts = await Promise.all([countOf(app), countOf(app), countOf(app), countOf(app)])
    t.same(counts.sort(), [many - 4, many - 3, many - 2, many - 1].map(String))
    t.ok(performance.now() - started < 1000, 'requests do not wait')
    t.equal(await stateOf(app), 'away')

    await act(end)
    while (await stateOf(app) !== 'up') await app.inject(v1)
    const recovery = { level: 30, msg: 'Redis recovered; servers share rate limits again' }
    t.match(log(), [{ level: 40, msg: message }, recovery])
  })
}

test('a server starts without Redis, connects when Redis starts, and shows it in a gauge', { skip }, async t => {
  const port = await freePort()
  const { app, log } = await serve(t, port)
  t.equal(await stateOf(app), 'away')
  t.match(log(), [{ level: 40, msg: /^Redis unavailable \(connect ECONNREFUSED .+\); each server/ }])
  const redis = await startRedis(t, port)
  await until(app, 'up')
  const server = await started(t, { rateLimit: true, metricsPort: 0, redisUrl: `redis://127.0.0.1:${port}` })
  await until(server.app, 'up')
  t.match(await (await fetch(String(server.metricsUrl))).text(), /^bicycle_catalogue_redis_up 1$/m)
  redis.kill('SIGKILL')
  await until(app, 'away')
  const limited = await serve(t, port, 3)
  for (const status of [200, 200, 200, 429]) t.equal((await limited.app.inject(v1)).statusCode, status)
})

for (const [cause, password] of Object.entries({ WRONGPASS: ':wrong@', NOAUTH: '' })) {
  test(`the first failure of the start is logged with its cause, ${cause}`, { skip }, async t => {
    const port = await freePort()
    await startRedis(t, port)
    await tell(port, 'CONFIG SET requirepass right')
    const { app, log } = await buildLogged(t, { redisUrl: `redis://${password}127.0.0.1:${port}` })
    while (log.length === 0) await nextTurn()
    t.match(log, [{ level: 40, msg: new RegExp(`^Redis unavailable \\(${cause} `) }])
    t.equal(await stateOf(app), 'away')
  })
}

/** Keeps the event loop busy for longer than Redis may take. */
function block (): void {
  const end = performance.now() + 250
  while (performance.now() < end);
}

test('a busy server waits for the counts of Redis, which answers', { skip }, async t => {
  const port = await freePort()
  await startRedis(t, port)
  const { app, log } = await serve(t, port)
  await until(app, 'up')
  t.equal(await countOf(app), String(many - 1))
  const sent = [countOf(app), countOf(app)]
  await nextTurn()
  block() // Redis has replied, which is not read yet
  t.same(await Promise.all(sent), [many - 2, many - 3].map(String))
  t.same(log(), [])
})

test('a hung Redis delays neither start nor close', { skip }, async t => {
  const port = await freePort()
  const redis = await startRedis(t, port)
  redis.kill('SIGSTOP')
  const started = performance.now()
  const { app } = await serve(t, port)
  t.equal(await stateOf(app), 'away')
  await app.close()
  t.ok(performance.now() - started < 2000)
})

/** Starts a server of which `reply` is the reply to every count, in Redis's protocol. */
async function serveReplies (t: Test) {
  const fake = { reply: '*2\r\n:1\r\n:60000\r\n' }
  const info = '$17\r\nredis_version:7.0\r\n'
  const answer = (command: string) => {
    if (/eval/i.test(command)) return fake.reply
    return /\r\ninfo\r/i.test(command) ? info : '+OK\r\n'
  }
  const redis = createServer(socket => socket.on('error', () => {}).on('data', data => {
    for (const command of String(data).split(/(?=\*\d+\r\n)/)) socket.write(answer(command))
  }))
  const { app } = await serve(t, await listen(t, redis))
  await until(app, 'up')
  return { app, fake }
}

const nonsense = [
  '$-1', '*-1', '*0', '*1\r\n$-1', '*2\r\n$-1\r\n$-1', '*2\r\n:7\r\n$-1', '*2\r\n*-1\r\n:7', // nil
  '+OK', ':7', '$0\r\n', '$1\r\na', '-ERR no', '-NOSCRIPT no', '*1\r\n:7', '*2\r\n$1\r\na\r\n:1', '*2\r\n$1\r\n7\r\n:1',
  '*2\r\n:7\r\n:-2', '*2\r\n:7\r\n:-1', '*2\r\n:0\r\n:1', '*2\r\n:-7\r\n:1', '*2\r\n*1\r\n:7\r\n*1\r\n:7'
]

test('an invalid reply of Redis leaves the count to the server', async t => {
  const { app, fake } = await serveReplies(t)
  for (const [index, reply] of nonsense.entries()) {
    fake.reply = `${reply}\r\n`
    t.equal(await countOf(app), String(many - 1 - index), JSON.stringify(reply))
  }
})

test('a window of Redis lasts a minute at most', async t => {
  const { app, fake } = await serveReplies(t)
  for (const [count, milliseconds, status, reset] of [
    [2, '0', 200, '0'], [2, '59999', 200, '60'], [2, '60001', 200, '60'], [2, '99999999999999999999', 200, '60'],
    [many + 1, '99999999999999999999', 429, '60'], ['99999999999999999999', '1', 429, '1']
  ]) {
    fake.reply = `*3\r\n:${count}\r\n:${milliseconds}\r\n:0\r\n`
    t.match(await app.inject(v1), { statusCode: status, headers: { 'x-ratelimit-reset': reset } }, fake.reply)
  }
})
