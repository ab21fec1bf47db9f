import type { FastifyReply, FastifyRequest } from 'fastify'
import { test } from 'tap'
import { errors } from '../../src/http/errors.ts'
import { createLogger, logResponse } from '../../src/http/log.ts'
import { brokenCatalogue, buildLogged, sendRaw } from '../helper.ts'

const cases: [url: string, logged: string][] = [
  ['/api/v1/bikes/?ordering=-title&page=2', '/api/v1/bikes/?ordering=-title&page=2'],
  ['/api/v1/brakes/%20x?a=%C3%A9', '/api/v1/brakes/%20x?a=%C3%A9'],
  ['/?token=abc&q=s3creta&author=a', '/?token=*&q=s3creta&author=a'],
  ['/api/v2/bikes/s3cret', '/api/v2/bikes/*'],
  ['/s3cret-and-longer/?q=%73%33cret', '/*/?q=*'],
  ['/?a=Token%20s3cret#s3cret', '/?a=*'],
  ['/?key=1&q=🚲', '/?key=*&q=🚲'],
  ['/?a=gr%C3%BCn', '/?a=*'], ['/?q=xeightlety&r=x7letterz', '/?q=*&r=x7letterz'],
  ['/bct_o181-SzOqr7T0_AABrAZUvJmb5N4jQ/x?y=bct_1&z=%62ct_2', '/*/x?y=*&z=*'],
  ['/%ZZ/bct_1', '/%ZZ/*'],
  ['http://user:password@a/?x=b@c', 'http://*@a/?x=b@c'],
  ['/?__grün=1&search=grünlich', '/?*=1&search=grünlich']
]

test('tokens and secrets are masked in every part of a URL, however they are escaped', async t => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const logger = createLogger('info', stream, () => ['s3cret-and-longer', 'eightlet', '7letter', 's3cret', 'grün'])
  for (const [url] of cases) logger.info({ url })
  for (const url of ['/a/?q=s3cret', '/?token=bct_a']) createLogger('info', stream, () => []).info({ url })
  t.strictSame(lines.map(line => (JSON.parse(line) as { url: string }).url), [
    ...cases.map(([, logged]) => logged), '/a/?q=s3cret', '/?token=*'
  ])
})

const settings = { logRequests: true, rateLimit: false, tokens: ['s3cret'] }

const requests: [method: 'GET' | 'HEAD' | 'POST', url: string, status: number, headers?: Record<string, string>][] = [
  ['GET', '/api/v1/brakes/', 200],
  ['HEAD', '/api/v1/brakes/?page=1', 200],
  ['GET', '/api/v1/brakes/?x', 304, { 'if-none-match': '*' }],
  ['POST', '/api/v1/brakes/', 405],
  ['GET', '/api/v1/brakes', 301],
  ['GET', '/nope/', 404],
  ['GET', '/', 200],
  ['GET', '/api/v2/bikes/', 401]
]

test('--log-requests: each request is one line with its status, and without its token', async t => {
  const { app, log } = await buildLogged(t, settings)
  for (const [method, url, status, headers = {}] of requests) {
    await app.inject({ method: 'GET', url: '/livez' })
    await app.inject({ method, url, headers })
    t.match(log.at(-1), {
      level: 30, time: Number, method, url, status, ms: Number, ip: '127.0.0.1', msg: 'responded'
    }, method)
  }
  t.equal(log.length, requests.length)
  await app.inject({ url: '/api/v2/bikes/?token=s3cret&q=s3cret', headers: { authorization: 'Token s3cret' } })
  t.match(log.at(-1), { url: '/api/v2/bikes/?token=*&q=*', status: 200 })
  t.notMatch(JSON.stringify(log), 's3cret')
})

