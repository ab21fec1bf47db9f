import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { test, type Test } from 'tap'
import { requestHeaders } from '../../src/client/arguments.ts'
import { createClient, Unreachable, type ClientOptions, type HttpRequest } from '../../src/client/client.ts'
import { certify, skip } from '../certificate.ts'
import { listen, serve as serveOn } from '../helper.ts'

const serve = async (t: Test, listener: RequestListener) => new URL(await serveOn(t, listener))

const get = (target: string): HttpRequest => ({ method: 'GET', target, headers: {} })

const clientOf = (base: URL, options: Partial<ClientOptions> = {}) =>
  createClient(base, {
    rate: 1e9,
    signal: new AbortController().signal,
    timeout: 60_000,
    maxBytes: 2 ** 20,
    maxWait: 120_000,
    ...options
  })

test('no more than so many requests a second are sent', async t => {
  const base = await serve(t, (_, response) => response.end('[]'))
  const waits: number[] = []
  let now = 0
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    now += milliseconds
  }
  const send = clientOf(base, { rate: 4, wait, now: () => now })
  for (const target of ['/a', '/b', '/c']) await send(get(target))
  t.same(waits, [250, 250])
})

test('429 and 503 are waited for, as Retry-After says or longer each time, up to a bound in all', async t => {
  let [requests, left, after] = [0, Infinity, undefined as string | undefined]
  const base = await serve(t, ({ url }, response) => {
    const status = url?.startsWith('/never') || left-- > 0 ? [429, 503][requests++ % 2] as number : 200
    response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end()
  })
  const [waits, reasons]: [number[], string[]] = [[], []]
  const wait = async (milliseconds: number) => {
    if (milliseconds > 1) waits.push(milliseconds / 1000)
  }
  const create = () => clientOf(base, { onWait: reason => reasons.push(reason), wait })
  t.intercept(Date, 'now', { value: () => Date.UTC(2026, 10, 23) })
  const doubled = [1, 2, 4, 8, 16, 32, 57]
  const cases = [
    ['0', [], 121],
    ['50', [50, 50]],
    ['86400', []],
    ['-3', doubled],
    ['', doubled],
    ['1e1', doubled],
    ['soon GMT', doubled],
    [undefined, doubled],
    ['Sun, 22 Nov 2026 00:00:00 GMT', [], 121],
    ['Mon, 23 Nov 2026 00:01:00 GMT', [60, 60]],
    ['Tue, 24 Nov 2026 00:00:00 GMT', []]
  ] as const
  for (const [value, expected, times = expected.length + 1] of cases) {
    [requests, after, waits.length] = [0, value, 0]
    const error = await create()(get('/?a')).catch((error: unknown) => error)
    const stated = value === undefined ? '' : `, Retry-After: ${value}`
    const message = new RegExp(`^GET ${base}\\?a: (?:429|503)${stated}; the service limits requests$`)
    t.match(error, { name: 'Limited', message }, String(times))
    t.same([waits, requests], [expected, times], String(value))
  }
  for (const [value, reason] of [
    ['7', 'waiting 7 s, as Retry-After says'], [undefined, 'waiting 1 s after 429']
  ] as const) {
    [left, requests, after, waits.length, reasons.length] = [1, 0, value, 0, 0]
    t.equal((await create()(get('/'))).status, 200, reason)
    t.same(reasons, [reason], reason)
  }
  const send = create();
  [left, after, waits.length] = [0, undefined, 0]
  await t.rejects(send(get('/never?b')), { name: 'Limited' })
  await send(get('/')) // the waits start anew, but not for the path that was given up
  await t.rejects(send(get('/never?c')), { name: 'Limited' })
  t.same(waits, doubled)
  await t.rejects(send(get('/never?d')), { name: 'Limited' })
  const sent = requests
  await t.rejects(send(get('/never?e')), { name: 'Limited' })
  t.equal(requests, sent, 'a path that was limited three times gets no more requests')
})

test('a broken connection is an error with the request; the next one is sent, and no redirect is followed', async t => {
  const requested: (string | undefined)[] = []
  const base = await serve(t, ({ url }, response) => {
    requested.push(url)
    if (url === '/a' || url === '//a') response.destroy()
    else response.writeHead(301, { location: '/other' }).end()
  })
  const send = clientOf(base)
  await t.rejects(send(get('/a')), new Unreachable(`GET ${base}a: ECONNRESET`))
  await t.rejects(send(get('//a')), new Unreachable(`GET ${base}/a: ECONNRESET`))
  t.match(await send(get('/c')), { status: 301, headers: { location: '/other' } })
  t.strictSame(requested, ['/a', '//a', '/c'], 'none is sent twice')
})

