import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { test, type Test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { build } from '../helper.ts'
import { createProxy } from '../verify/proxy.ts'
import { failed, fewer, listenProxy, report } from '../verify/results.ts'
import { freeDirectory, run, serveData, token } from './pulled.ts'

/** What a service chooses for itself. */
type Habits = {
  escape: 'none' | 'slashes' | 'ampersands'
  separator: ',' | ', ' | ' ,\n' | 'fifth'
  indent: 0 | 2
  envelope: 'plain' | 'meta' | 'facets' | 'last newline'
  paging: 'array' | 'always' | 'on request' | 'from 0' | 'per_page' | 'offset' | 'redirect' | 'empty last'
  orders: 'contract' | 'ignored' | 'by length' | 'one field' | 'refused'
  refusal: '401' | '403 HTML' | '403 Latin-1' | 'login' | 'open'
  headers: 'contract' | 'none' | 'other' | 'no type'
  head: 200 | 405
  network: 'plain' | 'gzip' | 'resets' | '502' | '503'
  count: number
}

const usual: Habits = {
  escape: 'none', separator: ',', indent: 0, envelope: 'plain', paging: 'array', orders: 'contract', refusal: '401', headers: 'contract', head: 200, network: 'plain', count: 7
}

const words = ['pear', 'Öre', 'apple', 'Zed', 'fig', 'a/b', 'kiwi & co']

/** Returns the response of a service to a query of one of its lists, as its framework would send it. */
function respond (habits: Habits, url: URL, isIn: boolean, method = 'GET'): { status: number, headers: Record<string, string>, body: string } {
  const { paging, orders, envelope, refusal, count } = habits
  const parameters = url.searchParams
  const type = { 'content-type': 'application/json' }
  const headers: Record<string, string> = { contract: { ...type, vary: 'Accept', 'cache-control': 'public, max-age=300', allow: 'GET' }, none: type, other: { ...type, vary: 'Cookie', 'cache-control': 'no-cache' }, 'no type': {} }[habits.headers]
  const error = (status: number, body: string, others = {}) => ({ status, headers: { ...headers, ...others } as Record<string, string>, body })
  if (url.pathname.startsWith('/api/v2/') && !isIn && refusal !== 'open') {
    if (refusal === 'login') return error(302, '', { location: `${url.origin}/login` })
    return refusal === '401' ? error(401, '{"detail":"Who?"}', { 'www-authenticate': 'Token' }) : error(403, refusal === '403 HTML' ? '<h1>No</h1>' : '<h1>Zur\xfcck</h1>', { 'content-type': 'text/html' })
  }
  if (method === 'HEAD' && habits.head === 405) return error(405, '', { allow: 'GET' })
  const ordering = parameters.get('ordering') ?? ''
  const field = ordering.replace('-', '')
  if (orders === 'refused' && ordering !== '') return error(400, '{"ordering":["?"]}')
  const records = Array.from({ length: count }, (_, id) => ({ id, title: `${words[id % 7]} ${id}`, brand: `${words[(3 * id) % 7]} ${id}`, brand_name: `${words[(5 * id) % 7]} ${id}`, weight: 8 }))
  if (ordering !== '' && orders !== 'ignored' && (orders !== 'one field' || field === 'title') && field in (records[0] ?? {})) {
    const key = (record: object) => String(record[field as never])
    records.sort((a, b) => orders === 'by length' ? key(a).length - key(b).length || a.id - b.id : key(a) < key(b) ? -1 : 1)
    if (ordering.startsWith('-')) records.reverse()
  }
  const level = habits.indent > 0 ? 2 : 0
  const write = (record: object) => JSON.stringify(record, null, habits.indent).replaceAll('8', '8.0').replaceAll('\n', `\n${' '.repeat(level)}`)
  const texts = (part: object[]) => part.map((record, index) => index === 0 ? write(record) : (habits.separator !== 'fifth' ? habits.separator : index % 5 === 0 ? ',\n' : ',') + write(record)).join('')
  const first = paging === 'from 0' ? 0 : 1
  const wanted = parameters.get('page')
  if (paging === 'redirect' && wanted === '1') return error(301, '', { location: url.href.replace(/[?&]page=1/, '') })
  const end = envelope === 'last newline' ? '\n' : ''
  if (paging === 'array' || (paging === 'on request' && wanted === null)) return { status: 200, headers, body: `[${texts(records)}]${end}` }
  const size = parameters.get('page_size') !== null && paging === 'always' ? Math.min(100, Number(parameters.get('page_size'))) : 3
  const number = paging === 'offset' ? Number(parameters.get('offset') ?? 0) / size + first : Number(wanted ?? first)
  const last = Math.ceil(count / size) - 1 + first + Number(paging === 'empty last')
  if (number < first || number > Math.max(first, last)) return error(404, '{"detail":"No such page."}')
  const link = (to: number) => {
    const query = new URLSearchParams(parameters)
    if (paging === 'offset') query.set('offset', String((to - first) * size))
    else query.set('page', String(to))
    if (paging === 'per_page') query.set('per_page', '3')
    return `${url.origin}${url.pathname}?${query}`
  }
  const links = { count, next: number < last ? link(number + 1) : null, previous: number > first ? link(number - 1) : null }
  const others = envelope === 'meta' ? { meta: { count: 99, next: links.next }, ...links } : envelope === 'facets' ? { ...links, facets: { results: [{ id: 'x' }] }, links: [links.next] } : links
  const head = JSON.stringify(others).slice(0, -1)
  const written = habits.escape === 'slashes' ? head.replaceAll('/', '\\/') : habits.escape === 'ampersands' ? head.replaceAll('&', '\\u0026') : head
  return { status: 200, headers, body: `${written},"results":[${texts(records.slice((number - first) * size, (number - first + 1) * size))}]}${end}` }
}

/** Serves the lists of a service, and returns its requests. */
async function serve (t: Test, habits: Habits) {
  const requests: string[] = []
  const answered = (request: IncomingMessage) => {
    const url = new URL(String(request.url), `http://${request.headers.host}`)
    requests.push(String(request.url))
    return respond(habits, url, request.headers.authorization === `Token ${token}`, request.method)
  }
  const server = createServer((request, response) => {
    const { status, headers, body: text } = answered(request)
    const body = Buffer.from(text, habits.refusal === '403 Latin-1' && status === 403 ? 'latin1' : 'utf8')
    const isFifth = requests.length % 5 === 0
    if (habits.network === 'resets' && isFifth) response.destroy()
    else if (isFifth && habits.network.startsWith('50')) response.writeHead(Number(habits.network)).end()
    else if (habits.network === 'gzip') response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body))
    else response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const lists = { bikes: '/api/v1/bikes/', saddles: '/api/v1/saddles/', bikesV2: '/api/v2/bikes/' }

/** Pulls a service, and returns the queries that its recording answers otherwise than the service, but for rate limits. */
async function differences (t: Test, habits: Habits): Promise<string[]> {
  const { url, requests } = await serve(t, habits)
  const { directory } = freeDirectory(t)
  const { code, stderr } = await run([url, directory, '--token', token, '--rate', '100000', '--lists', Object.keys(lists).join()])
  if (code !== 0) return [stderr]
  const { app } = await serveData(t, directory)
  const recorded = new Set(requests.splice(0))
  const found: string[] = []
  for (const isIn of [true, false]) {
    for (const [method, target] of [...isIn ? recorded : [lists.bikesV2]].flatMap(target => [['GET', target], ['HEAD', target]] as const)) {
      if (method === 'HEAD' && (target.includes('?') || !isIn)) continue
      const expected = respond(habits, new URL(target, url), isIn, method)
      const { statusCode, headers, rawPayload } = await app.inject({ method, url: target, headers: { host: new URL(url).host, ...isIn && { authorization: `Token ${token}` } } })
      const body = rawPayload.toString(statusCode === 403 && habits.refusal === '403 Latin-1' ? 'latin1' : 'utf8')
      const isSame = statusCode === expected.status && (method === 'HEAD' || body === expected.body)
      const names = ['content-type', 'vary', 'cache-control', 'location'].filter(name => headers[name] !== expected.headers[name] && target !== lists.bikesV2)
      if (!isSame || names.length > 0) found.push(`${method} ${target}: ${names.join()} ${statusCode} ${body.slice(0, 300)} | ${expected.status} ${expected.body.slice(0, 300)}`)
    }
  }
  await app.close()
  return found
}

const habits = {
  escape: ['none', 'slashes', 'ampersands'],
  separator: [',', ', ', ' ,\n', 'fifth'],
  indent: [0, 2],
  envelope: ['plain', 'meta', 'facets', 'last newline'],
  paging: ['array', 'always', 'on request', 'from 0', 'per_page', 'offset', 'redirect', 'empty last'],
  orders: ['contract', 'ignored', 'by length', 'one field', 'refused'],
  refusal: ['401', '403 HTML', '403 Latin-1', 'login', 'open'],
  headers: ['contract', 'none', 'other', 'no type'],
  head: [200, 405],
  network: ['plain', 'gzip', 'resets', '502', '503'],
  count: [0, 1, 7]
} as const satisfies { [name in keyof Habits]: readonly Habits[name][] }

for (const [name, values] of Object.entries(habits)) {
  test(`every request of a pull is replayed byte for byte, whatever the service's ${name}`, async t => {
    t.setTimeout(120_000)
    for (const value of values) t.same(await differences(t, { ...usual, paging: 'always', [name]: value }), [], String(value))
  })
}

const runs = Number(process.env['HABIT_RUNS'] ?? 6)

test('every request of a pull is replayed byte for byte, for any mixture of habits', async t => {
  t.setTimeout(runs * 20_000)
  const any = fc.record(Object.fromEntries(Object.entries(habits).map(([name, values]) => [name, fc.constantFrom<unknown>(...values)]))) as fc.Arbitrary<Habits>
  await fc.assert(fc.asyncProperty(any, async habits => {
    const found = await differences(t, habits)
    if (found.length > 0) throw new Error(found.join('\n'))
  }), { numRuns: runs })
})

test('verify of a recording fails where it fails the service, and nowhere else', async t => {
  t.setTimeout(120_000)
  const proxy = createProxy(await build(t, { tokens: [token] }, fewer))
  const url = await listenProxy(t, proxy(exchange => {
    const { path, status, headers } = exchange
    if (path === '/api/v1/saddles/' && status === 200) exchange.body = String(exchange.body).replaceAll('"model":', '"name":')
    if (path === '/api/v1/brakes/' && headers['content-type'] === 'application/json') headers['content-type'] = 'text/plain'
  }, target => target === '/api/v1/wheels/?ordering=-brand_name' ? '/api/v1/wheels/' : target))
  const { directory } = freeDirectory(t)
  t.match(await run([url, directory, '--token', token, '--rate', '100000']), { code: 0 })
  const recording = await serveData(t, directory)
  const [expected, got] = [await report(url, '--token', token), await report(recording.url, '--token', token)].map(({ checks }) => failed(checks).sort())
  t.same(expected, ['brakes/content-type', 'saddles/schema', 'wheels/ordering/-brand_name'])
  t.same(got, expected)
})

test('a directory that was pulled has no errors', async t => {
  const { url } = await serve(t, usual)
  const { directory } = freeDirectory(t)
  await run([url, directory, '--rate', '100000'])
  t.equal((await loadCatalogue(directory)).saddles.length, 7)
})
