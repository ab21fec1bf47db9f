import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { createServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { test, type Test } from 'tap'
import { banner } from '../../src/command/banner.ts'
import { tokensOf } from '../../src/command/ready.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { start } from '../../src/start.ts'
import { certify } from '../certificate.ts'
import { booted, catalogue, listen, open, serve, started } from '../helper.ts'

/** Starts a server in front of a service that responds as given; returns its URL and that of the service. */
async function before (t: Test, service: RequestListener, options: object = {}) {
  const upstream = await serve(t, service)
  const server = await started(t, { simulate: true, upstream, ...options })
  return { server, upstream, url: server.url }
}

const originOf = ({ headers }: IncomingMessage) => `http://${headers.host}`

/** Returns a service that sends one body. */
function sends (body: string | Buffer, headers: Record<string, string | string[]> = {}, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

test('a server in front of another one has its responses, and links to itself', async t => {
  const service = await started(t, { tokens: ['their-token'], pageSize: 3 })
  const server = await started(t, { simulate: true, upstream: service.url })
  const targets = [
    '/api/v1/bikes/?page=2', '/api/v1/saddles/', '/api/v1/bikes/featured/?ordering=-title', '/api/v1/bikes/?page=99',
    '/api/v1/chains/?format=xml', '/api/v1/wheels/?format=api', '/api/v2/bikes/', '/api/v2/bikes/?year__gte=x'
  ]
  for (const target of targets) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      for (const authorization of ['', 'Token their-token']) {
        const headers = { authorization }
        const theirs = await fetch(service.url + target, { method, headers })
        const ours = await fetch(server.url + target, { method, headers })
        const name = `${method} ${target} ${authorization}`
        t.equal(ours.status, theirs.status, name)
        t.equal(await ours.text(), (await theirs.text()).replaceAll(service.url, server.url), name)
        const lifetime = [
          'cache-control', 'content-security-policy', 'content-length', 'transfer-encoding', 'date', 'connection',
          'keep-alive'
        ]
        const shown = (response: Response) => [...response.headers].filter(([header]) => !lifetime.includes(header))
        t.same(shown(ours), shown(theirs), name)
        t.equal(ours.headers.get('cache-control'), 'no-cache', name)
      }
    }
  }
})

test('images are forwarded as they are', async t => {
  const service = await started(t)
  const server = await started(t, { simulate: true, upstream: service.url })
  const bikes = await fetch(`${server.url}/api/v1/bikes/`)
  const [{ featured_image: image }] = await bikes.json() as [{ featured_image: string }]
  t.ok(image.startsWith(`${server.url}/media/`))
  const ours = await fetch(image)
  const theirs = await fetch(image.replace(server.url, service.url))
  t.equal(ours.headers.get('content-type'), theirs.headers.get('content-type'))
  t.same(Buffer.from(await ours.arrayBuffer()), Buffer.from(await theirs.arrayBuffer()))
  const etag = ours.headers.get('etag') as string
  const again = await fetch(image, { headers: { 'if-none-match': etag } })
  t.equal(again.status, 304)
})

test('a validator of a list is good for the service', async t => {
  const service = await started(t)
  const server = await started(t, { simulate: true, upstream: service.url })
  const first = await fetch(`${server.url}/api/v1/bikes/`)
  const etag = first.headers.get('etag') as string
  const again = await fetch(`${server.url}/api/v1/bikes/`, { headers: { 'if-none-match': etag } })
  t.equal(again.status, 304)
  t.equal(await again.text(), '')
})

const codings: Record<string, (body: Buffer) => Buffer> = {
  identity: body => body, gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync
}

test('links are rewritten in each content coding, and however JSON escapes them', async t => {
  for (const [coding, compress] of Object.entries(codings)) {
    const { url, upstream } = await before(t, (request, response) => {
      const own = originOf(request)
      const escaped = own.replaceAll('/', '\\/')
      const links = { next: `${own}/api/v1/bikes/?page=2`, other: `${own}9/`, secure: own.replace('http', 'https') }
      const body = JSON.stringify(links).replace('{', `{"escaped":"${escaped}\\/media\\/1.jpg","name":"Größe",`)
      const header: Record<string, string> = coding === 'identity' ? {} : { 'content-encoding': coding }
      sends(compress(Buffer.from(body)), header)(request, response)
    })
    const response = await fetch(`${url}/api/v1/bikes/`)
    t.equal(response.headers.get('content-encoding'), null, coding)
    const text = await response.text()
    t.match(text, `"${url.replaceAll('/', '\\/')}\\/media\\/1.jpg"`, coding)
    const rewritten = { name: 'Größe', next: `${url}/api/v1/bikes/?page=2`, other: `${upstream}9/`, secure: url }
    t.match(JSON.parse(text), rewritten, coding)
  }
})

