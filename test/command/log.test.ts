import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync, openSync, write } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { createLog } from '../../src/command/log.ts'

type Log = ReturnType<typeof createLog>

const flushed = (log: Log) => new Promise<void>(resolve => log.flush(resolve))

const noFullDisk = !existsSync('/dev/full')

test('a full disk neither throws nor delays the end; an empty log ends at once', { skip: noFullDisk }, async t => {
  await flushed(createLog())
  const log = createLog({ fd: openSync('/dev/full', 'w') })
  for (let count = 0; count < 100; count++) log.write(`${'x'.repeat(20_000)}\n`)
  await flushed(log)
  t.pass()
})

/** Writes a log into a named pipe, which does not block its writer. */
function openPipe (t: Test) {
  const path = join(t.testdir(), 'pipe')
  execFileSync('mkfifo', [path])
  const openReader = () => {
    const readerFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return new Socket({ fd: readerFd, writable: false }).setEncoding('utf8')
  }
  const reader = openReader()
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return { log: createLog({ fd }), fd, reader, openReader }
}

async function readUntil (reader: Socket, end: RegExp): Promise<string> {
  let text = ''
  reader.on('data', chunk => {
    text += String(chunk)
    if (end.test(text)) reader.destroy()
  })
  await once(reader, 'close')
  return text
}

for (const [lost, message, ends] of [[1, '1 line', false], [50, '50 lines', false], [4, '4 lines', true]] as const) {
  const when = ends ? ' at its end' : ''
  test(`a slow reader: the log queues a mebibyte, drops ${message}, and says so${when}`, async t => {
    const { log, reader } = openPipe(t)
    const line = `${'x'.repeat(2 ** 16 - 1)}\n`
    for (let count = 0; count < 16 + lost; count++) log.write(line)
    const ended = ends ? flushed(log) : undefined
    const text = await readUntil(reader, /written"/)
    const [loss = '', ...lines] = text.trimEnd().split('\n').reverse()
    const msg = `${message.replace('line', 'log line')} could not be written`
    t.match(JSON.parse(loss), { level: 40, time: Number, msg })
    t.strictSame(lines, Array<string>(16).fill(line.trimEnd()))
    await ended
  })
}

test('a pipe with a reader that disconnects and reconnects', async t => {
  const { log, fd, reader, openReader } = openPipe(t)
  log.write('1\n')
  t.equal(await readUntil(reader, /\n/), '1\n')
  const failed = new Promise(resolve => write(fd, 'lost', resolve))
  t.match(await failed, { code: 'EPIPE' })
  log.write('2\n')
  log.write('3\n')
  const next = openReader()
  const text = readUntil(next, /4/)
  while (!next.destroyed) {
    log.write('4\n')
    await setImmediate()
  }
  t.match(await text, /^2\n3\n(4\n)+$/)
})
