import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { ListKey } from '../../schemas/lists.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { recordedFiles } from '../../src/catalogue/files.ts'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue } from '../helper.ts'
import { inOrder } from './in-order.ts'

type Lists = { readonly [key in ListKey]?: readonly object[] }

/** Serves lists as a recording and returns a function that requests a page. */
async function served (t: Test, lists: Lists, about: object = {}) {
  const directory = t.testdir({ v1: {}, v2: {}, 'recording.json': JSON.stringify(about) })
  for (const [key, records] of Object.entries(lists)) {
    writeFileSync(join(directory, `${recordedFiles[key as ListKey]}.json`), JSON.stringify(records))
  }
  const app = await build(t, { tokens: ['sekret'], simulate: true }, await loadCatalogue(directory))
  return async (url: string) => {
    const { statusCode, body } = await app.inject({
      url, headers: { accept: 'text/html', authorization: 'Token sekret' }
    })
    t.equal(statusCode, 200, url)
    return body
  }
}

/** Returns a page outside JSON and commands. */
const textsOf = (body: string) => body.replace(/<section id="json"[^]*?<\/section>|<code>[^]*?<\/code>/g, '')

const wrong = /undefined|\[object |NaN|Infinity|page=0/

const sources: Readonly<Record<string, object>> = Object.fromEntries(
  resources.map(({ key }) => [key, JSON.parse(JSON.stringify(catalogue[key][0])) as object])
)

/** Values that are odd in most fields. */
const odd: readonly unknown[] = [
  undefined, null, true, false, 0, -1, 4.5, 1e21, 12_345_678.912_3, '', ' ', '0',
  '10.5', 'text', '<b>"&\'', '\ud800 \u2028',
  '🚲'.repeat(3000), 'word'.repeat(3000),
  [], {}, { toString: 1 },
  [1], [[]], ['x', null], { id: 7 }, { id: 'x', slug: 4, name: ['a'] }, [{ id: 9999 }], [9999, '2', 2],
  'http://other.test/a.jpg', 'https://other.test/a.jpg', '/media/missing.jpg',
  'data:image/png;base64,AA==', 'javascript:alert(1)',
  JSON.parse('{"__proto__": {"title": "inherited"}, "constructor": 1}'), JSON.parse('['.repeat(300) + ']'.repeat(300))
]
const added = JSON.parse(
  '{"__proto__": 1, "constructor": 1, "toString": 1, "hub": 1, "strava_gear_id": 1, "<i>": 1, "": 1}'
) as object

/** Returns a record with another odd value in each field, or in each field of its parts. */
function mangle (record: object, from: number, isInParts: boolean): object {
  return Object.fromEntries(Object.entries(record).map(([name, value], index) => {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    return [name, isInParts && isPart ? mangle(value as object, from + index, false) : odd[(from + index) % odd.length]]
  }))
}

test('every page of a recording with odd values in every field: 200, without undefined, NaN or [object', async t => {
  const mangled = (record: object) => odd.flatMap(
    (_, from) => [false, true].map(isInParts => mangle({ ...record, ...added }, from, isInParts))
  )
  const lists = Object.fromEntries(resources.map(({ key }) => [
    key, mangled(sources[key] ?? {}).map((record, index) => {
      return { ...record, id: index % 3 === 0 ? odd[(index / 3) % odd.length] : index * 7 - 1 }
    })
  ]))
  const get = await served(t, lists)
  const pages = [1, 10, 19, 28, 37, 46, 55, 64].map(page => `&page=${page}&page_size=1`)
  const own = resources.flatMap(({ path }) => ['', '&page=1&page_size=100', ...pages].map(
    query => `${path}?format=api${query}`
  ))
  for (const place of ['/', '/tokens/', '/__simulate', ...own]) {
    t.notMatch(textsOf(await get(place)), wrong, place)
  }
})

/** Records of known shapes, and what their list and their own page show. */
const shapes: [lists: Lists, path: string, list: RegExp, record: RegExp][] = [
  [
    {
      bikes: [
        { id: 5, title: null, colour: '', year: 2020.5, is_featured: 'yes', wheels: { id: 3, hub: { holes: 28 } } }
      ],
      wheels: [{ id: 3, brand_name: 'W' }]
    }, '/api/v1/bikes/',
    inOrder(
      /<i>null<\/i>/,
      /<i>&#34;&#34;<\/i>/,
      /<a href="\/api\/v1\/wheels\/\?format=api&#38;page=1&#38;page_size=1" title="W">3<\/a>/,
      /<i>absent<\/i>/
    ),
    inOrder(
      /<th>title<td><i>null<\/i><td>null <b>contract: string<\/b>/,
      /<th>year<td>2020\.5<td>number <b>contract: integer</,
      /<th>wheels\.hub\.holes<td>28<td>integer <b>not in the contract</
    )
  ],
  [{ bikes: [{ id: 5, wheels: null, similar_bikes: [5, 6, 'x'], 'odd name': {}, __proto: [] }] }, '/api/v1/bikes/',
    /<th scope="col" class="foreign"[^>]*>odd name<[^]*<td><i>\{\}<\/i>/,
    inOrder(
      /<th>wheels<td><i>null<\/i><td>object or null/,
      /similar_bikes\[0\]<td><a [^>]*>5</,
      /similar_bikes\[1\]<td>6</,
      /<th>odd name<td><i>\{\}<\/i><td>object <b>not/
    )],
  [
    { bikes: [{ id: 5, wheels: 4, image_url: 'https://x.test/a.jpg', featured_image: 'https://x.test/b.jpg' }] },
    '/api/v1/bikes/', /src="https:\/\/x\.test\/a\.jpg"[^]*<td>4<\/td>/,
    /src="https:\/\/x\.test\/b\.jpg" [^>]*alt=""[^]*<a href="https:\/\/x\.test\/a\.jpg">https/
  ],
  [
    { saddles: [{ brand: 'B', model: 'm'.repeat(60), weight: 8.5 }] }, '/api/v1/saddles/',
    /page_size=1">record 1<\/a>[^]*title="m{60}">m{47}…</,
    /<h1><bdi>B m+<\/bdi>[^]*<th>weight<td>8\.5<td>number <b>not/
  ],
  [
    { saddles: [{ id: 1, ...Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`f${index}`, index])) }] },
    '/api/v1/saddles/', /class="foreign"[^>]*>f5<\/th>\n<th scope="col">brand</,
    /<th>f998<td>[^]*201 more in the JSON/
  ],
  [
    { bikesV2: [{ id: 2, rating: 4, usage: { a: { 'b.c': [[true]] } } }] }, '/api/v2/bikes/', /<td>4<\/td>/,
    /<th>usage\.a\[&#34;b\.c&#34;\]\[0\]\[0\]<td>true<td>boolean <b>not/
  ],
  [
    { saddles: [{ id: 1, '': { saddle: 1 }, saddle: 1 }] }, '/api/v1/saddles/',
    /<th scope="col" class="foreign"[^>]*>&#34;&#34;<\/th>/, /<th>\[&#34;&#34;\]\.saddle<td><a /
  ]
]

