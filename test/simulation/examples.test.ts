import type { TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { test } from 'tap'
import { createLiveCatalogue } from '../../src/catalogue/live.ts'
import { resources } from '../../src/lists/resources.ts'
import { leastOf } from '../../src/simulation/examples.ts'
import { catalogue } from '../helper.ts'
import { outcomeOf, simulated } from './simulated.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))
const headers = { authorization: 'Token ci' }

test('GET ?__example=empty, one, odd: every list, as an array, in an envelope and as a page', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (const { path, record } of resources) {
    const list = (await app.inject({ url: path, headers })).json<object[]>()
    const odd = JSON.parse(
      JSON.stringify(leastOf(record)).replaceAll('"/media/', '"http://localhost:80/media/')
    ) as object
    for (const [example, expected] of [['empty', []], ['one', list.slice(0, 1)], ['odd', [odd]]] as const) {
      const plain = await app.inject({ url: path, headers: { ...headers, prefer: `example=${example}` } })
      t.equal(plain.statusCode, 200, `${path} ${example}`)
      t.match(
        plain.headers,
        {
          'preference-applied': `example=${example}`, 'cache-control': 'no-store', vary: 'Accept, Prefer',
          'content-type': 'application/json'
        },
        example
      )
      t.same(plain.json(), expected, example)
      t.ok(ajv.validate({ type: 'array', items: record }, plain.json()), ajv.errorsText())
      const page = await app.inject({ url: `${path}?page=1&__example=${example}`, headers })
      t.same(page.json(), { count: expected.length, next: null, previous: null, results: expected }, example)
      const browsable = await app.inject({
        url: `${path}?__example=${example}`, headers: { ...headers, accept: 'text/html' }
      })
      t.equal(browsable.statusCode, 200, example)
      t.equal(browsable.headers['preference-applied'], `example=${example}`, 'a browsable page shows it too')
      t.match(browsable.body, `<p class="notice simulated">Simulated: <code>__example=${example}</code>`, example)
    }
  }
})

test('an odd record has null wherever that may be, and nothing else that a client would miss', async t => {
  const { app } = await simulated(t)
  const [odd] = (await app.inject({ url: '/api/v2/bikes/?__example=odd', headers })).json<Record<string, unknown>[]>()
  t.match(odd, {
    id: 1, wheels: null, tyre: null, groupset: null, rating: null, weight_kg: null, price: null,
    description: '', year: 1800, reviews: [], specifications: []
  })
  t.match(odd?.['components'], { crankset: null, saddle: null, handlebars: null, brakes: null, total_weight_grams: 0 })
  t.equal(
    (await app.inject(new URL(String(odd?.['featured_image'])).pathname)).statusCode,
    404,
    'its image is not there'
  )
})

test('an example is of the list that is asked for, and of nothing else', async t => {
  const { app } = await simulated(t)
  const listOf = async (url: string) => (await app.inject({ url, headers })).json<object[]>()
  for (const url of ['/api/v1/bikes/?ordering=-title', '/api/v2/bikes/?brand=trek']) {
    t.same(await listOf(`${url}&__example=one`), (await listOf(url)).slice(0, 1), url)
  }
  t.equal((await listOf('/api/v2/bikes/?brand=trek&__example=odd')).length, 1)
  t.equal((await app.inject('/api/v1/saddles/?__example=odd')).headers.vary, 'Accept')
  for (const [url, status, applied] of [
    ['/api/v2/bikes/?__example=odd', 401, undefined], ['/api/v1/bikes/?__example=one&format=x', 404, undefined],
    ['/api/v1/bikes/?page=3&__example=random&__seed=1', 404, 'example=random, seed=1'],
    ['/api/v1/bikes/?page=2&__example=one&__code=404', 404, 'code=404']
  ] as const) {
    t.same(await outcomeOf(app, url), [status, applied], url)
  }
  const bad = await app.inject({ url: '/api/v2/bikes/?year=x&__example=odd', headers })
  t.same([bad.statusCode, bad.json()], [400, { year: ['Enter a whole number.'] }])
  t.same(await outcomeOf(app, '/api/v1/bikes/?__example=empty', { prefer: 'handling=strict' }), [
    200, 'handling=strict, example=empty'
  ])
  const tag = String((await app.inject('/api/v1/bikes/?__example=odd')).headers.etag)
  t.same(await outcomeOf(app, '/api/v1/bikes/?__example=odd', { 'if-none-match': tag }), [200, 'example=odd'])
  t.same(await outcomeOf(app, '/api/v1/bikes/', { 'if-none-match': tag }), [200, undefined])
})

test('an example follows the catalogue that is served', async t => {
  const current = createLiveCatalogue(catalogue)
  const { app } = await simulated(t, {}, catalogue, current)
  const first = async () => (await app.inject('/api/v1/saddles/?__example=one')).json<object>()
  t.same(await first(), catalogue.saddles.slice(0, 1))
  await current.replace({ ...catalogue, saddles: catalogue.saddles.slice(1) })
  t.same(await first(), catalogue.saddles.slice(1, 2))
})

const cases: [schema: object, least: unknown][] = [
  [{ type: 'number', minimum: 1.5 }, 1.5],
  [{ type: 'integer', minimum: 0 }, 0],
  [{ type: 'string', minLength: 1 }, '-'],
  [{ type: 'string', pattern: '^\\d+\\.\\d{2}$' }, '0.00'],
  [{ enum: ['b', 'a'] }, 'b'],
  [{ const: 'x', type: 'string' }, 'x'],
  [{ type: ['string', 'null'] }, null],
  [{ anyOf: [{ type: 'object' }, { type: 'null' }] }, null],
  [{ type: 'object', patternProperties: {} }, {}]
]

test('the least value of a schema', async t => {
  for (const [schema, least] of cases) t.strictSame(leastOf(schema as TSchema), least, JSON.stringify(schema))
})

test('GET ?__example=random: valid records, the same bytes for the same seed', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  for (const { path, record, key } of resources) {
    const ask = async (
      query: string,
      accept = 'application/json'
    ) => await app.inject({ url: `${path}?${query}`, headers: { ...headers, accept } })
    const list = await ask('__example=random&__seed=7')
    t.equal(list.headers['preference-applied'], 'example=random, seed=7', key)
    t.ok(ajv.validate({ type: 'array', items: record, minItems: 12, maxItems: 12 }, list.json()), ajv.errorsText())
    t.equal(new Set(list.json<{ id: number }[]>().map(({ id }) => id)).size, 12, path)
    t.equal((await ask('__seed=7&__example=random')).body, list.body, path)
    t.not((await ask('__example=random')).body, list.body, path)
    t.equal(
      (await ask('page=2&page_size=10&__example=random&__seed=7')).json<{ results: object[] }>().results.length,
      2,
      path
    )
    t.equal((await ask('__example=random&__seed=7', 'text/html')).statusCode, 200, path)
  }
})
