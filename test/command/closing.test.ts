import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { mock } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createHttpServer, type Drain } from '../../src/http/server.ts'
import { closeOnSignals } from '../../src/command/serve.ts'

/** A server with a slow route, and a process that only notes how it ends. */
async function start (prepare = (_app: FastifyInstance): void => {}, flush?: (done: () => void) => void, times?: Pick<Drain, 'announceTime' | 'maxTime'>) {
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
  const { serve, drain, close } = createHttpServer(logger)
  const app = Fastify({ serverFactory: serve, return503OnClosing: false })
  app.decorate('logger', logger)
  app.decorate('drain', drain)
  app.addHook('preClose', close)
  app.get('/', async () => 'at once')
  app.get('/slow', async () => {
    gate.emit('request')
    await once(gate, 'open')
    return 'late'
  })
  prepare(app)
  closeOnSignals(app, signals as unknown as NodeJS.Process, times)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, exits, logged, signals, gate, port }
}

function ask (port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', chunk => { answer += chunk })
  socket.on('error', () => {})
  if (text) socket.write(text)
  return { socket, closed: once(socket, 'close').then(() => answer) }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`${signal} ends idle and silent connections, and waits for the answer under way`, { timeout: 10_000 }, async t => {
    const { exits, signals, gate, port } = await start()
    const silent = ask(port, '')
    const idle = ask(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(idle.socket, 'data')
    const received = once(gate, 'request')
    const slow = ask(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await received

    signals.emit(signal)
    t.match(await silent.closed, /^(HTTP\/1.1 408 |$)/)
    t.match(await idle.closed, 'at once')
    gate.emit('open')
    const left = once(gate, 'exit')
    t.match(await slow.closed, /HTTP\/1.1 200 OK[^]+late$/)
    await left
    await t.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
    t.strictSame(exits, [undefined], 'with 0, unless something went wrong before')
  })
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
  test(`a second ${signal} ends the process at once, an echo of the first doesn't`, async t => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'] })
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
  })
}

for (const [name, flush] of [['that can be written', undefined], ['that nobody takes', () => {}]] as const) {
  test(`a response that never ends is cut, which a log ${name} says`, async t => {
    const { app, exits, logged, signals, gate, port } = await start(undefined, flush, { announceTime: 0, maxTime: 50 })
    const received = once(gate, 'request')
    const slow = ask(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await received
    const left = once(gate, 'exit')
    const waiting = setInterval(() => {}, 1000) // the process would end otherwise
    t.teardown(() => clearInterval(waiting))
    signals.emit('SIGTERM')
    t.equal(await slow.closed, '')
    await left
    t.match(logged.join(''), '"1 connection was cut after 0.05 s"')
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
