import { test } from 'tap'
import type { FastifyRequest } from 'fastify'
import type { FilterErrors } from '../../src/lists/filter.ts'
import { catalogue } from '../helper.ts'
import { createListRequestParser } from '../../src/lists/request.ts'
import type { ListKey } from '../../schemas/lists.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { strictErrors } from '../../src/lists/strict.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'

function errorsOf (key: ListKey, query: string, paginate: Settings['paginate'] = 'on-request'): FilterErrors | undefined {
  const resource = resources.find(resource => resource.key === key) as Resource
  const read = createListRequestParser({ ...defaultSettings, paginate }, catalogue)
  return strictErrors(read(resource, { origin: 'http://x', url: `${resource.path}?${query}`, headers: {} } as FastifyRequest))
}

const fine: [key: ListKey, query: string][] = [
  ['brakes', ''], ['brakes', '&&'], ['brakes', 'format=api&page=1&page_size=100&ordering='], ['brakes', 'page_size='], ['bikes', 'ordering= -title,title,'],
  ['bikesV2', 'search=a&brand=trek&year__gte=2020&ordering=price,-id&page=last&page_size=+1_0']
]

test('valid parameters have no error; a page size counts on its own where every list comes as pages', async t => {
  for (const [key, query] of fine) t.equal(errorsOf(key, query), undefined, `${key}?${query}`)
  t.equal(errorsOf('brakes', 'page_size=5', 'always'), undefined)
})

const [size, alone, unknown] = [['Enter a whole number from 1 to 100.'], ['Has an effect only with page.'], ['Unknown parameter.']]
const near = (name: string) => [`Unknown parameter; did you mean ${name}?`]

const wrong: [key: ListKey, query: string, errors: FilterErrors][] = [
  ['brakes', 'limit=5', { limit: unknown }],
  ['brakes', 'pagesize=5&Page=2&sort=title&=x', { pagesize: near('page_size'), Page: near('page'), sort: unknown }],
  ['brakes', 'brand=trek', { brand: unknown }],
  ['brakes', '__proto__=1&x', { ['__proto__']: unknown, x: unknown }],
  ['bikesV2', 'year_gte=1&color=red&brands=trek', { year_gte: near('year__gte'), color: near('colour'), brands: near('brand') }],
  ['bikesV2', 'yaer=1&brnad=x&pgae=1', { yaer: near('year'), brnad: near('brand'), pgae: near('page') }],
  ['brakes', 'ordering=brand', { ordering: ['Cannot be ordered by: brand. This list cannot be ordered.'] }],
  ['bikes', 'ordering=price,title,-year,price', { ordering: ['Cannot be ordered by: price, -year. It can be ordered by: title.'] }],
  ['brakes', 'page_size=101&page=1', { page_size: size }],
  ['brakes', 'page_size=0&page=1', { page_size: size }],
  ['brakes', 'page_size=x', { page_size: size }],
  ['brakes', 'page_size=5', { page_size: alone }],
  ['bikesV2', 'year=x&foo=1&page_size=5&ordering=-', {
    foo: unknown,
    ordering: ['Cannot be ordered by: -. It can be ordered by: title, brand, year, price, weight_kg, rating, review_count, view_count, favorites_count, date_added, date_updated, id.'],
    page_size: alone,
    year: ['Enter a whole number.']
  }]
]

test('ignored and invalid parameters have a message each', async t => {
  for (const [key, query, errors] of wrong) t.same(Object.entries(errorsOf(key, query) ?? {}), Object.entries(errors), `${key}?${query}`)
})

test('only the first twenty unknown parameters have a suggestion', async t => {
  const errors = Object.entries(errorsOf('brakes', [...'abcdefghijklmnopqrstuv'].map(letter => `page${letter}=`).join('&')) ?? {})
  t.strictSame(errors.map(([, said]) => said), [...Array<string[]>(20).fill(near('page')), unknown, unknown])
})
