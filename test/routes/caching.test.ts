import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue } from '../helper.ts'

const lists = resources.filter(({ access }) => access === 'public')
const path = '/api/v1/wheels/'

test('If-None-Match with the tag of the answer is 304 with the same headers', async t => {
  const app = await build(t)
  for (const { path, maxAge } of lists) {
    const etag = String((await app.inject(path)).headers.etag)
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const { statusCode, headers, body } = await app.inject({ url: path, headers: { 'if-none-match': tags } })
      t.strictSame([statusCode, body], [304, ''], `${path} ${tags}`)
      t.match(headers, { etag, vary: 'Accept', allow: 'GET, HEAD, OPTIONS', 'cache-control': `public, max-age=${maxAge}` }, tags)
      t.notOk(headers['content-type'] ?? headers['content-length'] ?? headers['last-modified'], tags)
    }
  }
  t.equal((await app.inject({ method: 'HEAD', url: path, headers: { 'if-none-match': '*' } })).statusCode, 304)
})

test('other tags, methods and errors get full responses; If-Modified-Since and Range are ignored', async t => {
  const app = await build(t)
  const etag = String((await app.inject(path)).headers.etag)
  for (const tags of ['"x"', etag.slice(0, -2), '', '"*"']) t.equal((await app.inject({ url: path, headers: { 'if-none-match': tags } })).statusCode, 200, tags)
  for (const [method, url, status] of [['POST', path, 405], ['OPTIONS', path, 200], ['GET', `${path}?page=0`, 404], ['GET', '/nope/', 404]] as const) {
    t.equal((await app.inject({ method, url, headers: { 'if-none-match': '*' } })).statusCode, status, `${method} ${url}`)
  }
  for (const headers of [{ 'if-modified-since': 'Sun, 01 Jan 2090 00:00:00 GMT' }, { range: 'bytes=0-3' }]) {
    t.equal((await app.inject({ url: path, headers })).statusCode, 200, Object.keys(headers).join())
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
      const { headers, body } = await app.inject({ url, headers: { host, accept, 'x-forwarded-proto': protocol.slice(0, -1) } })
      const label = `${accept} ${origin}${url}`
      t.equal(headers['content-type'], accept === 'text/html' ? 'text/html; charset=utf-8' : accept, label)
      t.same(new Set(body.match(/https?:\/\/[ab]\.test[^/"'\s<&]*/g)), new Set([origin]), label)
      tags.add(headers.etag)
    }
    t.equal(tags.size, asked.length, `${url}: a tag each, the same for a second request`)
  }
})
