import { t, test } from 'tap'
import type { DetailedBike } from '../../schemas/v2/bike.ts'
import { bikeFilters, sortableBikeFields } from '../../src/lists/resources.ts'
import { shared } from '../helper.ts'

const { inject } = shared(t, { tokens: ['sekret'] })

const path = '/api/v2/bikes/'
const headers = { authorization: 'Token sekret' }

type Bikes = DetailedBike[]

const not = 'Authentication credentials were not provided.'
const invalid = 'Invalid token.'

/** The reference's table: request, header, status, detail. */
const requests: [
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'DELETE',
  query: string,
  authorization: string | undefined,
  status: number,
  detail?: string
][] = [
  ['GET', '', undefined, 401, not],
  ['GET', '', 'Token sekret', 200],
  ['GET', '', 'Token x', 401, invalid],
  ['GET', '', 'Token a b', 401, 'Invalid token header. Token string should not contain spaces.'],
  ['OPTIONS', '', undefined, 401, not],
  ['POST', '', undefined, 401, not],
  ['DELETE', '', 'Token x', 401, invalid],
  ['POST', '', 'Token sekret', 405, 'Method "POST" not allowed.'],
  ['OPTIONS', '', 'Token sekret', 200],
  ['GET', '?format=xml', undefined, 404, 'Not found.'],
  ['GET', '?page=abc', undefined, 401, not],
  ['GET', '?year=abc', undefined, 401, not],
  ['GET', '?page=abc', 'Token sekret', 404, 'Invalid page.']
]

test('the token is checked after negotiation and before the method, with the texts of the reference', async t => {
  for (const [method, query, authorization, status, detail] of requests) {
    const answer = await inject({
      method,
      url: path + query,
      headers: authorization === undefined ? {} : { authorization }
    })
    const label = `${method} ${query} ${authorization}`
    t.equal(answer.statusCode, status, label)
    t.match(answer.headers, {
      vary: /^Accept$/, allow: 'GET, HEAD, OPTIONS', 'content-type': /^application\/json$/
    }, label)
    t.equal(answer.headers['www-authenticate'], status === 401 ? 'Token' : undefined, label)
    if (detail !== undefined) t.equal(answer.body, JSON.stringify({ detail }), label)
  }
  t.equal((await inject({ url: path, headers: { accept: 'application/xml' } })).statusCode, 406)
  const page = await inject({ url: path, headers: { accept: 'text/html' } })
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'www-authenticate': 'Token' })
})

test('a preflight of v2 needs no token; v1 ignores an invalid one', async t => {
  const preflight = {
    origin: 'http://x',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization'
  }
  t.equal((await inject({ method: 'OPTIONS', url: path, headers: preflight })).statusCode, 204)
  t.equal((await inject({ url: '/api/v1/brakes/', headers: { authorization: 'Token a b' } })).statusCode, 200)
})

test('v2 responses are private, and clients must revalidate', async t => {
  const { headers: { 'cache-control': cacheControl, etag = '' } } = await inject({ url: path, headers })
  t.equal(cacheControl, 'private, no-cache')
  t.match(await inject({ url: path, headers: { ...headers, 'if-none-match': etag } }), {
    statusCode: 304,
    headers: { 'cache-control': cacheControl, etag }
  })
  t.equal((await inject({ url: path, headers: { 'if-none-match': etag } })).statusCode, 401, 'a tag is no token')
})

type Value = string | number | boolean | null | undefined
const lower = (value: Value) => String(value).toLowerCase()

