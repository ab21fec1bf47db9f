import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test, type Test } from 'tap'
import { ReadyFileError, tellParent, watchParent, writeReadyFile } from '../../src/command/parent.ts'
import { version } from '../../src/package.ts'
import { built } from '../built.ts'

const ready = { url: 'http://127.0.0.1:3000', port: 3000, pid: 7, version, data: 'data', token: 'bct_x' }

test('the ready file is there whole, for its owner only, and gone when the process ends', async t => {
  const file = join(t.testdir(), 'ready.json')
  const process = new EventEmitter()
  writeReadyFile(file, ready, process as NodeJS.Process)
  t.same(JSON.parse(readFileSync(file, 'utf8')), ready)
  t.equal(statSync(file).mode & 0o777, 0o600)
  process.emit('exit')
  t.notOk(existsSync(file))
})

test('the ready file of another server is left alone, and one that is gone is no fault', async t => {
  const file = join(t.testdir(), 'ready.json')
  const process = new EventEmitter()
  writeReadyFile(file, ready, process as NodeJS.Process)
  writeFileSync(file, 'of another')
  process.emit('exit')
  t.equal(readFileSync(file, 'utf8'), 'of another')
  writeReadyFile(join(t.testdir(), 'gone.json'), ready, process as NodeJS.Process)
  t.testdir()
  t.doesNotThrow(() => process.emit('exit'))
})

test('a ready file that cannot be written is told with its path', async t => {
  const file = join(t.testdir(), 'missing', 'ready.json')
  t.throws(() => writeReadyFile(file, ready, new EventEmitter() as NodeJS.Process), new ReadyFileError(`--ready-file ${file} cannot be written: ENOENT: no such file or directory, open '${file}.7'`))
})

test('a parent with a channel gets a message, any other none', async t => {
  const sent: unknown[] = []
  const send = (message: unknown) => { sent.push(message); return true }
  tellParent(ready, { connected: true, send } as unknown as NodeJS.Process)
  tellParent(ready, { connected: false, send } as unknown as NodeJS.Process)
  t.same(sent, [{ event: 'listening', ...ready }])
})

/** A process whose standard input has a descriptor of its own. */
function fakeProcess (fd: number) {
  const stdin = Object.assign(new PassThrough(), { fd, unref: () => stdin })
  return Object.assign(new EventEmitter(), { ppid: 2, stdin }) as unknown as NodeJS.Process & { ppid: number, stdin: PassThrough }
}

/** The descriptor of a pipe. */
async function pipe (t: Test): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  t.teardown(() => { socket.destroy(); server.close() })
  return (socket as unknown as { _handle: { fd: number } })._handle.fd
}

test('the end of the pipe that is standard input is told once', async t => {
  const process = fakeProcess(await pipe(t))
  let count = 0
  watchParent(process, () => count++)
  process.stdin.end()
  await once(process.stdin, 'close')
  process.emit('disconnect')
  t.equal(count, 1)
})

test('a channel that closes is told', async t => {
  const nothing = openSync('/dev/null', 'r')
  t.teardown(() => closeSync(nothing))
  const process = fakeProcess(nothing)
  let count = 0
  watchParent(process, () => count++)
  process.stdin.end()
  process.stdin.resume()
  await once(process.stdin, 'close')
  t.equal(count, 0, 'the end of what is no pipe says nothing')
  process.emit('disconnect')
  t.equal(count, 1)
})

test('another parent is told', async t => {
  const nothing = openSync('/dev/null', 'r')
  t.teardown(() => closeSync(nothing))
  const clock = t.capture(globalThis, 'setInterval', (look: () => void) => Object.assign(new EventEmitter(), { look, unref () { return this } }) as never)
  const process = fakeProcess(nothing)
  let count = 0
  watchParent(process, () => count++)
  const [{ args: [look] = [] } = {}] = clock() as unknown as { args: [() => void] }[]
  look?.()
  t.equal(count, 0)
  process.ppid = 1
  look?.()
  t.equal(count, 1)
})

const env = { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' }

test('a server that is told to ends with its parent, and takes its ready file away', async t => {
  const file = join(t.testdir(), 'ready.json')
  const child = spawn(process.execPath, [join(built(), 'cli.js'), '--port', '0', '--ready-file', file, '--exit-with-parent'], { env, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [message] = await once(child, 'message') as [typeof ready & { event: string }]
  const { event, ...told } = message
  t.equal(event, 'listening')
  t.same(JSON.parse(readFileSync(file, 'utf8')), told)
  t.equal((await fetch(`${told.url}/api/v1/brakes/`)).status, 200)
  child.stdin?.end()
  const [code] = await once(child, 'exit')
  t.equal(code, 0)
  t.notOk(existsSync(file))
})

test('a server whose ready file cannot be written is not started', async t => {
  const child = spawn(process.execPath, [join(built(), 'cli.js'), '--port', '0', '--ready-file', '/nowhere/ready.json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [[code], [text]] = await Promise.all([once(child, 'exit'), once(child.stderr, 'data')])
  t.equal(code, 1)
  t.match(String(text), '--ready-file /nowhere/ready.json cannot be written: ENOENT')
})
