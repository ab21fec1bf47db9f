import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { test, type Test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { connectRedis } from '../../src/http/redis.ts'
import { start } from '../../src/start.ts'
import { freePort } from '../../tools/process.ts'
import { build } from '../helper.ts'

const skip = spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed'
const v1 = '/api/v1/brakes/'

async function startRedis (t: Test, port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', t.testdir()])
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

async function counter (t: Test, port: number) {
  const log = new PassThrough().setEncoding('utf8')
  const started = performance.now()
  const shared = await connectRedis(`redis://127.0.0.1:${port}`, createLogger('info', log))
  t.teardown(shared.close)
  const lines = () => String(log.read() ?? '').split('\n').filter(Boolean).map(line => JSON.parse(line) as { level: number, msg: string })
  return { shared, lines, startMilliseconds: performance.now() - started }
}

async function until (shared: Awaited<ReturnType<typeof connectRedis>>, state: string): Promise<void> {
  while (shared.state() !== state) await new Promise(resolve => setImmediate(resolve))
}

/** Gives Redis 10 s where it has 100 ms, because a machine that runs many tests can be slower than a client should wait. */
function waitForRedis (t: Test): void {
  const { setTimeout: set } = globalThis
  const patient = (callback: () => void, milliseconds: number) => set(callback, milliseconds === 100 ? 10_000 : milliseconds)
  t.intercept(globalThis, 'setTimeout', { value: Object.assign(patient, set) })
}

test('two servers share a rate limit through Redis, and serve without it', { skip }, async t => {
  waitForRedis(t)
  const port = await freePort()
  const redis = await startRedis(t, port)
  const settings = { rateLimit: true, rateLimitV1: 3, redisUrl: `redis://127.0.0.1:${port}` }
  const [one, two] = [await build(t, settings), await build(t, settings)]
  const remaining = async (app: typeof one) => (await app.inject(v1)).headers['x-ratelimit-remaining']
  t.equal(await remaining(one), '2')
  t.equal(await remaining(two), '1')
  t.equal(await remaining(one), '0')
  for (const app of [one, two]) t.match(await app.inject(v1), { statusCode: 429, headers: { 'x-ratelimit-limit': '3', 'retry-after': /^(60|59)$/ } })
  t.match(await tell(port, 'KEYS *'), 'bicycle-catalogue:v1:127.0.0.1')

  const issue = async (app: typeof one) => {
    const form = { method: 'POST', url: '/tokens/', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'label=a' } as const
    const { statusCode, headers } = await app.inject(form)
    return [statusCode, headers['x-ratelimit-remaining']]
  }
  t.same([await issue(one), await issue(two)], [[200, '9'], [200, '8']])

  redis.kill('SIGKILL')
  await once(redis, 'exit')
  for (let times = 0; times < 5; times++) t.equal((await one.inject(v1)).statusCode, 200, 'requests are not limited without Redis')
})

test('concurrent requests are counted one by one, a key without expiry gets one, and a gauge shows that Redis works', { skip }, async t => {
  waitForRedis(t)
  const port = await freePort()
  await startRedis(t, port)
  const { shared } = await counter(t, port)
  const tallies = await Promise.all(Array.from({ length: 200 }, () => shared.count('k')))
  t.strictSame(tallies.map(([requests]) => requests), Array.from({ length: 200 }, (_, index) => index + 1))
  for (const [, milliseconds] of tallies) t.ok(milliseconds > 50_000 && milliseconds <= 60_000)
  await tell(port, 'SET k 7')
  t.strictSame(await shared.count('k'), [8, 60_000])
  const server = await start({ metricsPort: 0, redisUrl: `redis://127.0.0.1:${port}` })
  t.teardown(server.close)
  t.match(await (await fetch(String(server.metricsUrl))).text(), /^bicycle_catalogue_redis_up 1$/m)
})

/** Each error begins and ends with a signal or commands. */
const errors: { name: string, message: RegExp, begin: NodeJS.Signals | string[], end: NodeJS.Signals | string[] }[] = [
  { name: 'a hung Redis', message: /\(Command timed out\)/, begin: 'SIGSTOP', end: 'SIGCONT' },
  { name: 'a full Redis', message: /\(OOM /, begin: ['CONFIG SET maxmemory 1'], end: ['CONFIG SET maxmemory 0'] },
  { name: 'a key of another type', message: /\(WRONGTYPE /, begin: ['DEL k', 'LPUSH k a'], end: ['DEL k'] }
]

for (const { name, message, begin, end } of errors) {
  test(`${name} limits no requests, is logged once, and recovers`, { skip }, async t => {
    const port = await freePort()
    const redis = await startRedis(t, port)
    const { shared, lines } = await counter(t, port)
    const act = async (how: NodeJS.Signals | string[]) => {
      if (typeof how === 'string') redis.kill(how)
      else for (const command of how) await tell(port, command)
    }
    t.match(await shared.count('k'), [1])
    t.equal(shared.state(), 'up')

    await act(begin)
    const started = performance.now()
    t.strictSame(await Promise.all([shared.count('k'), shared.count('k')]), [[0, 0], [0, 0]])
    t.ok(performance.now() - started < 1000, 'requests do not wait')
    t.equal(shared.state(), 'away')

    await act(end)
    while (shared.state() !== 'up') await shared.count('k')
    t.match(await shared.count('other'), [1])
    t.match(lines(), [{ level: 40, msg: message }, { level: 30, msg: 'Redis recovered; rate limiting is on again' }])
  })
}

test('a server starts without Redis and connects when Redis starts; a disconnected Redis is reported before a request', { skip }, async t => {
  const port = await freePort()
  const { shared, lines } = await counter(t, port)
  t.equal(shared.state(), 'away')
  t.match(lines(), [{ level: 40, msg: /^Redis unavailable \(connect ECONNREFUSED/ }])
  await startRedis(t, port)
  await until(shared, 'up')
  t.equal(lines().length, 1)
  await tell(port, 'CLIENT KILL TYPE normal SKIPME yes')
  await until(shared, 'away')
  t.match(lines(), [{ level: 40, msg: /\(the connection is closed\)/ }])
  await until(shared, 'up')
})

test('a hung Redis delays neither start nor close', { skip }, async t => {
  const port = await freePort()
  const redis = await startRedis(t, port)
  redis.kill('SIGSTOP')
  const app = await build(t, { rateLimit: true, redisUrl: `redis://127.0.0.1:${port}` })
  t.equal((await app.inject(v1)).headers['x-ratelimit-remaining'], '60')
  const { shared, startMilliseconds } = await counter(t, port)
  t.equal(shared.state(), 'away')
  t.ok(startMilliseconds < 1000, `${startMilliseconds} ms`)
  const started = performance.now()
  await app.close()
  t.ok(performance.now() - started < 1000)
})

test('a Redis that replies nonsense limits nothing; a window may have no rest', async t => {
  let reply = ''
  const answer = (command: string) => /eval/i.test(command) ? reply : /\r\ninfo\r/i.test(command) ? '$17\r\nredis_version:7.0\r\n' : '+OK\r\n'
  const redis = createServer(socket => socket.on('error', () => {}).on('data', data => {
    for (const command of String(data).split(/(?=\*\d+\r\n)/)) socket.write(answer(command))
  })).listen(0, '127.0.0.1')
  t.teardown(() => redis.close())
  await once(redis, 'listening')
  const { shared, lines } = await counter(t, (redis.address() as AddressInfo).port)
  for (const tally of [[1, 0], [7, 60_000]]) {
    reply = `*2\r\n:${tally.join('\r\n:')}\r\n`
    t.same(await shared.count('a'), tally)
  }
  for (reply of [
    '+OK\r\n', '*0\r\n', '*1\r\n:1\r\n', '*3\r\n:1\r\n:1\r\n:1\r\n', '*2\r\n$1\r\na\r\n:1\r\n', '*2\r\n:1\r\n:-2\r\n', '*2\r\n:1\r\n:-1\r\n',
    '*2\r\n:0\r\n:1\r\n', '*2\r\n:1\r\n:60001\r\n', '$-1\r\n'
  ]) t.same(await shared.count('a'), [0, 0], reply)
  t.match(lines().map(({ msg }) => msg), [/\(its reply is not a count\)/])
})
