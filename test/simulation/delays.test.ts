import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { defaultSettings } from '../../src/settings/settings.ts'
import { createDelays } from '../../src/simulation/faults.ts'
import { planOf } from '../../src/simulation/plan.ts'
import { open } from '../helper.ts'
import { simulated } from './simulated.ts'

const path = '/api/v1/saddles/'

test('a delay ends with its client, or with the server, also one that begins later', async t => {
  const { wait, end } = createDelays()
  const client = new AbortController()
  const left = wait(60_000, client.signal)
  client.abort()
  await left
  const waiting = wait(60_000)
  end()
  await t.resolves(Promise.all([waiting, wait(60_000)]))
})

test('a dripping body takes 3 s, or the delay of its request or of the settings', async t => {
  for (const [wanted, delay, milliseconds] of [
    [{ fault: 'drip' }, undefined, 3_000],
    [{ fault: 'drip' }, 40, 40],
    [{ fault: 'drip', delay: 5 }, 40, 5],
    [{}, undefined, 0]
  ] as const) {
    const settings = { ...defaultSettings, ...delay === undefined ? {} : { delay } }
    t.equal(planOf(wanted, true, settings, () => 0).milliseconds, milliseconds, String(milliseconds))
  }
})

test('GET with Prefer: delay=MS: the answer begins so much later', async t => {
  const { app } = await simulated(t)
  const plain = await app.inject(path)
  for (const [delay, least] of [['80', 80], ['60-90', 60]] as const) {
    const before = performance.now()
    const { statusCode, headers, body } = await app.inject({ url: path, headers: { prefer: `delay=${delay}` } })
    t.ok(performance.now() - before > least - 2, delay)
    t.same([statusCode, body], [200, plain.body], delay)
    t.match(
      headers,
      { 'preference-applied': `delay=${delay}`, 'cache-control': 'no-store', vary: 'Accept, Prefer' },
      delay
    )
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
  const delayed = `GET ${path}?__delay=60000 HTTP/1.1\r\nHost: a\r\n\r\n`
  const [leaving, served] = await open(app.server, delayed)
  const [staying] = await open(app.server, delayed)
  const left = once(served, 'close')
  leaving.destroy()
  await left
  const [answer] = await Promise.all([text(staying), app.close()])
  t.match(answer, /^HTTP\/1\.1 200 OK/)
  t.match(answer, 'x-ratelimit-remaining: 59\r\n', 'nobody else was answered')
})
