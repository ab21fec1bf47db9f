import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { createClient, Unreachable, type Asked } from '../../src/verify/ask.ts'

async function serve (t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const get = (target: string): Asked => ({ method: 'GET', target, headers: {} })
const { signal } = new AbortController()

test('requests go out one at a time, so many a second, and each distinct one once', async t => {
  let [underWay, most, asked] = [0, 0, 0]
  const base = await serve(t, (_, response) => {
    asked++
    most = Math.max(most, ++underWay)
    setImmediate(() => { underWay--; response.end('[]') })
  })
  const waits: number[] = []
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    now += milliseconds
  }
  const ask = createClient(base, { rate: 4, signal, sent: () => {}, waits: () => {}, wait })
  await Promise.all(['/a', '/b', '/a', '/c'].map(target => ask(get(target))))
  t.same({ asked, most }, { asked: 3, most: 1 })
  t.same(waits, [250, 250])
})

test('Retry-After is honoured, and a server that asks for too much patience is taken at its 429', async t => {
  let left = 2
  const base = await serve(t, ({ url }, response) => {
    const seconds = url === '/never' ? '86400' : '7'
    if (url === '/never' || left-- > 0) response.writeHead(429, { 'retry-after': seconds })
    response.end('[]')
  })
  const [waits, told]: [number[], number[]] = [[], []]
  const ask = createClient(base, { rate: 1e9, signal, sent: () => {}, waits: seconds => told.push(seconds), wait: async milliseconds => { waits.push(milliseconds) } })
  t.equal((await ask(get('/'))).status, 200)
  t.same(waits.filter(wait => wait > 1000), [7000, 7000])
  t.same(told, [7, 7])
  t.equal((await ask(get('/never'))).status, 429)
})

test('a server that is never satisfied is not asked for ever, whatever it says', async t => {
  let asked = 0
  const base = await serve(t, ({ url }, response) => {
    asked++
    response.writeHead(429, { 'retry-after': decodeURIComponent(url?.slice(1) ?? '') }).end()
  })
  let waited = 0
  const ask = createClient(base, { rate: 1e9, signal, sent: () => {}, waits: () => {}, wait: async milliseconds => { waited += milliseconds } })
  for (const [after, times] of [['0', 121], ['50', 3], ['-3', 1], ['', 1], ['1e1', 1], ['Mon, 23 Nov 2026 00:00:00 GMT', 1]] as const) {
    [asked, waited] = [0, 0]
    t.equal((await ask(get(`/${encodeURIComponent(after)}`))).status, 429)
    t.equal(asked, times, after)
    t.ok(waited <= 121_000)
  }
})

test('an answer that never ends is given up', async t => {
  const base = await serve(t, (_, response) => {
    const timer = setInterval(() => response.write('['), 2)
    response.on('close', () => clearInterval(timer))
  })
  const politeness = { rate: 1000, signal, sent: () => {}, waits: () => {} }
  await t.rejects(createClient(base, { ...politeness, time: 50 })(get('/a')), new Unreachable(`GET ${base}a: an answer that takes longer than 0.05 s`))
  await t.rejects(createClient(base, { ...politeness, size: 9 })(get('/a')), new Unreachable(`GET ${base}a: an answer of more than 9 bytes`))
})

test('a redirect is not followed', async t => {
  const base = await serve(t, (_, response) => response.writeHead(301, { location: '/other' }).end())
  const { status, headers } = await createClient(base, { rate: 100, signal, sent: () => {}, waits: () => {} })(get('/'))
  t.same([status, headers.location], [301, '/other'])
})

test('a connection that breaks off is told with the request, and the next request is asked all the same', async t => {
  const base = await serve(t, ({ url }, response) => {
    if (url === '/a' || url === '//a') response.destroy()
    else if (url === '/b') response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    else response.end('[]')
  })
  const ask = createClient(base, { rate: 1000, signal, sent: () => {}, waits: () => {} })
  await t.rejects(ask(get('/a')), new Unreachable(`GET ${base}a: ECONNRESET`))
  await t.rejects(ask(get('//a')), new Unreachable(`GET ${base}/a: ECONNRESET`))
  await t.rejects(ask(get('/b')), new Unreachable(`GET ${base}b: ECONNRESET`))
  t.equal((await ask(get('/c'))).status, 200)
})

test('a server that says nothing is given up, and https is spoken to https', async t => {
  const base = await serve(t, () => {})
  const ask = createClient(base, { rate: 1000, signal, silence: 20, sent: () => {}, waits: () => {} })
  await t.rejects(ask(get('/a')), new Unreachable(`GET ${base}a: no answer for 0.02 s`))
  const secure = new URL(base.href.replace('http:', 'https:'))
  await t.rejects(createClient(secure, { rate: 1000, signal, silence: 1000, sent: () => {}, waits: () => {} })(get('/a')), { name: 'Unreachable' })
})

test('a 429 that does not say how long is an answer', async t => {
  const base = await serve(t, (_, response) => response.writeHead(429).end())
  t.equal((await createClient(base, { rate: 1000, signal, sent: () => {}, waits: () => {} })(get('/'))).status, 429)
})
