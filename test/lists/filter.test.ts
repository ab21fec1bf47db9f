import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { Type } from '@sinclair/typebox'
import { Decimal, nullable, Text, Timestamp } from '../../schemas/common.ts'
import {
  equal, filterPositions, filtersOf, maxSearchWords, presentFilters, range, readFilters, search,
  type Condition, type FilterKind, type FilterRow
} from '../../src/lists/filter.ts'
import { readDate } from '../../src/base/timestamps.ts'
import { createTable } from '../../src/lists/table.ts'
import { parametersOf } from '../../scripts/openapi/parameters.ts'
import { bikeFilters, resources, type Resource } from '../../src/lists/resources.ts'
import { build } from '../helper.ts'

type Bike = {
  title: string, description: string, brand: string | null, year: number | null, is_featured: boolean | null
}

const record = Type.Object({
  title: Text,
  description: Text,
  brand: Text,
  year: Type.Integer(),
  is_featured: nullable(Type.Boolean()),
  price: Decimal,
  added: Timestamp
})
const filters = filtersOf([
  search('title', 'description'), equal('brand'), equal('is_featured'), ...range('year'), equal('price'), equal('added')
], record)

const fields = {
  title: ({ title }: Bike) => title,
  description: ({ description }: Bike) => description,
  brand: ({ brand }: Bike) => brand,
  year: ({ year }: Bike) => year,
  is_featured: ({ is_featured }: Bike) => is_featured
}

const read = (query: string) => readFilters(presentFilters(new URLSearchParams(query), filters), filters)

async function select (bikes: readonly Bike[], query: string): Promise<Bike[]> {
  const table = createTable(bikes, name => fields[name as keyof typeof fields])
  const positions = filterPositions(table, [...bikes.keys()], read(query) as Condition[])
  return Array.from(positions, position => bikes[position] as Bike)
}

const unreadable: [error: string, queries: string[]][] = [
  ['Enter a whole number.', ['year=abc', 'year__gte=2020.5', 'year__lte=1e3', 'year=2020&year=x']],
  ['Enter a number.', ['price=1,5', 'price=NaN', 'price=.']],
  ['Must be a valid boolean.', ['is_featured=yes']],
  ['Enter a valid date or date and time.', [
    'added=yesterday', 'added=2026-02-30x', 'added=2024-02-31', 'added=2025-02-29T12:00',
    'added=2026-01-01T24:00', 'added=2026-01-01T25:00', 'added=2026-13-01'
  ]]
]

test('one response has the errors of all parameters with invalid values', async t => {
  for (const [error, queries] of unreadable) {
    for (const query of queries) t.strictSame(read(query), { [query.split('=')[0] as string]: [error] }, query)
  }
  t.strictSame(read('is_featured=2&year=x&price=1&added='), {
    is_featured: ['Must be a valid boolean.'], year: ['Enter a whole number.']
  })
})

const present: [query: string, asked: [name: string, text: string][]][] = [
  ['brand=trek&brand=canyon', [['brand', 'trek,canyon']]],
  ['brand=trek&year=1&brand=&brand=a,b', [['brand', 'trek,a,b'], ['year', '1']]],
  ['year=1&year=2', [['year', '2']]],
  ['year=1&year=', []],
  ['search=a&search=b', [['search', 'b']]],
  ['year=&brand=&search=&nonsense=1&year__GTE=x', []]
]

test('repeated values are joined for filters that take several; otherwise the last one counts', async t => {
  for (const [query, asked] of present) t.same(presentFilters(new URLSearchParams(query), filters), asked, query)
})

const dates: [text: string, utc: string][] = [
  ['2026-01-02', '2026-01-02T00:00:00Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00Z'],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
  ['2026-01-02t03:04:05.678z', '2026-01-02T03:04:05.678Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2026-01-02T03:04:05+01:00', '2026-01-02T02:04:05Z']
]

test('dates are read in UTC unless they say otherwise', async t => {
  for (const [text, utc] of dates) t.equal(readDate(text), 1000 * Date.parse(utc), text)
  t.equal(readDate('2026-01-02T03:04:05.000500Z') - readDate('2026-01-02T03:04:05Z'), 500, 'to the microsecond')
})

const empty: Bike = { title: '', description: '', brand: null, year: null, is_featured: null }

test('a record with null matches no filter of that field', async t => {
  for (const query of ['brand=null', 'year__gte=-1', 'year__lte=9999', 'year=0', 'is_featured=false']) {
    t.same(await select([empty], query), [], query)
  }
})

test('a search has a bounded number of different words; without a word it selects every record', async t => {
  const words = Array.from({ length: maxSearchWords }, (_, index) => `word${index}`)
  const bike = { ...empty, title: words.join(' ') }
  t.same(await select([bike], 'search=%20'), [bike])
  t.same(await select([bike], `search=${[...words, ...words].join('+').toUpperCase()}`), [bike])
  t.same(await select([bike], `search=${words.slice(1).join('+')}+other`), [], 'the last one counts as well')
  t.same(read(`search=${words.join('+')}+one-more`), { search: [`Enter at most ${maxSearchWords} different words.`] })
})

