import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import { catalogue } from '../helper.ts'
import { buildApp } from '../../src/app.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'

const path = '/api/v1/bikes/'

/** Gives the catalogue with so many bikes, its own again and again. */
function withBikes (count: number): Catalogue {
  const own = catalogue.bikes
  const originals = Array.from({ length: count }, (_, index) => own[index % own.length] as Bike)
  const bikes = originals.map((bike, index) => ({ ...bike, id: index + 1 }))
  const details = new Map(originals.map(({ id }, index) => [index + 1, catalogue.details.bikes.get(id) as StoredBikeDetail]))
  return { ...catalogue, bikes, details: { ...catalogue.details, bikes: details } }
}

/** Builds a server whose answers are too long to be checked against the document. */
async function buildUnchecked (t: Test, records: Catalogue, settings: Partial<Settings> = {}, lines: string[] = []): Promise<FastifyInstance> {
  const app = await buildApp(records, { ...defaultSettings, rateLimit: false, ...settings }, { write: line => { lines.push(line) } })
  t.teardown(() => app.close())
  return app
}

test('a list of several megabytes has the length, tag and records of the pages that it is made of', async t => {
  const many = withBikes(700)
  const app = await buildUnchecked(t, many)
  const [plain, again, pages] = [await app.inject(path), await app.inject(path), await app.inject(`${path}?page=7&page_size=100`)]
  t.ok(plain.rawPayload.length > 1_500_000)
  t.equal(plain.headers['content-length'], String(plain.rawPayload.length))
  t.same(plain.json<Bike[]>().map(({ id }) => id), many.bikes.map(({ id }) => id))
  t.same(plain.json<Bike[]>().slice(600), pages.json<{ results: Bike[] }>().results)
  t.equal(again.payload, plain.payload)

  const headers = { 'if-none-match': String(plain.headers.etag) }
  t.equal((await app.inject({ url: path, headers })).statusCode, 304)
  const head = await app.inject({ method: 'HEAD', url: path })
  t.same({ ...head.headers, date: '' }, { ...plain.headers, date: '' })
  t.equal(head.payload, '')

  const indented = await app.inject({ url: path, headers: { accept: 'application/json; indent=2' } })
  t.equal(indented.payload, JSON.stringify(plain.json(), null, 2))
  t.equal(indented.headers['content-length'], String(indented.rawPayload.length))
  t.match((await app.inject(`${path}?format=api`)).payload, /700 records/)
})

test('a list in pieces comes plain from a server that compresses, or is 406 where that is refused', async t => {
  const app = await buildUnchecked(t, withBikes(700), { compress: true })
  const [plain, refused] = await Promise.all(['br', 'br, identity;q=0'].map(coding => app.inject({ url: path, headers: { 'accept-encoding': coding } })))
  t.match(plain?.headers, { vary: 'Accept, Accept-Encoding', 'content-length': String(plain?.rawPayload.length) })
  t.equal(plain?.headers['content-encoding'], undefined)
  t.equal(plain?.json<Bike[]>().length, 700)
  t.equal(refused?.statusCode, 406)
})

test('clients that ask for the same long list at once, each by its own host, get the same records', async t => {
  const app = await buildUnchecked(t, withBikes(700))
  const texts = await Promise.all(['a.example', 'long-name.example'].map(async host => {
    const { payload } = await app.inject({ url: path, headers: { host } })
    return payload.replaceAll(`http://${host}`, '')
  }))
  t.equal(texts[0], texts[1])
})

test('what orders a long list is there before the server is', async t => {
  let looked = 0
  const wheels = Array.from({ length: 5_001 }, (_, id) => ({
    ...catalogue.wheels[0] as Wheel,
    id: id + 1,
    get brand_name () {
      looked++
      return `Brand ${id % 7}`
    }
  }))
  const app = await buildUnchecked(t, { ...catalogue, wheels })
  const before = looked
  t.ok(before >= wheels.length)
  const { results } = (await app.inject('/api/v1/wheels/?ordering=-brand_name&page=1')).json<{ results: Wheel[] }>()
  t.strictSame(results.map(({ id, brand_name: brand }) => [id, brand]), Array.from({ length: 10 }, (_, n) => [7 * n + 7, 'Brand 6']))
  t.ok(looked - before < 100, 'only the records that are written are looked at again')
})

test('a plain list of more than 64 MiB is warned of at start, unless lists are pages', async t => {
  const lines: string[] = []
  const wheel = { ...catalogue.wheels[0] as Wheel, description: ' '.repeat(70_000) }
  const many = <T extends object>(record: T) => Array.from({ length: 1000 }, (_, index) => ({ ...record, id: index + 1 }))
  const long = { ...catalogue, wheels: many(wheel), brakes: many(catalogue.brakes[0]!) }
  for (const paginate of ['on-request', 'always'] as const) await buildUnchecked(t, long, { paginate }, lines)
  t.same(lines.map(line => (JSON.parse(line) as { msg: string }).msg.replace(/\d+ MB/, 'n MB')), [
    '/api/v1/wheels/ is about n MB without a page; --paginate always makes every list a page'
  ])
})
