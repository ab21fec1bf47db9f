import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply } from 'fastify'
import { test } from 'tap'
import { faults } from '../../src/simulation/faults.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import { catalogue, exchange, readRaw } from '../helper.ts'
import { addRule, get, simulated } from './simulated.ts'

const path = '/api/v1/saddles/'
const [image = ''] = catalogue.images.keys()

for (const target of [path, `${path}?page=1&page_size=2`, `${path}?format=api`, image]) {
  const asking = (fault: string) => `${target}${target.includes('?') ? '&' : '?'}__fault=${fault}`

  test(`GET ${target} with each fault`, async t => {
    const { app, log } = await simulated(t, { logRequests: true })
    const whole = readRaw((await exchange(app, get(target))).answer)

    t.same(await exchange(app, get(asking('reset'))), { answer: '', end: 'ECONNRESET' })
    t.same(await exchange(app, get(target, 'Prefer: fault=empty')), { answer: '', end: 'closed' })

    const truncated = readRaw((await exchange(app, get(asking('truncate')))).answer)
    t.same([truncated.status, truncated.headers.get('preference-applied')], [200, 'fault=truncate'])
    if (!target.endsWith('=api')) t.equal(truncated.headers.get('content-length'), whole.headers.get('content-length'))
    t.ok(truncated.body.length > 0 && truncated.body.length < Number(
      truncated.headers.get('content-length')
    ) && whole.body.startsWith(truncated.body))

    const malformed = readRaw((await exchange(app, get(asking('malformed')))).answer)
    t.equal(malformed.status, 200)
    const kept = ['content-length', 'content-type', 'etag'].map(name => malformed.headers.get(name))
    t.same(kept, [String(malformed.body.length), whole.headers.get('content-type'), undefined])
    t.ok(malformed.body.length < whole.body.length && whole.body.startsWith(malformed.body))

    const dripping = readRaw((await exchange(app, get(asking('drip'), 'Prefer: delay=40'))).answer)
    t.equal(dripping.body, whole.body)
    t.match(dripping.headers.get('preference-applied'), 'delay=40, fault=drip')
    t.equal(dripping.headers.get('cache-control'), 'no-store')
    t.same(log.map(({ status, fault }) => status ?? fault), [200, 'reset', 'empty', 200, 200, 200])
  })
}

test('a compressed body breaks like any other, but what is malformed is the JSON and not its coding', async t => {
  const { app } = await simulated(t, { compress: true })
  const [target, accept] = ['/api/v1/wheels/?page=1', 'Accept-Encoding: br']
  const [whole, malformed, truncated, dripping] = await Promise.all([
    '', 'malformed', 'truncate', 'drip'
  ].map(async fault =>
    readRaw((await exchange(app, get(target, accept, `Prefer: fault=${fault}, delay=20`))).answer)))
  t.equal(whole?.headers.get('content-encoding'), 'br')
  t.equal(malformed?.headers.get('content-encoding'), undefined)
  t.match(malformed?.body, /^{"count":/)
  t.equal(malformed?.headers.get('vary'), 'Accept, Accept-Encoding, Prefer')
  t.equal(truncated?.headers.get('content-length'), whole?.headers.get('content-length'))
  t.ok(truncated!.body.length > 0 && whole?.body.startsWith(truncated!.body) &&
    truncated!.body.length < whole.body.length)
  t.same([dripping?.body, dripping?.headers.get('content-encoding')], [whole?.body, 'br'])
})

test('a body that is sent in pieces breaks and drips like any other', async t => {
  const bikes = Array.from(
    { length: 2_000 },
    (_, index) => ({ ...catalogue.bikes[index % catalogue.bikes.length] as Bike, id: index + 1 })
  )
  const { app } = await simulated(t, { rateLimit: false }, { ...catalogue, bikes })
  const whole = await app.inject({ url: '/api/v1/bikes/', headers: { host: 'a' } })
  t.ok(whole.body.length > 2 ** 22) // shorter lists are kept whole
  for (const fault of ['truncate', 'malformed']) {
    const { body } = readRaw((await exchange(app, get(`/api/v1/bikes/?__fault=${fault}`))).answer)
    t.ok(
      body.length > 0 && body.length < whole.body.length && whole.rawPayload.toString('latin1').startsWith(body),
      fault
    )
  }
  t.ok(readRaw((await exchange(
    app,
    get('/api/v1/bikes/?__fault=drip&__delay=20')
  )).answer).body === whole.rawPayload.toString('latin1'))
})

test('malformed JSON cannot be parsed, however short it is', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (const query of [
    '?__example=empty&', '?__example=one&', '?', '?page=1&', '?page=1&__example=empty&', '?__code=503&'
  ]) {
    const { body } = readRaw((await exchange(app, get(`${path}${query}__fault=malformed`))).answer)
    t.ok(body.length > 0, query)
    t.throws(() => JSON.parse(body))
  }
  for (const body of ['42', '[]\n\n\n', '"a"']) {
    await addRule(app, { path, body, contentType: 'application/json', fault: 'malformed' })
    const sent = await app.inject(path)
    t.throws(() => sent.json<unknown>(), body)
    t.equal(sent.headers['content-length'], String(sent.body.length))
  }
})

