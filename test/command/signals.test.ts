import { clock } from '../clock.ts'
import { EventEmitter, once } from 'node:events'
import { test } from 'tap'
import { closeOnSignals } from '../../src/command/signals.ts'
import type { DrainTimes } from '../../src/http/server.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { boot } from '../../src/start.ts'
import { open } from '../helper.ts'

const usualTimes: DrainTimes = { announceTime: 1_000, maxTime: 8_000 }

/** A server that closes on signals, and a process that only notes how it ends. */
async function start (drainTimes = usualTimes, flush?: (done: () => void) => void) {
  const [exits, logged]: [exits: unknown[], logged: string[]] = [[], []]
  const exit = (code: unknown) => {
    exits.push(code)
    signals.emit('exit')
  }
  const signals = Object.assign(new EventEmitter(), { exit })
  const stream = { write: (line: string) => logged.push(line), ...flush && { flush } }
  const { server } = await boot({ ...defaultSettings, port: 0, logLevel: 'error' }, { stream, drainTimes })
  closeOnSignals(server.app, signals as unknown as NodeJS.Process)
  return { app: server.app, exits, logged, signals }
}

for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
  test(`a second ${signal} ends the process at once, an echo of the first doesn't`, async t => {
    const { app, exits, signals } = await start()
    signals.emit('SIGINT')
    clock.ahead += 400
    signals.emit(String(signal))
    t.strictSame(exits, [])
    clock.ahead += 101
    signals.emit(String(signal))
    t.strictSame(exits, [code])
    await app.close()
    t.equal(exits.at(-1), undefined, 'with 0, unless something went wrong before')
  })
}

const type = 'application/x-www-form-urlencoded'

for (const [name, flush] of [['that can be written', undefined], ['that nobody takes', () => {}]] as const) {
  test(`a request that never ends is cut, which a log ${name} says`, async t => {
    const { app, exits, logged, signals } = await start({ announceTime: 0, maxTime: 50 }, flush)
    const head = `POST /tokens/ HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 99`
    const [slow] = await open(app.server, `${head}\r\n\r\nlabel=`)
    const left = once(signals, 'exit')
    const waiting = setInterval(() => {}, 1000) // the process would end otherwise
    t.teardown(() => clearInterval(waiting))
    signals.emit('SIGTERM')
    t.same(await slow.toArray().catch(() => []), [])
    await left
    t.match(logged.join(''), '"1 connection cut after 0.05 s"')
    t.strictSame(exits, [1])
  })
}

test('an error while closing is logged, and the exit code is 1', async t => {
  const { app, exits, logged, signals } = await start()
  const close = app.close.bind(app)
  t.intercept(app, 'close', { value: () => close().then(() => { throw new Error('cannot close') }) })
  const left = once(signals, 'exit')
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
