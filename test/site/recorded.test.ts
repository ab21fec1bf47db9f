import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test, type Test } from 'tap'
import type { ListKey } from '../../schemas/lists.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { recordedFiles } from '../../src/catalogue/files.ts'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue } from '../helper.ts'

type Lists = { readonly [key in ListKey]?: readonly object[] }

/** Serves lists as a recording and returns a function that requests a page. */
async function served (t: Test, lists: Lists) {
  const directory = t.testdir({ v1: {}, v2: {} })
  for (const [key, records] of Object.entries(lists)) writeFileSync(join(directory, `${recordedFiles[key as ListKey]}.json`), JSON.stringify(records))
  const app = await build(t, { tokens: ['sekret'], simulate: true }, await loadCatalogue(directory))
  return async (url: string) => {
    const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html', authorization: 'Token sekret' } })
    t.equal(statusCode, 200, url)
    return body
  }
}

const places = ['/', '/tokens/', '/__simulate', ...resources.map(({ path }) => `${path}?format=api`)]

/** Returns the text of a page outside JSON, and its attributes. */
function textsOf (body: string): string {
  const [, main = ''] = /<main[^>]*>([^]*)<\/main>/.exec(body) ?? []
  return main.replace(/ title="[^"]*"/g, '').replace(/<section id="json"[^]*?<\/section>/, '').replace(/<details class="try-it">[^]*?<\/details>/, '').replace(/<code>[^]*?<\/code>/g, '')
}

