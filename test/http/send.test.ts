import { createServer, get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { sendBody, type Body } from '../../src/http/send.ts'

/** Sends a body to one client, which has its head and has read nothing of it. */
async function send (t: Test, body: Body, tell: (error: unknown) => void = error => t.fail(String(error))): Promise<IncomingMessage> {
  const server = createServer((_, raw) => sendBody(raw, body, tell)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const request = get({ port: (server.address() as AddressInfo).port, agent: false })
  const [answer] = await once(request, 'response') as [IncomingMessage]
  return answer
}

test('pieces arrive whole and in order, wherever they stand until the next is made', async t => {
  const sizes = Array.from({ length: 1_000 }, (_, index) => 10_000 + index)
  const room = Buffer.alloc(11_000)
  const received: Buffer[] = []
  let made = 0
  function * pieces () {
    for (const size of sizes) yield room.fill(made++).subarray(0, size)
  }
  const answer = await send(t, pieces)
  for (let before = -1; before < made;) { // until no more is taken, because nothing is read
    before = made
    for (let turn = 0; turn < 100; turn++) await setImmediate()
  }
  t.ok(made < sizes.length)
  for await (const chunk of answer) received.push(chunk as Buffer)
  t.ok(Buffer.concat(received).equals(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index)))))
})

test('no more pieces are made than a client takes, and none after it has left', async t => {
  let made = 0
  let end = () => {}
  const ended = new Promise<void>(resolve => { end = resolve })
  function * endless () {
    try {
      for (;;) {
        made++
        yield Buffer.alloc(2 ** 20)
      }
    } finally { end() }
  }
  const answer = await send(t, endless)
  answer.destroy()
  await ended
  t.ok(made < 100, String(made))
})

test('a piece that cannot be made ends the connection and is told', async t => {
  const told: unknown[] = []
  const answer = await send(t, function * () {
    yield Buffer.from('a')
    throw new Error('no piece')
  }, error => told.push(error))
  await t.rejects(answer.toArray(), { code: 'ECONNRESET' })
  t.match(told, [{ message: 'no piece' }])
})