test('a short body drips as long as a long one', async t => {
  for (const length of [2, 21, 1000]) {
    const parts: number[] = []
    const reply = { header: () => {} } as unknown as FastifyReply
    const dripping = faults.drip.breakBody(Buffer.alloc(length), reply, async part => { parts.push(part) })
    t.equal((await buffer(dripping)).length, length)
    t.ok(Math.abs(parts.reduce((sum, part) => sum + part, 0) - 1) < 1e-9, String(length))
  }
})

test('a response to HEAD has no body that can break; a conditional request gets one', async t => {
  const { app } = await simulated(t)
  const tags = await Promise.all(
    [path, image].map(async url => [url, String((await app.inject(url)).headers.etag)] as const)
  )
  for (const fault of ['truncate', 'drip', 'malformed']) {
    const [delay, applied] = fault === 'drip' ? [60_000, undefined] : [1, 'delay=1']
    const head = await app.inject({ method: 'HEAD', url: path, headers: { prefer: `fault=${fault}, delay=${delay}` } })
    t.equal(head.headers['preference-applied'], applied, fault)
    for (const [url, tag] of tags) {
      const { status, headers } = readRaw((await exchange(
        app,
        get(url, `If-None-Match: ${tag}`, `Prefer: fault=${fault}, delay=1`)
      )).answer)
      t.same([status, headers.get('preference-applied')], [200, `delay=1, fault=${fault}`], url)
    }
  }
})

test('pipelined requests get responses up to a truncated one, whose rest another would seem to be', async t => {
  const { app } = await simulated(t)
  for (const fault of ['reset', 'empty', 'truncate']) {
    const first = `GET ${path}?__delay=20 HTTP/1.1\r\nHost: a\r\n\r\n`
    const { answer } = await exchange(app, first + get(`/api/v1/brakes/?__fault=${fault}`))
    t.match(answer, 'preference-applied: delay=20', fault)
    t.match(answer, '"Fizik"', fault)
    t.equal(answer.includes('fault=truncate'), fault === 'truncate', fault)
  }
  const first = `GET ${path}?__fault=truncate HTTP/1.1\r\nHost: a\r\n\r\n`
  const { answer, end } = await exchange(app, first + get('/api/v1/brakes/'))
  t.match(readRaw(answer), { status: 200, body: /^\[\{"id":1,/ })
  t.equal(readRaw(answer).headers.get('connection'), 'keep-alive', 'a break is not announced')
  t.same([answer.match(/HTTP\/1\.1/g)?.length, end], [1, 'closed'])
})

test('without its TCP connection, a connection that should be reset is closed', async t => {
  const socket = new Socket()
  faults.reset.cut(socket, undefined)
  t.ok(socket.destroyed)
})