test('a body in an unknown content coding, and one that is neither JSON nor HTML, stay as they are', async t => {
  for (const headers of [{ 'content-encoding': 'own' }, { 'content-type': 'text/csv' }]) {
    const { url, upstream } = await before(t, (request, response) => {
      sends(`${originOf(request)}/`, headers)(request, response)
    })
    const response = await fetch(`${url}/api/v1/bikes/`)
    t.equal(await response.text(), `${upstream}/`)
  }
})

test('a page of the service runs no script on the origin of this server', async t => {
  const page = { 'content-type': 'text/html; charset=utf-8' }
  const policies: [headers: Record<string, string>, policy: string | null][] = [
    [page, 'sandbox'],
    [{ ...page, 'content-security-policy': "img-src 'self'" }, "img-src 'self', sandbox"],
    [{ 'content-type': 'image/svg+xml' }, 'sandbox'],
    [{ 'content-type': 'application/json' }, null]
  ]
  for (const [headers, policy] of policies) {
    const { url } = await before(t, sends('', headers))
    const response = await fetch(`${url}/api/v1/bikes/?format=api`)
    t.equal(response.headers.get('content-security-policy'), policy, JSON.stringify(headers))
  }
})

test('a link that arrives in pieces is rewritten', async t => {
  const { url } = await before(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/problem+json' })
    const body = JSON.stringify({ a: 1, next: `${originOf(request)}/api/v1/bikes/` })
    const [first, ...rest] = body.match(/.{1,3}/g) as string[]
    let pieces: string[] = rest
    response.write(first, function next (): void {
      const [piece, ...others] = pieces
      pieces = others
      if (piece === undefined) response.end()
      else response.write(piece, next)
    })
  })
  t.same(await (await fetch(`${url}/api/v1/bikes/`)).json(), { a: 1, next: `${url}/api/v1/bikes/` })
})

test('headers about the connection and the origin are left out, links in headers are rewritten', async t => {
  const { url } = await before(t, (request, response) => sends('[]', {
    'set-cookie': ['a=1', 'b=2'],
    'strict-transport-security': 'max-age=1',
    'alt-svc': 'h3=":443"',
    'set-cookie2': 'a=1',
    'clear-site-data': '"*"',
    'service-worker-allowed': '/',
    refresh: '0;url=/',
    nel: '{"report_to":"a","max_age":1}',
    'report-to': '{"group":"a","max_age":1,"endpoints":[]}',
    'reporting-endpoints': 'a="https://reports.example.org"',
    connection: 'x-own',
    'x-own': '1',
    'x-kept': '2',
    'x-total-count': '14',
    vary: 'Accept, Cookie',
    'access-control-allow-origin': 'https://app.example.org',
    'access-control-allow-private-network': 'true',
    'cache-control': 'public, max-age=120',
    expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
    location: `${originOf(request)}/login/`,
    link: `<${originOf(request)}/api/v1/bikes/?page=2>; rel="next"`
  })(request, response))
  const { headers } = await fetch(`${url}/api/v1/bikes/`)
  const absent = [
    'set-cookie', 'set-cookie2', 'strict-transport-security', 'alt-svc', 'clear-site-data', 'service-worker-allowed',
    'refresh', 'nel', 'report-to', 'reporting-endpoints', 'x-own', 'expires', 'allow', 'x-frame-options'
  ]
  for (const name of absent) t.equal(headers.get(name), null, name)
  t.equal(headers.get('x-kept'), '2')
  t.equal(headers.get('x-total-count'), '14')
  t.equal(headers.get('vary'), 'Accept, Cookie')
  t.equal(headers.get('access-control-allow-origin'), '*')
  t.equal(headers.get('access-control-allow-private-network'), null)
  t.equal(headers.get('cache-control'), 'no-cache')
  t.equal(headers.get('location'), `${url}/login/`)
  t.equal(headers.get('link'), `<${url}/api/v1/bikes/?page=2>; rel="next"`)
})