for (const [index, [lists, path, list, record]] of shapes.entries()) {
  test(`GET ${path} as a page of a record of shape ${index}, and the page of the record`, async t => {
    const get = await served(t, lists)
    t.match(await get(`${path}?format=api`), list)
    t.match(await get(`${path}?format=api&page=1&page_size=1`), record)
  })
}

test('a record shows numbers as they were sent', async t => {
  const saddles = '[{"id":9007199254740993,"a":8.0,"b":1e-05}]'
  const bikes = '[{"id":1,"saddle":9007199254740992}]'
  const directory = t.testdir({ v1: { 'saddles.json': saddles, 'bikes.json': bikes } })
  const app = await build(t, {}, await loadCatalogue(directory))
  const { body } = await app.inject('/api/v1/saddles/?format=api&page=1&page_size=1')
  t.match(body, inOrder(
    /<h1><bdi>No\. 9007199254740993<\/bdi>/, /<th>id<td>9007199254740993<td>integer/,
    /<th>a<td>8\.0<td>number /, /<th>b<td>1e-05</
  ))
  const { body: list } = await app.inject('/api/v1/saddles/?format=api')
  t.match(list, /<th scope="row"><a [^>]*>9007199254740993<\/a>/)
  const { body: bike } = await app.inject('/api/v1/bikes/?format=api&page=1&page_size=1')
  t.match(bike, /<th>saddle<td>9007199254740992<td>/, 'no link to a record whose id is another number')
})

test('a form offers each value with the number of records that a filter by it selects', async t => {
  const colours = ['Blue', 'Ash', 'blue', 'Red, black', ' Green', 'Grey ', '\t', 'x'.repeat(101), '', null, true]
  const get = await served(t, { bikesV2: colours.map((colour, id) => ({ id, colour, is_featured: colour })) })
  const page = await get('/api/v2/bikes/?format=api')
  const offeredBy = (name: string) => {
    const [, after = ''] = page.split(`<select id="${name}"`)
    const [options = ''] = after.split('</select>')
    return options.match(/(?<=<option value=".+">).*(?=<)/g)
  }
  t.same(offeredBy('colour'), ['Ash (1)', 'Blue (2)'])
  t.same(offeredBy('is_featured'), ['true (1)'])
  t.match(await get('/api/v2/bikes/?format=api&colour=Blue'), 'an array of 2')
})

const services: [form: object, json: string][] = [
  [{ paginate: 'always', pageSizeParameter: false, pageSize: 4 }, '/api/v1/saddles/?page=3'],
  [{ paginate: 'never' }, '/api/v1/saddles/?page=10&page_size=1']
]

