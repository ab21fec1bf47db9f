import { EventEmitter, once } from 'node:events'
import { type RequestListener } from 'node:http'
import { connect, Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createHttpServer, type DrainTimes } from '../../src/http/server.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { boot } from '../../src/start.ts'
import { listen as listenOn } from '../helper.ts'

/** Starts a server that answers `/slow` when the gate opens, and anything else with its path; closes after `/last`. */
async function listen (t: Test, drainTimes?: DrainTimes) {
  const gate = new EventEmitter()
  const { serve, drain, close } = createHttpServer(createLogger('error', { write: () => {} }), undefined, drainTimes)
  const answer: RequestListener = ({ url }, response) => {
    if (drain.isBegun || url === '/last') response.setHeader('connection', 'close')
    if (url === '/slow') gate.once('open', () => response.end('late'))
    else response.end(url)
    gate.emit('request', url)
  }
  const server = serve(answer)
  const port = await listenOn(t, server)
  t.teardown(close)
  const open = (sent = '') => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).write(sent)
    return socket
  }
  return { server, drain, close, gate, open }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

for (const [name, sent] of [
  ['has sent nothing', ''],
  ['has sent half a head', 'GET / HTTP/1.1\r\nHost:'],
  ['has sent half a form', 'POST /tokens/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nlabel='],
  ['has read a response and is idle', get('/api/v1/bikes/')],
  ['takes a slow response', get('/api/v1/bikes/?__fault=drip&__delay=60000')]
]) {
  test(`close() of start() ends while a connection ${name}`, async t => {
    const { server } = await boot({ ...defaultSettings, port: 0, simulate: true, logLevel: 'silent' }, { drainTimes: { announceTime: 0, maxTime: sent?.startsWith('GET /api') ? 60_000 : 100 } })
    t.teardown(server.close)
    const accepted = once(server.app.server, 'connection') as Promise<[Socket]>
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    const [served] = await accepted
    if (sent !== '') {
      const received = once(served, 'data')
      socket.write(sent as string)
      await received
      if (sent?.startsWith('GET /api')) await once(socket, 'data')
    }
    const closed = once(socket.resume(), 'close')
    await Promise.all([server.close(), closed])
    if (sent === '') t.ok(server.app.drain.cut <= 1) // Node 26 closes it as idle, earlier versions do not
    else t.equal(server.app.drain.cut, sent?.startsWith('GET /api') ? 0 : 1)
  })
}

test('a request that arrives on an idle connection while a closing server is busy gets its response', async t => {
  const { server, close, open } = await listen(t)
  const socket = open(get('/a'))
  await once(socket, 'data')
  const closed = close()
  while (server.listening) await setImmediate()
  socket.write(get('/b'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200) // blocks the event loop
  t.match(await text(socket), /^HTTP\/1.1 200 OK[^]+\/b$/)
  await closed
})

test('a drain closes connections that have sent no request, before and after it begins', async t => {
  const { server, drain, close, open } = await listen(t, { announceTime: 1_000, maxTime: 4_000 })
  const accepted = once(server, 'connection')
  const before = text(open())
  await accepted
  const closed = close()
  const after = text(open())
  for (const [name, closing] of Object.entries({ before, after })) t.match(await closing, /^(HTTP\/1.1 408 |$)/, name)
  await closed
  t.equal(drain.cut, 0)
})

test('a response that takes longer than the announcement is sent in full, on a connection that was opened in it', async t => {
  const { server, drain, close, gate, open } = await listen(t, { announceTime: 50, maxTime: 4_000 })
  const accepted = once(server, 'connection')
  open()
  await accepted
  const closed = close()
  const received = once(gate, 'request')
  const slow = text(open(get('/slow')))
  await received
  while (server.listening) await setImmediate()
  gate.emit('open')
  t.match(await slow, /late$/)
  await closed
  t.equal(drain.cut, 0)
})

test('a server that is none of node:net, as that of Bun, closes too', async t => {
  const { server, close } = await listen(t)
  Object.defineProperty(Server, Symbol.hasInstance, { value: () => false, configurable: true })
  t.teardown(() => Reflect.deleteProperty(Server, Symbol.hasInstance))
  await close()
  t.notOk(server.listening)
})
