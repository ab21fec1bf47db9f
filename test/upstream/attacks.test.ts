import { createServer, type Server as NetServer } from 'node:net'
import { test, type Test } from 'tap'
import { start } from '../../src/start.ts'
import { listen, open, readRaw, sendRaw, serve, started } from '../helper.ts'

const saddles = '/api/v1/saddles/'
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]'

/** Returns a service that answers each head that it reads on a connection, and keeps the bytes of each connection. */
function rawService () {
  const connections: string[] = []
  const server = createServer(socket => {
    const index = connections.push('') - 1
    let answered = 0
    socket.setEncoding('latin1').on('error', () => {}).on('data', (chunk: string) => {
      connections[index] += chunk
      const heads = connections[index]!.split('\r\n\r\n').slice(0, -1)
      for (const head of heads.slice(answered)) socket.write(head.startsWith('HEAD') ? ok.slice(0, -2) : ok)
      answered = heads.length
    })
  })
  return { server, connections }
}

/** Starts a server in front of a raw service; returns the app. */
async function inFront (t: Test, service: NetServer, options: object = {}) {
  const upstream = `http://127.0.0.1:${await listen(t, service)}`
  const { app } = await started(t, { simulate: true, upstream, ...options })
  return { app, upstream }
}

/** Returns the names of the headers in a request as a service reads it. */
function namesIn (head: string): string[] {
  return head.split('\r\n').slice(1).filter(Boolean).map(line => line.split(':')[0]!.toLowerCase())
}

test('two requests on one kept connection: no framing and no body of a client reaches the service', async t => {
  const body = 'GET /admin/ HTTP/1.1\r\nHost: a\r\n\r\n'
  const length = `Content-Length: ${body.length}`
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`
  const requests = [
    `GET ${saddles} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n${body}`,
    `HEAD ${saddles} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n${body}`,
    `OPTIONS ${saddles} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n\r\n${body}`,
    `OPTIONS ${saddles} HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Encoding: gzip\r\n${length}\r\n\r\n${body}`,
    `OPTIONS ${saddles} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\n${chunks}`,
    `GET ${saddles} HTTP/1.1\r\nHost: a\r\nConnection: te\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    `GET ${saddles} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${length}\r\n\r\n${body}`,
    `GET ${saddles} HTTP/1.1\r\nHost: a\r\nExpect: other\r\nConnection: content-length\r\n${length}\r\n\r\n${body}`,
    `GET http://other.example${saddles} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n${body}`
  ]
  const last = `GET ${saddles} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  for (const request of requests) {
    const [line = ''] = request.split('\r\n')
    const { server, connections } = rawService()
    const { app, upstream } = await inFront(t, server)
    const [socket] = await open(app.server, request)
    let got = ''
    for await (const chunk of socket.setEncoding('latin1')) {
      const isFirst = !/ 200 /.test(got)
      got += chunk
      if (isFirst && / 200 /.test(got)) socket.write(last)
    }
    t.equal(got.split(' 200 OK').length, 3, line)
    t.equal(connections.length, 1, line)
    const [head = '', next = '', ...rest] = connections[0]!.split('\r\n\r\n')
    t.strictSame(rest, [''], `${line}: no body`)
    t.match(next, `GET ${saddles} HTTP/1.1`)
    t.equal(head.split('\r\n')[0], `${line.split(' ')[0]} ${saddles} HTTP/1.1`)
    t.match(head, `Host: ${new URL(upstream).host}`)
    t.strictSame(namesIn(head).sort(), ['connection', 'host', 'via'], line)
    t.notMatch(head, /other\.example/)
  }
})

test('paths that a service may take for others, and requests of HTTP/1.0', async t => {
  const { server, connections } = rawService()
  const { app } = await inFront(t, server)
  const paths = [
    '/media/../admin/', '/media/..', '/media/%2e%2e/admin/', '/media/a%2f..%2fb', '/media/..%5cadmin',
    '/media/..;/admin/', '/media/./a'
  ]
  for (const path of paths) {
    const answer = await sendRaw(app, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    t.equal(readRaw(answer).status, 404, path)
  }
  t.strictSame(connections, [])
  t.equal(readRaw(await sendRaw(app, `GET ${saddles}?a=..%2f HTTP/1.0\r\n\r\n`)).body, '[]')
  t.match(connections, [`GET ${saddles}?a=..%2f HTTP/1.1`])
})

test('a server that is its own service: refused at the start, otherwise 508', async t => {
  const own = [
    ['localhost', 'http://localhost:3000'], ['localhost', 'http://[::1]:3000/a'], ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'], ['::', 'http://localhost:3000'], ['bikes', 'https://user:word@bikes:3000']
  ] as const
  for (const [host, upstream] of own) {
    const message = /upstream is the address of this server/
    await t.rejects(start({ simulate: true, host, port: 3000, upstream }), { message }, upstream)
  }
  const relay = await serve(t, (request, response) => {
    fetch(app.server.listening ? `${url}${request.url}` : '', { headers: { via: String(request.headers.via) } })
      .then(async answer => response.writeHead(answer.status).end(await answer.text()))
      .catch(() => response.destroy())
  })
  const { app, url } = await started(t, { simulate: true, upstream: relay })
  const response = await fetch(url + saddles, { headers: { via: '1.0 other' } })
  t.equal(response.status, 508)
  t.match(await response.text(), /leads back to this server. This error comes from this server/)
})