test('a record has a page where the service ignores page_size or has no pages; whole lists have rows', async t => {
  const saddles = Array.from({ length: 13 }, (_, index) => ({ id: index + 1, brand: `brand ${index + 1}`, model: '' }))
  for (const [form, json] of services) {
    const get = await served(t, { saddles }, { lists: { saddles: { form } } })
    const body = await get('/api/v1/saddles/?format=api&page=10&page_size=1')
    t.match(body, /<h1><bdi>brand 10<\/bdi>[^]*r(?:ow 10|ecord 10 of 13)</, json)
    t.match(body, `<b>GET</b> ${json.replace('&p', '&#38;p')}</code>`, json)
    t.match(await get('/api/v1/saddles/?format=api&page=14&page_size=1').catch(() => ''), /brand 1<|brand 13<|^$/, json)
  }
  const get = await served(t, { saddles }, { lists: { saddles: { form: { paginate: 'never' } } } })
  t.match(await get('/api/v1/saddles/?format=api&rows=11'), /an array of 13; rows 11–13<[^]*brand 11</)
})

test('a recorded invalid page has its response, but not where settings change the pages', async t => {
  const directory = t.testdir({
    v1: { 'saddles.json': '{"count":1,"next":null,"previous":null,"results":[{"id":1}]}' },
    'recording.json': JSON.stringify({
      lists: {
        saddles: {
          responses: {
            'page=2': { status: 404, headers: { 'cache-control': 'no-store' }, body: ['{"detail":"Nope."}'] }
          }
        }
      }
    })
  })
  for (const [settings, body] of [
    [{}, '{"detail":"Nope."}'], [{ pageSize: 5 }, '{"detail":"Invalid page."}']
  ] as const) {
    const app = await build(t, settings, await loadCatalogue(directory))
    t.match(await app.inject('/api/v1/saddles/?page=2'), { statusCode: 404, body }, body)
    t.match(await app.inject('/api/v1/saddles/?page=99'), { statusCode: 404, body: '{"detail":"Invalid page."}' })
  }
})

test('an image that was not downloaded is at the service, if recording.json has its URL', async t => {
  for (const [url, location] of [
    ['https://real.test/x', 'https://real.test/x/media/a.jpg'],
    ['http://bücher.test/日本/', 'http://xn--bcher-kva.test/%E6%97%A5%E6%9C%AC/media/a.jpg'],
    ['', undefined],
    ['the shop', undefined]
  ] as const) {
    const directory = t.testdir({ v1: { 'saddles.json': '[]' }, 'recording.json': JSON.stringify({ url }) })
    const app = await build(t, {}, await loadCatalogue(directory))
    const { statusCode, headers } = await app.inject('/media/a.jpg')
    t.same([statusCode, headers.location], [location === undefined ? 404 : 302, location], url)
  }
})

test('the home page says which data is served', async t => {
  const about = { url: 'https://bikes.example.org/x', recorded: '2026-11-25T00:00:00Z', lists: { bikes: {} } }
  t.match(
    await (await served(t, { bikes: [{ id: 1 }] }, about))('/'),
    inOrder(
      /Serving 1 bike</,
      /recording of bikes\.example\.org, 25 Nov 2026</,
      /lists unpaged by default</,
      /rate limit o/,
      /simulation on</
    )
  )
  t.match(
    await (await served(t, { bikes: [{ id: 1 }] }, {
      url: 'x', lists: { bikes: { form: { paginate: 'never' } } }
    }))('/'),
    /recording of x, [^]*lists always unpaged</
  )
  for (const [settings, text] of [
    [{}, 'built-in data<'], [{ data: '/other' }, 'a copy of the data<'],
    [{ overlay: '/other', paginate: 'always' }, /built-in data<[^]*an overlay<[^]*lists in pages of 10</]
  ] as const) {
    t.match((await (await build(t, settings)).inject('/')).body, text, String(text))
  }
})

test('a huge record: its pages are small, and its JSON ends with a link to the rest', async t => {
  const get = await served(t, { bikes: [{ id: 1, title: 'a', text: 'x'.repeat(12_000_000) }] })
  for (const query of ['', '&page=1&page_size=1']) {
    const body = await get(`/api/v1/bikes/?format=api${query}`)
    t.ok(body.length < 60_000, `${body.length} bytes`)
    t.match(body, /<pre tabindex="0">[^]*\n *…/, query)
  }
})

test('a huge document without line breaks: its page is small, and has a link to the rest', async t => {
  const get = await served(t, { bikesV2: { a: Array.from({ length: 100_000 }, () => 1) } as unknown as object[] })
  const body = await get('/api/v2/bikes/?format=api')
  t.ok(body.length < 700_000, `${body.length} bytes`)
  t.match(body, '<p>A part of it. <a href="/api/v2/bikes/?format=json">Open the whole response</a></p>')
  t.match(body, /<pre tabindex="0">{"a":\[[^]*\n {2}…\n}<\/pre>/)
})
