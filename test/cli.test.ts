import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Test, test } from 'tap'
import { dataDirectory, version } from '../src/package.ts'
import { built } from './built.ts'
import { valid } from './catalogue/changed.ts'

const command = () => join(built(), 'cli.js')

/** Starts the real command, with no variable of this environment. */
function run (t: Test, ...args: string[]) {
  return runNode(t, command(), ...args)
}

function runNode (t: Test, ...args: string[]) {
  const env = { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' } // a pipe cannot cover what is said in a terminal
  const child = spawn(process.execPath, args, { env })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function endOf (child: ReturnType<typeof run>) {
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

for (const { args, code, stdout = '', stderr = '' } of [
  { args: ['--version'], code: 0, stdout: `${version}\n` },
  { args: ['verify'], code: 2, stderr: 'verify takes one URL, such as http://127.0.0.1:3000 (bicycle-catalogue verify --help)\n' },
  { args: ['healthcheck', 'nowhere'], code: 1, stderr: '"nowhere" is no http or https URL\n' },
  { args: ['healthcheck', '--port', '80'], code: 1, stderr: 'healthcheck takes one URL at most, such as http://127.0.0.1:3000 (bicycle-catalogue healthcheck --help)\n' },
  { args: ['--prot', '80'], code: 1, stderr: 'unknown flag --prot; did you mean --port? (--help lists them)\n' }
]) {
  test(`bicycle-catalogue ${args.join(' ')}`, async t => {
    t.strictSame(await endOf(run(t, ...args)), { code, stdout, stderr })
  })
}

test('init where no directory can be made, although there is no such one', { skip: process.platform !== 'linux' }, async t => {
  const child = run(t, 'init', '/proc/x/data')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  const end = await endOf(child)
  clearTimeout(late)
  t.strictSame(end, {
    code: 1,
    stdout: '',
    stderr: 'nothing can be copied to /proc/x/data: it cannot be made: ENOENT: no such file or directory, mkdir \'/proc/x\'\n'
  })
})

test('verify stops at SIGINT and says so', async t => {
  const silent = createServer().listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const child = run(t, 'verify', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  const ended = endOf(child)
  const [socket] = await once(silent, 'connection')
  child.kill('SIGINT')
  t.strictSame(await ended, { code: 2, stdout: '', stderr: 'stopped before the end\n' })
  socket.destroy()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`the command serves until ${signal}`, async t => {
    const child = run(t, '--port', '0')
    const ended = endOf(child)
    const [line] = await once(child.stdout, 'data')
    const { url, ...ready } = JSON.parse(String(line))
    const { token, note, ...others } = ready
    t.strictSame(others, { event: 'listening', port: Number(new URL(url).port), pid: child.pid, version, data: dataDirectory })
    t.match(note, /^Issued tokens end with this process/)
    t.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)

    const response = await fetch(`${url}/api/v1/bikes/`)
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'application/json')
    await response.arrayBuffer()
    t.equal((await fetch(`${url}/api/v2/bikes/`, { headers: { authorization: `Token ${token}` } })).status, 200)

    child.kill(signal)
    t.match(await ended, { code: 0, stdout: String(line), stderr: '' })
    await t.rejects(fetch(url))
  })
}

test('a server that is told to end as soon as it listens says nothing of being ready', async t => {
  const ends = `
    import { Server } from 'node:net'
    const { listen } = Server.prototype
    Server.prototype.listen = function (...args) {
      return listen.apply(this.once('listening', () => process.kill(process.pid, 'SIGTERM')), args)
    }`
  const child = runNode(t, '--import', `data:text/javascript,${encodeURIComponent(ends)}`, command(), '--port', '0')
  t.strictSame(await endOf(child), { code: 0, stdout: '', stderr: '' })
})

test('the log has every answer before SIGTERM', async t => {
  const child = run(t, '--port', '0', '--log-requests')
  const ended = endOf(child)
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line)) as { url: string }
  for (const path of ['/api/v1/brakes/', '/nope']) await (await fetch(url + path)).arrayBuffer()
  child.kill('SIGTERM')
  const { stderr } = await ended
  t.match(stderr.trimEnd().split('\n').map(line => JSON.parse(line) as object), [
    { level: 30, time: Number, method: 'GET', url: '/api/v1/brakes/', status: 200, ms: Number, ip: '127.0.0.1', msg: 'answered' },
    { url: '/nope', status: 404 }
  ])
})

test('faulty data: every fault, a summary, and nothing that listens', async t => {
  const { code, stdout, stderr } = await endOf(run(t, '--port', '0', '--data', t.testdir({ v1: { 'bikes.json': '{' } })))
  const lines = stderr.trimEnd().split('\n')
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(lines[0], /bikes\.json:1:2 /)
  t.equal(lines.at(-1), `${lines.length - 1} faults in the data; the server was not started`)
  t.notMatch(stderr, /^ +at /m)
})

test('a port in use', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  t.strictSame(await endOf(run(t, '--port', String(port))), {
    code: 1,
    stdout: '',
    stderr: `port ${port} on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one\n`
  })
})

test('a reader that has gone away', async t => {
  const child = run(t, '--help')
  child.stdout.destroy()
  const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  t.strictSame({ code, stderr }, { code: 0, stderr: '' })
})

test('SIGHUP reads the data and the file of tokens anew', async t => {
  const folder = t.testdir({ tokens: 'one' })
  cpSync(valid, join(folder, 'data'), { recursive: true })
  const child = run(t, '--port', '0', '--data', join(folder, 'data'), '--tokens-file', join(folder, 'tokens'))
  const ended = endOf(child)
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line))
  writeFileSync(join(folder, 'tokens'), 'two,three')
  writeFileSync(join(folder, 'data/v1/brakes.json'), '{')
  for (const said of [/brakes\.json:1:2 .*1 fault in the data; the last good data/s, /read anew: 2 tokens".*the data were read anew: digest \w+, as before/s]) {
    child.kill('SIGHUP')
    for (let log = ''; !said.test(log);) log += String((await once(child.stderr, 'data'))[0])
    cpSync(valid, join(folder, 'data'), { recursive: true })
  }
  t.equal((await fetch(`${url}/api/v2/bikes/`, { headers: { authorization: 'Token two' } })).status, 200)
  child.kill('SIGTERM')
  t.equal((await ended).code, 0)
})
