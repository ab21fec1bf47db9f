import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { test, type Test } from 'tap'
import { createJournal } from '../../src/http/journal.ts'
import { connectRedis } from '../../src/http/redis.ts'
import Fastify from 'fastify'
import { build } from '../helper.ts'

const skip = spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed'
const v1 = '/api/v1/brakes/'

async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function startRedis (t: Test, port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', t.testdir()])
  t.teardown(() => redis.kill('SIGKILL'))
  for await (const chunk of redis.stdout) if (/Ready to accept connections/.test(String(chunk))) break
  redis.stdout.resume()
  return redis
}

async function until (holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise(resolve => setImmediate(resolve))
}

test('two servers share one allowance through Redis, and go on without it', { skip }, async t => {
  const port = await freePort()
  const redis = await startRedis(t, port)
  const settings = { rateLimit: true, rateLimitV1: 3, redisUrl: `redis://127.0.0.1:${port}` }
  const [one, two] = [await build(t, settings), await build(t, settings)]
  const remaining = async (app: typeof one) => (await app.inject(v1)).headers['x-ratelimit-remaining']
  t.equal(await remaining(one), '2')
  t.equal(await remaining(two), '1')
  t.equal(await remaining(one), '0')
  for (const app of [one, two]) t.equal((await app.inject(v1)).statusCode, 429)

  redis.kill('SIGKILL')
  await once(redis, 'exit')
  for (let times = 0; times < 5; times++) t.equal((await one.inject(v1)).statusCode, 200, 'without Redis nobody is limited')
})

test('while Redis is away one warning is logged, and one line when it is back', { skip }, async t => {
  const port = await freePort()
  const log = new PassThrough().setEncoding('utf8')
  const app = Fastify().decorate('journal', createJournal('info', log))
  t.teardown(() => app.close())
  const client = await connectRedis(app, `redis://127.0.0.1:${port}`)
  let failures = 0
  client.on('error', () => failures++)
  await until(() => failures > 2)
  await startRedis(t, port)
  await once(client, 'ready')
  const lines = String(log.read()).trim().split('\n').map(line => JSON.parse(line) as { level: number, msg: string })
  t.match(lines, [{ level: 40, msg: /^Redis is away, requests are not limited until it is back: / }, { level: 30, msg: /^Redis is back/ }])
  t.equal(lines.length, 2)
})
