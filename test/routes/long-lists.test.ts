import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import { catalogue, type Authored } from '../helper.ts'
import { buildApp } from '../../src/app.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'

const path = '/api/v1/bikes/'

/** Returns the catalogue with so many bikes, repeating its own. */
function withBikes (count: number): Authored {
  const own = catalogue.bikes
  return { ...catalogue, bikes: Array.from({ length: count }, (_, index) => ({ ...own[index % own.length] as Bike, id: index + 1 })) }
}

/** Builds a server without checking its responses against the document, which takes long. */
async function buildUnchecked (t: Test, records: Catalogue, settings: Partial<Settings> = {}, lines: string[] = []): Promise<FastifyInstance> {
  const app = await buildApp(records, { ...defaultSettings, rateLimit: false, ...settings }, { write: line => { lines.push(line) } })
  t.teardown(() => app.close())
  return app
}

test('a list of several megabytes has the records of its pages, a Content-Length and a tag', async t => {
  const many = withBikes(1800)
  const app = await buildUnchecked(t, many)
  const [plain, again, pages] = [await app.inject(path), await app.inject(path), await app.inject(`${path}?page=18&page_size=100`)]
  t.ok(plain.rawPayload.length > 2 ** 22)
  t.equal(plain.headers['content-length'], String(plain.rawPayload.length))
  t.same(plain.json<Bike[]>().map(({ id }) => id), many.bikes.map(({ id }) => id))
  t.same(plain.json<Bike[]>().slice(1700), pages.json<{ results: Bike[] }>().results)
  t.equal(again.payload, plain.payload)

  t.equal((await app.inject({ url: path, headers: { 'if-none-match': String(plain.headers.etag) } })).statusCode, 304)
  const head = await app.inject({ method: 'HEAD', url: path })
  t.same([head.payload, { ...head.headers, date: '' }], ['', { ...plain.headers, date: '' }])

  const indented = await app.inject({ url: path, headers: { accept: 'application/json; indent=2' } })
  t.equal(indented.payload, JSON.stringify(plain.json(), null, 2))
  t.equal(indented.headers['content-length'], String(indented.rawPayload.length))
  t.match((await app.inject(`${path}?format=api`)).payload, /1,800 records/)

  const [one, other] = await Promise.all(['a.example', 'long-name.example'].map(async host =>
    (await app.inject({ url: path, headers: { host } })).payload.replaceAll(`http://${host}`, '')))
  t.equal(one, other, 'concurrent requests from two hosts get the same records')
})

test('a streamed list is not compressed, or is 406 for a client that refuses identity', async t => {
  const app = await buildUnchecked(t, withBikes(1800), { compress: true })
  const [plain, refused] = await Promise.all(['br', 'br, identity;q=0'].map(coding => app.inject({ url: path, headers: { 'accept-encoding': coding } })))
  t.match(plain?.headers, { vary: 'Accept, Accept-Encoding', 'content-length': String(plain?.rawPayload.length) })
  t.equal(plain?.headers['content-encoding'], undefined)
  t.equal(plain?.json<Bike[]>().length, 1800)
  t.equal(refused?.statusCode, 406)
})

test('a long list is abandoned when its client leaves', async t => {
  const { bikes, ...others } = withBikes(1800)
  let socket: Socket | undefined
  let count = 0
  const leave = () => { if (++count === 170) socket?.destroy() }
  const counted = bikes.map(bike => ({ ...bike, get title () { leave(); return bike.title } }))
  const app = await buildUnchecked(t, { ...others, bikes: counted })
  app.server.once('connection', (connection: Socket) => { socket = connection })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  count = 0
  await t.rejects(fetch(url + path))
  for (let number = 0; number < 5; number++) t.equal((await fetch(`${url}/api/v1/brakes/`)).status, 200)
  t.equal(count, 220)
})

test('a plain list of more than 64 MiB causes a warning at start, unless lists are pages', async t => {
  const lines: string[] = []
  const wheel = { ...catalogue.wheels[0] as Wheel, description: ' '.repeat(70_000) }
  const many = <T extends object>(record: T) => Array.from({ length: 1000 }, (_, index) => ({ ...record, id: index + 1 }))
  const long = { ...catalogue, wheels: many(wheel), brakes: many(catalogue.brakes[0]!) }
  for (const paginate of ['on-request', 'always'] as const) await buildUnchecked(t, long, { paginate }, lines)
  t.same(lines.map(line => (JSON.parse(line) as { msg: string }).msg.replace(/\b7[01] MB/, 'n MB')), [
    '/api/v1/wheels/ is about n MB without a page; --paginate always makes every list a page'
  ])
})
