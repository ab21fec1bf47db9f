import { clock } from '../clock.ts'
import { spawn, type StdioOptions } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test, type Test } from 'tap'
import { closeOnSignals, watchParent } from '../../src/command/process.ts'
import type { DrainTimes } from '../../src/http/server.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { boot } from '../../src/start.ts'
import type { Ready } from '../../src/command/banner.ts'
import { command, env, readyOf, run } from '../built.ts'
import { listen, open } from '../helper.ts'

const usualTimes: DrainTimes = { announceTime: 1_000, maxTime: 8_000 }

/** A server that closes on signals, and a process that only notes how it ends. */
async function start (drainTimes = usualTimes, flush?: (done: () => void) => void) {
  const [exits, logged]: [exits: unknown[], logged: string[]] = [[], []]
  const exit = (code: unknown) => {
    exits.push(code)
    signals.emit('exit')
  }
  const signals = Object.assign(new EventEmitter(), { exit })
  const stream = { write: (line: string) => logged.push(line), ...flush && { flush } }
  const { server } = await boot({ ...defaultSettings, port: 0, logLevel: 'error' }, { stream, drainTimes })
  closeOnSignals(server.app, signals as unknown as NodeJS.Process)
  return { app: server.app, exits, logged, signals }
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
  test(`a second ${signal} ends the process at once, an echo of the first doesn't`, async t => {
    const { app, exits, signals } = await start()
    signals.emit('SIGINT')
    clock.ahead += 400
    signals.emit(String(signal))
    t.strictSame(exits, [])
    clock.ahead += 101
    signals.emit(String(signal))
    t.strictSame(exits, [code])
    await app.close()
    t.equal(exits.at(-1), undefined, 'with 0, unless something went wrong before')
  })
}

const type = 'application/x-www-form-urlencoded'

for (const [name, flush] of [['that can be written', undefined], ['that nobody takes', () => {}]] as const) {
  test(`a request that never ends is cut, which a log ${name} says`, async t => {
    const { app, exits, logged, signals } = await start({ announceTime: 0, maxTime: 50 }, flush)
    const head = `POST /tokens/ HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 99`
    const [slow] = await open(app.server, `${head}\r\n\r\nlabel=`)
    const left = once(signals, 'exit')
    const waiting = setInterval(() => {}, 1000) // the process would end otherwise
    t.teardown(() => clearInterval(waiting))
    signals.emit('SIGTERM')
    t.same(await slow.toArray().catch(() => []), [])
    await left
    t.match(logged.join(''), '"1 connection cut after 0.05 s"')
    t.strictSame(exits, [1])
  })
}

test('an error while closing is logged, and the exit code is 1', async t => {
  const { app, exits, logged, signals } = await start()
  const close = app.close.bind(app)
  t.intercept(app, 'close', { value: () => close().then(() => { throw new Error('cannot close') }) })
  const left = once(signals, 'exit')
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

/** A process with standard input of its own, whose parent has an id that no process has. */
function fakeProcess (fd: number) {
  const stdin = Object.assign(new PassThrough(), { fd, unref: () => stdin })
  const process = { ppid: 2 ** 30, stdin, send: undefined, connected: false }
  type Fake = NodeJS.Process & { ppid: number, stdin: PassThrough }
  return Object.assign(new EventEmitter(), process) as unknown as Fake
}

test('the end of a standard input pipe calls back once', async t => {
  const socket = connect(await listen(t, createServer()), '127.0.0.1')
  await once(socket, 'connect')
  t.teardown(() => socket.destroy())
  const process = fakeProcess((socket as unknown as { _handle: { fd: number } })._handle.fd)
  let count = 0
  watchParent(process, true, () => count++)
  process.stdin.end()
  await once(process.stdin, 'close')
  process.emit('disconnect')
  t.equal(count, 1)
})

test('another parent calls back', async t => {
  const nothing = openSync('/dev/null', 'r')
  t.teardown(() => closeSync(nothing))
  const set = t.capture(globalThis, 'setInterval', () => ({ unref () {} }) as never)
  for (const isStrict of [true, false]) {
    const process = fakeProcess(nothing)
    let count = 0
    watchParent(process, isStrict, () => count++)
    const [look] = (set() as unknown as { args: [() => void] }[]).map(({ args: [look] }) => look)
    look?.()
    t.equal(count, 0, String(isStrict))
    process.ppid = 1
    look?.()
    t.equal(count, 1, String(isStrict))
  }
})

test('a channel that is closed already calls back at once', async t => {
  let count = 0
  const { pid, ppid } = process
  watchParent({ ...fakeProcess(0), pid, ppid, send: () => true, connected: false }, true, () => count++)
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

const onlyOnLinux = { skip: process.platform !== 'linux' }

test('--exit-with-parent ends where the parent exits during the start', onlyOnLinux, async t => {
  const start = [process.execPath, ...command('--port', '0', '--exit-with-parent')].join(' ')
  const shell = spawn('sh', ['-c', `${start} & :`], { env: { ...process.env, ...env }, detached: true })
  t.teardown(() => { try { process.kill(-Number(shell.pid), 'SIGKILL') } catch {} })
  t.equal(await text(shell.stdout), '', 'it never listened')
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`the server ends with npm, which ends by ${signal}`, onlyOnLinux, async t => {
    const call = [process.execPath, ...command('--port', '0')].join(' ')
    const npm = spawn('npm', ['exec', '--call', call], { env: { ...process.env, ...env }, detached: true })
    t.teardown(() => { try { process.kill(-Number(npm.pid), 'SIGKILL') } catch {} })
    const ready = await readyOf(npm)
    npm.kill(signal)
    await text(npm.stdout) // ends when nobody can write to it
    await t.rejects(fetch(ready.url))
  })
}
