import type { AddressInfo } from 'node:net'
import createClient from 'openapi-fetch'
import { test } from 'tap'
import { build, catalogue } from '../helper.ts'
import type { components, paths } from './types.ts'

type Schemas = components['schemas']

/** Makes the client that openapi-typescript and openapi-fetch give, of a server that listens. */
async function connect (t: Parameters<typeof build>[0]) {
  const app = await build(t, { tokens: ['sekret'] })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return createClient<paths, 'application/json'>({ baseUrl: `http://127.0.0.1:${port}`, querySerializer: { array: { style: 'form', explode: false } } })
}

/** Gives the records of a list in either of its forms. */
function recordsOf<Item extends object> (list: Item[] | { results: Item[] } | undefined): Item[] {
  return list === undefined ? [] : Array.isArray(list) ? list : list.results
}

const headers = { Authorization: 'Token sekret' }

test('a typed client reads every list', async t => {
  const client = await connect(t)
  const bikes = recordsOf((await client.GET('/api/v1/bikes/', { params: { query: { ordering: '-title' } } })).data)
  t.equal(bikes.length, catalogue.bikes.length)
  t.equal(bikes[0]?.groupset?.chain.id, catalogue.bikesById.get(bikes[0]?.id as number)?.groupset?.chain.id)
  const featured = recordsOf((await client.GET('/api/v1/bikes/featured/')).data)
  t.ok(featured.every(({ is_featured: isFeatured }) => isFeatured))
  const wheels = recordsOf((await client.GET('/api/v1/wheels/')).data)
  t.same(wheels.map(({ axlesizeF }) => axlesizeF), catalogue.wheels.map(({ axlesizeF }) => axlesizeF))
  const tyres = recordsOf((await client.GET('/api/v1/tyres/')).data)
  t.same(tyres.map(({ width }) => width), catalogue.tyres.map(({ width }) => width))
  const chains = recordsOf((await client.GET('/api/v1/chains/')).data)
  t.same(chains.map(({ links_count: links }) => links), catalogue.chains.map(({ links_count: links }) => links))
  const groupsets = recordsOf((await client.GET('/api/v1/groupsets/')).data)
  t.same(groupsets.map(({ Chainring_sizes: sizes }) => sizes), catalogue.groupsets.map(({ Chainring_sizes: sizes }) => sizes))
  const brakes = recordsOf((await client.GET('/api/v1/brakes/')).data)
  t.same(brakes.map(({ model }) => model), catalogue.brakes.map(({ model }) => model))
  const saddles = recordsOf((await client.GET('/api/v1/saddles/')).data)
  t.same(saddles.map(({ model }) => model), catalogue.saddles.map(({ model }) => model))
  const handlebars = recordsOf((await client.GET('/api/v1/handlebars/')).data)
  t.same(handlebars.map(({ model }) => model), catalogue.handlebars.map(({ model }) => model))
})

test('a typed client filters the detailed bikes, walks pages and reads errors', async t => {
  const client = await connect(t)
  const query = { brand: ['trek', 'Canyon'], ordering: ['brand', '-year'], year__gte: 2000, page: 'last', page_size: 1 } as const
  const { data } = await client.GET('/api/v2/bikes/', { headers, params: { query: { ...query, brand: [...query.brand], ordering: [...query.ordering] } } })
  const page = data as Schemas['DetailedBikePage']
  t.equal(page.count, catalogue.bikes.filter(({ brand }) => ['Trek', 'Canyon'].includes(brand)).length)
  t.match(page, { next: null, previous: /brand=trek%2CCanyon/, results: [{ brand: 'Trek', components: {}, usage: { fitness: {} } }] })

  const refused = await client.GET('/api/v2/bikes/')
  t.equal(refused.response.status, 401)
  t.equal((refused.error as Schemas['Detail'] | undefined)?.detail, 'Authentication credentials were not provided.')
  const unread = await client.GET('/api/v2/bikes/', { headers, params: { query: { year: 0.5 } } })
  t.same(unread.error, { year: ['Enter a whole number.'] })
  const { data: about } = await client.OPTIONS('/api/v1/wheels/')
  t.equal((about as Schemas['Metadata']).name, 'Wheel List')
})
