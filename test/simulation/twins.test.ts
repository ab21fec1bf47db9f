import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { addRule, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/saddles/'
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' }
const twin = {
  id: 'twin',
  text: "sent twice at once, as React's StrictMode does; rule 1 applied to the first only: choose the next 2"
}

async function listening (t: Test) {
  const { app } = await simulated(t, { rateLimit: false })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  /** Sends a request; resolves with its status, or null when it is aborted. */
  const send = async (headers: object = browser, signal?: AbortSignal) => await new Promise<number | null>(resolve => {
    request({ port, host: '127.0.0.1', path, headers: { ...headers }, signal: signal as AbortSignal }, response => {
      response.resume().once('end', () => resolve(response.statusCode as number))
    }).once('error', () => resolve(null)).end()
  })
  const advice = async () => (await stateOf(app)).requests.map(({ advice }) => advice)
  return { app, send, advice }
}

test('of two overlapping requests, the second names the rule of the first; neither repeats too early', async t => {
  const { app, send, advice } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 60, delay: 50, times: 1 })
  t.same(await Promise.all([send({}), send({})]), [503, 200])
  t.same(await advice(), [[], [twin]])
})

test('a request that is sent again within a second of its abort is a twin', async t => {
  const { app, send, advice } = await listening(t)
  await addRule(app, { path, delay: 60_000, times: 1 })
  const aborting = new AbortController()
  const arrived = once(app.server, 'request')
  const first = send({}, aborting.signal)
  await arrived
  aborting.abort()
  t.same([await first, await send({})], [null, 200])
  t.same(await advice(), [[], [twin]])
})

test('a browser queues the second request until the first has its response; a third is none of them', async t => {
  const { app, send, advice } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 60, times: 1 })
  t.same([await send(), await send({ ...browser, 'if-none-match': '"a"' })], [503, 200])
  t.same(await advice(), [[], [twin]])
  await send()
  t.match((await advice())[2], [{ id: 'retry-after' }])
})

test('a client that tries again after its response is no twin, and one with another header neither', async t => {
  const { app, send, advice } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 60, delay: 50, times: 1 })
  await Promise.all([send({ 'x-test': 'a' }), send({ 'x-test': 'b' })])
  await send({ 'x-test': 'a' })
  t.match(await advice(), [[], [], [{ id: 'retry-after' }]])
})

test('twins that a rule fails both, or none, get no advice', async t => {
  const { app, send, advice } = await listening(t)
  await addRule(app, { path, code: 500, delay: 20, times: 2 })
  t.same(await Promise.all([send({}), send({})]), [500, 500])
  t.same(await Promise.all([send(), send()]), [200, 200])
  t.same(await advice(), [[], [], [], []])
})
