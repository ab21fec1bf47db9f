import { test } from 'tap'
import type { FastifyRequest } from 'fastify'
import type { Bike } from '../../schemas/v1/bike.ts'
import { createResponseCache } from '../../src/lists/cache.ts'
import { createListRequestParser, type ListRequest } from '../../src/lists/request.ts'
import { createRenderer } from '../../src/lists/renderer.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { createListReader } from '../../src/lists/reader.ts'
import { cacheSize } from '../../src/base/memory.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

const [bikes, , wheels] = resources as readonly [Resource, Resource, Resource]

const read = createListRequestParser(defaultSettings, catalogue)
const ask = (origin: string, resource = bikes, accept = '*/*') => {
  const query: unknown = new URLSearchParams()
  return read(resource, { origin, url: resource.path, query, headers: { accept } } as FastifyRequest)
}

const renderer = createRenderer(catalogue, createListReader(catalogue), () => 'page', defaultSettings)
const serialiserOf = () => JSON.stringify

function cacheOf (...options: Parameters<typeof createResponseCache>) {
  const { get, size } = createResponseCache(...options)
  return { get: (request: ListRequest, accepted?: string) => get(request, accepted, serialiserOf), size }
}

test('a response is made once for each origin, and a page from the cached JSON', async t => {
  let made = 0
  const json = (request: ListRequest) => {
    made++
    return renderer.json(request, serialiserOf)
  }
  const { get } = cacheOf({ ...renderer, json }, defaultSettings)
  t.equal(get(ask('http://a')), get(ask('http://a')))
  t.equal(String(get(ask('http://a', bikes, 'text/html')).body), 'page')
  t.equal(made, 1)
  t.not(get(ask('http://a')), get(ask('http://b')))
})

test('cached responses take 28 MiB, or less on a machine with little memory', async t => {
  const body = Buffer.alloc(2 ** 18)
  const json = { ...renderer.json(ask('http://a'), serialiserOf), body, memoryBytes: body.length }
  const { get, size } = cacheOf({ ...renderer, json: () => json }, defaultSettings)
  for (let number = 0; number < 200; number++) {
    get({ ...ask('http://a'), keys: { identity: String(number), br: '', gzip: '' } })
  }
  t.ok(size().json <= cacheSize(28 * 2 ** 20))
  t.ok(size().json > cacheSize(27.5 * 2 ** 20))
  t.equal(size().api, 0)
})

const many = Array.from({ length: 1800 }, (_, index) => ({
  ...catalogue.bikes[index % catalogue.bikes.length] as Bike,
  id: index + 1
}))
test('a long list is cached as the positions of its records', async t => {
  const long = { ...catalogue, bikes: many }
  const renderer = createRenderer(long, createListReader(long), () => '', defaultSettings)
  const { get, size } = cacheOf(renderer, defaultSettings)
  t.type(get(ask('http://a')).body, 'function')
  t.equal(size().json, ask('http://a').keys.identity.length + 4096 + 8 * many.length)
})

test('compressed bodies count towards the size of the cache', async t => {
  const request = ask('http://a', wheels)
  const { get, size } = cacheOf(renderer, { compress: true })
  const [plain, zipped] = [get(request), get(request, 'gzip')]
  t.equal(get(request, 'gzip'), zipped)
  const { identity, gzip } = request.keys
  t.equal(size().json, plain.memoryBytes + zipped.memoryBytes + 2 * 4096 + identity.length + gzip.length)
})
