import { EventEmitter, once } from 'node:events'
import { type RequestListener } from 'node:http'
import { Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createHttpServer, type DrainTimes, createClientErrorHandler } from '../../src/http/server.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { boot } from '../../src/start.ts'
import { listen as listenOn, open, readRaw } from '../helper.ts'
import { PassThrough } from 'node:stream'

/** Starts a server that answers `/slow` when the gate opens, and anything else with its path; closes after `/last`. */
async function listen (t: Test, drainTimes?: DrainTimes) {
  const gate = new EventEmitter()
  const logger = createLogger('error', { write: () => {} }, () => [])
  const { serve, drain, close } = createHttpServer(logger, undefined, drainTimes)
  const answer: RequestListener = ({ url }, response) => {
    if (drain.isBegun || url === '/last') response.setHeader('connection', 'close')
    if (url === '/slow') gate.once('open', () => response.end('late'))
    else response.end(url)
    gate.emit('request', url)
  }
  const server = serve(answer)
  await listenOn(t, server)
  t.teardown(close)
  return { server, drain, close, gate }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

for (const [name, sent] of [
  ['has sent nothing', ''],
  ['has sent half a head', 'GET / HTTP/1.1\r\nHost:'],
  [
    'has sent half a form',
    [
      'POST /tokens/ HTTP/1.1', 'Host: a', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 99',
      '', 'label='
    ].join('\r\n')
  ],
  ['has read a response and is idle', get('/api/v1/bikes/')],
  ['takes a slow response', get('/api/v1/bikes/?__fault=drip&__delay=60000')]
] as const) {
  test(`close() of start() ends while a connection ${name}`, async t => {
    const isReading = sent.startsWith('GET /api')
    const settings = { ...defaultSettings, port: 0, simulate: true, logLevel: 'silent' } as const
    const { server } = await boot(settings, { drainTimes: { announceTime: 0, maxTime: isReading ? 60_000 : 100 } })
    t.teardown(server.close)
    const [socket] = await open(server.app.server, sent)
    if (isReading) await once(socket, 'data')
    const closed = once(socket.resume(), 'close')
    await Promise.all([server.close(), closed])
    if (sent === '') t.ok(server.app.drain.cut <= 1) // Node 26 closes it as idle, earlier versions do not
    else t.equal(server.app.drain.cut, isReading ? 0 : 1)
  })
}

test('a request that arrives on an idle connection while a closing server is busy gets its response', async t => {
  const { server, close } = await listen(t)
  const [socket] = await open(server, get('/a'))
  await once(socket, 'data')
  const closed = close()
  while (server.listening) await setImmediate()
  socket.write(get('/b'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200) // blocks the event loop
  t.match(await text(socket), /^HTTP\/1.1 200 OK[^]+\/b$/)
  await closed
})

test('a drain closes connections that have sent no request, before and after it begins', async t => {
  const { server, drain, close } = await listen(t, { announceTime: 1_000, maxTime: 4_000 })
  const [before] = await open(server)
  const closed = close()
  const [after] = await open(server)
  for (const [name, socket] of Object.entries({ before, after })) {
    t.match(await text(socket), /^(HTTP\/1.1 408 |$)/, name)
  }
  await closed
  t.equal(drain.cut, 0)
})

test('during the announcement, a new connection gets its whole response, even a slow one', async t => {
  const { server, drain, close, gate } = await listen(t, { announceTime: 50, maxTime: 4_000 })
  await open(server)
  const closed = close()
  const received = once(gate, 'request')
  const [slow] = await open(server, get('/slow'))
  await received
  while (server.listening) await setImmediate()
  gate.emit('open')
  t.match(await text(slow), /late$/)
  await closed
  t.equal(drain.cut, 0)
})

test('a server that does not inherit from that of node:net, as in Bun, closes too', async t => {
  const { server, close } = await listen(t)
  Object.defineProperty(Server, Symbol.hasInstance, { value: () => false, configurable: true })
  t.teardown(() => Reflect.deleteProperty(Server, Symbol.hasInstance))
  await close()
  t.notOk(server.listening)
})

test('a timeout is answered 408, once, and logged by its code', async t => {
  const lines: string[] = []
  const handle = createClientErrorHandler(createLogger('info', { write: line => lines.push(line) }, () => []))
  const socket = Object.assign(new PassThrough(), { bytesRead: 1 }) as unknown as Socket
  const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  for (let times = 0; times < 2; times++) handle(error, socket)
  t.match(readRaw(await text(socket)), { status: 408, body: '{"detail":"Request timed out."}' })
  const entries = lines.map(line => JSON.parse(line) as object)
  t.match(entries, [{ status: 408, msg: 'unparsable request: ERR_HTTP_REQUEST_TIMEOUT' }])
})

test('a connection that was opened and not used is answered 408, without a log line', async t => {
  const handle = createClientErrorHandler(createLogger('info', { write: line => t.fail(line) }, () => []))
  const socket = Object.assign(new PassThrough(), { bytesRead: 0 }) as unknown as Socket
  handle(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  t.match(readRaw(await text(socket)), { status: 408 })
})

test('a connection that failed is closed without a response or a log line', async t => {
  for (const code of ['ECONNRESET', 'ERR_SSL_HTTP_REQUEST']) {
    const socket = new PassThrough()
    const handle = createClientErrorHandler(createLogger('info', { write: line => t.fail(line) }, () => []))
    handle(Object.assign(new Error(code), { code }), socket as unknown as Socket)
    t.same([socket.destroyed, socket.read()], [true, null], code)
  }
})
