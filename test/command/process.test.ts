import { spawn, type StdioOptions } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import { closeOnSignals, watchPackageManager, watchParent } from '../../src/command/process.ts'
import { createLogger } from '../../src/http/log.ts'
import { createHttpServer, type DrainTimes } from '../../src/http/server.ts'
import type { Ready } from '../../src/command/banner.ts'
import { command, env, readyOf, run } from '../built.ts'
import { listen } from '../helper.ts'

/** A server with a slow route, and a process that only notes how it ends. */
async function start (prepare = (_app: FastifyInstance): void => {}, flush?: (done: () => void) => void, drainTimes?: DrainTimes) {
  const exits: unknown[] = []
  const logged: string[] = []
  const gate = new EventEmitter()
  const exit = (code: unknown) => {
    exits.push(code)
    gate.emit('exit')
  }
  const signals = Object.assign(new EventEmitter(), { exit })
  const write = (line: string) => {
    logged.push(line)
    gate.emit('logged')
  }
  const logger = createLogger('error', { write, ...flush === undefined ? {} : { flush } })
  const { serve, drain, close } = createHttpServer(logger, undefined, drainTimes ?? { announceTime: 1_000, maxTime: 8_000 })
  const app = Fastify({ serverFactory: serve, return503OnClosing: false })
  app.decorate('logger', logger)
  app.decorate('drain', drain)
  app.addHook('preClose', close)
  app.get('/slow', async () => {
    gate.emit('request')
    await once(gate, 'open')
    return 'late'
  })
  prepare(app)
  closeOnSignals(app, signals as unknown as NodeJS.Process)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, exits, logged, signals, gate, port }
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
  test(`a second ${signal} ends the process at once, an echo of the first doesn't`, async t => {
    mock.timers.enable({ apis: ['Date'] })
    t.teardown(() => mock.timers.reset())
    const { app, exits, signals } = await start()
    signals.emit('SIGINT')
    mock.timers.tick(500)
    signals.emit(String(signal))
    t.strictSame(exits, [])
    mock.timers.tick(1)
    signals.emit(String(signal))
    t.strictSame(exits, [code])
    await app.close()
    t.equal(exits.at(-1), undefined, 'with 0, unless something went wrong before')
  })
}

for (const [name, flush] of [['that can be written', undefined], ['that nobody takes', () => {}]] as const) {
  test(`a response that never ends is cut, which a log ${name} says`, async t => {
    const { app, exits, logged, signals, gate, port } = await start(undefined, flush, { announceTime: 0, maxTime: 50 })
    const received = once(gate, 'request')
    const slow = connect(port, '127.0.0.1').on('error', () => {})
    slow.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await received
    const left = once(gate, 'exit')
    const waiting = setInterval(() => {}, 1000) // the process would end otherwise
    t.teardown(() => clearInterval(waiting))
    signals.emit('SIGTERM')
    t.same(await slow.toArray().catch(() => []), [])
    await left
    t.match(logged.join(''), '"1 connection cut after 0.05 s"')
    t.strictSame(exits, [1])
    gate.emit('open')
    await app.close()
  })
}

test('an error while closing is logged, and the exit code is 1', async t => {
  const { exits, gate, logged, signals } = await start(app => {
    app.addHook('onClose', async () => { throw new Error('cannot close') })
  })
  const left = once(gate, 'exit')
  signals.emit('SIGTERM')
  await left
  t.strictSame(exits, [1])
  t.match(logged.join(''), 'cannot close')
})

test('an uncaught exception exits with 1 after the log is flushed', async t => {
  const flushes: (() => void)[] = []
  const { app, exits, logged, signals } = await start(undefined, done => flushes.push(done))
  signals.emit('uncaughtException', new Error('broken'))
  t.match(JSON.parse(logged.join('')), { level: 60, err: { message: 'broken', stack: /at / } })
  t.strictSame(exits, [])
  flushes[0]?.()
  t.strictSame(exits, [1])
  await app.close()
})

/** A process whose standard input has a descriptor of its own. */
function fakeProcess (fd: number) {
  const stdin = Object.assign(new PassThrough(), { fd, unref: () => stdin })
  return Object.assign(new EventEmitter(), { pid: 0, ppid: 2, stdin, send: undefined, connected: false }) as unknown as NodeJS.Process & { ppid: number, stdin: PassThrough }
}

/** The descriptor of a pipe. */
async function pipe (t: Test): Promise<number> {
  const socket = connect(await listen(t, createServer()), '127.0.0.1')
  await once(socket, 'connect')
  t.teardown(() => socket.destroy())
  return (socket as unknown as { _handle: { fd: number } })._handle.fd
}

