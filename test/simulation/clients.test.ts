import { clock } from '../clock.ts'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get as httpGet } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import { exchange, started } from '../helper.ts'
import { sameWhileOpen, type LoggedRequest } from '../../src/simulation/request-log.ts'
import { addRule, simulated, stateOf } from './simulated.ts'

const run = promisify(execFile)
const path = '/api/v1/saddles/'

/** Returns the status, facts and advice of each recorded request. */
async function entriesOf (app: FastifyInstance) {
  const { requests } = await stateOf(app)
  return requests.map(({ status, facts, advice }) => [status, facts, advice.map(({ id }) => id)])
}

async function listening (t: Test) {
  const { app, log } = await simulated(t, { rateLimit: false, logRequests: true })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  /** Sends a request; resolves with its status, or with the code of its error. */
  const send = async (headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const request = httpGet({ port, host: '127.0.0.1', path, headers, agent, ...signal && { signal } })
    return await new Promise<number | string | undefined>(resolve => {
      request.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code)).once('response', response => {
        text(response).then(() => setImmediate(() => resolve(response.statusCode)), () => resolve('cut'))
      })
    })
  }
  return { app, log, send, port }
}

const python = `
import sys, time, urllib.request
def ask(timeout):
    with urllib.request.urlopen(sys.argv[1], timeout=timeout) as response:
        return response.status
try:
    ask(0.3)
except OSError:
    time.sleep(0.05)
    print(ask(10))
`

test('a client of Python with a timeout that tries again is accused of nothing', async t => {
  const server = await started(t, { simulate: true })
  server.simulate({ path, delay: 30_000, times: 1 })
  t.equal((await run('python3', ['-c', python, server.url + path])).stdout, '200\n')
  t.match(server.requests(), [
    { status: null, facts: [/^the client left after [\d.]+ s$/], advice: [] },
    { status: 200, facts: [], advice: [] }
  ])
})

test('requests that are sent twice at once are facts, without advice', async t => {
  const { app, send } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 60, delay: 50, times: 1 })
  t.same(await Promise.all([send(), send()]), [503, 200])
  t.match(await entriesOf(app), [
    [503, [/^the same request \d(?:\.\d+)? s later, while this one was open$/], []], [200, [], []]
  ])
  await addRule(app, { path, delay: 50, times: 2 })
  await Promise.all([send({ 'x-test': 'a' }), send({ 'x-test': 'b' })])
  t.match((await entriesOf(app)).slice(2), [[200, [], []], [200, [], []]])
})

test('a client that leaves and sends its request again is accused of nothing', async t => {
  const { app, send } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 60, delay: 60_000, times: 1 })
  const aborting = new AbortController()
  const arrived = once(app.server, 'request')
  const first = send({}, aborting.signal)
  await arrived
  aborting.abort()
  t.same([await first, await send()], ['ABORT_ERR', 200])
  t.match(await entriesOf(app), [[null, [/^the client left after/], []], [200, [], []]])
})

test('a repetition is judged by the Retry-After that was sent: seconds or a date', async t => {
  const waits: readonly [retryAfter: string, advice: RegExp | undefined][] = [
    ['30', /Retry-After was 30 s$/],
    ['0', undefined],
    ['soon', undefined],
    [new Date(Date.now() + 90_000).toUTCString(), /Retry-After was [89]\d/],
    [new Date(0).toUTCString(), undefined]
  ]
  for (const [retryAfter, expected] of waits) {
    const { app, send } = await listening(t)
    await addRule(app, { path, code: 503, headers: { 'retry-after': retryAfter }, times: 1 })
    t.same([await send(), await send()], [503, 200])
    const { requests } = await stateOf(app)
    t.match(requests[1]?.advice, expected === undefined ? [] : [{ id: 'retry-after', text: expected }], retryAfter)
    t.equal(requests[1]?.advice.length, expected === undefined ? 0 : 1, retryAfter)
  }
})

test('a client that obeys twice, once for each of two responses, is accused of nothing', async t => {
  const { app } = await simulated(t)
  await addRule(app, { path, code: 429, retryAfter: 1, times: 2 })
  await Promise.all([app.inject(path), app.inject({ url: path, headers: { origin: 'http://a' } })])
  t.same((await entriesOf(app)).map(([status, , advice]) => [status, advice]), [[429, []], [429, []]])
  const waiting = app.inject(`${path}?__delay=1010`)
  await waiting
  await Promise.all([app.inject(path), app.inject(path)])
  await app.inject(path)
  const later = (await entriesOf(app)).slice(3)
  t.same(later.map(([status, , advice]) => [status, advice]), Array(3).fill([200, []]))
})

