import type { AddressInfo } from 'node:net'
import createClient from 'openapi-fetch'
import { test } from 'tap'
import { build, catalogue } from '../helper.ts'
import type { components, paths } from './types.ts'

type Schemas = components['schemas']

/** What a page of any list is; the types of a client have one for each kind of record. */
type Page<Item> = { count: number, results: Item[] }

/** Makes the client that openapi-typescript and openapi-fetch give, of a server that listens. */
async function connect (t: Parameters<typeof build>[0]) {
  const app = await build(t, { tokens: ['sekret'] })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return createClient<paths>({ baseUrl: `http://127.0.0.1:${port}`, querySerializer: { array: { style: 'form', explode: false } } })
}

/** What a caller writes who asks without `page`: no type of a client can tell that from the query. */
function whole<Item> (list: Item[] | Page<Item> | undefined): Item[] {
  if (!Array.isArray(list)) throw new Error('not a plain array')
  return list
}

/** What a caller writes who asks with `page`. */
function paged<Item, P extends Page<Item>> (list: Item[] | P | undefined): P {
  if (list === undefined || Array.isArray(list)) throw new Error('not a page')
  return list
}

const headers = { Authorization: 'Token sekret' }

test('a typed client reads every list', async t => {
  const client = await connect(t)
  const bikes = whole((await client.GET('/api/v1/bikes/', { params: { query: { ordering: '-title' } } })).data)
  t.equal(bikes.length, catalogue.bikes.length)
  t.equal(bikes[0]?.groupset?.chain.id, catalogue.bikes[0]?.groupset?.chain.id)
  const featured = whole((await client.GET('/api/v1/bikes/featured/')).data)
  t.ok(featured.every(({ is_featured: isFeatured }) => isFeatured))
  const wheels = whole((await client.GET('/api/v1/wheels/')).data)
  t.same(wheels.map(({ axlesizeF }) => axlesizeF), catalogue.wheels.map(({ axlesizeF }) => axlesizeF))
  const tyres = whole((await client.GET('/api/v1/tyres/')).data)
  t.same(tyres.map(({ width }) => width), catalogue.tyres.map(({ width }) => width))
  const chains = whole((await client.GET('/api/v1/chains/')).data)
  t.same(chains.map(({ links_count: links }) => links), catalogue.chains.map(({ links_count: links }) => links))
  const groupsets = whole((await client.GET('/api/v1/groupsets/')).data)
  t.same(groupsets.map(({ Chainring_sizes: sizes }) => sizes), catalogue.groupsets.map(({ Chainring_sizes: sizes }) => sizes))
  const brakes = whole((await client.GET('/api/v1/brakes/')).data)
  t.same(brakes.map(({ model }) => model), catalogue.brakes.map(({ model }) => model))
  const saddles = whole((await client.GET('/api/v1/saddles/')).data)
  t.same(saddles.map(({ model }) => model), catalogue.saddles.map(({ model }) => model))
  const handlebars = whole((await client.GET('/api/v1/handlebars/')).data)
  t.same(handlebars.map(({ model }) => model), catalogue.handlebars.map(({ model }) => model))
})

test('a typed client filters the detailed bikes, walks pages and reads errors', async t => {
  const client = await connect(t)
  const query = { brand: ['trek', 'Canyon'], ordering: ['brand' as const, '-year' as const], year__gte: 2000, page: 'last' as const, page_size: 1 }
  const page = paged((await client.GET('/api/v2/bikes/', { headers, params: { query } })).data)
  t.equal(page.count, catalogue.bikes.filter(({ brand }) => ['Trek', 'Canyon'].includes(brand)).length)
  t.match(page, { next: null, previous: /brand=trek%2CCanyon/, results: [{ brand: 'Trek', components: {}, usage: { fitness: {} } }] })

  const refused = await client.GET('/api/v2/bikes/')
  t.equal(refused.response.status, 401)
  t.same(refused.error, { detail: 'Authentication credentials were not provided.' })
  const unread = await client.GET('/api/v2/bikes/', { headers, params: { query: { year: 0.5 } } })
  t.same(unread.error, { year: ['Enter a whole number.'] })
})

test('the types of a client are of the JSON alone, and name what it holds', async t => {
  const client = await connect(t)
  const { data: bikes } = await client.GET('/api/v1/bikes/')
  t.ok(bikes satisfies { id: number }[] | Page<{ id: number }> | undefined)
  const { data: detailed, error } = await client.GET('/api/v2/bikes/', { headers })
  t.ok(detailed satisfies Schemas['DetailedBikeArray'] | Schemas['DetailedBikePage'] | undefined)
  t.notOk(error satisfies Schemas['Detail'] | Schemas['FieldErrors'] | undefined)
  const { data: about } = await client.OPTIONS('/api/v1/wheels/')
  t.equal(about?.name, 'Wheel List')
  const { data: issued } = await client.POST('/tokens/', { body: { label: 'me' }, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
  t.match(issued?.token, /^bct_/)
})