const wrong = /undefined|\[object |NaN|Infinity|\bnull\b|page(?:=|&#61;)0/

const sources = Object.fromEntries(resources.map(({ key }) => [key, JSON.parse(JSON.stringify(catalogue[key].slice(0, 3))) as Record<string, unknown>[]]))

const odd = fc.constantFrom<unknown>(
  null, true, false, 0, -1, 4.5, 1e21, 12_345_678.912_3, '', ' ', '0', '10.5', 'text', '<b>"&\'', '\ud800 \u2028', '🚲'.repeat(3000), 'word'.repeat(3000),
  [], {}, [1], [[]], ['x', null], { id: 7 }, { id: 'x', slug: 4, name: ['a'] }, [{ id: 9999 }], [9999, '2', 2],
  'http://other.test/a.jpg', 'https://other.test/a.jpg', '/media/missing.jpg', 'data:image/png;base64,AA==', 'javascript:alert(1)',
  JSON.parse('{"__proto__": {"title": "inherited"}, "constructor": 1}'), JSON.parse('['.repeat(300) + ']'.repeat(300))
)

/** Changes of a record: fields that go, come, or have another value, also in its parts. */
const change = fc.oneof(
  fc.tuple(fc.constant('part'), fc.nat(), fc.nat(), odd), fc.tuple(fc.constantFrom('remove', 'replace'), fc.nat(), fc.nat(), odd),
  fc.tuple(fc.constant('add'), fc.constantFrom('__proto__', 'constructor', 'toString', 'hub', 'price', 'strava_gear_id', '<i>', ''), fc.nat(), odd)
)

function mangle (record: Record<string, unknown>, [kind, at, index, value]: typeof change extends fc.Arbitrary<infer Change> ? Change : never): Record<string, unknown> {
  const names = Object.keys(record).filter(name => name !== 'id')
  const name = typeof at === 'number' ? names[at % names.length] ?? 'new' : at
  if (kind === 'remove') return Object.fromEntries(Object.entries(record).filter(([own]) => own !== name))
  const parts = Object.entries(record).filter(([, part]) => typeof part === 'object' && part !== null && !Array.isArray(part))
  const [own, part] = (kind === 'part' ? parts[index % parts.length] : undefined) ?? []
  const changed = own === undefined ? [name, value] : [own, mangle({ ...part as object, id: undefined }, ['replace', index, index, value])]
  return Object.fromEntries([...Object.entries(record).filter(([name]) => name !== changed[0]), changed]) as Record<string, unknown>
}

test('GET of every page of any recording: 200, and nothing that a program left behind', async t => {
  const lists = fc.record(Object.fromEntries(resources.map(({ key }) => [key, fc.array(fc.tuple(fc.nat(), fc.array(change, { maxLength: 8 })), { maxLength: 3 })])))
  let pages = 0
  await fc.assert(fc.asyncProperty(lists, async changes => {
    const mangled = Object.fromEntries(Object.entries(changes).map(([key, records]) => [key, records.map(([from, all], index) =>
      all.reduce(mangle, { ...sources[key]?.[from % 3], id: index * 7 - 1 }))]))
    const get = await served(t, mangled)
    for (const place of places) {
      pages++
      const found = wrong.exec(textsOf(await get(place)))
      if (found !== null) throw new Error(`${place}: ${textsOf(await get(place)).slice(Math.max(0, found.index - 200), found.index + 50)}`)
    }
  }), { numRuns: 12 })
  t.ok(pages > 100)
})

/** Pages of records of known shapes, and what they show. */
const shapes: [lists: Lists, path: string, shows: RegExp, hides?: RegExp][] = [
  [{ bikes: [{ id: 5 }] }, '/api/v1/bikes/', /<h3 dir="auto">No\. 5<\/h3>/, /views|favourites|Wheels/],
  [{ bikes: [{ id: 5, title: null, brand: 'Trek', model_name: 'Domane' }] }, '/api/v1/bikes/', /<h3 dir="auto">Trek Domane<\/h3>/],
  [{ bikes: [{ id: 5, title: 7, category: 'road', colour: ['red'], view_count: '1200' }] }, '/api/v1/bikes/', /<h3 dir="auto">7<\/h3>[^]*<dt>colour<\/dt><dd dir="auto"><code>\[&#34;red&#34;\]<\/code>[^]*1,200 views/],
  [{ bikes: [{ id: 5, title: 'a', rating: '4.5', weight_kg: 7.25, price: 10.5, reviews: [{ text: 'x' }] }] }, '/api/v1/bikes/', /10\.5<[^]*7\.3 kg<[^]*&#9733; 4\.5<[^]*<dt>reviews<\/dt>/],
  [{ bikes: [{ id: 5, title: 'a', rating: { mean: 4 }, wheels: 4, images: [1] }] }, '/api/v1/bikes/', /<dt>wheels<\/dt><dd dir="auto">4<\/dd>/, /&#9733;|<dt>Wheels/],
  [{ bikes: [{ id: 5, title: 'a', strava_gear_id: 'b', strava_lifetime_distance: '1.00', strava_last_synced: '2024-01-01T00:00:00Z' }] }, '/api/v1/bikes/', /<h3 dir="auto">a<\/h3>/, /from the contract/],
  [{ bikes: [{ id: 5, title: 'a', strava_gear_id: 'b' }] }, '/api/v1/bikes/', /1 field differs from the contract[^]*<dt>strava_gear_id<\/dt><dd dir="auto">b<\/dd>/],
  [{ bikes: [{ id: 5, title: 'a', wheels: { id: 3, brand_name: 'W', hub: { holes: 28 } } }] }, '/api/v1/bikes/', /<dt>wheels\.hub<\/dt><dd dir="auto"><code>\{&#34;holes&#34;:28\}<\/code><\/dd>/],
  [{ bikes: [{ id: 5, title: 'a', featured_image: 'an image', image_url: null }] }, '/api/v1/bikes/', /class="blank"/, /src="an image|<dt>featured_image/],
  [{ bikes: [{ id: 5, title: 'a', image_url: 'https://x.test/a.jpg' }] }, '/api/v1/bikes/', /src="https:\/\/x\.test\/a\.jpg"/],
  [{ bikes: [{ id: 5, title: 'a', similar_bikes: [5, 6, 'x', null, ...Array.from({ length: 20 }, (_, index) => index + 100)] }] }, '/api/v1/bikes/', /#bike-5"><bdi>a<\/bdi><\/a>[^]*no\. 6<[^]*no\. 103<\/dd><dd>and 16 more/, /no\. 104/],
  [{ featured: [{ id: 5, title: 'only featured' }, { id: 6, title: 'another' }] }, '/', /href="\/api\/v1\/bikes\/featured\/\?format=api#bike-6">/],
  [{ saddles: [{ id: 1, brand: 'Brooks', model: 'B17', colour: null, rails: 'steel', '': 1 }] }, '/api/v1/saddles/', /3 fields differ from the contract[^]*<dt>colour<\/dt><dd dir="auto">—<\/dd>[^]*steel[^]*<dt>&#34;&#34;<\/dt><dd dir="auto">1<\/dd>/],
  [{ saddles: [{ id: 1, brand: {}, model: ' ' }] }, '/api/v1/saddles/', /<h3 dir="auto">No\. 1<\/h3>/],
  [{ saddles: [{ id: 1, ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field_${index}`, index])) }] }, '/api/v1/saddles/', /<details class="beyond">\n<summary>30 fields[^]*field_19[^]*10 more in the JSON/, /<dt>field_20</],
  [{ saddles: [{ id: 1, model: 'm'.repeat(5000), note: 'n'.repeat(5000) }] }, '/api/v1/saddles/', /<h3 dir="auto">m{300}…<\/h3>[^]*<dd dir="auto">n{300}…<\/dd>/],
  [{ chains: [{ id: 1, brand_name: 'KMC', model_name: 'X' }] }, '/api/v1/chains/', /<h3 dir="auto">KMC X<\/h3>/, /belt|<dt>Links/],
  [{ chains: [{ id: 1, links_count: 0 }, { id: 2, links_count: '114' }] }, '/api/v1/chains/', /none: a belt[^]*<dd dir="auto">114<\/dd>/],
  [{ groupsets: [{ id: 1, chain: { id: 7 }, is_electronic: 'yes', weight_grams: '2400' }, { id: 2, chain: 7 }] }, '/api/v1/groupsets/', /2,400 g[^]*Chain: no\. 7/, /Shifting/],
  [{ wheels: [{ id: 1, spokecount: 24, weight_grams: null, internal_rim_width: '19' }] }, '/api/v1/wheels/', /<dt>Spokes<\/dt><dd dir="auto">24<\/dd>/, /Weight|, <|19, /],
  [{ bikes: [{ id: 2, title: 'b', wheels: { id: 1 } }], wheels: [{ id: 1 }] }, '/api/v1/wheels/', /Fitted to: <a[^>]*#bike-2"><bdi>b<\/bdi><\/a>/],
  [{ bikesV2: [{ id: 2, title: 'b', price: 'much', usage: 7, components: null, rating: 4, review_count: [] }] }, '/api/v2/bikes/', /class="price">much<[^]*&#9733; 4\.0<\/bdi>[^]*<dt>components<\/dt><dd dir="auto">—/, /reviews?</]
]

for (const [index, [lists, path, shows, hides]] of shapes.entries()) {
  test(`GET ${path} as a page of a record of shape ${index}`, async t => {
    const body = await (await served(t, lists))(path === '/' ? path : `${path}?format=api`)
    t.match(body, shows)
    t.notMatch(textsOf(body), wrong)
    if (hides !== undefined) t.notMatch(/<ol[^]*<\/ol>/.exec(textsOf(body))?.[0], hides)
  })
}

test('a huge record: its page is small, and its JSON ends with a link to the rest', async t => {
  const get = await served(t, { bikes: [{ id: 1, title: 'a', text: 'x'.repeat(12_000_000) }] })
  const body = await get('/api/v1/bikes/?format=api')
  t.ok(body.length < 60_000, `${body.length} bytes`)
  t.match(body, /<pre tabindex="0">[^]*\n {2}…[^]*href="\/api\/v1\/bikes\/\?format&#61;json">open the whole response/)
  t.match(await get('/api/v2/bikes/?format=api'), /\n {2}…[^]*&hellip; <\/p>/, 'a browser cannot open the whole response of version 2.1')
})
