import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer as createHop, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort, kept, startServer, type Running } from '../../tools/process.ts'

/** The proxies that have a file in deploy/. */
export const proxies = ['nginx', 'varnish'] as const

export type Proxy = (typeof proxies)[number]

const binaries = {
  nginx: 'nginx',
  varnish: 'varnishd',
  redis: 'redis-server',
  systemd: 'systemd-analyze',
  strace: 'strace',
  buildah: 'buildah',
  mmdebstrap: 'mmdebstrap',
  promtool: 'promtool',
  pytest: 'pytest-3',
  go: 'go',
  java: 'java',
  chromium: 'chromium',
  firefox: 'firefox-esr',
  wine: 'wine',
  webkit: 'WebKitWebDriver',
  xvfb: 'Xvfb'
} as const

/** Programs of the tests that `.ci/run` leaves to `.ci/run --all`. */
const weekly: readonly string[] = ['java', 'promtool', 'webkit', 'wine', 'xvfb']

/** Returns why a test that needs programs is skipped; false if they are installed, and in CI, which installs them. */
export function without (...programs: (keyof typeof binaries)[]): string | false {
  const { CI } = process.env
  if (CI === 'all') return false
  if (CI === 'true') return programs.some(name => weekly.includes(name)) && '.ci/run --all runs it'
  const missing = programs.map(name => binaries[name])
    .filter(binary => spawnSync(binary, ['--version']).error !== undefined)
  return missing.length > 0 && `${missing.join(' and ')} not installed`
}

/** Runs a program and returns its output. Throws unless it exits with 0. */
export function outputOf (command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ended with ${status}: ${error?.message ?? stdout + stderr}`)
  }
  return (stdout + stderr).trim()
}

/** Returns a new folder outside the project; it is deleted after the test. */
export function folder (t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'deploy-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Copies the files of the project that git has, with their changes, and nothing that was installed or built. */
export function bareClone (t: Test): string {
  const clone = folder(t)
  const files = outputOf('git', 'ls-files', '--cached', '--others', '--exclude-standard').split('\n')
  for (const file of files) cpSync(file, join(clone, file))
  return clone
}

/** Returns a shipped file with values of this machine in place of its own. Throws if the file lacks one of its own. */
export function shipped (file: string, values: Values): string {
  return Object.entries(values).reduce((text, [own, value]) => {
    if (!text.includes(own)) throw new Error(`${file} has no ${own}`)
    return text.replaceAll(own, value)
  }, readFileSync(file, 'utf8'))
}

type Ports = readonly [one: number, two: number]
type Values = Readonly<Record<string, string>>

/**
 * Starts a proxy with its shipped file in front of two servers, and returns its port. `flags` are added to its command,
 * `values` replace some of its file.
 */
export async function startProxy (
  t: Test,
  proxy: Proxy,
  ports: Ports,
  flags: readonly string[] = [],
  values: Values = {}
) {
  const port = await freePort()
  const [command, args] = commands[proxy](folder(t), port, ports, values)
  run(t, command, [...args, ...flags])
  await reachable(port)
  return port
}

/** Replaces the limits of nginx.conf, which most tests exceed. */
const unlimited = {
  'rate=50r/s': 'rate=1000000r/s',
  'burst=200': 'burst=1000000',
  'connections 100': 'connections 60000'
}

type ToCommand = (folder: string, port: number, ports: Ports, values: Values) => [string, string[]]

const commands: Readonly<Record<Proxy, ToCommand>> = {
  nginx (folder, port, [one, two], values) {
    writeFileSync(join(folder, 'site.conf'), shipped('deploy/nginx.conf', {
      ...'burst=200' in values ? {} : unlimited,
      ...values,
      'listen 80; listen [::]:80;': `listen 127.0.0.1:${port};`,
      '127.0.0.1:3001': `127.0.0.1:${one}`,
      '127.0.0.1:3002': `127.0.0.1:${two}`,
      '/var/cache': folder
    }))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(name => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    writeFileSync(join(folder, 'nginx.conf'), `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      worker_processes 2; daemon off; pid ${folder}/pid; error_log ${folder}/errors;
      events {} http { access_log off; ${temporary} include ${folder}/site.conf; }`)
    return ['nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'errors')]]
  },
  varnish (folder, port, [one, two], values) {
    const site = join(folder, 'site.vcl')
    const own = { ...values, '"3001"': `"${one}"`, '"3002"': `"${two}"` }
    writeFileSync(site, shipped('deploy/varnish.vcl', own))
    const parameters = ['-p', 'http_gzip_support=off', '-p', 'thread_pool_min=50', '-s', 'malloc,64m', '-j', 'none']
    const places = ['-a', `127.0.0.1:${port}`, '-f', site, '-n', join(folder, 'varnish')]
    return ['varnishd', ['-F', ...places, ...parameters]]
  }
}

export async function startRedis (t: Test): Promise<string> {
  const port = await freePort()
  run(t, 'redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder(t)])
  await reachable(port)
  return `redis://127.0.0.1:${port}`
}

