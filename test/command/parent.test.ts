import { spawn, type StdioOptions } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test, type Test } from 'tap'
import type { Ready } from '../../src/command/ready.ts'
import { watchParent } from '../../src/command/parent.ts'
import { command, env, readyOf, run } from '../built.ts'
import { listen } from '../helper.ts'

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