test('the line of a request has the ids that its client sends, and the address that is limited', async t => {
  const { app, log } = await buildLogged(t, { ...settings, trustProxy: 2 })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  for (const [headers, logged] of [
    [{}, { ip: '127.0.0.1', requestId: undefined, traceparent: undefined }],
    [{ 'x-request-id': 'a-1', traceparent }, { requestId: 'a-1', traceparent }],
    [{ 'x-request-id': 's3cret/b', traceparent: 'bct_abc' }, { requestId: '*/b', traceparent: '*' }],
    [{ 'x-request-id': 'x'.repeat(300) }, { requestId: /^x{200}$/ }],
    [{ 'x-forwarded-for': '[2001:db8::1]:80' }, { ip: '2001:db8::1' }],
    [{ 'x-forwarded-for': '192.0.2.1:5678, 10.0.0.1' }, { ip: '192.0.2.1' }],
    [{ 'x-forwarded-for': 'unknown, 10.0.0.1' }, { ip: '10.0.0.1' }]
  ] as const) {
    await app.inject({ url: '/api/v1/brakes/', headers })
    t.match(log.at(-1), logged, JSON.stringify(headers))
  }
})

test('--log-requests apps: what apps request is logged, pages of this server and their files are not', async t => {
  const { app, log } = await buildLogged(t, { ...settings, logRequests: 'apps' })
  const image = 'saddles/1.jpg'
  const ofApps = ['/api/v1/brakes/', '/api/v1/brakes', `/media/${image}`, '/nope', '/api/v1/nope/']
  for (const url of ['/', '/docs/', '/favicon.ico', '/tokens/', `/thumbnails/${image}`, '/openapi.json', ...ofApps]) {
    await app.inject(url)
  }
  const page = await app.inject('/')
  const assets = page.body.match(/(?<=(?:href|src)=")\/assets\/[^"]+/g) ?? []
  t.ok(assets.length > 0)
  for (const url of assets) await app.inject(url)
  t.same(log.map(({ url }) => url), ofApps)
})

test('a request that Node cannot parse is one line with the reason, and without its token', async t => {
  const { app, log } = await buildLogged(t, settings)
  for (const [bytes, status, reason] of [
    [
      'GET /api/v1/bikes/?search=Citro\u00ebn&token=s3cret HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
      'Invalid char in url query'
    ],
    [`GET /c HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'Header overflow'],
    ['\x16\x03s3cret\r\n\r\n', 400, 'Invalid method encountered']
  ] as const) {
    await sendRaw(app, bytes)
    t.match(log.at(-1), { level: 30, ip: '127.0.0.1', msg: `unparsable request: ${reason}`, status }, bytes)
  }
  t.equal(log.length, 3)
  t.notMatch(JSON.stringify(log), 's3cret')
})

test('a response whose end was not sent is logged as cut', async t => {
  for (const [writableFinished, msg] of [[false, 'cut'], [true, 'responded']] as const) {
    const lines: string[] = []
    const server = { logger: createLogger('info', { write: line => lines.push(line) }, () => []) }
    const reply = { statusCode: 200, elapsedTime: 1, raw: { destroyed: true, writableFinished } } as FastifyReply
    logResponse({ server, method: 'GET', originalUrl: '/', headers: {} } as FastifyRequest, reply)
    t.match(JSON.parse(lines.join('')), { status: 200, msg, cut: msg === 'cut' || undefined }, msg)
  }
})

test('an expected error has no stack, any other has one', async t => {
  t.notMatch(errors.notFound().stack, /\n/)
  t.match(new Error('other').stack, /\n {4}at /)
})

test('an internal error is logged with its stack; answers only with logRequests and from their level on', async t => {
  for (const settings of [{}, { logRequests: true, logLevel: 'warn' }] as const) {
    const { app, log } = await buildLogged(t, settings, brokenCatalogue('broken'))
    await app.inject('/api/v1/bikes/')
    t.equal((await app.inject('/api/v1/wheels/')).statusCode, 500, JSON.stringify(settings))
    t.match(log, [{ level: 50, err: { message: 'broken', stack: /at / } }], JSON.stringify(settings))
    t.equal(log.length, 1, JSON.stringify(settings))
  }
})
