import { METHODS } from 'node:http'
import { t, test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t)

const lists = resources.filter(({ access }) => access === 'public')
const path = '/api/v1/brakes/'

test('each kind of path allows its methods; every other method that Node parses is 405', async t => {
  for (const [url, allow] of [
    [path, 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD'],
    ['/robots.txt', 'GET, HEAD'],
    ['/tokens/', 'GET, HEAD, POST'],
    ['/media/a.jpg', 'GET, HEAD'],
    ['/livez', 'GET, HEAD']
  ] as const) {
    for (const method of METHODS.filter(method => !allow.split(', ').includes(method) && method !== 'CONNECT')) {
      const request = `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      const { status, headers, body } = readRaw(await send(request))
      t.strictSame([status, body], [405, `{"detail":"Method \\"${method}\\" not allowed."}`], `${method} ${url}`)
      t.match(Object.fromEntries(headers), {
        allow: new RegExp(`^${allow}$`),
        'content-type': /^application\/json$/,
        'cache-control': 'no-store',
        ...url === path ? { vary: 'Accept' } : {}
      }, method)
    }
  }
})

test('a POST is 405 with any body, also of 10 MB, in chunks or not, after which its connection stays open', async t => {
  for (const [type, payload] of [
    ['application/json', '{bad'],
    ['application/json', ''],
    ['text/plain', 'x'],
    ['nonsense', 'x'],
    ['application/json', '{"__proto__":1}']
  ] as const) {
    const response = await inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload })
    t.equal(response.statusCode, 405, `${type} ${payload}`)
  }
  const headers = { 'x-http-method-override': 'DELETE' }
  const overridden = await inject({ method: 'POST', url: `${path}?_method=DELETE`, headers })
  t.equal(overridden.body, '{"detail":"Method \\"POST\\" not allowed."}')
  const bytes = 'x'.repeat(10_000_000)
  for (const body of [
    `Content-Length: ${bytes.length}\r\n\r\n${bytes}`,
    `Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`
  ]) {
    const next = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    for (const type of ['application/json', 'nonsense']) {
      const answers = await send(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${body}${next}`)
      t.same(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 405', 'HTTP/1.1 200'], type)
    }
  }
  const head = [`QUERY ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', 'Content-Length: 1']
  const query = await send(`${head.join('\r\n')}\r\n\r\nx`)
  t.equal(readRaw(query).status, 405)
})

test('GET with a body is the list; HEAD has the headers of GET and no body, as a page too', async t => {
  const head = [
    `GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', 'Content-Type: application/json',
    'Content-Length: 4'
  ]
  const answer = readRaw(await send(`${head.join('\r\n')}\r\n\r\n{bad`))
  t.strictSame([answer.status, answer.body], [200, (await inject(path)).body])
  for (const url of [
    path, '/api/v1/bikes/?page=2', `${path}?format=xml`, `${path}?page=0`, '/api/v1/bikes/?page=abc',
    '/nope/', '/api/v2/bikes/', '/media/nope.jpg'
  ]) {
    for (const accept of ['*/*', 'text/html']) {
      const get = await inject({ url, headers: { accept } })
      const head = await inject({ url, method: 'HEAD', headers: { accept } })
      t.same([head.statusCode, head.body], [get.statusCode, ''], `${url} ${accept}`)
      t.same({ ...head.headers, date: '' }, { ...get.headers, date: '' }, `${url} ${accept}`)
    }
  }
  const { body } = readRaw(await send(`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))
  t.equal(body, '')
})

test('OPTIONS describes the list', async t => {
  for (const { path, name } of lists) {
    const answer = await inject({ method: 'OPTIONS', url: `${path}?page=abc` })
    const renders = ['application/json', 'text/html']
    const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    t.equal(answer.body, JSON.stringify({ name, description: '', renders, parses }), path)
    t.match(answer.headers, {
      allow: 'GET, HEAD, OPTIONS', vary: 'Accept', 'content-type': /^application\/json$/
    }, path)
    t.notOk(answer.headers['cache-control'], path)
  }
  t.same(lists.slice(0, 2).map(({ name }) => name), ['Bike List', 'Featured Bike List'])
  const page = await inject({ method: 'OPTIONS', url: path, headers: { accept: 'text/html' } })
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8' })
  t.equal((await inject({ method: 'OPTIONS', url: path, headers: { accept: 'application/xml' } })).statusCode, 406)
})

const origin = 'https://app.example'
const preflight = { origin, 'access-control-request-method': 'GET' }

test('a CORS preflight is 204 with the CORS headers, also to a path without its slash', async t => {
  for (const [url, otherwise] of [[path, 200], [path.slice(0, -1), 301]] as const) {
    const { statusCode, body, headers } = await inject({
      method: 'OPTIONS', url, headers: { ...preflight, accept: 'nonsense' }
    })
    t.strictSame([statusCode, body], [204, ''], url)
    t.match(headers, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': /Authorization, Prefer\b/,
      'access-control-max-age': '86400', allow: 'GET, HEAD, OPTIONS', vary: 'Accept'
    }, url)
    t.notOk(headers['cache-control'] ?? headers['access-control-allow-credentials'], url)
    const plain = await inject({ method: 'OPTIONS', url, headers: { origin } })
    t.equal(plain.statusCode, otherwise, `an Origin alone is no preflight of ${url}`)
  }
})

test('--cors credentials: responses allow the origin of the request, and preflights its headers by name', async t => {
  const app = await build(t, { cors: 'credentials' })
  const { etag } = (await app.inject(path)).headers
  for (const [url, status, headers, vary] of [
    [path, 200, {}, 'Accept, Origin'],
    [path, 304, { 'if-none-match': etag }, 'Accept, Origin'],
    [`${path}?page=9`, 404, {}, 'Accept, Origin'],
    ['/api/v2/bikes/', 401, {}, 'Accept, Origin'],
    ['/nope/', 404, {}, 'Origin'], ['/', 200, {}, 'Origin'], ['/api/v1/brakes', 301, {}, 'Origin']
  ] as const) {
    const { statusCode, headers: sent } = await app.inject({ url, headers: { ...headers, origin } })
    t.match([statusCode, sent], [
      status,
      { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary }
    ], `${status} ${url}`)
  }
  const { headers } = await app.inject(path)
  t.match(headers, { 'access-control-allow-origin': '*', vary: 'Accept, Origin' }, 'a request without an origin')
  t.notOk(headers['access-control-allow-credentials'])
  for (const requested of ['x-app, authorization', undefined]) { // with credentials, * has no meaning
    const { statusCode, headers } = await app.inject({
      method: 'OPTIONS',
      url: path,
      headers: { ...preflight, ...requested && { 'access-control-request-headers': requested } }
    })
    t.match([statusCode, headers], [
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': requested ?? ''
      }
    ], String(requested))
  }
})