const bikes = resources.find(({ filters }) => Object.keys(filters).length > 0) as Resource

/** A value of each kind, and an invalid one where there is any. */
const values: Readonly<Record<FilterKind, readonly [valid: string, invalid?: string]>> = {
  search: ['carbon'],
  anyOf: ['x'],
  boolean: ['true', 'x'],
  integer: ['1', 'x'],
  decimal: ['1.5', 'x'],
  date: ['2024-02-29', 'x']
}

test('a filter is one row: JSON, OpenAPI, the form, the active filters and strict errors know it', async t => {
  const { filters } = bikes
  t.teardown(() => Object.assign(bikes, { filters }))
  const least: FilterRow = { name: 'min_w', fields: ['weight_kg'], comparison: 'atLeast' }
  Object.assign(bikes, {
    filters: filtersOf([...bikeFilters, equal('added_by'), least], bikes.record)
  })
  const app = await build(t, { tokens: ['one'] })
  const get = async (query: string, prefer = '') => app.inject({
    url: `${bikes.path}?${query}`,
    headers: { authorization: 'Token one', prefer }
  })
  const documented = new Map(parametersOf(bikes).map(({ name, description }) => [name, String(description)]))
  for (const { name, kind, fields } of Object.values(bikes.filters)) {
    const [valid, invalid] = values[kind]
    const strict = await get(`${name}=${valid}`, 'handling=strict')
    t.equal(strict.statusCode, 200, `${name} is known`)
    for (const field of fields) t.match(documented.get(name), `\`${field}\``, `${name} in OpenAPI`)
    const page = (await get(`format=api&${name}=${valid}`)).body
    t.match(page, new RegExp(`<(?:input|select) id="${name}" name="${name}"`), `${name} in the form`)
    t.match(page, `<code>${name}=<bdi>${valid}</bdi></code>`, `${name} among the active filters`)
    if (invalid === undefined) continue
    const refused = await get(`${name}=${invalid}`)
    t.same([refused.statusCode, Object.keys(refused.json<object>())], [400, [name]], `${name} with an invalid value`)
  }
  const weights = (await get('min_w=9')).json<{ weight_kg: string | null }[]>().map(bike => Number(bike.weight_kg))
  t.ok(weights.length > 0 && weights.every(weight => weight >= 9), weights.join())
})

const anyBike: fc.Arbitrary<Bike> = fc.record({
  title: fc.constantFrom('Road Racer', 'road runner', 'Gravel', 'ÉMONDA'),
  description: fc.constantFrom('fast', 'a fast racer', '', 'Émonda\r\nlight'),
  brand: fc.constantFrom('Trek', 'TREK', '3T', 'a b', null),
  year: fc.option(fc.integer({ min: 2018, max: 2022 })),
  is_featured: fc.option(fc.boolean())
})

const year = fc.integer({ min: 2017, max: 2023 }).map(String)

const anyQuery = fc.record({
  search: fc.constantFrom('', 'road', 'ROAD fast', 'émonda', 'e r', ' racer  a '),
  brand: fc.constantFrom('', 'trek', 'Trek,3t', ' 3T , a b', ',', 'none'),
  is_featured: fc.constantFrom('', 'true', 'False', '1', '0'),
  year: fc.oneof(fc.constant(''), year),
  year__gte: fc.oneof(fc.constant(''), year),
  year__lte: fc.oneof(fc.constant(''), year)
}, { requiredKeys: [] })

/** What the filters mean, in the plainest words. */
function fits (bike: Bike, query: { [name: string]: string | undefined }): boolean {
  const lower = (text: string | null) => String(text).toLowerCase()
  const texts = [lower(bike.title), lower(bike.description)]
  const brands = (query['brand'] ?? '').split(',').map(brand => lower(brand.trim()))
  const flag = { true: true, 1: true, False: false, 0: false }[query['is_featured'] ?? '']
  return lower(query['search'] ?? '').split(' ').every(word => texts.some(text => text.includes(word))) &&
    (!query['brand'] || (bike.brand !== null && brands.includes(lower(bike.brand)))) &&
    (flag === undefined || bike.is_featured === flag) &&
    (!query['year'] || bike.year === Number(query['year'])) &&
    (!query['year__gte'] || (bike.year !== null && bike.year >= Number(query['year__gte']))) &&
    (!query['year__lte'] || (bike.year !== null && bike.year <= Number(query['year__lte'])))
}

test('filters select the same records as Array.filter, in the same order', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(fc.array(anyBike), anyQuery, async (bikes, query) => {
    const selected = await select(bikes, new URLSearchParams(query).toString())
    assert.deepEqual(selected, bikes.filter(bike => fits(bike, query)))
  }), { numRuns: 500 }))
})
