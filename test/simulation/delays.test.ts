import type { IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { EventEmitter, once } from 'node:events'
import { mock } from 'node:test'
import { test } from 'tap'
import { createPauses } from '../../src/simulation/faults.ts'
import { simulated } from './simulated.ts'

const path = '/api/v1/saddles/'

test('a pause ends after its time, with its client, or with the server', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const pauses = createPauses()
  const [patient, impatient] = [new EventEmitter(), new EventEmitter()]
  const ended: string[] = []
  const pause = (name: string, milliseconds: number, client = patient) => pauses.pause(milliseconds, client, () => ended.push(name))

  pause('at once', 0)
  pause('short', 100)
  pause('long', 200)
  pause('left', 50, impatient)
  pause('very long', 60_000)
  t.equal(pauses.count, 4)
  impatient.emit('close')
  t.equal(pauses.count, 3)
  mock.timers.tick(99)
  t.same(ended, ['at once'])
  mock.timers.tick(1)
  t.same(ended, ['at once', 'short'])
  mock.timers.tick(100)
  t.same(ended, ['at once', 'short', 'long'])
  pauses.end()
  pause('after the end', 60_000)
  t.same(ended, ['at once', 'short', 'long', 'very long', 'after the end'])
  t.equal(pauses.count, 0)
  t.equal(patient.listenerCount('close') + impatient.listenerCount('close'), 0)
})

test('GET with Prefer: delay=MS: the answer begins so much later', async t => {
  const { app } = await simulated(t)
  const plain = await app.inject(path)
  for (const [delay, least] of [['80', 80], ['60-90', 60]] as const) {
    const before = performance.now()
    const { statusCode, headers, body } = await app.inject({ url: path, headers: { prefer: `delay=${delay}` } })
    t.ok(performance.now() - before > least - 2)
    t.same([statusCode, body], [200, plain.body])
    t.match(headers, { 'preference-applied': `delay=${delay}`, 'cache-control': 'no-store', vary: 'Accept, Prefer' })
  }
})

test('5,000 delayed requests at once are answered when the server ends, and hold it up no longer', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const answers = Array.from({ length: 5000 }, () => app.inject(`${path}?page=1&__delay=60000`))
  await app.inject(path)
  await app.close()
  t.ok((await Promise.all(answers)).every(({ statusCode, body }) => statusCode === 200 && !body.includes('__delay')))
})

test('a drain does not wait for a delay, and a client that leaves is forgotten', async t => {
  const { app } = await simulated(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = async () => {
    const arrived = once(app.server, 'request') as Promise<[IncomingMessage]>
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path}?__delay=60000 HTTP/1.1\r\nHost: a\r\n\r\n`))
    const [request] = await arrived
    return { socket, request }
  }
  const leaving = await open()
  const { socket: staying } = await open()
  leaving.socket.destroy()
  await new Promise(resolve => leaving.request.once('close', resolve))
  let answer = ''
  staying.setEncoding('utf8').on('data', (text: string) => { answer += text })
  await app.connections.drain.begin()
  t.match(answer, /^HTTP\/1\.1 200 OK/)
  t.match(answer, 'x-ratelimit-remaining: 59\r\n', 'nobody else was answered')
})