test('a response may have no headers at all', async t => {
  const port = await listen(t, createServer(socket => { socket.end('HTTP/1.0 200 OK\r\n\r\n[]') }))
  const server = await started(t, { simulate: true, upstream: `http://127.0.0.1:${port}` })
  const response = await fetch(`${server.url}/api/v1/bikes/`)
  t.equal(await response.text(), '[]')
  t.equal(response.headers.get('content-security-policy'), 'sandbox')
})

test('requests arrive as sent: query, credentials, conditions, but no headers of the connection', async t => {
  const seen: IncomingMessage[] = []
  const { url } = await before(t, (request, response) => {
    seen.push(request)
    sends('[]')(request, response)
  })
  const headers = { authorization: 'Token abc', 'if-none-match': '"a"', 'if-match': '"b"' }
  const ownHeaders = { prefer: 'delay=1', te: 'trailers', cookie: 'a=1' }
  await fetch(`${url}/api/v2/bikes/?b=%C3%A9&a=1&a=2&__delay=1`, { headers: { ...headers, ...ownHeaders } })
  const { url: target, headers: sent } = seen[0] as IncomingMessage
  t.equal(target, '/api/v2/bikes/?b=%C3%A9&a=1&a=2')
  t.match(sent, headers)
  t.equal(sent.te, undefined)
  t.equal(sent.cookie, undefined)
})

test('only GET, HEAD and OPTIONS of the paths of the contract are forwarded', async t => {
  let count = 0
  const { url } = await before(t, (request, response) => {
    count++
    sends('[]')(request, response)
  })
  const requests: [method: string, path: string, status: number][] = [
    ['POST', '/api/v1/bikes/', 405], ['DELETE', '/media/a.jpg', 405],
    ['GET', '/api/v1/bikes/1/', 404], ['GET', '/admin/', 404],
    ['GET', '/api/v1/bikes', 301], ['GET', '/tokens/', 404]
  ]
  for (const [method, path, status] of requests) {
    t.equal((await fetch(url + path, { method, redirect: 'manual' })).status, status, `${method} ${path}`)
  }
  const preflight = { origin: 'https://app.example.org', 'access-control-request-method': 'GET' }
  t.equal((await fetch(`${url}/api/v1/bikes/`, { method: 'OPTIONS', headers: preflight })).status, 204)
  t.equal(count, 0)
})

test('a service that is away, late or not trusted is 502 or 504 with words of this server', async t => {
  const closed = await start()
  await closed.close()
  const { tlsCert, tlsKey } = certify(t.testdir({}))
  const secure = createSecureServer({ cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }, sends('[]'))
  const untrusted = `https://127.0.0.1:${await listen(t, secure)}`
  const silent = await serve(t, () => {})
  const broken = await serve(t, ({ socket }) => socket.destroy())
  const cases: [upstream: string, status: number, reason: RegExp][] = [
    [closed.url, 502, /ECONNREFUSED/],
    ['http://no-such-host.invalid', 502, /ENOTFOUND|EAI_AGAIN/],
    [untrusted, 502, /SELF_SIGNED|CERT|certificate/i],
    [broken, 502, /ECONNRESET/],
    [silent, 504, /no response in time/]
  ]
  for (const [upstream, status, reason] of cases) {
    const server = await started(t, { simulate: true, upstream, upstreamTimeout: 300 })
    const response = await fetch(`${server.url}/api/v1/bikes/`)
    t.equal(response.status, status, upstream)
    t.equal(response.headers.get('cache-control'), 'no-store')
    const { detail } = await response.json() as { detail: string }
    t.match(detail, reason)
    t.match(detail, /comes from this server, not from the service/)
    t.match(server.requests(), [{ path: '/api/v1/bikes/', status }])
  }
})

test('a 503 of the service is sent once, as it is', async t => {
  let count = 0
  const { url, server } = await before(t, (request, response) => {
    count++
    sends('{"detail":"away"}', { 'retry-after': '1' }, 503)(request, response)
  })
  const response = await fetch(`${url}/api/v1/bikes/`)
  t.equal(response.status, 503)
  t.equal(response.headers.get('retry-after'), '1')
  t.same(await response.json(), { detail: 'away' })
  t.equal(count, 1)
  t.match(server.requests(), [{ status: 503, simulated: null }])
})

