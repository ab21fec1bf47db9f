import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { mock } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { createLogger } from '../../src/http/log.ts'
import { createHttpServer, type Drain } from '../../src/http/server.ts'
import { closeOnSignals } from '../../src/command/process.ts'

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
    t.strictSame(exits, [code, undefined], 'with 0, unless something went wrong before')
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
