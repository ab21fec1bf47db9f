import { t, test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue, shared } from '../helper.ts'
import fc from 'fast-check'

const { inject } = shared(t)

const lists = resources.filter(({ access }) => access === 'public')
const path = '/api/v1/wheels/'

test('If-None-Match with the tag of the answer is 304 with the same headers', async t => {
  for (const { path, maxAge } of lists) {
    const etag = String((await inject(path)).headers.etag)
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const { statusCode, headers, body } = await inject({ url: path, headers: { 'if-none-match': tags } })
      t.strictSame([statusCode, body], [304, ''], `${path} ${tags}`)
      t.match(headers, {
        etag, vary: 'Accept', allow: 'GET, HEAD, OPTIONS', 'cache-control': `public, max-age=${maxAge}`
      }, tags)
      t.notOk(headers['content-type'] ?? headers['content-length'] ?? headers['last-modified'], tags)
    }
  }
  t.equal((await inject({ method: 'HEAD', url: path, headers: { 'if-none-match': '*' } })).statusCode, 304)
})

test('other tags, methods and errors get full responses; If-Modified-Since and Range are ignored', async t => {
  const etag = String((await inject(path)).headers.etag)
  for (const tags of ['"x"', etag.slice(0, -2), '', '"*"']) {
    t.equal((await inject({ url: path, headers: { 'if-none-match': tags } })).statusCode, 200, tags)
  }
  for (const [method, url, status] of [
    ['POST', path, 405],
    ['OPTIONS', path, 200],
    ['GET', `${path}?page=0`, 404],
    ['GET', '/nope/', 404]
  ] as const) {
    t.equal((await inject({ method, url, headers: { 'if-none-match': '*' } })).statusCode, status, `${method} ${url}`)
  }
  for (const headers of [{ 'if-modified-since': 'Sun, 01 Jan 2090 00:00:00 GMT' }, { range: 'bytes=0-3' }]) {
    t.equal((await inject({ url: path, headers })).statusCode, 200, Object.keys(headers).join())
  }
})

test('a tag is valid for its own URL only', async t => {
  const empty = { brakes: [], saddles: [] }
  const app = await build(t, {}, { ...catalogue, ...empty })
  const tagOf = async (url: string) => (await app.inject(url)).headers.etag
  const urls = ['/api/v1/brakes/', '/api/v1/saddles/', path, `${path}?format=api`, `${path}?ordering=brand_name`]
  t.equal(new Set(await Promise.all(urls.map(tagOf))).size, urls.length)
  t.equal(await tagOf(`${path}?unknown=1`), await tagOf(path), 'an unknown parameter selects the same representation')
})

test('each host, scheme and Accept has its own response and tag, cached or not', async t => {
  const app = await build(t, { trustProxy: true })
  const asked = ['http://a.test', 'http://b.test', 'https://a.test', 'https://b.test:8443'].flatMap(origin =>
    ['application/json', 'text/html'].map(accept => ({ origin, accept })))
  for (const url of ['/api/v1/bikes/', '/api/v1/bikes/?page=2&page_size=1']) {
    const tags = new Set<unknown>()
    for (const { origin, accept } of [...asked, ...asked]) {
      const { protocol, host } = new URL(origin)
      const { headers, body } = await app.inject({
        url,
        headers: { host, accept, 'x-forwarded-proto': protocol.slice(0, -1) }
      })
      const label = `${accept} ${origin}${url}`
      t.equal(headers['content-type'], accept === 'text/html' ? 'text/html; charset=utf-8' : accept, label)
      t.same(new Set(body.match(/https?:\/\/[ab]\.test[^/"'\s<&]*/g)), new Set([origin]), label)
      tags.add(headers.etag)
    }
    t.equal(tags.size, asked.length, `${url}: a tag each, the same for a second request`)
  }
})

const historyPaths = ['/', '/api/v1/brakes/', '/api/v1/saddles/', '/api/v1/wheels/', '/api/v2/bikes/']

const parameter = fc.oneof(
  fc.constantFrom(
    'page=', 'page=1', 'page=2', 'page=last', 'page=undefined', 'page=0', 'page_size=', 'page_size=1', 'page_size=x',
    'format=', 'format=api', 'format=json', 'format=undefined', 'x=', 'x=1', 'x', '', '#page=1'
  ),
  fc.constantFrom(
    'ordering=', 'ordering=brand_name', 'ordering=-title', 'ordering=title,-year', 'brand=', 'brand=trek',
    'brand=trek,canyon', 'brand=Trek',
    'year=2021', 'year=', 'year__gte=2020', 'year__gte=x', 'search=carbon', 'search=+', 'is_featured=1',
    'is_featured=true'
  )
)

const anyRequest = fc.record({
  url: fc.tuple(fc.constantFrom(...historyPaths), fc.constantFrom('?', '?', ''), fc.array(parameter, { maxLength: 4 }))
    .map(([path, mark, parameters]) => path + mark + (mark === '' ? '' : parameters.join('&'))),
  headers: fc.tuple(
    fc.constantFrom(
      undefined, undefined, '*/*', 'undefined', '', 'text/html', 'application/json; indent=2', 'application/json',
      'null'
    ),
    fc.constantFrom('localhost', 'other.test', '10.0.2.2:3000'),
    fc.constantFrom('', 'br', 'gzip, br;q=0.5')
  ).map(([accept, host, coding]) => ({
    host, authorization: 'Token ci', 'accept-encoding': coding, ...accept === undefined ? {} : { accept }
  })),
  method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'HEAD' as const, 'OPTIONS' as const)
})

const asked = fc.sample(anyRequest, { numRuns: 1000, seed: 20 })

test('a thousand requests get the same bytes in any order, compressed or not', async t => {
  const settings = { tokens: ['ci'], compress: true }
  const [forwards, backwards] = [await build(t, settings, catalogue), await build(t, settings, catalogue)]
  const answersOf = async (app: typeof forwards, requests: typeof asked) => {
    const answers = new Map<object, string>()
    for (const request of requests) {
      const { statusCode, headers: { date, ...headers }, rawPayload } = await app.inject(request)
      answers.set(request, `${statusCode} ${JSON.stringify(headers)} ${rawPayload.toString('latin1')}`)
    }
    return answers
  }
  const [first, second] = [await answersOf(forwards, asked), await answersOf(backwards, asked.toReversed())]
  t.same(asked.filter(request => first.get(request) !== second.get(request)), [])
})
