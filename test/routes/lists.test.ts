import { t, test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { catalogue, shared } from '../helper.ts'

const { inject } = shared(t)

const lists = resources.filter(({ access }) => access === 'public')

type Record = { id: number, title: string, brand_name: string }

/** The fields of each record, in the order of the specification; those of other lists follow from the schema. */
const fields: { [path: string]: string } = {
  bikes: [
    'id category wheels tyre groupset rating review_count image_url reviews title slug description brand model_name',
    'year featured_image images colour frame_material frame_size weight_kg bike_type chainring_sizes chainring_other',
    'status date_added date_updated is_featured view_count favorites_count meta_description meta_keywords',
    'fitness_gear_id fitness_lifetime_distance fitness_last_synced crankset_ref saddle handlebars added_by',
    'similar_bikes'
  ].join(' '),
  wheels: 'id image_url images brand_name model_name description internal_rim_width external_rim_width spokecount ' +
    'spoke_material rimdepth axlesizeF axlesizeR weight_grams brake_type',
  tyres: 'id image_url images description width colour brand_name model_name weight_grams tread_pattern ' +
    'puncture_resistance',
  chains: 'id image_url images model_name links_count brand_name colour speed_compatibility',
  groupsets: 'id chain image_url images model_name brand_name rotor_size Chainring_sizes other chainring_other speed ' +
    'weight_grams is_electronic crankset_ref',
  brakes: 'id brand model',
  saddles: 'id brand model',
  handlebars: 'id brand model'
}

test('each list is an array of every record, with the fields and headers of the contract', async t => {
  for (const { key, path, record: schema } of lists) {
    const expected = fields[key === 'featured' ? 'bikes' : key] ?? Object.keys(schema.properties).join(' ')
    const { statusCode, headers, body } = await inject(path)
    const records = JSON.parse(body) as Record[]
    t.same([statusCode, records.length], [200, catalogue[key].length], path)
    for (const record of records) {
      t.equal(Object.keys(record).join(' '), expected, `${path} ${record.id}`)
    }
    t.same(records, records.toSorted((a, b) => a.id - b.id), `${path} in ascending id order`)
    t.match(headers, {
      'content-type': /^application\/json$/, vary: /^Accept$/, allow: /^GET, HEAD, OPTIONS$/,
      'cache-control': `public, max-age=${path.startsWith('/api/v1/bikes/') ? 120 : 300}`,
      etag: /^"[\w-]{27}"$/,
      'last-modified': catalogue.updated.toUTCString(),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff'
    }, path)
    t.notOk(headers['set-cookie'], path)
  }
})

test('GET /api/v1/bikes/featured/ has the featured bikes; lists without sortable fields ignore ordering', async t => {
  const featured = (await inject('/api/v1/bikes/featured/')).json<Record[]>()
  t.same(featured.map(({ id }) => id), catalogue.bikes.filter(bike => bike.is_featured).map(({ id }) => id))
  for (const { path } of lists.filter(({ sortable }) => sortable.length === 0)) {
    for (const field of ['title', 'brand']) {
      t.equal((await inject(`${path}?ordering=-${field}`)).body, (await inject(path)).body, path)
    }
  }
})

const effects: [value: string, effect: 'ascending' | 'descending' | 'by id'][] = [
  ['ordering=F', 'ascending'],
  ['ordering=-F', 'descending'],
  ['ordering=+-F+', 'descending'],
  ['ordering=%2BF', 'by id'],
  ['ordering=-id', 'by id'],
  ['ordering=F%2C-id', 'ascending'],
  ['ordering=F&ordering=-F', 'descending'],
  ['ordering=-F&ordering=nonsense', 'by id'],
  ['ordering=-F&ordering=', 'by id'],
  ['Ordering=-F', 'by id'], ['ordering[]=-F', 'by id'], ['orderin%67=-F', 'descending']
]

const sortable: [path: string, field: 'title' | 'brand_name'][] = [
  ['bikes', 'title'],
  ['wheels', 'brand_name'],
  ['tyres', 'brand_name'],
  ['chains', 'brand_name'],
  ['groupsets', 'brand_name']
]

test('?ordering= sorts by the sortable field, ignoring case, and is never an error', async t => {
  const { compare } = new Intl.Collator('en', { sensitivity: 'accent' })
  for (const [resource, field] of sortable) {
    const path = `/api/v1/${resource}/`
    const byId = (await inject(path)).json<Record[]>()
    const expected = {
      'by id': byId,
      ascending: byId.toSorted((a, b) => compare(a[field], b[field]) || a.id - b.id),
      descending: byId.toSorted((a, b) => compare(b[field], a[field]) || a.id - b.id)
    }
    for (const [value, effect] of effects) {
      const answer = await inject(`${path}?${value.replaceAll('F', field)}`)
      t.equal(answer.statusCode, 200, value)
      t.same(answer.json<Record[]>().map(({ id }) => id), expected[effect].map(({ id }) => id), `${resource} ${value}`)
    }
  }
})

const path = '/api/v1/brakes/'

const requests: [
  query: string, accept: string | undefined, status: number, type: 'json' | 'html', detail?: string
][] = [
  ['', undefined, 200, 'json'],
  ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200, 'html'],
  ['?format=xml', undefined, 404, 'json', 'Not found.'],
  ['?format=api&format=json', undefined, 200, 'json'],
  ['?format=json&format=api', undefined, 200, 'html'],
  ['?format=csv&format=', undefined, 200, 'json'],
  ['?FORMAT=api', undefined, 200, 'json'],
  ['?format=json', 'text/html', 406, 'json', 'Could not satisfy the request Accept header.']
]

test('a list is JSON or a page, by format and Accept', async t => {
  for (const [query, accept, status, type, detail] of requests) {
    const answer = await inject({ url: path + query, headers: accept === undefined ? {} : { accept } })
    const label = `${query} ${accept}`
    t.strictSame([answer.statusCode, answer.headers['content-type']], [
      status,
      type === 'json' ? 'application/json' : 'text/html; charset=utf-8'
    ], label)
    t.match(answer.headers, { vary: /^Accept$/, allow: 'GET, HEAD, OPTIONS' }, label)
    if (detail !== undefined) t.equal(answer.body, JSON.stringify({ detail }), label)
    if (type === 'html') t.match(answer.body, /^<!DOCTYPE html>[^]*<h1>Brakes<\/h1>/, label)
  }
})

test('indent writes the JSON on several lines', async t => {
  const plain = (await inject(path)).json<object[]>()
  for (const [accept, indent] of [
    ['application/json; indent=4', 4],
    ['*/*; indent=99', 8],
    ['application/json; indent=0', 0]
  ] as const) {
    const { headers, body } = await inject({ url: path, headers: { accept } })
    t.strictSame([headers['content-type'], body], ['application/json', JSON.stringify(plain, null, indent)], accept)
  }
  const error = await inject({ url: `${path}?format=json&page=0`, headers: { accept: 'application/json; indent=2' } })
  t.equal(error.body, '{\n  "detail": "Invalid page."\n}')
})
