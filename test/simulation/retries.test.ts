import { connect, type AddressInfo, type Socket } from 'node:net'
import { mock } from 'node:test'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { test } from 'tap'
import { createRetries } from '../../src/simulation/retries.ts'
import { exchange } from '../helper.ts'
import { addRule, rulesPath, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/saddles/'
const [firefox, chromium] = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0'
]

const requestOf = (agent: string | undefined, others: object = {}) =>
  ({
    method: 'GET', originalUrl: path, ip: '::1', headers: agent === undefined ? {} : { 'user-agent': agent },
    ...others
  }) as unknown as FastifyRequest

test('the same request within a second of the cut is a retry, if its client retries', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  for (const [agent, isReused, isRandom, next, after, isRetry] of [
    [firefox, false, true, {}, 999, true],
    [firefox, false, false, {}, 1_000, false],
    [firefox, false, false, { method: 'HEAD' }, 0, false],
    [firefox, false, false, { originalUrl: `${path}?page=1` }, 0, false],
    [firefox, false, false, { ip: '::2' }, 0, false],
    [firefox, false, false, { headers: {} }, 0, false],
    [chromium, true, true, {}, 0, true],
    [chromium, false, false, {}, 0, false],
    ['node', true, false, {}, 0, false],
    ['Go-http-client/1.1', true, false, {}, 0, true],
    ['Java-http-client/17.0.17', false, false, {}, 0, true],
    [undefined, false, false, {}, 0, true],
    [undefined, false, true, {}, 0, false],
    [undefined, true, true, {}, 0, true]
  ] as const) {
    const ended: unknown[] = []
    const { wait, retriedBy } = createRetries(first => ended.push(first), globalThis)
    const setting = isRandom ? 'failure-rate' : undefined
    const first = requestOf(agent, { simulated: { plan: { setting } }, recorded: { tries: 1 } })
    wait(first, isReused)
    mock.timers.tick(after)
    t.equal(
      retriedBy(requestOf(agent, next)),
      isRetry ? first : undefined,
      `${agent} ${isReused} ${JSON.stringify(next)}`
    )
    mock.timers.tick(1_000)
    t.equal(ended.length, isRetry ? 0 : 1, String(after))
  }
})

/** Returns how often each rule was used, and the status and the tries of each request. */
async function usesOf (app: FastifyInstance) {
  const { rules, requests } = await stateOf(app)
  return [rules.map(({ used }) => used), requests.map(({ status, tries }) => [status, tries])]
}

const get = (agent = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${agent && `User-Agent: ${agent}\r\n`}\r\n`

const connectTo = (app: FastifyInstance) => connect((app.server.address() as AddressInfo).port, '127.0.0.1')

/** Sends a request; returns the status of the response, or `closed`. */
const statusOn = async (socket: Socket, text: string) => await new Promise(resolve => {
  socket.on('error', () => {}).once('data', bytes => resolve(String(bytes).slice(9, 12))).once(
    'close',
    () => resolve('closed')
  ).write(text)
})

/** Sends a request on a connection of its own. */
async function ask (app: FastifyInstance, agent = '') {
  const socket = connectTo(app)
  const status = await statusOn(socket, get(agent))
  socket.destroy()
  return status
}

for (const fault of ['reset', 'empty']) {
  test(`fault=${fault} for one request: all its tries fail, are one entry, and count once`, async t => {
    const { app, log } = await simulated(t, { logRequests: true })
    await addRule(app, { path, fault, times: 1 })
    const tries = []
    for (let count = 0; count < 10; count++) tries.push((await exchange(app, get())).end)
    t.same(tries, Array(10).fill(fault === 'reset' ? 'ECONNRESET' : 'closed'))
    const used = connectTo(app)
    t.equal(await statusOn(used, get(chromium)), '200')
    t.same(await usesOf(app), [[1], [[null, 10], [200, 1]]])
    t.match((await app.inject({ url: rulesPath, headers: { accept: 'text/html' } })).body, '(sent 10 times)')
    t.match(log, [{ fault, tries: 10, simulated: `rule 1: fault=${fault}`, msg: 'cut' }, { status: 200 }])

    await addRule(app, { path, fault, times: 1 })
    t.equal(await statusOn(used, get(chromium)), 'closed')
    for (const status of ['closed', '200']) {
      t.equal(await ask(app, chromium), status, 'a request that comes on a new connection is repeated no more')
    }
    t.same((await usesOf(app))[1]?.slice(2), [[null, 2], [200, 1]])
  })
}

test('with other rules there are no retries: neither a new rule nor none is kept from acting', async t => {
  const { app } = await simulated(t)
  const fail = async () => {
    await addRule(app, {
      path, fault: 'reset', times: 1
    }); return (await exchange(app, get())).end
  }
  t.equal(await fail(), 'ECONNRESET')
  await app.inject({ method: 'DELETE', url: rulesPath })
  t.equal(await ask(app), '200')
  t.equal(await fail(), 'ECONNRESET')
  await addRule(app, { path, code: 503 })
  t.equal(await ask(app), '503')
})

test('a request that was sent at the same time is none of its tries', async t => {
  const { app, log } = await simulated(t, { logRequests: true })
  await app.listen({ port: 0, host: '127.0.0.1' })
  await addRule(app, { path, fault: 'reset', times: 1 })
  const statuses = await Promise.all([ask(app), ask(app)])
  t.same(statuses.filter(status => status === '200').length, 1)
  t.same((await usesOf(app))[0], [1])
  await app.close()
  t.match(
    log.find(({ msg }) => msg === 'cut'),
    { fault: 'reset', tries: undefined },
    'a close logs what waits for a retry'
  )
})
