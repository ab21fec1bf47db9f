import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { converse, type Sent } from './converse.ts'
import type { Plan } from './plan.ts'
import { kept, startServer, type Server } from './server.ts'

/** The longest that an answer may wait for Redis is 100 ms; the rest is what a busy machine takes, in milliseconds. */
const patience = 100 + 900

const ask: Sent = {
  method: 'GET',
  target: '/api/v1/brakes/',
  text: 'GET /api/v1/brakes/ HTTP/1.1\r\nHost: bikes.test\r\n\r\n',
  closes: false
}

type Redis = { child: ChildProcess, port: number, tell: (command: string) => Promise<string> }

/** What may become of a Redis, and what makes it well again. */
const troubles: readonly { name: string, harm: (redis: Redis) => Promise<unknown>, heal: (redis: Redis) => Promise<unknown> }[] = [
  { name: 'a hung Redis', harm: async ({ child }) => child.kill('SIGSTOP'), heal: async ({ child }) => child.kill('SIGCONT') },
  { name: 'a full Redis', harm: ({ tell }) => tell('CONFIG SET maxmemory 1'), heal: ({ tell }) => tell('CONFIG SET maxmemory 0') },
  {
    name: 'a Redis with something else under the key',
    harm: ({ tell }) => tell('DEL bicycle-catalogue:v1:127.0.0.1').then(() => tell('LPUSH bicycle-catalogue:v1:127.0.0.1 x')),
    heal: ({ tell }) => tell('DEL bicycle-catalogue:v1:127.0.0.1')
  },
  { name: 'a Redis that only reads', harm: ({ tell }) => tell('REPLICAOF 127.0.0.1 1'), heal: ({ tell }) => tell('REPLICAOF NO ONE') },
  { name: 'a Redis without connections', harm: ({ tell }) => tell('CLIENT KILL TYPE normal'), heal: async () => {} }
]

/** Lets the Redis of a server hang, fill up, err and die, and looks how long answers take and what is said. */
export async function redis ({ report }: Plan): Promise<void> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return report.figure('not tried: redis-server is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'torture-redis-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const port = await freePort()
  let running = await startRedis(port, directory)
  const flags = ['--redis-url', `redis://127.0.0.1:${port}`, '--rate-limit-v1', '1000000']
  const server = await startServer(flags)

  for (const { name, harm, heal } of troubles) {
    report.tried(name)
    await harm(running)
    await judge(name, server)
    await heal(running)
    await counts(name, server)
  }
  report.tried('a Redis that dies and is started anew')
  running.child.kill('SIGKILL')
  await once(running.child, 'exit')
  await judge('a dead Redis', server)
  running = await startRedis(port, directory)
  await counts('a dead Redis', server)
  if ((await running.tell('KEYS *')).includes('undefined')) report.broke('a key with undefined', await running.tell('KEYS *'))

  report.tried('a start and a drain with a hung Redis')
  running.child.kill('SIGSTOP')
  const started = performance.now()
  const late = await startServer(flags)
  report.figure(`a start with a hung Redis takes ${((performance.now() - started) / 1000).toFixed(1)} s`)
  await judge('a start with a hung Redis', late)
  const drained = performance.now()
  for (const server of [late]) server.signal('SIGTERM')
  const code = await late.exited
  const seconds = (performance.now() - drained) / 1000
  report.figure(`a drain with a hung Redis takes ${seconds.toFixed(1)} s`)
  if (code !== 0 || seconds > 5) report.broke(`a drain with a hung Redis ends with ${code} after ${seconds.toFixed(1)} s`, '--only redis')

  running.child.kill('SIGCONT')
  running.child.kill('SIGKILL')
  await server.stop()
  rmSync(directory, { recursive: true, force: true })

  /** Every answer is there in time, and it is said once that nobody is limited. */
  async function judge (name: string, { port, log }: Server): Promise<void> {
    const before = log.length
    const times: number[] = []
    for (let index = 0; index < 20; index++) {
      const from = performance.now()
      const { answers: [answer], fault } = await converse(port, [ask])
      times.push(performance.now() - from)
      if (answer?.status !== 200) report.broke(`${name}: ${answer?.status ?? fault}`, '--only redis')
    }
    const longest = Math.max(...times)
    if (longest > patience) report.broke(`${name}: an answer takes ${longest.toFixed(0)} ms`, '--only redis')
    await passed(200)
    const said = log.slice(before).filter(line => line.includes('is away'))
    if (said.length > 1 || (said.length === 0 && !log.some(line => line.includes('is away')))) {
      report.broke(`${name}: "away" is said ${said.length} times`, log.slice(before).join('\n').slice(0, 500))
    }
  }

  /** Clients are counted again. */
  async function counts (name: string, { port, log }: Server): Promise<void> {
    const end = performance.now() + 15_000
    while (performance.now() < end) {
      const { answers: [answer] } = await converse(port, [ask])
      const remaining = Number(answer?.headers.get('x-ratelimit-remaining'))
      if (remaining < 1_000_000) return
      await passed(100)
    }
    report.broke(`after ${name} clients are not counted again`, log.slice(-3).join('\n'))
  }
}

async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function startRedis (port: number, directory: string): Promise<Redis> {
  const child = kept(spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory]
  ))
  for await (const chunk of child.stdout) if (/Ready to accept connections/.test(String(chunk))) break
  child.stdout.resume()
  const tell = async (command: string) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => {})
    socket.write(`${command}\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer)
  }
  return { child, port, tell }
}