test('a browser may have queued its first repetition; the second is judged', async t => {
  const { app, send } = await listening(t)
  await addRule(app, { path, code: 503, retryAfter: 30, times: 1 })
  const browser = { origin: 'http://localhost:5173' }
  for (const status of [503, 200, 200]) t.equal(await send(browser), status)
  t.same((await entriesOf(app)).map(([, , advice]) => advice), [[], [], ['retry-after']])
})

test('a request on another open connection may have been sent before the response', async t => {
  const { app, send } = await listening(t)
  t.same(await Promise.all([send({ 'x-test': 'a' }), send({ 'x-test': 'b' })]), [200, 200])
  await addRule(app, { path, code: 503, retryAfter: 30, times: 1 })
  const [first, second] = await Promise.all([send(), send()])
  t.same([first, second], [503, 200])
  t.same((await entriesOf(app)).slice(2).map(([, , advice]) => advice), [[], []])
})

const statusOf = async (url: string) => await fetch(url).then(async response => {
  await response.text()
  return `${response.status} ${response.headers.get('connection')}`
}, () => 'failed')

test('while a rule cuts connections, responses close theirs, and idle ones are closed', async t => {
  const server = await started(t, { simulate: true })
  const url = server.url + path
  t.equal(await statusOf(url), '200 keep-alive')
  server.simulate({ path: '/api/v1/wheels/', sequence: [{}, { fault: 'reset' }] })
  t.equal(await statusOf(url), '200 close')
  server.reset()
  t.equal(await statusOf(url), '200 keep-alive')
  server.simulate({ path, fault: 'empty', times: 1 })
  t.equal(await statusOf(url), 'failed', 'also for a request on a connection that was used before')
  t.equal(await statusOf(url), '200 keep-alive')
  t.same(server.rules().map(({ used }) => used), [1])

  const { port } = server
  const unused = connect(port, '127.0.0.1')
  const used = connect(port, '127.0.0.1')
  used.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(used, 'data')
  const closed = Promise.all([once(unused, 'close'), once(used, 'close')])
  used.resume()
  unused.resume()
  server.simulate({ path, fault: 'reset', times: 1 })
  await closed
  t.same(server.rules().map(({ used }) => used), [1, 0])
})

test('idle connections are closed before the response to the rule that closes them', async t => {
  const server = await started(t, { simulate: true })
  const idle = connect(server.port, '127.0.0.1')
  idle.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(idle, 'data')
  const events: string[] = []
  idle.resume().on('end', () => events.push('closed'))
  const posting = connect(server.port, '127.0.0.1')
  posting.on('data', data => events.push(data.toString().slice(9, 12)))
  const rule = JSON.stringify({ path, fault: 'reset', times: 1 })
  posting.write('POST /__simulate HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${rule.length}\r\n\r\n${rule}`)
  await once(posting, 'close')
  t.same(events, ['closed', '201'])
})

test('a response before a cut one on the same connection ends first', async t => {
  const { app, log } = await simulated(t, { rateLimit: false, logRequests: true })
  await addRule(app, { path, fault: 'reset', times: 1 })
  const requests = `GET /api/v1/brakes/?__delay=30 HTTP/1.1\r\nHost: a\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  const { answer, end } = await exchange(app, requests)
  t.equal(end, 'closed')
  t.match(answer, /^HTTP\/1\.1 200 OK[^]*\]$/)
  t.equal(answer.split('HTTP/1.1').length, 2)
  t.match(log, [{ msg: 'cut', fault: 'reset', simulated: 'rule 1: fault=reset' }, { status: 200 }])
})

test('a failure rate closes connections too, so that no client tries again silently', async t => {
  const { app } = await simulated(t, { failureRate: 0.01 })
  t.equal((await app.inject('/')).headers.connection, 'close')
})

test('a client that waited as long as it was told is accused of nothing while another wait lasts', async t => {
  const { app } = await simulated(t)
  await addRule(app, { path, code: 503, retryAfter: 1, times: 1 })
  await addRule(app, { path: '/api/v1/brakes/', code: 503, retryAfter: 60, times: 1 })
  await app.inject(path)
  clock.ahead += 2000
  for (const target of ['/api/v1/brakes/', path, '/api/v1/wheels/']) await app.inject(target)
  const outcomes = (await entriesOf(app)).map(([status, , advice]) => [status, advice])
  t.same(outcomes, [[503, []], [503, []], [200, []], [200, []]])
})

test('a request after the response to the same one, or while another is open, is no repetition of it', async t => {
  const at = (arrivedAt: number, endedAt?: number, headers = {}) => ({ arrivedAt, endedAt, headers }) as LoggedRequest
  t.equal(sameWhileOpen(at(0, 1), [at(0, 1), at(2)], 0), undefined)
  t.equal(sameWhileOpen(at(0), [at(0), at(2, 3, { a: 'b' })], 0), undefined)
  t.same(sameWhileOpen(at(0), [at(0), at(2)], 0), at(2))
})
