import { once } from 'node:events'
import type { InjectOptions } from 'fastify'
import { test } from 'tap'
import { mergePatch, patchRecords } from '../../src/simulation/patch.ts'
import { exchange, serve, started } from '../helper.ts'
import { addRule, get, rulesPath as address, simulated, stateOf } from './simulated.ts'

type State = Awaited<ReturnType<typeof stateOf>>

const path = '/api/v1/saddles/'
const json = { 'content-type': 'application/json' }
const html = { accept: 'text/html' }

test('the name of a rule is in the log, in recorded requests and on the page', async t => {
  const { app, log } = await simulated(t, { logRequests: true })
  await addRule(app, { path, name: '<Login> fails', code: 401, query: { page: 2, search: true, a: null } })
  await addRule(app, { path, name: 'unnamed', code: 404, when: { 'x-test': 5, 'x-other': null }, enabled: false })
  await app.inject(`${path}?page=2&search=`)
  t.match((await stateOf(app)).requests, [{ status: 401, simulated: 'rule 1 (<Login> fails): code=401' }])
  t.match(log, [{ simulated: 'rule 1 (<Login> fails): code=401' }])
  const { body } = await app.inject({ url: address, headers: html })
  for (const text of [
    '&#60;Login&#62; fails: code=401 with page: 2 with search without a',
    'rule 1 (&#60;Login&#62; fails): code=401', 'unnamed: code=404 with x-test: 5 without x-other', 'not enabled',
    '401 · 1 rule active · Simulation'
  ]) t.match(body, text, text)
})

test('a rule that is not enabled applies to nothing and cuts nothing', async t => {
  const server = await started(t, { simulate: true })
  server.simulate({ path, code: 503 })
  const off = server.simulate({ path, fault: 'reset', times: 1, enabled: false })
  const response = await fetch(server.url + path)
  t.same([response.status, response.headers.get('connection'), off.used], [503, 'keep-alive', 0])
  t.same(server.unused(), [])
})

test('PUT /__simulate/ID replaces a rule in its place, unused', async t => {
  const { app } = await simulated(t)
  const put = (id: string, rule: unknown) =>
    app.inject({ method: 'PUT', url: `${address}/${id}`, headers: json, payload: JSON.stringify(rule) })
  await addRule(app, { path, code: 503, times: 1 })
  await addRule(app, { path, code: 404, times: 1 })
  for (const status of [404, 503]) t.equal((await app.inject(path)).statusCode, status)
  const changed = await put('1', { id: 9, path, code: 500, times: 2, used: 5 })
  t.same([changed.statusCode, changed.json()], [200, { id: 1, path, code: 500, times: 2, used: 0 }])
  t.equal((await app.inject(path)).statusCode, 500)
  t.same((await stateOf(app)).rules.map(({ id, used }) => [id, used]), [[1, 1], [2, 1]])
  t.same((await put('2', { path, code: 1 })).statusCode, 400)
  for (const id of ['3', 'x', 'rules']) t.equal((await put(id, { path })).statusCode, 404, id)
  t.equal((await addRule(app, { path })).json<{ id: number }>().id, 3)
})

test('GET /__simulate?path=&status= has only these requests; other parameters are 400', async t => {
  const { app } = await simulated(t)
  await app.inject(path)
  await app.inject(`${path}?__code=503`)
  await exchange(app, get(`${path}?__fault=empty`))
  await app.inject('/api/v1/brakes/?page=1')
  const found = async (query: string) => {
    const { requests } = (await app.inject(address + query)).json<State>()
    return requests.map(({ path, status }) => [path.slice(8, -1), status])
  }
  t.same(await found(`?path=${path}`), [['saddles', 200], ['saddles', 503], ['saddles', null]])
  t.same(await found('?path=/api/*&status=200'), [['saddles', 200], ['brakes', 200]])
  t.same(await found('?status=null'), [['saddles', null]])
  const page = await app.inject({ url: `${address}?path=/api/v1/brakes/`, headers: html })
  t.match(page.body, 'GET /api/v1/brakes/?page=1')
  t.notMatch(page.body, 'GET /api/v1/saddles/')
  for (const [query, field, text] of [
    ['?id=1', 'id', 'Unknown parameter. GET has: path, status, wait, images, format.'],
    ['?__proto__=1', '__proto__', 'Unknown parameter. GET has: path, status, wait, images, format.'],
    ['?path=bikes', 'path', 'Must be a path, or the beginning of paths such as /api/*.'],
    ['?status=none', 'status', 'Must be a status such as 503, or null.'],
    ['?wait=61', 'wait', 'Must be seconds up to 60, such as 2 or 0.5.'],
    ['?wait=-1', 'wait', 'Must be seconds up to 60, such as 2 or 0.5.'],
    ['?images=1', 'images', 'Must be empty.'],
    ['?format=xml', 'format', 'Must be json or api.']
  ]) {
    const { statusCode, body } = await app.inject(`${address}${query}`)
    t.same([statusCode, body], [400, `{"${field}":["${text}"]}`], String(query))
  }
})

test('GET /__simulate?wait= returns when the next request that is asked for has ended', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const wait = async (query: string) => {
    const { requests } = (await app.inject(`${address}?wait=60${query}`)).json<State>()
    return requests.map(({ status }) => status)
  }
  const waiting = [wait(''), wait('&status=503'), wait('&status=null'), wait('&path=/api/v1/bikes/')]
  await app.inject({ url: path, headers: html })
  await app.inject(path)
  t.same(await waiting[0], [200], 'a browsable page is no request')
  await app.inject(`${path}?__code=503`)
  t.same(await waiting[1], [503])
  await exchange(app, get(`${path}?__fault=reset`))
  t.same(await waiting[2], [null])
  await exchange(app, 'GET /api/v1/bikes/ x HTTP/1.1\r\nHost: a\r\n\r\n')
  t.same(await waiting[3], [400])
  t.equal((await app.inject(`${address}?wait=0.01`)).statusCode, 200)
})