function run (t: Test, command: string, args: string[]): void {
  const child = kept(spawn(command, args, { stdio: 'ignore' }))
  const exited = once(child, 'exit')
  t.teardown(() => child.kill('SIGTERM') && exited)
}

/** Waits until a port of this machine accepts connections. */
export async function reachable (port: number): Promise<void> {
  for (let isOpen = false; !isOpen;) {
    const socket = connect(port, '127.0.0.1')
    isOpen = await once(socket, 'connect').then(() => true, () => false)
    socket.destroy()
    if (!isOpen) await sleep(20)
  }
}

/** Starts a server that trusts proxies on this machine. */
export async function startReplica (t: Test, flags: readonly string[]): Promise<Running> {
  const replica = await startServer(['--trust-proxy', '127.0.0.1', ...flags])
  t.teardown(() => replica.stop())
  return replica
}

export type Hop = Awaited<ReturnType<typeof startHop>>

/** Starts a hop between a proxy and a server. A test sees its requests, and makes responses stale, late or absent. */
export async function startHop (t: Test, replica: number) {
  const server = createHop((incoming, outgoing) => {
    hop.received.push(`${incoming.method} ${incoming.url}`)
    const { method, url: path, headers } = incoming
    const target = { port: replica, host: '127.0.0.1', method, path, headers, agent: false }
    const answerWith = (answer: IncomingMessage) => {
      const { 'cache-control': caching = '', ...rest } = answer.headers
      const changed = hop.maxAge === undefined ? caching : caching.replace(/max-age=\d+/, `max-age=${hop.maxAge}`)
      const headers = changed === '' ? rest : { ...rest, 'cache-control': changed }
      outgoing.writeHead(answer.statusCode as number, headers)
      answer.pipe(outgoing)
    }
    const passOn = () => incoming.pipe(request(target, answerWith).on('error', () => outgoing.destroy()))
    if (hop.gate === undefined) passOn()
    else hop.gate.then(passOn, passOn)
  })
  const listen = async (port: number) => { await once(server.listen(port, '127.0.0.1'), 'listening') }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const hop = {
    port,
    /** The requests received, in order. */
    received: [] as string[],
    /** The max-age of responses, in seconds; undefined for that of the server. */
    maxAge: undefined as number | undefined,
    /** The promise that every response waits for. */
    gate: undefined as Promise<unknown> | undefined,
    /** Closes all connections, and accepts no more. */
    async down () {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    up: () => listen(port)
  }
  t.teardown(() => server.listening ? hop.down() : undefined)
  return hop
}

export type Answer = { status: number, headers: IncomingHttpHeaders, body: string }
export type Asking = {
  method?: string
  headers?: Record<string, string | string[]>
  /** An address of this machine that sends the request. */
  from?: string
  agent?: Agent
  body?: string
}

/** Sends a request to a port of this machine, as a client of bikes.test. */
export async function ask (port: number, path: string, asking: Asking = {}): Promise<Answer> {
  const { method = 'GET', from: localAddress = '127.0.0.1', agent = false } = asking
  const headers = { host: 'bikes.test', ...asking.headers }
  const sent = request({ host: '127.0.0.1', port, path, method, localAddress, agent, headers })
  sent.end(asking.body)
  const [answer] = await once(sent, 'response') as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const status = answer.statusCode as number
  return { status, headers: answer.headers, body: Buffer.concat(chunks).toString('latin1') }
}