test('with retries a broken connection is tried again after longer and longer waits', async t => {
  let requests = 0
  const base = await serve(t, ({ url }, response) => {
    if (++requests % 4 === 0 && url === '/a') response.end('[]')
    else response.destroy()
  })
  const waits: number[] = []
  const reasons: string[] = []
  const wait = async (milliseconds: number) => { waits.push(milliseconds) }
  const send = clientOf(base, { retries: 3, wait, onWait: reason => reasons.push(reason) })
  t.equal((await send(get('/a'))).status, 200)
  await t.rejects(send(get('/b')), new Unreachable(`GET ${base}b: ECONNRESET`))
  t.equal(requests, 8)
  t.same(waits.filter(wait => wait > 1), [500, 1000, 2000, 500, 1000, 2000])
  t.same(reasons, Array(6).fill('trying again: ECONNRESET'))
})

test('a server without a complete response is given up', async t => {
  const base = await serve(t, ({ url }, response) => { if (url === '/half') response.write('[') })
  for (const target of ['nothing', 'half']) {
    const reason = (text: string) => new Unreachable(`GET ${base}${target}: ${text}`)
    const send = clientOf(base, { timeout: 100, retries: 3 })
    await t.rejects(send(get(`/${target}`)), reason('no complete response within 0.1 s'))
    await t.rejects(clientOf(base, { idleTimeout: 50, retries: 3 })(get(`/${target}`)), reason('no data for 0.05 s'))
  }
})

test('an untrusted certificate names the remedy', { skip }, async t => {
  const { tlsCert, tlsKey } = certify(t.testdir())
  const port = await listen(t, createTlsServer({ cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }))
  await t.rejects(clientOf(new URL(`https://localhost:${port}`))(get('/')), {
    message: new RegExp([
      ': DEPTH_ZERO_SELF_SIGNED_CERT',
      'if you trust its certificate, name the file of its CA in the variable NODE_EXTRA_CA_CERTS$'
    ].join('; '))
  })
})

