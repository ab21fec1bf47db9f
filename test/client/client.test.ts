import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { createClient, Limited, Unreachable, type ClientOptions, type HttpRequest } from '../../src/client/client.ts'

async function serve (t: Test, listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const get = (target: string): HttpRequest => ({ method: 'GET', target, headers: {} })

const clientOf = (base: URL, options: Partial<ClientOptions> = {}) =>
  createClient(base, { rate: 1e9, signal: new AbortController().signal, timeout: 60_000, maxBytes: 2 ** 20, maxWait: 120_000, ...options })

test('no more than so many requests a second are sent', async t => {
  const base = await serve(t, (_, response) => response.end('[]'))
  const waits: number[] = []
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    now += milliseconds
  }
  const send = clientOf(base, { rate: 4, wait })
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
  const create = () => clientOf(base, { onWait: reason => reasons.push(reason), wait: async milliseconds => { if (milliseconds > 1) waits.push(milliseconds / 1000) } })
  t.intercept(Date, 'now', { value: () => Date.UTC(2026, 10, 23) })
  const doubled = [1, 2, 4, 8, 16, 32, 57]
  const cases = [
    ['0', [], 121], ['50', [50, 50]], ['86400', []], ['-3', doubled], ['', doubled], ['1e1', doubled], ['soon GMT', doubled], [undefined, doubled],
    ['Sun, 22 Nov 2026 00:00:00 GMT', [], 121], ['Mon, 23 Nov 2026 00:01:00 GMT', [60, 60]], ['Tue, 24 Nov 2026 00:00:00 GMT', []]
  ] as const
  for (const [value, expected, times = expected.length + 1] of cases) {
    [requests, after, waits.length] = [0, value, 0]
    const error = await create()(get('/?a')).catch((error: unknown) => error)
    t.match(error, { name: 'Limited', response: { status: /429|503/ } })
    t.match((error as Error).message, `GET ${base}?a: ${(error as Limited).response.status}${value === undefined ? '' : `, Retry-After: ${value}`}; the service limits`)
    t.same([waits, requests], [expected, times], String(value))
  }
  for (const [value, reason] of [['7', 'waiting 7 s, as Retry-After says'], [undefined, 'waiting 1 s after 429']] as const) {
    [left, requests, after, waits.length, reasons.length] = [1, 0, value, 0, 0]
    t.equal((await create()(get('/'))).status, 200)
    t.same(reasons, [reason])
  }
  const send = create();
  [left, after, waits.length] = [0, undefined, 0]
  await t.rejects(send(get('/never?b')), { name: 'Limited' })
  await send(get('/')) // the waits start anew, but not for the path that was given up
  await t.rejects(send(get('/never?c')), { name: 'Limited' })
  t.same(waits, doubled)
})

/** Sends a body of many chunks, as fast as they are read. */
function endless (response: ServerResponse): void {
  const chunk = Buffer.alloc(2 ** 20, '[')
  const write = () => { while (!response.destroyed && response.write(chunk)); }
  response.on('drain', write)
  write()
}

test('an endless response is not read to its end', async t => {
  const base = await serve(t, (_, response) => endless(response))
  await t.rejects(clientOf(base, { retries: 3 })(get('/a')), new Unreachable(`GET ${base}a: a response of more than 1 MB`))
})

test('a user and a password are Basic credentials, unless a request has others, and the password is in no message', async t => {
  const base = await serve(t, ({ url, headers: { authorization } }, response) => {
    if (url === '/a') response.destroy()
    else response.end(authorization)
  })
  Object.assign(base, { username: 'me', password: 'secret' })
  const send = clientOf(base)
  t.equal((await send(get('/'))).body.toString(), `Basic ${Buffer.from('me:secret').toString('base64')}`)
  t.equal((await send({ ...get('/'), headers: { authorization: 'Token x' } })).body.toString(), 'Token x')
  await t.rejects(send(get('/a')), new Unreachable(`GET http://me:***@${base.host}/a: ECONNRESET`))
})

test('a broken connection is an error with the request; the next request is sent all the same, and no redirect is followed', async t => {
  const requested: (string | undefined)[] = []
  const base = await serve(t, ({ url }, response) => {
    requested.push(url)
    if (url === '/a' || url === '//a') response.destroy()
    else if (url === '/b') response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    else response.writeHead(301, { location: '/other' }).end()
  })
  const send = clientOf(base)
  await t.rejects(send(get('/a')), new Unreachable(`GET ${base}a: ECONNRESET`))
  await t.rejects(send(get('//a')), new Unreachable(`GET ${base}/a: ECONNRESET`))
  await t.rejects(send(get('/b')), new Unreachable(`GET ${base}b: ECONNRESET`))
  t.match(await send(get('/c')), { status: 301, headers: { location: '/other' } })
  t.strictSame(requested, ['/a', '//a', '/b', '/c'], 'none is sent twice')
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
    await t.rejects(clientOf(base, { timeout: 100, retries: 3 })(get(`/${target}`)), reason('no complete response within 0.1 s'))
    await t.rejects(clientOf(base, { idleTimeout: 50, retries: 3 })(get(`/${target}`)), reason('no data for 0.05 s'))
  }
})

test('https is sent to https', async t => {
  const base = await serve(t, (_, response) => response.end())
  await t.rejects(clientOf(new URL(base.href.replace('http:', 'https:')))(get('/a')), { name: 'Unreachable' })
})
