import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import { buildLogged, catalogue, type Authored } from '../helper.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Settings } from '../../src/settings/settings.ts'

const path = '/api/v1/bikes/'

/** Returns the catalogue with so many bikes, repeating its own. */
function withBikes (count: number): Authored {
  const own = catalogue.bikes
  return {
    ...catalogue,
    bikes: Array.from({ length: count }, (_, index) => ({ ...own[index % own.length] as Bike, id: index + 1 }))
  }
}

/** Builds a server without checking its responses against the document, which takes long. */
const buildUnchecked = async (t: Test, records: Catalogue, settings: Partial<Settings> = {}) =>
  (await buildLogged(t, { rateLimit: false, ...settings }, records)).app

test('a list of several megabytes has the records of its pages, a tag, and no length', async t => {
  const many = withBikes(1800)
  const app = await buildUnchecked(t, many)
  const [plain, again, pages] = [
    await app.inject(path),
    await app.inject(path),
    await app.inject(`${path}?page=18&page_size=1000`)
  ]
  t.ok(plain.rawPayload.length > 2 ** 22)
  t.equal(plain.headers['content-length'], undefined)
  t.same(plain.json<Bike[]>().map(({ id }) => id), many.bikes.map(({ id }) => id))
  t.same(plain.json<Bike[]>().slice(1700), pages.json<{ results: Bike[] }>().results)
  t.equal(again.payload, plain.payload)

  const head = await app.inject({ method: 'HEAD', url: path })
  const { 'transfer-encoding': _, ...headers } = plain.headers
  t.same([head.payload, { ...head.headers, date: '' }], ['', { ...headers, date: '' }])

  const indented = await app.inject({ url: path, headers: { accept: 'application/json; indent=2' } })
  t.equal(indented.payload, JSON.stringify(plain.json(), null, 2))
  t.match((await app.inject(`${path}?format=api`)).payload, /an array of 1,?800\b/)
})

test('the tag of a long list differs by origin, query, format and data, and its 304 makes no record', async t => {
  const long = withBikes(1800)
  let made = 0
  const counted = { ...long, bikes: long.bikes.map(bike => ({ ...bike, get title () { made++; return bike.title } })) }
  const [app, changed] = [await buildUnchecked(t, counted), await buildUnchecked(t, { ...long, digest: 'changed' })]
  const tagOf = async (server: FastifyInstance, url = path, headers = {}) => {
    const head = await server.inject({ method: 'HEAD', url, headers })
    return String(head.headers.etag)
  }
  const tag = await tagOf(app)
  const tags = [
    tag, await tagOf(changed), await tagOf(app, `${path}?ordering=title`), await tagOf(app, path, { host: 'a.test' }),
    await tagOf(app, path, { accept: 'application/json; indent=1' })
  ]
  t.equal(new Set(tags).size, tags.length, tags.join(' '))
  t.equal(await tagOf(app, `${path}?unknown=1`), tag)
  made = 0
  const known = await app.inject({ url: path, headers: { 'if-none-match': tag } })
  t.same([known.statusCode, known.headers.etag, made], [304, tag, 0])
})

test('a streamed list is compressed while it is sent, with a tag of its own', async t => {
  const app = await buildUnchecked(t, withBikes(1800), { compress: true })
  const send = (coding: string, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) =>
    app.inject({ method, url: path, headers: { 'accept-encoding': coding, ...headers } })
  const plain = await send('identity')
  t.equal(plain.headers['content-encoding'], undefined)
  const tags = new Set([plain.headers.etag])
  for (const [coding, decode] of [['br', brotliDecompressSync], ['gzip', gunzipSync]] as const) {
    const response = await send(`${coding}, identity;q=0`)
    const { etag, 'content-length': length, 'content-encoding': used, vary } = response.headers
    t.same([used, length, vary], [coding, undefined, 'Accept, Accept-Encoding'])
    t.ok(decode(response.rawPayload).equals(plain.rawPayload), coding)
    t.ok(response.rawPayload.length < plain.rawPayload.length / 3, coding)
    t.match((await send(coding, 'HEAD')).headers, { etag, 'content-encoding': coding })
    t.match(await send(coding, 'GET', { 'if-none-match': String(etag) }), { statusCode: 304, headers: { etag } })
    tags.add(etag)
  }
  t.equal(tags.size, 3)
  t.equal((await send('identity;q=0')).statusCode, 406)
})

test('other requests are served while a long list is sent', async t => {
  const { bikes, ...others } = withBikes(6_000)
  let made = 0
  const counted = bikes.map(bike => ({ ...bike, get title () { made++; return bike.title } }))
  const app = await buildUnchecked(t, { ...others, bikes: counted })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  made = 0
  const [whole, progress] = await Promise.all([
    fetch(url + path).then(async response => (await response.json() as Bike[]).length),
    fetch(`${url}/api/v1/brakes/`).then(async response => { await response.arrayBuffer(); return made })
  ])
  t.equal(whole, 6_000)
  t.ok(progress < 3_000, `answered after ${progress} records`)
})

test('an unpaged list of more than 64 MiB causes a warning at startup, unless lists are always paged', async t => {
  const wheel = { ...catalogue.wheels[0] as Wheel, description: ' '.repeat(70_000) }
  const many = <T extends object>(record: T) => {
    return Array.from({ length: 1000 }, (_, index) => ({ ...record, id: index + 1 }))
  }
  const long = { ...catalogue, wheels: many(wheel), brakes: many(catalogue.brakes[0]!) }
  const { log } = await buildLogged(t, {}, long)
  const msg = /^\/api\/v1\/wheels\/ is about 7[01] MB unpaged\. Use --paginate always to serve lists in pages\.$/
  t.match(log, [{ msg }])
  t.equal(log.length, 1)
  t.same((await buildLogged(t, { paginate: 'always' }, long)).log, [])
})
