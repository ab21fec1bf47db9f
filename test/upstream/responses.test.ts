import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { test, type Test } from 'tap'
import { start } from '../../src/start.ts'
import { buildLogged, listen, serve, started } from '../helper.ts'

const saddles = '/api/v1/saddles/'

/** Starts a server in front of a service that sends bytes, again and again with a pause; returns its URL. */
async function dripping (t: Test, head: string, piece: string): Promise<string> {
  const port = await listen(t, createServer(socket => {
    socket.on('error', () => {}).write(head)
    const timer = setInterval(() => { if (!socket.writableNeedDrain) socket.write(piece) }, 5)
    socket.on('close', () => clearInterval(timer)).resume()
  }))
  return (await started(t, { simulate: true, upstream: `http://127.0.0.1:${port}`, upstreamTimeout: 700 })).url
}

test('a service that switches protocols, drips its header, or sends no quotation mark: 502 or 504', async t => {
  const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'
  const cases: [head: string, piece: string, status: number][] = [
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: own\r\n\r\n', '', 502],
    ['HTTP/1.1 999 Denied\r\n\r\n', '', 502],
    ['HTTP/1.1 200 OK\r\n', 'a: b\r\n', 504],
    [json, '1', 504],
    [json, '1'.repeat(2 ** 18), 502]
  ]
  for (const [head, piece, status] of cases) {
    t.equal((await fetch(await dripping(t, head, piece) + saddles)).status, status, head)
  }
})

test('a body that never ends is not collected to be changed, and its request ends', async t => {
  const piece = Buffer.alloc(2 ** 16, '"a",')
  let isClosed: Promise<unknown> = Promise.resolve()
  const upstream = await serve(t, (_, response) => {
    isClosed = once(response, 'close')
    Readable.from(function * () { while (true) yield piece }()).pipe(response)
  })
  const { url } = await started(t, { simulate: true, upstream })
  for (const fault of ['truncate', 'malformed', 'drip']) {
    const response = await fetch(`${url}${saddles}?__fault=${fault}`)
    t.equal(response.status, 502, fault)
    await isClosed
  }
})

test('only a header that is exactly one JSON type escapes the sandbox', async t => {
  const cases: [type: string, policy: string | null][] = [
    ['application/json; charset=utf-8', null], ['application/problem+json', null],
    ['application/json, text/html', 'sandbox'], ['application/json;, text/html', 'sandbox'],
    ['application/json; a=", text/html"', 'sandbox'], ['application/jsonp', 'sandbox']
  ]
  for (const [type, policy] of cases) {
    const upstream = await serve(t, (_, response) => response.writeHead(200, { 'content-type': type }).end('[]'))
    const { url } = await started(t, { simulate: true, upstream })
    t.equal((await fetch(url + saddles)).headers.get('content-security-policy'), policy, type)
  }
})

test('a user and headers for a gateway are sent to the service only', async t => {
  const upstream = await serve(t, ({ headers }, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`${headers.authorization} ${headers['x-key']}`)
  })
  const withUser = upstream.replace('//', '//user:p%40ss@')
  const { url } = await started(t, { simulate: true, upstream: withUser, upstreamHeader: ['X-Key: abc'] })
  const response = await fetch(url + saddles, { headers: { authorization: 'Token a' } })
  t.equal(await response.text(), `Basic ${btoa('user:p@ss')} abc`)
  t.strictSame((await (await fetch(`${url}/readyz`)).json() as { data: object }).data, { upstream })
  const page = await (await fetch(`${url}/__simulate`, { headers: { accept: 'text/html' } })).text()
  t.ok(page.includes(upstream))
  await t.rejects(start({ upstreamHeader: ['X-Key: abc'] }), { message: /upstreamHeader needs upstream/ })
})