/** Filters by their query, with the same predicate in TypeScript. */
const filters: [query: string, fits: (bike: DetailedBike) => boolean][] = [
  [
    'search=carbon%20race',
    bike => {
      const texts = [bike.title, bike.brand, bike.model_name, bike.description]
      return ['carbon', 'race'].every(word => texts.some(text => lower(text).includes(word)))
    }
  ],
  ['category=ROAD,time%20trial', bike => ['road', 'Time Trial'].includes(bike.category.slug)],
  ['brand=trek,%20Canyon', bike => ['Trek', 'Canyon'].includes(bike.brand)],
  ['bike_type=Fixed-Gear', bike => bike.bike_type === 'fixed-gear'],
  ['frame_material=carbon', bike => lower(bike.frame_material) === 'carbon'],
  ['colour=red', bike => lower(bike.colour) === 'red'],
  ['status=draft', () => false],
  ['is_featured=true', bike => bike.is_featured],
  ['is_electronic=False', bike => bike.groupset?.is_electronic === false],
  ['brake_type=rim%20brake', bike => bike.wheels?.brake_type === 'Rim brake'],
  ['wheel_brand=zipp', bike => lower(bike.wheels?.brand_name) === 'zipp'],
  ['tyre_brand=continental', bike => lower(bike.tyre?.brand_name) === 'continental'],
  ['groupset_brand=sram', bike => lower(bike.groupset?.brand_name) === 'sram'],
  ['year=2023', bike => bike.year === 2023],
  ['year__gte=2020&year__lte=2022', bike => bike.year >= 2020 && bike.year <= 2022],
  ['price__gte=3000.50', bike => bike.price !== null && Number(bike.price) >= 3000.5],
  ['weight_kg__lte=8', bike => bike.weight_kg !== null && Number(bike.weight_kg) <= 8],
  ['rating__gte=4', bike => bike.rating !== null && bike.rating >= 4],
  ['review_count=0', bike => bike.review_count === 0],
  ['view_count__gte=1000&favorites_count__lte=50', bike => bike.view_count >= 1000 && bike.favorites_count <= 50],
  ['date_added__gte=2024-01-01', bike => Date.parse(bike.date_added) >= Date.parse('2024-01-01')],
  [
    'date_updated__lte=2026-01-01T12:00:00Z',
    bike => Date.parse(bike.date_updated) <= Date.parse('2026-01-01T12:00:00Z')
  ],
  ['brand=&YEAR=1900&nonsense=1', () => true]
]

test('filters narrow the list, alone and together', async t => {
  const fieldOf = (name: string) => name.replace(/__[gl]te$/, '')
  const tried = new Set(filters.flatMap(([query]) => [...new URLSearchParams(query).keys()].map(fieldOf)))
  const names = bikeFilters.map(({ name }) => fieldOf(name))
  t.same(names.filter(name => !tried.has(name)), [], 'add a row to `filters` above for each of these')
  const all = (await inject({ url: path, headers })).json<Bikes>()
  for (const [query, fits] of filters) {
    const answer = await inject({ url: `${path}?${query}`, headers })
    t.same(answer.json<Bikes>().map(({ id }) => id), all.filter(fits).map(({ id }) => id), query)
  }
  const { json } = await inject({ url: `${path}?brand=trek&ordering=-price&page=1&page_size=2`, headers })
  const page = json<{ count: number, next: string, results: Bikes }>()
  const treks = all.filter(({ brand }) => brand === 'Trek')
  t.equal(page.count, treks.length)
  t.match(page.next, 'brand=trek&ordering=-price&page=2&page_size=2')
  const dearest = treks.toSorted((a, b) => Number(b.price) - Number(a.price) || a.id - b.id)
  t.same(page.results.map(({ id }) => id), dearest.slice(0, 2).map(({ id }) => id))
})

test('invalid values are 400 with every invalid field', async t => {
  const answer = await inject({
    url: `${path}?year__gte=x&price=cheap&is_featured=perhaps&date_added=soon&brand=trek`,
    headers
  })
  t.equal(answer.body, JSON.stringify({
    is_featured: ['Must be a valid boolean.'],
    year__gte: ['Enter a whole number.'],
    price: ['Enter a number.'],
    date_added: ['Enter a valid date or date and time.']
  }))
  t.match(answer, {
    statusCode: 400,
    headers: { 'cache-control': 'no-store', allow: 'GET, HEAD, OPTIONS', vary: 'Accept' }
  })
  t.match((await inject({ url: `${path}?format=api&year=x`, headers })).body, 'Enter a whole number.')
  t.equal((await inject({ url: '/api/v1/bikes/?year=x', headers })).statusCode, 200, 'v1 has no filters')
})

test('every sortable field of v2 sorts, null last both ways', async t => {
  const all = (await inject({ url: path, headers })).json<Bikes>()
  const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })
  const texts = ['title', 'brand']
  const number = (bike: DetailedBike, field: string) => {
    const value = bike[field as 'price']
    return value === null ? null : field.startsWith('date') ? Date.parse(value) : Number(value)
  }
  for (const field of sortableBikeFields) {
    for (const sign of [1, -1]) {
      const expected = all.toSorted((a, b) => {
        if (texts.includes(field)) return sign * compare(a[field as 'title'], b[field as 'title']) || a.id - b.id
        const [x, y] = [number(a, field), number(b, field)]
        if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id
        return sign * (x - y) || a.id - b.id
      })
      const ordering = sign === 1 ? field : `-${field}`
      const { json } = await inject({ url: `${path}?ordering=${ordering}`, headers })
      t.same(json<Bikes>().map(({ id }) => id), expected.map(({ id }) => id), ordering)
    }
  }
})
