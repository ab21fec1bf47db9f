import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { test, type Test } from 'tap'
import { chooseCoding, encodeStream, sendBody, type Body } from '../../src/http/body.ts'
import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'

const long = Buffer.alloc(1001)
const short = Buffer.alloc(1000)
const pieces = () => Readable.from([short])

/** The coding of a body, or the status of the error. */
function chosen (header: string | undefined, body: Body): string | number {
  try {
    return chooseCoding(header, body)
  } catch (error) {
    return (error as { statusCode: number }).statusCode
  }
}

type Chosen = string | number

const cases: [long: Chosen, short: Chosen, headers: (string | undefined)[]][] = [
  ['identity', 'identity', [
    undefined, '', 'deflate', 'br;q=0', '*;q=0.1, identity;q=0.2', 'identity, br;q=0.9',
    '*;q=0.0, identity', 'br;q=no', 'br gzip',
    'constructor, __proto__;q=0'
  ]],
  ['gzip', 'identity', [
    'gzip', 'gzip;q=0.5, gzip;q=0', 'GZip;Q=0.5', 'gzip ; q=0.001', 'br;q=0.5, gzip;q=0.8', 'br;q=0, *', ',,gzip,'
  ]],
  ['br', 'identity', ['gzip, deflate, br, zstd', '\tbr\t;\tq=1.000\t,gzip', '*', 'br;q=0.3, identity;q=0.2']],
  ['gzip', 'gzip', ['identity;q=0, gzip;q=0.1']],
  ['br', 'br', ['identity;q=0, *', '*;q=0, br']],
  [406, 406, ['identity;q=0', '*;q=0']]
]

test('the coding of a long body, a short one and a stream', async t => {
  for (const [ofLong, ofShort, headers] of cases) {
    for (const header of headers) {
      t.same([long, short, pieces].map(body => chosen(header, body)), [ofLong, ofShort, ofLong], String(header))
    }
  }
  const message = 'Could not satisfy the request Accept-Encoding header.'
  t.throws(() => chooseCoding('identity;q=0', long), { message })
})

/** Sends a body to a client that has read only the head of the response. */
type Report = (error: unknown) => void

async function send (t: Test, body: Body, report: Report = error => t.fail(String(error))): Promise<IncomingMessage> {
  const app = Fastify({ forceCloseConnections: true })
  app.decorate('logger', { error: ({ err }: { err: unknown }) => report(err) } as never)
  app.get('/', (request, reply) => sendBody(request, reply, body))
  t.teardown(() => app.close())
  const request = get(await app.listen(), { agent: false })
  const [answer] = await once(request, 'response') as [IncomingMessage]
  return answer
}

test('a stream is sent whole and in order, as fast as the client reads', async t => {
  const sizes = Array.from({ length: 1_000 }, (_, index) => 10_000 + index)
  const received: Buffer[] = []
  let made = 0
  function * pieces () {
    for (const size of sizes) yield Buffer.alloc(size, made++)
  }
  const response = await send(t, () => Readable.from(pieces()))
  for (let before = -1; before < made;) { // until no more is taken, because nothing is read
    before = made
    for (let turn = 0; turn < 100; turn++) await setImmediate()
  }
  t.ok(made < sizes.length)
  for await (const chunk of response) received.push(chunk as Buffer)
  t.ok(Buffer.concat(received).equals(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index)))))
})

test('HEAD creates no stream', async t => {
  const app = Fastify()
  app.get('/', (request, reply) => sendBody(request, reply, () => t.fail('a stream') as never))
  t.equal((await app.inject({ method: 'HEAD', url: '/' })).body, '')
})

for (const coding of ['identity', 'br', 'gzip'] as const) {
  test(`a disconnecting client ends a stream (${coding}) without an error`, async t => {
    let made = 0
    let end = () => {}
    const ended = new Promise<void>(resolve => { end = resolve })
    async function * endless () {
      try {
        for (;;) {
          made++
          yield randomBytes(2 ** 20)
        }
      } finally { end() }
    }
    const plain = () => Readable.from(endless())
    const response = await send(t, coding === 'identity' ? plain : encodeStream(plain, '', coding).body)
    response.destroy()
    await ended
    t.ok(made < 100, String(made))
  })
}

for (const coding of ['identity', 'br', 'gzip'] as const) {
  test(`a stream that fails (${coding}) ends the connection and is reported`, async t => {
    const reported: unknown[] = []
    function * failing () {
      for (let pieces = 0; pieces < 10; pieces++) yield randomBytes(2 ** 20) // more than is buffered
      throw new Error('no piece')
    }
    const plain = () => Readable.from(failing())
    const body = coding === 'identity' ? plain : encodeStream(plain, '', coding).body
    const response = await send(t, body, error => reported.push(error))
    await t.rejects(response.toArray(), { code: 'ECONNRESET' })
    t.match(reported, [{ message: 'no piece' }])
  })
}