test('the end of a standard input pipe calls back once', async t => {
  const process = fakeProcess(await pipe(t))
  let count = 0
  watchParent(process, () => count++)
  process.stdin.end()
  await once(process.stdin, 'close')
  process.emit('disconnect')
  t.equal(count, 1)
})

/** Captures the intervals that are set during some work, and returns what they call. */
function intervalsOf (t: Test, work: () => void): (() => void)[] {
  const set = t.capture(globalThis, 'setInterval', () => Object.assign(new EventEmitter(), { unref () { return this } }) as never)
  work()
  return (set() as unknown as { args: [() => void] }[]).map(({ args: [look] }) => look)
}

test('another parent calls back', async t => {
  const nothing = openSync('/dev/null', 'r')
  t.teardown(() => closeSync(nothing))
  const process = fakeProcess(nothing)
  let count = 0
  const [look] = intervalsOf(t, () => watchParent(process, () => count++))
  look?.()
  t.equal(count, 0)
  process.ppid = 1
  look?.()
  t.equal(count, 1)
})

test('a channel that is closed already calls back at once', async t => {
  let count = 0
  watchParent({ ...fakeProcess(0), send: () => true, connected: false }, () => count++)
  t.equal(count, 1)
})

test('a parent in another session calls back at once', { skip: process.platform !== 'linux' }, async t => {
  const parent = spawn('sleep', ['100'], { detached: true })
  t.teardown(() => parent.kill())
  await once(parent, 'spawn')
  let count = 0
  watchParent({ ...fakeProcess(0), pid: process.pid, ppid: Number(parent.pid) }, () => count++)
  t.equal(count, 1)
})

const serving = (t: Test, args: string[], stdio: StdioOptions) => run(t, ['--port', '0', ...args], { stdio })

test('--exit-with-parent ends with the parent, whom a message and a line told the URL', async t => {
  const child = serving(t, ['--exit-with-parent'], ['pipe', 'pipe', 'inherit', 'ipc'])
  const [[message], line] = await Promise.all([once(child, 'message') as Promise<[Ready]>, readyOf(child)])
  t.match(line, message)
  t.equal((await fetch(`${message.url}/api/v1/brakes/`)).status, 200)
  child.stdin.end()
  t.same(await once(child, 'exit'), [0, null])
})

test('--exit-with-parent ends where the IPC channel closes during the start', async t => {
  const child = serving(t, ['--exit-with-parent'], ['ignore', 'pipe', 'inherit', 'ipc'])
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
  t.equal(child.stdout.read(), null, 'it never listened')
})

test('--exit-with-parent ends where the parent exits during the start', { skip: process.platform !== 'linux' }, async t => {
  const server = [process.execPath, ...command('--port', '0', '--exit-with-parent')]
  const parent = spawn('sh', ['-c', '"$@" & echo $!', 'sh', ...server], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  t.match(await text(parent.stdout), /^\d+\n$/, 'the server closes its output without having listened')
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`the server ends with npm, which ends by ${signal}`, { skip: process.platform !== 'linux' }, async t => {
    const npm = spawn('npm', ['exec', '--call', [process.execPath, ...command('--port', '0')].join(' ')], { env: { ...process.env, ...env }, detached: true })
    t.teardown(() => { try { process.kill(-Number(npm.pid), 'SIGKILL') } catch {} })
    const ready = await readyOf(npm)
    npm.kill(signal)
    await text(npm.stdout) // ends when nobody can write to it
    await t.rejects(fetch(ready.url))
  })
}

test('without /proc the parent stands for npm; without npm nothing is watched', async t => {
  const child = { env: { npm_lifecycle_event: 'start' }, ppid: 2 ** 30 } // no process has this id
  let count = 0
  t.same(intervalsOf(t, () => watchPackageManager({ env: {}, ppid: 1 }, () => count++)), [])
  const [look] = intervalsOf(t, () => watchPackageManager(child, () => count++))
  look?.()
  t.equal(count, 0)
  child.ppid = 1
  look?.()
  t.equal(count, 1)
})

test('npm is found among the ancestors', { skip: process.platform !== 'linux' }, async t => {
  const npm = spawn('bash', ['-c', 'exec -a "npm start" bash -c "sleep 30 > /dev/null 2>&1 & echo \\$!; wait"'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const child = Number((await once(npm.stdout, 'data'))[0])
  t.teardown(() => process.kill(child))
  while (!readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith('sleep')) await new Promise(resolve => setImmediate(resolve))
  let count = 0
  const [look] = intervalsOf(t, () => watchPackageManager({ env: { npm_lifecycle_event: 'start' }, ppid: child }, () => count++))
  look?.()
  t.equal(count, 0)
  npm.kill('SIGKILL')
  await once(npm, 'exit')
  look?.()
  t.equal(count, 1)
  watchPackageManager({ env: { npm_lifecycle_event: 'start' }, ppid: 1 }, () => count++)
})