test('each way in which a response can be missing is an error with words', async t => {
  const cases: readonly [sent: string, error: RegExp][] = [
    [
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      /: the connection ended without a response$/
    ],
    ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', /: ECONNRESET$/],
    ['HTTP/1.1 100 Continue\r\n\r\n', /: ECONNRESET$/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[', /: ECONNRESET$/],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[', /: ECONNRESET$/],
    ['SSH-2.0-OpenSSH_9.2\r\n', /: HPE_/],
    ['', /: ECONNRESET$/]
  ]
  for (const [sent, message] of cases) {
    const port = await listen(t, createTcpServer(socket => socket.once('data', () => socket.end(sent))))
    await t.rejects(clientOf(new URL(`http://127.0.0.1:${port}`))(get('/')), { name: 'Unreachable', message }, sent)
  }
})

test('a body that is compressed although no request asked for it is decoded', async t => {
  const [text, coded] = ['["\u00fc"]', { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }]
  const base = await serve(t, ({ url = '', method }, response) => {
    const codings = url.slice(1).split('+').filter(Boolean)
    const body = codings.reduce(
      (body, coding) => Object.hasOwn(coded, coding) ? coded[coding as 'br'](body) : body,
      Buffer.from(url === '/large' ? ' '.repeat(2 ** 21) : text)
    )
    const others: Readonly<Record<string, string>> = { '/false': 'gzip', '/large': 'BR' }
    response.writeHead(200, { 'content-encoding': others[url] ?? codings.join(', ') })
    response.end(method === 'HEAD' ? '' : url === '/large' ? brotliCompressSync(body) : body)
  })
  const send = clientOf(base)
  for (const target of ['/', '/gzip', '/br', '/deflate', '/gzip+br', '/identity']) {
    t.equal((await send(get(target))).body.toString(), text, target)
  }
  t.equal((await send({ ...get('/gzip'), method: 'HEAD' })).body.length, 0)
  for (const coding of ['rot13', 'constructor']) {
    const message = `GET ${base}${coding}: a response with the unsupported content coding ${coding}`
    await t.rejects(send(get(`/${coding}`)), new Unreachable(message), coding)
  }
  await t.rejects(
    send(get('/false')), new Unreachable(`GET ${base}false: a response that cannot be decoded as gzip: Z_DATA_ERROR`)
  )
  await t.rejects(
    send(get('/large')),
    new Unreachable(`GET ${base}large: a response that cannot be decoded as br: ERR_BUFFER_TOO_LARGE`)
  )
})

test('own headers are sent below the path of the URL only', async t => {
  const base = await serve(t, ({ headers }, response) => response.end(String(headers['x-key'])))
  const send = clientOf(new URL('/shop', base), { ownHeaders: { 'x-key': 'secret' } })
  for (const [target, key] of [
    ['/shop', 'secret'], ['/shop/?a', 'secret'], ['/shop/b', 'secret'], ['/shopping', 'undefined'], ['/', 'undefined']
  ] as const) {
    t.equal((await send(get(target))).body.toString(), key, target)
  }
  t.strictSame(requestHeaders.read('X-Key: a: b\ncookie:c'), { 'x-key': 'a: b', cookie: 'c' })
  for (const [line, message] of [
    ['a', /Header name/], ['a b: c', /Header name/], ['a: \u0101', /Invalid character/],
    ['Host: x', /Host belongs to the connection/]
  ] as const) {
    t.throws(() => requestHeaders.read(line), { message }, line)
  }
})

test('a token is sent below the path of the URL only', async t => {
  const base = await serve(t, ({ headers }, response) => response.end(String(headers.authorization)))
  const send = clientOf(new URL('/shop/', base), { ownHeaders: { 'x-key': 'secret' } })
  const outside = [
    '/', '/shopping', '/shop/..%2fother', '/shop/%2e%2e/other', '/shop/..\\other', '/shop/%zz', '/?/shop/'
  ]
  for (const target of ['/shop/', '/shop?a', '/shop/a..b/', '/shop/?../x', ...outside]) {
    const { body } = await send({ ...get(target), headers: { authorization: 'Token secret' } })
    t.equal(body.toString(), outside.includes(target) ? 'undefined' : 'Token secret', target)
  }
})

/** Starts a proxy that notes the requests which it forwards, CONNECT too. */
async function startProxy (t: Test) {
  const forwarded: string[] = []
  const proxy = createServer(async ({ url = '' }, response) => {
    forwarded.push(url)
    response.end(await (await fetch(url)).text())
  }).on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    forwarded.push(`CONNECT ${url}`)
    const [host = '', port] = url.split(':')
    const other = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    other.on('error', () => socket.destroy())
    socket.on('error', () => other.destroy()).pipe(other).pipe(socket)
  })
  return { forwarded, address: `127.0.0.1:${await listen(t, proxy)}` }
}

test('the proxies of the environment are used', async t => {
  const base = await serve(t, ({ url }, response) => response.end(url))
  const { forwarded, address } = await startProxy(t)
  t.intercept(process, 'env', {
    value: {
      ...process.env,
      http_proxy: address,
      HTTPS_PROXY: `http://user:secret@${address}`,
      NO_PROXY: 'other.test'
    }
  })
  t.equal((await clientOf(base)(get('/a?b'))).body.toString(), '/a?b')
  const port = await listen(t, createTlsServer())
  await t.rejects(clientOf(new URL(`https://127.0.0.1:${port}`))(get('/')), {
    name: 'Unreachable', message: /^(?!.*secret)/
  })
  t.strictSame(forwarded, [`${base}a?b`, `CONNECT 127.0.0.1:${port}`])
  process.env['no_proxy'] = '127.0.0.1'
  t.equal((await clientOf(base)(get('/c'))).body.toString(), '/c')
  t.equal(forwarded.length, 2)
  Object.assign(process.env, { no_proxy: '', http_proxy: 'http://127.0.0.1:1' })
  await t.rejects(clientOf(base)(get('/')), {
    message: /: ECONNREFUSED; is the proxy in HTTP_PROXY or HTTPS_PROXY right\?$/
  })
  process.env['http_proxy'] = 'socks5://127.0.0.1'
  t.throws(() => clientOf(base), {
    name: 'SettingsError', message: 'HTTP_PROXY must be an http or https URL'
  })
})
