import { once } from 'node:events'
import { createServer, type RequestListener, Server as HttpServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { connect as connectSecurely, Server as SecureServer } from 'node:tls'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../src/app.ts'
import type { Catalogue } from '../src/catalogue/catalogue.ts'
import type { linkLists } from '../src/catalogue/authored/link.ts'
import type { LiveCatalogue } from '../src/catalogue/live.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { defaultSettings, type Options, type Settings } from '../src/settings/settings.ts'
import { boot, start } from '../src/start.ts'
import { checkAnswers } from './openapi/conformance.ts'
import './limit.ts'

type AuthoredLists = ReturnType<typeof linkLists>
export type Authored = Omit<Catalogue, keyof AuthoredLists> & AuthoredLists

/** Loads authored data. */
export async function loadAuthored (...source: Parameters<typeof loadCatalogue>): Promise<Authored> {
  return await loadCatalogue(...source) as Authored
}

/** The hand-written catalogue. */
export const catalogue = await loadAuthored(defaultSettings.data)

/** Returns a catalogue with invalid wheels. */
export function brokenCatalogue (message: string): Catalogue {
  return { ...catalogue, wheels: [{ ...catalogue.wheels[0]!, get spokecount (): never { throw new Error(message) } }] }
}

const quiet = { logLevel: 'silent', rateLimit: false } as const

/**
 * Builds a server that closes at the end of the test; without rate limits by default. Checks responses against
 * schemas/openapi.json.
 */
export async function build (
  t: Test,
  settings: Partial<Settings> = {},
  records: Catalogue = catalogue
): Promise<FastifyInstance> {
  const app = await buildApp(records, { ...defaultSettings, ...quiet, ...settings })
  t.teardown(() => app.close())
  checkAnswers(app)
  return app
}

/** A server for all tests of a file, built at the first request; `inject` sends a request, `send` sends raw text. */
export function shared (t: Test, settings: Partial<Settings> = {}) {
  let app: Promise<FastifyInstance> | undefined
  const built = () => (app ??= build(t, settings))
  return {
    inject: async (request: InjectOptions | string) => (await built()).inject(request),
    send: async (text: string) => sendRaw(await built(), text)
  }
}

/** Builds a server that collects its log, and closes at the end of the test; its responses are not checked. */
export async function buildLogged (
  t: Test,
  settings: Partial<Settings> = {},
  records: Catalogue = catalogue,
  current?: LiveCatalogue
) {
  const log: Record<string, unknown>[] = []
  const write = (line: string) => log.push(JSON.parse(line) as Record<string, unknown>)
  const app = await buildApp(records, { ...defaultSettings, ...settings }, { write }, current)
  t.teardown(() => app.close())
  return { app, log }
}

/** Starts a server as a program does, and closes it at the end of the test. */
export async function started (t: Test, options: Options = {}) {
  const server = await start(options)
  t.teardown(server.close)
  return server
}

/** Boots a server that closes at the end of the test, and collects the messages of its log, and its warnings. */
export async function booted (t: Test, settings: Partial<Settings>, readAgain?: () => Settings) {
  const [said, warned]: [string[], string[]] = [[], []]
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number, msg: string }
    said.push(msg)
    if (level === 40) warned.push(msg)
  }
  const ownSettings = { ...defaultSettings, port: 0, rateLimit: false, ...settings }
  const { server } = await boot(ownSettings, { stream: { write }, ...readAgain && { readAgain } })
  t.teardown(server.close)
  return { server, said, warned }
}

/** Has a server listen on a free port of this machine until the end of the test, and returns the port. */
export async function listen (t: Test, server: Server, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(0, host), 'listening')
  t.teardown(() => {
    if (server instanceof HttpServer) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Serves what a listener responds until the end of the test, and returns the origin. */
export async function serve (t: Test, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(listener))}`
}

/** Opens a connection to a listening server and sends text; returns both sockets when the server has received it. */
export async function open (server: Server, sent = ''): Promise<[socket: Socket, served: Socket]> {
  const isSecure = server instanceof SecureServer
  const { port } = server.address() as AddressInfo
  const accepted = once(server, isSecure ? 'secureConnection' : 'connection') as Promise<[Socket]>
  const socket = isSecure
    ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const [served] = await accepted
  if (sent === '') return [socket, served]
  const received = once(served, 'data')
  socket.write(sent)
  await received
  return [socket, served]
}

/** Replaces a function of a built-in module until the end of the test, for those too that import it by name. */
export function replaceExport<T extends object, K extends keyof T> (
  t: Test,
  module: T,
  name: K,
  replacement: T[K]
): void {
  const original = module[name]
  const put = (value: T[K]) => {
    module[name] = value
    syncBuiltinESMExports()
  }
  put(replacement)
  t.teardown(() => put(original))
}

/**
 * Sends text as it is to a listening server; returns the text that the server sends until the connection ends, and
 * `closed` or the code of the error.
 */
export async function exchange (app: FastifyInstance, text: string, encoding: BufferEncoding = 'latin1') {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text))
  let [answer, end] = ['', 'closed']
  return await new Promise<{ answer: string, end: string }>(resolve => {
    socket.setEncoding(encoding).on('data', (chunk: string) => { answer += chunk })
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => { end = code })
    socket.on('close', () => resolve({ answer, end }))
  })
}

/** Sends text as `exchange` does. Throws unless the connection is closed without an error. */
export async function sendRaw (app: FastifyInstance, text: string): Promise<string> {
  const { answer, end } = await exchange(app, text, 'utf8')
  if (end !== 'closed') throw new Error(end)
  return answer
}

/** The parts of a response of `sendRaw`. */
export function readRaw (answer: string): { status: number, headers: Map<string, string>, body: string } {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s)
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Map<string, string>()
  for (const field of fields) {
    const [name = '', value = ''] = field.split(/: (.*)/s)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(line.split(' ')[1]), headers, body }
}
