import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { type Test, test } from 'tap'
import { createJournal } from '../../src/http/journal.ts'
import { createOverload } from '../../src/http/overload.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** A server that answers `ok` after so many milliseconds of work each, and one connection to it. */
async function laden (t: Test, { work, utilization = 1 }: { work: number, utilization?: number }) {
  const lines: string[] = []
  const state = { spent: 0, told: 0, utilization }
  const clock = { spent: () => state.spent, used: () => ({ idle: 0, active: 0, utilization: state.utilization }) }
  const journal = createJournal('warn', { write: line => lines.push((JSON.parse(line) as { msg: string }).msg) })
  const overload = createOverload(journal, ({ url }) => ({ 'x-for': String(url) }), () => { state.told++ }, clock)
  const answer = overload.guard((_, response) => {
    state.spent += work
    response.end('ok')
  }, new Set(['/livez']))
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  const heard = new EventEmitter()
  let text = ''
  socket.on('data', (data: string) => {
    text += data
    heard.emit('more')
  })
  t.teardown(() => {
    socket.destroy()
    server.close()
  })
  /** Sends requests at once and gives the statuses and bodies of so many answers. */
  const ask = async (count: number, ...paths: string[]) => {
    socket.write(paths.map(get).join(''))
    const answers = () => [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\n\r\n(ok|\{.*?\})/g)].map(([, status, body]) => `${status} ${body}`)
    while (answers().length < count) await once(heard, 'more')
    const found = answers()
    const heads = text
    text = ''
    return { found, heads }
  }
  return { overload, state, lines, ask, heard: () => text }
}

const refusal = '503 {"detail":"Service temporarily unavailable, try again later."}'

for (const { name, work, utilization, breaths, refused } of [
  { name: 'a server that was busy for two breaths refuses what comes after more than 250 ms of work', work: 84, utilization: 1, breaths: 2, refused: true },
  { name: 'one that was busy for one breath refuses nothing', work: 1000, utilization: 1, breaths: 1, refused: false },
  { name: 'nor does one that had a pause', work: 1000, utilization: 0.98, breaths: 9, refused: false },
  { name: 'nor does one that has less to do', work: 83, utilization: 1, breaths: 2, refused: false }
]) {
  test(name, async t => {
    const { overload, state, ask, lines } = await laden(t, { work, utilization })
    for (let count = 0; count < breaths; count++) overload.look()
    const { found, heads } = await ask(4, '/', '/', '/', '/api/v1/bikes/')
    t.strictSame(found, ['200 ok', '200 ok', '200 ok', refused ? refusal : '200 ok'])
    overload.look()
    overload.look()
    t.strictSame(lines, refused ? ['too many requests: 1 of the last second were refused with 503'] : [])
    t.equal(state.told, refused ? 1 : 0)
    if (refused) t.match(heads, /x-for: \/api\/v1\/bikes\/\r\nretry-after: 1\r\ncontent-type: application\/json\r\ncontent-length: 62\r\ncache-control: no-store/)
  })
}

test('a spared address is always answered, and each turn of the loop begins anew', async t => {
  const { overload, ask } = await laden(t, { work: 300 })
  for (let count = 0; count < 2; count++) overload.look()
  t.strictSame((await ask(2, '/', '/livez')).found, ['200 ok', '200 ok'])
  t.strictSame((await ask(1, '/')).found, ['200 ok'])
})

test('a connection that was refused is not heard for a second, and then answered', async t => {
  const { overload, ask, heard } = await laden(t, { work: 300 })
  for (let count = 0; count < 2; count++) overload.look()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  t.strictSame((await ask(2, '/', '/')).found, ['200 ok', refusal])
  const later = ask(1, '/')
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve))
  mock.timers.tick(999)
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve))
  t.equal(heard(), '')
  mock.timers.tick(1)
  t.strictSame((await later).found, ['200 ok'])
})
