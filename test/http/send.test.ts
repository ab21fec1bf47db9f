import { createServer, get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { sendBody, type Body } from '../../src/http/send.ts'

/** Sends a body to one client, which has its head and has read nothing of it. */
async function send (t: Test, body: Body): Promise<IncomingMessage> {
  const server = createServer((_, raw) => sendBody(raw, body)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const request = get({ port: (server.address() as AddressInfo).port, agent: false })
  const [answer] = await once(request, 'response') as [IncomingMessage]
  return answer
}

test('pieces arrive whole and in order', async t => {
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, index))
  const received: Buffer[] = []
  for await (const chunk of await send(t, () => pieces)) received.push(chunk as Buffer)
  t.ok(Buffer.concat(received).equals(Buffer.concat(pieces)))
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

test('a piece that cannot be made ends the connection', async t => {
  const answer = await send(t, function * () {
    yield Buffer.from('a')
    throw new Error('no piece')
  })
  await t.rejects(answer.toArray(), { code: 'ECONNRESET' })
})