test('100 clients at most wait for a request, until they leave or the server closes', async t => {
  const { app } = await simulated(t)
  const url = `${address}?wait=60`
  const leaving = new AbortController()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const arrived = once(app.server, 'request')
  const left = fetch(`http://127.0.0.1:${port}${url}`, { signal: leaving.signal })
  await arrived
  const waiting = Array.from({ length: 99 }, () => app.inject(url))
  await app.inject(address)
  const refused = await app.inject(url)
  t.same([refused.statusCode, refused.body], [503, '{"detail":"100 clients wait already."}'])
  leaving.abort()
  await t.rejects(left)
  while (app.simulation!.requestLog.waiting.size > 99) await new Promise(resolve => setImmediate(resolve))
  waiting.push(app.inject(url))
  await app.inject(address)
  await app.close()
  t.same(new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode)), new Set([200]))
})

test('the number of requests that are no longer kept', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (let count = 0; count < 1002; count++) await app.inject('/media/x')
  const droppedNow = async () => (await app.inject(address)).json<{ dropped: number }>().dropped
  t.equal(await droppedNow(), 2)
  t.match((await app.inject({ url: address, headers: html })).body, '2 older requests no longer kept.')
  await app.inject({ method: 'DELETE', url: `${address}/requests` })
  t.equal(await droppedNow(), 0)
})

/** The examples of RFC 7396, appendix A. */
const merges: readonly [target: string, patch: string, result: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['{"__proto__":1}', '{"__proto__":{"a":2}}', '{"__proto__":{"a":2}}']
]

test('a patch is merged as RFC 7396 says', async t => {
  for (const [target, patch, result] of merges) {
    t.equal(JSON.stringify(mergePatch(JSON.parse(target), JSON.parse(patch))), result, `${target} ${patch}`)
  }
})

test('a patch changes the only array of an envelope of any name', async t => {
  const body = Buffer.from('{"meta":1,"data":[{"id":1}]}')
  t.equal(patchRecords(body, { a: 1 }, 0).toString(), '{"meta":1,"data":[{"id":1,"a":1}]}')
})

test('a patch leaves a body that is no list as it is', async t => {
  for (const body of ['<html>', '"text"']) t.equal(patchRecords(Buffer.from(body), { a: 1 }, 0).toString(), body)
})

test('a patch changes every record of a list, a page, an example and a compressed response', async t => {
  const { app } = await simulated(t, { rateLimit: false, compress: true })
  const plain = (await app.inject(path)).json<{ id: number, model: string }[]>()
  const { etag } = (await app.inject(path)).headers
  await addRule(app, { path, patch: { brand: null, model: 5, extra: { a: [] } } })
  const patched = plain.map(({ id }) => ({ id, model: 5, extra: { a: [] } }))
  const list = await app.inject({ url: path, headers: { 'if-none-match': String(etag), 'accept-encoding': 'br' } })
  t.same([list.statusCode, list.json(), list.headers.etag], [200, patched, undefined])
  t.match(list.headers, { 'cache-control': 'no-store', 'content-length': String(list.rawPayload.length) })
  const page = (await app.inject(`${path}?page=2&page_size=2`)).json<object>()
  t.match(page, { count: plain.length, results: patched.slice(2, 4) })
  const indented = await app.inject({ url: `${path}?page=1`, headers: { accept: 'application/json; indent=1' } })
  t.match(indented.body, '\n  {\n   "id": 1,\n   "model": 5,')
  const head = await app.inject({ method: 'HEAD', url: path })
  t.same([head.statusCode, head.headers['content-length'], head.body], [200, list.headers['content-length'], ''])

  await addRule(app, { path, example: 'one', fault: 'malformed', patch: { brand: 'x' }, times: 1 })
  const whole = JSON.stringify([{ ...plain[0], brand: 'x' }])
  t.equal((await app.inject(path)).body, whole.slice(0, whole.length / 2))
})

const others: readonly InjectOptions[] = [
  { url: `${path}?page=99` },
  { url: path, headers: html },
  { url: '/media/missing.jpg' },
  { method: 'OPTIONS', url: path }
]

test('a patch leaves other responses as they are', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const responses = async () => await Promise.all(others.map(async other => {
    const { statusCode, body } = await app.inject(other)
    return [statusCode, body]
  }))
  const before = await responses()
  await addRule(app, { path: '*', patch: { id: 'x' } })
  t.same(await responses(), before)
})

test('a patch leaves other numbers as they are written, and arrays beside the results', async t => {
  const listOf = (title: string) => '{"links":[{"page":1}],' +
    `"results":[{"id":90071992547409931,"weight":8.0,"title":${title},"note":"\\u0000"}]}`
  const upstream = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(listOf('"a\\u0000b"'))
  })
  const { app } = await simulated(t, { upstream })
  await addRule(app, { path, patch: { title: 5 } })
  t.equal((await app.inject(path)).body, listOf('5'))
})

test('recorded headers are those that were sent, although a simulation ignores some', async t => {
  const { app } = await simulated(t)
  const headers = { 'if-none-match': '"a"', 'accept-encoding': 'br' }
  await app.inject({ url: `${path}?__fault=malformed`, headers })
  t.match((await stateOf(app)).requests, [{ headers }])
})
