import { test } from 'tap'
import type { FastifyRequest } from 'fastify'
import type { Bike } from '../../schemas/v1/bike.ts'
import { createResponseCache } from '../../src/lists/cache.ts'
import { createListRequestParser, type ListRequest } from '../../src/lists/request.ts'
import { createRenderer, type Renderer, type Representation } from '../../src/lists/renderer.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { cacheSize } from '../../src/base/memory.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

const [bikes, , wheels, tyres] = resources as readonly [Resource, Resource, Resource, Resource]

const read = createListRequestParser(defaultSettings)
const ask = (origin: string, resource = bikes, accept = '*/*') => read(resource, { origin, url: resource.path, headers: { accept } } as FastifyRequest)

const maker = createRenderer(catalogue, () => 'page', defaultSettings)

const stays = () => false

/** A function that finds answers in a cache; all of them are short. */
function createFind (maxBytes?: number, own: Renderer = maker): (request: ListRequest) => Representation {
  const { find } = createResponseCache(own, defaultSettings, undefined, maxBytes)
  return request => find(request) as Representation
}

test('an answer is made once for an origin, and a page from the cached JSON', async t => {
  let made = 0
  const find = createFind(undefined, { ...maker, json: request => { made++; return maker.json(request, stays) } })
  t.equal(find(ask('http://a')), find(ask('http://a')))
  t.equal(String(find(ask('http://a', bikes, 'text/html')).body), 'page')
  t.equal(made, 1)
  t.not(find(ask('http://a')), find(ask('http://b')))
})

test('cached answers take 28 MiB, or less on a machine with little memory', async t => {
  const body = Buffer.alloc(2 ** 18)
  const json = { ...maker.json(ask('http://a'), stays) as Representation, body, memoryBytes: body.length }
  const { find, size } = createResponseCache({ ...maker, json: () => json }, defaultSettings)
  for (let number = 0; number < 200; number++) await find({ ...ask('http://a'), key: String(number) })
  t.ok(size().json <= cacheSize(28 * 2 ** 20))
  t.ok(size().json > cacheSize(27.5 * 2 ** 20))
  t.equal(size().api, 0)
})

const many = Array.from({ length: 1800 }, (_, index) => ({ ...catalogue.bikes[index % catalogue.bikes.length] as Bike, id: index + 1 }))
const createLong = () => createResponseCache(createRenderer({ ...catalogue, bikes: many }, () => '', defaultSettings), defaultSettings)

test('a long list is cached as the positions of its records', async t => {
  const { find, size } = createLong()
  t.type((await find(ask('http://a'))).body, 'function')
  t.equal(size().json, 4096 + 8 * many.length)
})

test('a long list that several ask for at once is made once', async t => {
  const json = maker.json(ask('http://a'), stays) as Representation
  const waiting: (() => void)[] = []
  const { find } = createResponseCache({ ...maker, json: () => new Promise(resolve => waiting.push(() => resolve({ ...json }))) }, defaultSettings)
  const found = ['http://a', 'http://a', 'http://b'].map(origin => find(ask(origin)))
  t.equal(waiting.length, 2)
  for (const go of waiting) go()
  const [first, same, other] = await Promise.all(found)
  t.equal(first, same)
  t.not(first, other)
  t.equal(find(ask('http://a')), first)
})

test('a long list is abandoned when all clients that wait for it are gone', async t => {
  const { find } = createLong()
  const gone = () => true
  const found = [find(ask('http://a'), undefined, gone), find(ask('http://a'), undefined, stays), find(ask('http://b'), undefined, gone)]
  t.same((await Promise.allSettled(found)).map(({ status }) => status), ['fulfilled', 'fulfilled', 'rejected'])
})

test('the least recently used answer is evicted', async t => {
  const whole = createFind()
  const origin = 'http://a'
  const sizes = [wheels, tyres].map(resource => ask(origin, resource).key.length + 4096 + whole(ask(origin, resource)).memoryBytes)
  const find = createFind(Math.max(...sizes))
  const first = find(ask(origin, wheels))
  t.equal(find(ask(origin, wheels)), first, 'one has room')
  find(ask(origin, tyres))
  t.not(find(ask(origin, wheels)), first, 'two have none')
  const tight = createFind(Number(sizes[0]) - 1)
  t.not(tight(ask(origin, wheels)), tight(ask(origin, wheels)), 'a byte less is too little')
})

test('compressed bodies count, and are evicted with the plain one', async t => {
  const request = ask('http://a', wheels)
  const createCoded = (maxBytes: number) => createResponseCache(maker, { compress: true }, undefined, maxBytes)
  const whole = createCoded(2 ** 20)
  const [plain, zipped] = [await whole.find(request), await whole.find(request, 'gzip')]
  const { find } = createCoded(plain.memoryBytes + zipped.memoryBytes + 10_000)
  const first = await find(request, 'gzip')
  t.equal(find(request, 'gzip'), first, 'one coding has room')
  await find(request, 'br')
  t.not(await find(request, 'gzip'), first, 'two have none')
})

test('capacity is asserted before an answer is made, not before a cached one is found', async t => {
  let isOverloaded = false
  const { find } = createResponseCache(maker, defaultSettings, () => { if (isOverloaded) throw new Error('overloaded') })
  const first = find(ask('http://a'))
  isOverloaded = true
  t.equal(find(ask('http://a')), first)
  t.throws(() => find(ask('http://b')), { message: 'overloaded' })
})
