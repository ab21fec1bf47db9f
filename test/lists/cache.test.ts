import { test } from 'tap'
import type { FastifyRequest } from 'fastify'
import type { Bike } from '../../schemas/v1/bike.ts'
import { createResponseCache } from '../../src/lists/cache.ts'
import { createListRequestParser, type ListRequest } from '../../src/lists/request.ts'
import { createRenderer, type Renderer, type Representation } from '../../src/lists/renderer.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { createListReader } from '../../src/lists/reader.ts'
import { cacheSize } from '../../src/base/memory.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

const [bikes, , wheels, tyres] = resources as readonly [Resource, Resource, Resource, Resource]

const read = createListRequestParser(defaultSettings)
const ask = (origin: string, resource = bikes, accept = '*/*') => read(resource, { origin, url: resource.path, headers: { accept } } as FastifyRequest)

const renderer = createRenderer(catalogue, createListReader(catalogue), () => 'page', defaultSettings)

const stays = () => false

/** A function that finds answers in a cache; all of them are short. */
function createFind (maxBytes?: number, own: Renderer = renderer): (request: ListRequest) => Representation {
  const { get } = createResponseCache(own, defaultSettings, maxBytes)
  return request => get(request) as Representation
}

test('an answer is made once for an origin, and a page from the cached JSON', async t => {
  let made = 0
  const get = createFind(undefined, { ...renderer, json: request => { made++; return renderer.json(request, stays) } })
  t.equal(get(ask('http://a')), get(ask('http://a')))
  t.equal(String(get(ask('http://a', bikes, 'text/html')).body), 'page')
  t.equal(made, 1)
  t.not(get(ask('http://a')), get(ask('http://b')))
})

test('cached answers take 28 MiB, or less on a machine with little memory', async t => {
  const body = Buffer.alloc(2 ** 18)
  const json = { ...renderer.json(ask('http://a'), stays) as Representation, body, memoryBytes: body.length }
  const { get, size } = createResponseCache({ ...renderer, json: () => json }, defaultSettings)
  for (let number = 0; number < 200; number++) await get({ ...ask('http://a'), key: String(number) })
  t.ok(size().json <= cacheSize(28 * 2 ** 20))
  t.ok(size().json > cacheSize(27.5 * 2 ** 20))
  t.equal(size().api, 0)
})

const many = Array.from({ length: 1800 }, (_, index) => ({ ...catalogue.bikes[index % catalogue.bikes.length] as Bike, id: index + 1 }))
const long = { ...catalogue, bikes: many }
const createLong = () => createResponseCache(createRenderer(long, createListReader(long), () => '', defaultSettings), defaultSettings)

test('a long list is cached as the positions of its records', async t => {
  const { get, size } = createLong()
  t.type((await get(ask('http://a'))).body, 'function')
  t.equal(size().json, 4096 + 8 * many.length)
})

test('a long list that several ask for at once is made once', async t => {
  const json = renderer.json(ask('http://a'), stays) as Representation
  const waiting: (() => void)[] = []
  const { get } = createResponseCache({ ...renderer, json: () => new Promise(resolve => waiting.push(() => resolve({ ...json }))) }, defaultSettings)
  const found = ['http://a', 'http://a', 'http://b'].map(origin => get(ask(origin)))
  t.equal(waiting.length, 2)
  for (const go of waiting) go()
  const [first, same, other] = await Promise.all(found)
  t.equal(first, same)
  t.not(first, other)
  t.equal(get(ask('http://a')), first)
})

test('a long list is abandoned when all clients that wait for it are gone', async t => {
  const { get } = createLong()
  const gone = () => true
  const found = [get(ask('http://a'), undefined, gone), get(ask('http://a'), undefined, stays), get(ask('http://b'), undefined, gone)]
  t.same((await Promise.allSettled(found)).map(({ status }) => status), ['fulfilled', 'fulfilled', 'rejected'])
})

test('the least recently used answer is evicted', async t => {
  const whole = createFind()
  const origin = 'http://a'
  const sizes = [wheels, tyres].map(resource => ask(origin, resource).key.length + 4096 + whole(ask(origin, resource)).memoryBytes)
  const get = createFind(Math.max(...sizes))
  const first = get(ask(origin, wheels))
  t.equal(get(ask(origin, wheels)), first, 'one has room')
  get(ask(origin, tyres))
  t.not(get(ask(origin, wheels)), first, 'two have none')
  const tight = createFind(Number(sizes[0]) - 1)
  t.not(tight(ask(origin, wheels)), tight(ask(origin, wheels)), 'a byte less is too little')
})

test('compressed bodies count, and are evicted with the plain one', async t => {
  const request = ask('http://a', wheels)
  const createCoded = (maxBytes: number) => createResponseCache(renderer, { compress: true }, maxBytes)
  const whole = createCoded(2 ** 20)
  const [plain, zipped] = [await whole.get(request), await whole.get(request, 'gzip')]
  const { get } = createCoded(plain.memoryBytes + zipped.memoryBytes + 10_000)
  const first = await get(request, 'gzip')
  t.equal(get(request, 'gzip'), first, 'one coding has room')
  await get(request, 'br')
  t.not(await get(request, 'gzip'), first, 'two have none')
})
