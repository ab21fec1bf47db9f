import { once, EventEmitter } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { test } from 'tap'
import { createLog, jsonLine, readableLine, writeTo } from '../../src/command/log-lines.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()

test('a person reads one short line for each entry', async t => {
  const lines = [
    { level: 30, time, msg: 'answered', method: 'GET', url: '/api/v1/bikes/', status: 200, ms: 0.4 },
    { level: 40, time, msg: 'Redis is away' },
    { level: 30, time, msg: 'cut', method: 'GET', url: '/api/v1/bikes/', fault: 'reset', ms: 0 },
    { level: 50, time, msg: 'x', method: 'GET', url: '/', err: { stack: 'Error: broken at a' } },
    { level: 60, time, msg: 'x', err: { stack: 'Error: broken at a' } },
    { level: 50, time, msg: '1 fault in the data' },
    { level: 30, time, msg: 'Redis is back' }
  ].map(entry => readableLine(JSON.stringify(entry)))
  t.same(lines, [
    '  03:04:05  200 GET /api/v1/bikes/ 0.4 ms\n',
    '  03:04:05  warning: Redis is away\n',
    '  03:04:05  reset GET /api/v1/bikes/ 0 ms\n',
    '  03:04:05  error: GET /: Error: broken at a\n',
    '  03:04:05  error: Error: broken at a\n',
    '  03:04:05  error: 1 fault in the data\n',
    '  03:04:05  Redis is back\n'
  ])
})

/** A file that takes so many bytes at once, or fails with a code; a write ends when it is let. */
function openFile () {
  const state = { text: '', takes: Infinity, fails: '', isStuck: false }
  const ready = new EventEmitter()
  const write = (bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => {
    if (state.isStuck) {
      ready.once('go', () => write(bytes, done))
      return
    }
    if (state.fails !== '') return done(Object.assign(new Error(state.fails), { code: state.fails }), 0)
    const part = bytes.subarray(0, state.takes)
    state.text += part.toString()
    done(null, part.length)
  }
  return { state, write, go: () => { state.isStuck = false; ready.emit('go') } }
}

test('a log in a file, and one that nobody writes to', async t => {
  const file = join(t.testdir(), 'log')
  const descriptor = openSync(file, 'w')
  t.teardown(() => closeSync(descriptor))
  const log = createLog(jsonLine, writeTo(descriptor))
  log.write('first\n')
  log.write('second\n')
  await written(log)
  t.equal(readFileSync(file, 'utf8'), 'first\nsecond\n')
  await written(createLog(jsonLine))
})

const written = (log: ReturnType<typeof createLog>) => new Promise<void>(resolve => log.flush(resolve))

test('lines are written whole and in order', async t => {
  const { state, write } = openFile()
  const log = createLog(jsonLine, write)
  state.takes = 2
  log.write('first\n')
  log.write('second\n')
  await written(log)
  t.equal(state.text, 'first\nsecond\n')
})

test('lines are written together, after 100 milliseconds or when they are many', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { state, write, go } = openFile()
  const log = createLog(jsonLine, write)
  log.write('1\n')
  log.write('2\n')
  mock.timers.tick(99)
  t.equal(state.text, '')
  mock.timers.tick(1)
  t.equal(state.text, '1\n2\n')
  const long = `${'x'.repeat(2 ** 19)}\n`
  log.write(long)
  t.equal(state.text, `1\n2\n${long}`)

  state.text = ''
  state.isStuck = true
  log.write(long)
  log.write('3\n')
  go()
  t.equal(state.text, long)
  mock.timers.tick(100)
  t.equal(state.text, `${long}3\n`, 'what came meanwhile')
})

for (const code of ['ENOSPC', 'EPIPE', 'EIO']) {
  test(`${code}: lines are lost, counted, and told of when the log can be written again`, async t => {
    const { state, write } = openFile()
    const log = createLog(jsonLine, write)
    state.fails = code
    log.write('1\n')
    log.write('2\n')
    await written(log)
    state.fails = ''
    log.write('3\n')
    log.write('4\n')
    await written(log)
    t.match(state.text, /^\{"level":40,"time":\d+,"msg":"2 lines of the log could not be written"\}\n3\n4\n$/)
    state.text = ''
    state.fails = code
    log.write('5\n')
    await written(log)
    state.fails = ''
    log.write('6\n')
    await written(log)
    t.match(state.text, /"1 line of the log could not be written"\}\n6\n$/)
  })
}

test('a reader that takes nothing holds up neither the server nor its memory', async t => {
  const { state, write, go } = openFile()
  const log = createLog(jsonLine, write)
  state.isStuck = true
  const line = `${'x'.repeat(2 ** 16 - 1)}\n`
  for (let count = 0; count < 100; count++) log.write(line)
  const flushed = new EventEmitter()
  log.flush(() => flushed.emit('flushed'))
  const told = once(flushed, 'flushed')
  go()
  await told
  t.equal(state.text.match(/x\n/g)?.length, 24, 'half a mebibyte that was under way and one that waited')
  t.ok(state.text.includes('"76 lines of the log could not be written"'))
})

test('a reader that is busy is tried again', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { state, write } = openFile()
  const log = createLog(jsonLine, write)
  state.fails = 'EAGAIN'
  log.write('1\n')
  log.flush(() => {})
  state.fails = ''
  t.equal(state.text, '')
  mock.timers.tick(50)
  t.equal(state.text, '1\n')
})
