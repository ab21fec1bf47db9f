import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { mock } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { createConnections } from '../../src/http/connections.ts'
import { createJournal } from '../../src/http/journal.ts'
import { closeOnSignals } from '../../src/command/closing.ts'

/** A server with a slow route, and a process that only notes how it is asked to end. */
async function start (prepare = (_app: FastifyInstance): void => {}, flush?: (done: () => void) => void) {
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
  const connections = createConnections()
  const app = Fastify({ serverFactory: connections.serve, return503OnClosing: false })
  app.decorate('journal', createJournal('error', { write, ...flush === undefined ? {} : { flush } }))
  app.decorate('connections', connections)
  app.get('/', async () => 'at once')
  app.get('/slow', async () => {
    gate.emit('asked')
    await once(gate, 'open')
    return 'late'
  })
  prepare(app)
  closeOnSignals(app, signals as unknown as NodeJS.Process)
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
    const asked = once(gate, 'asked')
    const slow = ask(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked

    signals.emit(signal)
    t.equal(await silent.closed, '')
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
  test(`an answer that never ends is waited for eight seconds, and cut with a word in a log ${name}`, async t => {
    const { app, exits, logged, signals, gate, port } = await start(undefined, flush)
    const asked = once(gate, 'asked')
    const slow = ask(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    const silent = ask(port, '')
    await once(silent.socket, 'connect')
    await asked
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    signals.emit('SIGTERM')
    mock.timers.tick(7999)
    t.strictSame([exits, logged], [[], []])
    mock.timers.tick(1)
    t.match(logged.join(''), '2 connections were cut after 8 s, 1 of them in the middle of an answer')
    mock.timers.tick(flush === undefined ? 0 : 500)
    t.strictSame(exits, [1])
    mock.timers.reset()
    slow.socket.destroy()
    silent.socket.destroy()
    gate.emit('open')
    await app.close()
  })
}

test('a fault while closing is logged and told by the exit code', async t => {
  const { exits, gate, logged, signals } = await start(app => {
    app.addHook('onClose', async () => { throw new Error('cannot close') })
  })
  const left = once(gate, 'exit')
  signals.emit('SIGTERM')
  await left
  t.strictSame(exits, [1])
  t.match(logged.join(''), 'cannot close')
})

test('what nobody catches ends the process with 1, after the log is written', async t => {
  const flushes: (() => void)[] = []
  const { app, exits, logged, signals } = await start(undefined, done => flushes.push(done))
  signals.emit('uncaughtException', new Error('broken'))
  t.match(JSON.parse(logged.join('')), { level: 60, err: { message: 'broken', stack: /at / } })
  t.strictSame(exits, [])
  flushes[0]?.()
  t.strictSame(exits, [1])
  await app.close()
})