test('headers for a gateway stand neither in the log nor in a page or an error', async t => {
  const heads = ['', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n["']
  const port = await listen(t, createServer(socket => {
    socket.on('error', () => {}).once('data', () => socket.end(heads.shift() ?? ''))
  }))
  const { app, log } = await buildLogged(t, {
    simulate: true,
    logRequests: true,
    upstream: `http://127.0.0.1:${port}`,
    upstreamHeader: ['Authorization: Basic key-abc', 'X-Key: key-abc']
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const texts = []
  for (const accept of ['application/json', 'text/html']) {
    for (const path of [saddles, '/', '/readyz', '/__simulate']) {
      texts.push(await fetch(url + path, { headers: { accept } }).then(response => response.text()).catch(String))
    }
  }
  texts.push(JSON.stringify(log))
  t.notMatch(texts.join('\n'), /key-abc/)
})

test('a response that the service cuts has a line in the log with its cause, and a row on the page', async t => {
  const upstream = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[{"brand":"Other"},', () => response.destroy())
  })
  const { app, log } = await buildLogged(t, { simulate: true, upstream, logRequests: true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await t.rejects(fetch(url + saddles).then(response => response.text()))
  while (!log.some(({ cut }) => cut === true)) await nextTurn()
  const line = log.find(({ cut }) => cut === true)
  t.match(line, { method: 'GET', url: saddles, status: 200, cause: String })
  const page = await (await fetch(`${url}/__simulate`, { headers: { accept: 'text/html' } })).text()
  t.match(page, /cut: /)
})

test('a client that leaves before the service responds has a line in the log, without a status', async t => {
  const leaving = new AbortController()
  const upstream = await serve(t, () => leaving.abort())
  const { app, log } = await buildLogged(t, { simulate: true, upstream, logRequests: true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await t.rejects(fetch(url + saddles, { signal: leaving.signal }))
  while (!log.some(({ cut }) => cut === true)) await nextTurn()
  const line = log.find(({ cut }) => cut === true)
  t.match(line, { url: saddles, cause: 'the client left' })
  t.notOk(Object.hasOwn(line ?? {}, 'status'))
})

test('a 204 of the service has no Content-Length', async t => {
  const port = await listen(t, createServer(socket => {
    socket.on('error', () => {}).end('HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n')
  }))
  const { url } = await started(t, { simulate: true, upstream: `http://127.0.0.1:${port}` })
  const { status, headers } = await fetch(url + saddles)
  t.same([status, headers.get('content-length')], [204, null])
})

/** Starts a server in front of a service that sends the same bytes to each request, and keeps its connections open. */
async function sending (t: Test, bytesFor: (base: string) => (string | Buffer)[]) {
  const sockets = new Set<Socket>()
  const service = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.on('data', () => socket.write(Buffer.concat(bytesFor(base).map(bytes => Buffer.from(bytes)))))
  })
  const base = `http://127.0.0.1:${await listen(t, service)}`
  const { url } = await started(t, { simulate: true, upstream: base })
  return { base, url, sockets }
}

test('the name of a content coding may be empty, identity, or in upper case', async t => {
  for (const [name, encode] of [['', Buffer.from], ['identity', Buffer.from], ['GZIP', gzipSync]] as const) {
    const { url } = await sending(t, base => {
      const body = encode(JSON.stringify([base]))
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${name}\r\n`
      return [head, `Content-Length: ${body.length}\r\n\r\n`, body]
    })
    t.same(await (await fetch(url + saddles)).json(), [url], name)
  }
})

test('a response without a body may name a content coding', async t => {
  for (const status of [200, 204, 302]) {
    const length = status === 204 ? '' : 'Content-Length: 0\r\n'
    const head = `HTTP/1.1 ${status} A\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n${length}\r\n`
    const { url } = await sending(t, () => [head])
    const response = await fetch(url + saddles, { redirect: 'manual' })
    t.same([response.status, await response.text()], [status, ''])
  }
})

test('a response that is refused for its status keeps no connection', async t => {
  for (const status of ['700', '099']) {
    const { url, sockets } = await sending(t, () => [`HTTP/1.1 ${status} A\r\nContent-Length: 5\r\n\r\nabcde`])
    for (let count = 0; count < 3; count++) t.equal((await fetch(url + saddles)).status, 502, status)
    while (sockets.size > 0) await nextTurn()
  }
})

test('a request is sent again if the service has closed its kept connection', async t => {
  let count = 0
  const service = createServer(socket => {
    let isUsed = false
    socket.on('error', () => {}).on('data', () => {
      count++
      if (isUsed) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]')
      isUsed = true
    })
  })
  const { url } = await started(t, { simulate: true, upstream: `http://127.0.0.1:${await listen(t, service)}` })
  for (let request = 0; request < 3; request++) t.equal((await fetch(url + saddles)).status, 200)
  t.equal(count, 5)
})

test('links in headers without a host or a scheme lead to this server', async t => {
  const cases: [path: string, location: (base: string) => string, expected: (url: string) => string][] = [
    ['', base => `${base.slice('http:'.length)}/a`, url => `${url}/a`],
    ['/own', () => '/own/api/v1/wheels/', url => `${url}/api/v1/wheels/`],
    ['', () => '?page=1', () => '?page=1']
  ]
  for (const [path, location, expected] of cases) {
    const upstream = await serve(t, (_, response) => response.writeHead(302, { location: location(upstream) }).end())
    const { url } = await started(t, { simulate: true, upstream: upstream + path })
    const { headers } = await fetch(url + saddles, { redirect: 'manual' })
    t.equal(headers.get('location'), expected(url))
  }
})

test('a service is asked only for content codings in which links can be replaced', async t => {
  const upstream = await serve(t, ({ headers }, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(headers['accept-encoding'])
  })
  const { url } = await started(t, { simulate: true, upstream })
  const headers = { 'accept-encoding': 'zstd, gzip;q=0.5, BR, *;q=0' }
  t.equal((await (await fetch(url + saddles, { headers })).text()).trim(), 'gzip;q=0.5, BR')
})

test('a body that the service cuts is a 502 where a fault needs all of it, and is requested once', async t => {
  const methods: unknown[] = []
  const upstream = await serve(t, ({ method }, response) => {
    methods.push(method)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[{"brand":"Other"},', () => response.destroy())
  })
  const { app, log } = await buildLogged(t, { simulate: true, upstream })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await t.rejects(fetch(url + saddles, { method: 'OPTIONS' }).then(response => response.text()))
  t.equal((await fetch(`${url}${saddles}?__fault=malformed`)).status, 502)
  t.same(methods, ['OPTIONS', 'GET'])
  t.same(log.filter(({ level }) => Number(level) >= 50), [])
})
