import { t, test } from 'tap'
import { buildLogged, catalogue, open, readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t, { tokens: ['ci'] })

const path = '/api/v1/brakes/'

test('odd parameters are ignored, more than 1000 fields are 400', async t => {
  const { body } = await inject(path)
  const odd = [
    'unknown=1&search=x&limit=1',
    '__proto__=1&constructor[prototype]=2&hasOwnProperty=3',
    `x=${'y'.repeat(10_000)}`,
    '\\u0000=%00',
    'a=%zz&%&=&&',
    '&'.repeat(999)
  ]
  for (const query of odd) {
    const own = await inject(`${path}?${query}`)
    t.strictSame([own.statusCode, own.body], [200, body], query.slice(0, 40))
  }
  const refused = await inject(`${path}?${'a=1&'.repeat(1000)}`)
  t.strictSame([refused.statusCode, refused.body], [400, '{"detail":"Bad request."}'])
  t.match(refused.headers, { allow: 'GET, HEAD, OPTIONS', vary: 'Accept', 'content-type': /^application\/json$/ })
})

const hosts: [header: string, status: number][] = [
  ['Host: localhost', 200],
  ['Host: [::1]:3000', 200],
  ['Host: 10.0.2.2:3000', 200],
  ['Host: bike_catalogue:80', 200],
  ['Host: EXAMPLE.org', 200],
  ['Host: bad host', 400],
  ['Host: .', 400],
  ['Host: .:80', 400],
  ['Host: a.', 200],
  ['Host: <script>', 400],
  ['Host: a/b', 400],
  ['Host: a@b', 400],
  ['Host:', 400],
  ['X-None: 1', 400],
  ['Host: a:999999', 400], ['Host: "', 400], [`Host: ${'a'.repeat(300)}`, 400]
]

test('an invalid Host is 400, with the headers of lists for every method', async t => {
  for (const [header, status] of hosts) {
    for (const target of [path, '/nope/', '/%ZZ', '/api/v1/brakes']) {
      const answer = readRaw(await send(`GET ${target} HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`))
      const statuses: Record<string, number> = { [path]: 200, '/nope/': 404, '/%ZZ': 404 }
      const expected = status === 200 ? statuses[target] ?? 301 : status
      t.equal(answer.status, expected, `${header.slice(0, 40)} ${target}`)
      if (status === 400) t.equal(answer.body, '{"detail":"Bad request."}', target)
    }
  }
  for (const method of ['GET', 'HEAD', 'POST', 'QUERY']) {
    const request = `${method} ${path} HTTP/1.1\r\nHost: a,b\r\nConnection: close\r\n\r\n`
    const { status, headers } = readRaw(await send(request))
    t.equal(status, 400, method)
    t.match(Object.fromEntries(headers), { allow: 'GET, HEAD, OPTIONS', vary: 'Accept' }, method)
  }
})

const unreadable: [bytes: string, status: number][] = [
  [`GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  [`GET ${path}?${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  [`NONSENSE ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, 400], [`GET ${path}\0 HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
  [`GET ${path} HTTP/9.9\r\n\r\n`, 400], ['nonsense\r\n\r\n', 400], ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  [`GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400]
]

test('unparsable bytes get an error of the contract', async t => {
  for (const [bytes, status] of unreadable) {
    const answer = readRaw(await send(bytes))
    t.equal(answer.status, status, bytes.slice(0, 60))
    t.match(JSON.parse(answer.body), { detail: /\.$/ }, bytes)
    t.match(Object.fromEntries(answer.headers), {
      'content-type': /^application\/json$/, 'access-control-allow-origin': '*', connection: 'close'
    }, bytes)
  }
})

test('reset connections are not logged', async t => {
  const { app, log } = await buildLogged(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (let count = 0; count < 20; count++) {
    const [socket, served] = await open(app.server)
    // once() of events takes an error for the end.
    const closed = new Promise(resolve => served.on('error', () => {}).once('close', resolve))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20), () => socket.resetAndDestroy())
    await closed
  }
  t.strictSame(log, [])
})

const begin = `GET ${path} HTTP/1.1\r\nHost: x\r\n`
const end = 'Connection: close\r\n\r\n'
const form = 'POST /tokens/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n'

/** Requests on one connection, and the statuses of their responses. */
const conversations: [text: string, statuses: number[]][] = [
  [`${begin}Expect: x\r\n${end}`, [200]],
  [`${begin}Expect: 100-continue\r\n${end}`, [100, 200]],
  [`${begin}Host: x\r\n${end}`, [400]],
  [`${begin}Host: y\r\n${end}`, [400]],
  [`${begin}Accept: image/png\r\nAccept: text/html\r\n${end}`, [200]],
  [
    `GET /api/v2/bikes/?page=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Token ci\r\nAuthorization: Token other\r\n${end}`,
    [401]
  ],
  [`${form}Transfer-Encoding: chunked\r\n\r\n5\r\nlabel\r\nnonsense\r\n\r\n`, [400]],
  [`${form}Accept: application/json\r\nContent-Length: 7\r\n\r\nlabel=xNONSENSE / HTTP/1.1\r\n\r\n`, [200, 400]],
  [`GET /media/bikes/${catalogue.bikes[0]?.slug}.jpg HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n`, [200, 400]],
  [`${begin}\r\nnonsense\r\n\r\n`, [200, 400]],
  [`${begin}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`, [400]],
  // Its response waits, and needs no body.
  [`${begin}\r\n${begin}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`, [200, 200]],
  [`${begin}\r\n${begin}Transfer-Encoding: gzip\r\n\r\n`, [200, 400]],
  [`${begin}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${begin}${end}`, [200, 200]]
]

test('each request on a connection gets one response, in order, until one cannot be parsed', async t => {
  for (const [text, statuses] of conversations) {
    const answers = await send(text)
    const seen = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    t.same(seen, statuses, JSON.stringify(text))
    if (statuses.at(-1) === 400) t.match(answers, /\{"detail":"Bad request."\}$/, text)
  }
})

test('a request for an upgrade is answered, and its connection is closed', async t => {
  for (const [head, status] of [[begin, 200], [begin.replace('Host: x', 'Host: bad host'), 400]] as const) {
    for (const field of ['Connection: Upgrade\r\nUpgrade: h2c', 'Transfer-Encoding: gzip']) {
      const answer = readRaw(await send(`${head}${field}\r\n\r\n${begin}\r\n`))
      const expected = field.startsWith('T') ? 400 : status
      t.strictSame([answer.status, answer.headers.get('connection')], [expected, 'close'], `${head}${field}`)
    }
  }
  for (const field of ['Connection: upgrade', 'Upgrade: h2c']) { // Node drops following bytes only with both
    const answers = (await send(`${begin}${field}\r\n\r\n${begin}${end}`)).split(/(?=HTTP\/1\.1 )/)
    t.same(answers.map(answer => readRaw(answer).headers.get('connection')), ['keep-alive', 'close'], field)
  }
})