test('a body that breaks off is a 502 before the response begins, and breaks it afterwards', async t => {
  const pieces: [headers: Record<string, string>, body: Buffer][] = [
    [{ 'content-type': 'application/json' }, Buffer.from('[{"id":')],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, gzipSync('[{"id":1}]').subarray(0, 15)],
    [{ 'content-type': 'image/jpeg' }, Buffer.from('abc')]
  ]
  for (const [headers, body] of pieces) {
    const { url } = await before(t, (_request, response: ServerResponse) => {
      response.writeHead(200, headers).write(body, () => response.destroy())
    })
    const received = fetch(`${url}/api/v1/bikes/`).then(async response => {
      if (!response.ok) throw new Error(String(response.status))
      return await response.text()
    })
    await t.rejects(received, String(headers['content-type']))
  }
})

test('a client that leaves ends the request to the service', async t => {
  const service = new EventEmitter()
  const { server } = await before(t, (_request, response) => {
    response.on('close', () => service.emit('left')).writeHead(200, { 'content-type': 'image/jpeg' }).write('a')
  })
  const left = once(service, 'left')
  const [socket] = await open(server.app.server, 'GET /media/a.jpg HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  await t.resolves(left)
})

test('rules, preferences and faults act before the service, examples are those of this catalogue', async t => {
  let count = 0
  const { url, server } = await before(t, (request, response) => {
    count++
    sends('[{"id":1},{"id":2}]')(request, response)
  })
  server.simulate({ path: '/api/v1/bikes/', code: 503, times: 1 })
  t.equal((await fetch(`${url}/api/v1/bikes/`)).status, 503)
  t.equal(count, 0)
  t.equal((await (await fetch(`${url}/api/v1/bikes/`)).json() as object[]).length, 2)
  t.match(await (await fetch(`${url}/api/v1/bikes/?__example=one`)).json(), [{ title: String }])
  t.equal(count, 1)
  const malformed = await fetch(`${url}/api/v1/bikes/`, { headers: { prefer: 'fault=malformed' } })
  t.equal(await malformed.text(), '[{"id":1}')
  await t.rejects(fetch(`${url}/api/v1/bikes/`, { headers: { prefer: 'fault=reset' } }))
  t.same(server.requests().map(({ status }) => status), [503, 200, 200, 200, null])
})

test('a proxy of the environment is used', async t => {
  const asked: string[] = []
  const proxy = await serve(t, (request, response) => {
    asked.push(String(request.url))
    sends('[]')(request, response)
  })
  process.env['http_proxy'] = proxy
  t.teardown(() => { delete process.env['http_proxy'] })
  const server = await started(t, { simulate: true, upstream: 'http://bikes.example.org/catalogue' })
  t.equal((await fetch(`${server.url}/api/v1/bikes/?page=1`)).status, 200)
  t.same(asked, ['http://bikes.example.org/catalogue/api/v1/bikes/?page=1'])
})

test('settings that have no effect with an upstream are refused', async t => {
  const upstream = 'https://bikes.example.org'
  await t.rejects(start({ upstream }), { message: /upstream needs simulate/ })
  for (const options of [{ data: 'data' }, { overlay: 'data' }, { paginate: 'always' }, { pageSize: 3 }] as const) {
    const refused = start({ simulate: true, upstream, ...options })
    await t.rejects(refused, { message: /upstream excludes/ }, JSON.stringify(options))
  }
})

test('readiness, the log and the banner name the service, and offer no token of this server', async t => {
  const upstream = 'https://bikes.example.org'
  const settings = { ...defaultSettings, port: 0, simulate: true, upstream, tokenForm: false, rateLimit: false }
  const { server, said } = await booted(t, settings)
  const ready = await fetch(`${server.url}/readyz`)
  t.strictSame((await ready.json() as { data: object }).data, { upstream })
  const home = await fetch(server.url)
  const text = await home.text()
  t.match(text, /Serving the real data of bikes\.example\.org/)
  for (const own of [/Records/, /Digest/, /class="number"/, /class="strip"/]) t.notMatch(text, own)
  const page = await fetch(`${server.url}/__simulate?format=api`)
  t.match(await page.text(), /Lists and images come from <code>https:\/\/bikes\.example\.org<\/code>/)
  t.ok(said.includes(`lists and images come from ${upstream}`))
  const { token } = tokensOf(server.app.tokens, settings)
  t.equal(token, undefined)
  const reach = { url: server.url, lan: [], emulator: undefined }
  const started = {
    url: server.url,
    port: server.port,
    metrics: undefined,
    pid: 1,
    version: '1.0.0',
    data: upstream,
    token
  }
  const plain = (_style: unknown, text: string) => text
  t.match(banner({ ready: started, reach, catalogue, settings, note: undefined }, plain), `the real service at
              ${upstream}`)
})
