import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import { run as check } from '../../src/command/check.ts'
import { errorLine } from '../../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { readSettings, type Command } from '../../src/settings/read.ts'
import { start } from '../../src/start.ts'
import type { Options } from '../../src/settings/settings.ts'
import { catalogue, started } from '../helper.ts'
import { outputOf } from '../run-script.ts'
import { valid } from '../catalogue/changed.ts'

/** Writes a recording from the texts of its files, and returns its directory. */
function recording (t: Test, files: Record<string, unknown>): string {
  const directory = t.testdir({ v1: {}, v2: {} })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(join(directory, `${name}.json`), isText ? content : JSON.stringify(content, null, 2))
  }
  return directory
}

/** A list of records with an id and a usage. */
type List = { id: number, usage: object }[] & { results: object[] }

async function serve (t: Test, data: string, options: Options = {}) {
  const server = await started(t, { data, tokens: ['ci'], ...options })
  const get = async (path: string) => (await fetch(server.url + path, { headers: { authorization: 'Token ci' } }))
  const text = async (path: string) => (await get(path)).text()
  return { server, get, text, json: async (path: string) => (await get(path)).json() as Promise<List> }
}

const bikes = [
  {
    id: 9,
    title: 'Öland',
    strava_gear_id: 'b1',
    strava_lifetime_distance: '1.00',
    strava_last_synced: '2024-01-01T00:00:00Z',
    status: 'sold',
    price: '10.5',
    is_featured: true,
    category: { slug: 'road' },
    reviews: [{ text: 'x' }],
    rating: 4.5
  },
  {
    id: 3,
    title: 'apple',
    price: 9,
    date_added: '2024-05-01T10:00:00+02:00',
    extra: { images: ['/media/a.jpg', 'see /media/a.jpg', '"/media/a.jpg'] }
  },
  { id: 5, title: 7, price: null, wheels: 4, __proto__x: null, emoji: '🚲\u2028' }
]

test('a recording is served as it is: values, keys, order, and images of this server at any depth', async t => {
  const saddles = { count: 1, next: null, previous: null, results: [{ model: 'B17', id: 1, colour: 'red' }] }
  const data = recording(t, { 'v1/bikes': bikes, 'v1/saddles': saddles })
  const { server, get, text, json } = await serve(t, data)
  t.equal(await text('/api/v1/bikes/'), JSON.stringify(bikes, null, 2))
  t.equal(await text('/api/v1/saddles/'), JSON.stringify(saddles, null, 2))
  t.strictSame(await json('/api/v1/wheels/'), [])
  const ids = async (path: string) => (await json(path)).map(({ id }) => id)
  t.strictSame(await ids('/api/v1/bikes/featured/'), [9])
  t.strictSame(await ids('/api/v2/bikes/'), [9, 3, 5], 'v2 has the bikes of v1')
  t.strictSame(await ids('/api/v1/bikes/?ordering=-title'), [9, 3, 5], 'a title that is not a string comes last')
  t.strictSame(await ids('/api/v1/bikes/?ordering=title'), [3, 9, 5])
  t.strictSame(await ids('/api/v2/bikes/?ordering=price'), [3, 9, 5])
  t.strictSame(await ids('/api/v2/bikes/?price__gte=10'), [9])
  t.strictSame(await ids('/api/v2/bikes/?category=road'), [9])
  t.strictSame(await ids('/api/v2/bikes/?date_added__lte=2024-05-01T08:00:00Z'), [3])
  t.strictSame(await ids('/api/v2/bikes/?wheel_brand=x'), [])
  const etag = String((await get('/api/v1/bikes/')).headers.get('etag'))
  t.equal((await fetch(`${server.url}/api/v1/bikes/`, { headers: { 'if-none-match': etag } })).status, 304)
})

test('a featured list has its own records and order; equal values keep the order of the file', async t => {
  const same = [{ id: 7, brand_name: 'b' }, { id: 2, brand_name: 'B' }, { id: 4, brand_name: 'a' }]
  const featured = [{ id: 8, title: 'other' }, { id: 1 }]
  const { json } = await serve(t, recording(t, { 'v1/featured': featured, 'v1/wheels': same }))
  t.strictSame(await json('/api/v1/bikes/featured/?ordering=title'), featured)
  t.strictSame((await json('/api/v1/wheels/?ordering=-brand_name')).map(({ id }) => id), [7, 2, 4])
})

const error = '{"detail": "Not found."}'
const responses = (value: object) => ({ lists: { bikes: { responses: value } } })
const form = (value: object) => ({ lists: { bikes: { form: value } } })
const body = (body: unknown, headers = {}) => responses({ 'page=1': { headers, body } })
const noList = /^\S+v1\/bikes\.json:1:1 must be an array of records, or a page with results, of at most 500 levels$/m

type Refused = readonly [files: Record<string, unknown>, message: RegExp]

/** Matches lines, each after its path. */
const linesOf = (...lines: string[]) => new RegExp(`^${lines.map(line => line.replace(/[[\]]/g, '\\$&')).join('\\n')}$`)

const oldVersion = 'if another version wrote the file, pull again, or delete it to keep only the lists'

const refused: readonly Refused[] = [
  [{ 'v1/bikes': '<html>' }, /^\S+v1\/bikes\.json:1:1 expected a value, got <$/],
  [{ 'v1/bikes': '' }, /^\S+v1\/bikes\.json:1:1 expected a value, got the end of the file$/],
  [{ 'v1/bikes': '[{"id": 1},]' }, /v1\/bikes\.json:1:12 expected a value, got \]$/],
  [{ 'v1/bikes': '[{"id' }, /v1\/bikes\.json:1:3 expected a closing quote, got "id$/],
  [{ 'v1/bikes': '[{"id": 1' }, /v1\/bikes\.json:1:10 expected /],
  [{ 'v1/bikes': '{"count": 0}' }, noList],
  [{ 'v1/bikes': '{"results": [{"id": 1}]}' }, /v1\/bikes\.json:1:1 must have the property count$/],
  [
    { 'v1/bikes': '{"count": 3, "results": [{"id": 1}]}' },
    /:1:11 count must be 1: a recorded page has all records of its list, got 3$/
  ],
  [
    { 'v1/bikes': '{"count": null, "results": []}' },
    /:1:11 count must be 0: a recorded page has all records of its list, got null$/
  ],
  [{ 'v1/bikes': '[7, [], null]' }, linesOf(
    '.*:1:2 [0] must be an object, got 7',
    '.*:1:5 [1] must be an object, got an array',
    '.*:1:9 [2] must be an object, got null'
  )],
  [{ 'v1/bikes': `[{"id": 1, "a": ${'['.repeat(600)}${']'.repeat(600)}}]` }, noList],
  [{ 'v1/bikes': Buffer.from('\ufeff[]', 'utf16le') }, /^\S+v1\/bikes\.json:1:1 must be UTF-8, got UTF-16 [^\n]*$/],
  ...[{}, { 'v1/saddles': [] }, { 'v1/saddles': '{' }].map((others): Refused => {
    return [{ 'v1/bikes': error, ...others }, noList]
  }),
  ...([
    ['{', /recording\.json:1:2 expected/],
    [form({ pageSize: 0 }), /recording\.json:\d+:\d+ lists\.bikes\.form\.pageSize must be at least 1, got 0$/],
    [
      { lists: { bikes: { separator: ';' } } },
      /separator must be the text between two records: a comma and white space, got ";"$/
    ],
    [
      { lists: { bikes: { paginate: 'always' } } },
      new RegExp(`lists\\.bikes\\.paginate is not a known property; ${oldVersion}$`)
    ],
    [{ recorded: null }, /recording\.json:\d+:\d+ recorded must be a string, got null$/],
    [{ lists: { bikes: null } }, /lists\.bikes must be an object, got null$/],
    [form({ paginate: null }), /form\.paginate must be "always", "on-request" or "never", got null$/],
    [responses({ '': { status: null } }), /responses\[""\]\.status must be an integer, got null$/],
    [body(['[', 1, ']']), /body has the position 1, but the list has 1 record$/],
    [body(['[', [0, 1], ']']), /body has the position 1, but the list has 1 record$/],
    [body(['[', [0], ']']), /body\[1\] must have at least 2 items, got an array$/],
    [
      body(['{"results":[', 0, ']']),
      /recording\.json:\d+:\d+ lists\.bikes\.responses\["page=1"\]\.body must be JSON once its records are inserted$/
    ],
    [
      body([], { vary: 'a\nb' }),
      /headers\.vary must be a header value: Latin-1 without line breaks or null, got "a\\nb"$/
    ],
    [body([], { vary: '\u0101' }), /headers\.vary must be a header value/],
    [body([], { 'transfer-encoding': 'chunked' }), /headers\["transfer-encoding"\] is not a known property;/],
    [responses({ '': { status: 101 } }), /status must be at least 200, got 101$/],
    [responses({ '': { status: 600 } }), /status must be at most 599, got 600$/],
    [{ v2: { missing: { body: ['[', 0, ']'] } } }, /v2\.missing\.body has the position 0, but the list has 0 records$/]
  ] as [unknown, RegExp][]).map(([content, message]): Refused => {
    return [{ 'v1/bikes': [{ id: 1 }], recording: content }, message]
  })
]

test('a recording with errors is refused, with their places', async t => {
  for (const [files, message] of refused) {
    const loaded = loadCatalogue(recording(t, files))
    await t.rejects(loaded, { name: 'CatalogueErrors', message }, JSON.stringify(files).slice(0, 200))
  }
  const directory = recording(t, { 'v1/bikes': [] })
  for (const name of ['v1/saddles.json', 'recording.json']) mkdirSync(join(directory, name))
  const message = /saddles\.json is a directory, not a file\n.*recording\.json is a directory, not a file$/
  await t.rejects(loadCatalogue(directory), { message })
})

test('a mixture of recorded and authored data is refused, and a saved error as neither', async t => {
  const built = '{"bikes": [], "updated": "2026-01-01T00:00:00Z", "version": 1}' // names in any order
  const data = recording(t, {
    'v1/saddles': [{ id: 1 }],
    'list/v1/bikes': [],
    'error/v1/bikes': error,
    'built/v1/bikes': built
  })
  const isInBuiltIn = String.raw`\S+v1\/bikes\.json is in the built-in format: a directory has one format$`
  const mixtures: [base: string, overlay: string, message: RegExp][] = [
    [dataDirectory, 'list', new RegExp(String.raw`v1\/bikes\.json is a recorded list, but ${isInBuiltIn}`)],
    [dataDirectory, 'error', /bikes\.json:1:2 detail is not a known property/],
    [data, 'built', /is in the built-in format, but/],
    [data, 'error', noList]
  ]
  for (const [base, overlay, message] of mixtures) {
    await t.rejects(loadCatalogue(base, { overlay: join(data, overlay) }), { message })
  }
})

test('a document of version 2.1 is recorded, also with a version and bikes', async t => {
  const documents = [
    '{"version": 2.1, "bikes": []}',
    '{"version":"1","bikes":[{"id":1}]}',
    '{"bikes":{},"version":10}'
  ]
  for (const document of documents) {
    const { text } = await serve(t, recording(t, { 'v1/saddles': [{ id: 1 }], 'v2/bikes': document }))
    t.equal(await text('/api/v2/bikes/'), document)
  }
})

test('an image of a recording that cannot be served has a warning', async t => {
  const data = recording(t, { 'v1/bikes': [{ id: 1, image_url: '/media/a.jpg' }] })
  mkdirSync(join(data, 'media'))
  writeFileSync(join(data, 'media/a.jpg'), Buffer.from('89504e470d0a1a0a', 'hex'))
  const { warnings, images } = await loadCatalogue(data)
  const warning = /media\/a\.jpg is not served: must be an image in the format jpeg$/
  t.match(warnings.filter(line => line.includes('media/')), [warning])
  t.equal(images.size, 0)
  const { json } = await serve(t, data)
  t.match(await json('/api/v1/bikes/'), [{ image_url: /\/media\/a\.jpg$/ }])
})

test('a downloaded image has a URL of this server, with slashes as they were written', async t => {
  const own = (host: string) => {
    const escaped = `${host}/media/bikes/swift.jpg`.replaceAll('/', '\\/')
    return `[{"id":1,"a":"${host}/media/bikes/swift.jpg","b":"${escaped}","c":"https://real.test/media/b.jpg"}]`
  }
  const directory = recording(t, {
    'v1/wheels': own('https://real.test'),
    recording: { media: 'https://real.test/media/' }
  })
  cpSync(join(valid, 'media'), join(directory, 'media'), { recursive: true })
  const { server, text } = await serve(t, directory)
  t.equal(await text('/api/v1/wheels/'), own(new URL(server.url).origin))
})

test('check lists each kind of difference once, and startup only their number', async t => {
  const saddles = [
    '[{"id": 1, "brand": "a", "model": "b", "colour": 4.0},\n',
    '{"id": 2, "brand": "a", "model": "b", "colour": {"b": 1, "1": 12345678901234567890}}, ',
    '{"id": 3, "id": 3, "brand": "a", "model": ""},\n',
    '{"id": 1, "brand": "a", "model": "b"}]'
  ]
  const directory = recording(t, { 'v1/saddles': saddles.join('') })
  const { code, stdout } = await outputOf(check, directory)
  t.equal(code, 0)
  const lines = stdout.split('\n').filter(line => /^warning: .*json:\d/.test(line))
  t.match(lines.map(line => line.replace(/^.*json:/, '')), [
    /^1:40 \[0\]\.colour is not a known property \(and 1 more\)$/,
    /^2:\d+ \[2\]\.model must not be empty, got ""$/,
    /^3:8 \[3\]\.id must differ from \[0\]\.id, got 1$/
  ])
  t.match(stdout, 'the recording differs from the contract in 4 places of 3 kinds, and is served as it is\n')
  t.match(stdout, /\nvalid: 0 bikes, 0 featured, 0 wheels, /, 'lists that are served')
  t.match(stdout, /, 4 saddles, .*, 0 bikes of version 2\.1, 0 images; digest /)
  const { differences } = await loadCatalogue(directory)
  t.match(differences[0], { line: 1, column: 40, pointer: '/0/colour', rule: 'additionalProperties', more: 1 })
})

test('each warning counts its own kind, also after a value with two errors', async t => {
  const bike = (id: number, added: string) => ({ id, date_added: added, view_count: '2' })
  const bikes = [bike(1, 'now'), bike(2, 'now'), bike(3, '2024-01-01T00:00:00Z')]
  const { differences } = await loadCatalogue(recording(t, { 'v1/bikes': bikes }))
  const counts = differences.filter(({ rule }) => rule !== 'required').map(({ pointer, more }) => [pointer, more])
  t.same(counts, [['/0/date_added', 1], ['/0/view_count', 2]])
})

test('recording.json presets settings, which flags, variables and options override', async t => {
  const directory = recording(t, {
    'v1/wheels': Array.from({ length: 9 }, (_, index) => ({ id: 9 - index })),
    recording: {
      url: 'https://x.test',
      recorded: '2024-02-03T04:05:06Z',
      lists: { wheels: { separator: ', ', form: { paginate: 'always', pageSize: 7 } } }
    }
  })
  const { get, json } = await serve(t, directory)
  t.equal((await get('/api/v1/wheels/')).headers.get('last-modified'), 'Sat, 03 Feb 2024 04:05:06 GMT')
  t.match(await json('/api/v1/wheels/'), { count: 9, next: /page=2$/, results: { length: 7 } })
  t.equal((await (await serve(t, directory, { paginate: 'on-request' })).json('/api/v1/wheels/')).length, 9)
  const read = (argv: string[], env = {}) => (readSettings(['--data', directory, ...argv], env) as Command).settings
  t.match(read([]), { paginate: undefined, pageSize: undefined })
  const given = read(['--page-size', '5'], { BICYCLE_CATALOGUE_PAGINATE: 'on-request' })
  t.match(given, { paginate: 'on-request', pageSize: 5 })
})

test('a list that a pull did not write is an error; a recording by hand lists what it needs', async t => {
  const files = { 'v1/wheels': [{ id: 1 }], 'v1/brakes': [{ id: 1 }] }
  const at = (about: object) => recording(t, { ...files, recording: { lists: { wheels: {} }, ...about } })
  const pulled = at({ recorded: '2024-02-03T04:05:06Z' })
  t.match(await outputOf(check, pulled), {
    code: 1,
    stdout: /v1\/brakes\.json:1:1 is not listed in recording\.json: pull this list, too, or delete recording\.json\n/
  })
  t.match(await outputOf(check, at({})), { code: 0 })
})

test('another name of the fitness fields stands in records, usage, examples and the documents', async t => {
  const { json, text } = await serve(t, dataDirectory, { fitnessName: 'own_app', simulate: true })
  const [v1] = await json('/api/v1/bikes/')
  const [v2] = await json('/api/v2/bikes/')
  const [odd] = await json('/api/v1/bikes/?__example=odd')
  const names = Object.keys(catalogue.bikes[0] ?? {}).length
  const renamed = ['own_app_gear_id', 'own_app_lifetime_distance', 'own_app_last_synced']
  for (const [name, bike = {}] of Object.entries({ v1, odd })) {
    t.equal(Object.keys(bike).length, names, name)
    t.strictSame(Object.keys(bike).filter(name => /fitness|own_app/.test(name)), renamed, name)
  }
  t.strictSame(Object.keys(v2?.usage ?? {}), ['view_count', 'favorites_count', 'own_app'])
  for (const path of ['/openapi.json', '/openapi.yaml']) {
    t.match(await text(path), 'own_app_gear_id', path)
    t.notMatch(await text(path), 'fitness_gear_id', path)
  }
  const recorded = await serve(t, recording(t, { 'v1/bikes': bikes }), { simulate: true })
  t.match(Object.keys((await recorded.json('/api/v1/bikes/?__example=odd'))[0] ?? {}).join(), 'strava_gear_id')
})

test('an overlay of a recording is merged into it by id, from a directory or a program', async t => {
  const saddles = [{ id: 2, brand: 'b', note: { x: null } }, { id: 1, note: { z: 1 } }, { id: 3 }]
  const data = recording(t, {
    'v1/saddles': [{ id: 2, brand: 'a', note: { x: 1, y: 2 } }, { id: 1, note: 'plain' }],
    'own/v1/saddles': saddles,
    'own/v1/chains': [{ id: 7 }]
  })
  const noFile = /^\S+ has no data file, such as v1\/bikes\.json$/
  await t.rejects(loadCatalogue(data, { overlay: join(data, 'v2') }), { message: noFile })
  const merged = [{ id: 2, brand: 'b', note: { y: 2 } }, { id: 1, note: { z: 1 } }, { id: 3 }]
  const { json } = await serve(t, data, { overlay: join(data, 'own') })
  t.strictSame(await json('/api/v1/saddles/'), merged)
  t.strictSame(await json('/api/v1/chains/'), [{ id: 7 }])
  const given = await serve(t, data, { overlay: { 'v1/saddles': saddles } })
  t.strictSame(await given.json('/api/v1/saddles/'), merged)
  await t.rejects(start({ data, overlay: { 'v1/saddles': [7 as never] } }), {
    message: 'overlay["v1/saddles"][0] must be an object, got 7'
  })
  await t.rejects(start({ data, overlay: { 'v1/cranksets': [] } }), {
    message: /^overlay\["v1\/cranksets"\] must be one of v1\/bikes, /
  })
})

test('a record of an overlay without an id is merged into none', async t => {
  const data = recording(t, { 'v1/saddles': [{ brand: 'a' }, { id: null, brand: 'b' }, { id: 1, brand: 'c' }] })
  const overlay = { 'v1/saddles': [{ brand: 'd' }, { id: null, brand: 'e' }, { id: 1, model: 'f' }] }
  const { json } = await serve(t, data, { overlay })
  t.strictSame(await json('/api/v1/saddles/'), [
    { brand: 'a' },
    { id: null, brand: 'b' },
    { id: 1, brand: 'c', model: 'f' },
    { brand: 'd' },
    { id: null, brand: 'e' }
  ])
})

test('a list of the other kind is not served, and its warning says so', async t => {
  const warningsOf = async (files: Record<string, unknown>) => {
    const { warnings } = await loadCatalogue(recording(t, files))
    return warnings.map(line => line.replace(/^.*(?=v\d\/)/, ''))
  }
  const others = await warningsOf({ 'v1/bikes': [], 'v1/cranksets': [], 'v2/saddles': [] })
  t.strictSame(others.filter(line => line.includes('is not served')), [
    'v1/cranksets.json is not served: the contract has no such list or image',
    'v2/saddles.json is not served: the contract has no such list or image'
  ])
  const missing = resources.map(({ key }) => key).filter(key => !/^(?:bikes|featured|saddles|bikesV2)$/.test(key))
  t.strictSame(await warningsOf({ 'v1/bikes': [], 'v1/saddles': [] }), [
    'v1/featured.json is missing: the bikes with is_featured are featured',
    ...missing.map(name => `v1/${name}.json is missing: the list is empty`),
    'v2/bikes.json is missing: version 2.1 has the bikes of version 1'
  ])
  const saddles = '{"version":1,"updated":"2026-11-21T08:00:00Z","saddles":[]}'
  const overlay = t.testdir({ data: {}, v1: { 'featured.json': '{}', 'saddles.json': saddles } })
  const { warnings } = await loadCatalogue(dataDirectory, { overlay })
  t.match(warnings, [/data is not served/, /v1\/featured\.json is not served/])
})

test('the digest tells the same records of one list from those of another', async t => {
  const records = [{ id: 1, brand: 'a', model: 'b' }]
  const digestOf = async (name: string) => (await loadCatalogue(recording(t, { [name]: records }))).digest
  t.not(await digestOf('v1/saddles'), await digestOf('v1/brakes'))
})

test('a recorded record of an overlay may lack fields, an item of its arrays may not', async t => {
  const data = recording(t, { 'v2/bikes': catalogue.bikesV2 })
  const { id } = catalogue.bikesV2[0]!
  const differencesOf = async (patch: object) => {
    const { differences } = await loadCatalogue(data, { overlay: { 'v2/bikes': [{ id, ...patch }] } })
    return differences.filter(({ file }) => file === '').map(errorLine)
  }
  t.strictSame(await differencesOf({ title: 'Changed' }), [])
  t.strictSame(await differencesOf({ own: 1 }), ['overlay["v2/bikes"][0].own is not a known property'])
  t.strictSame(await differencesOf({ own: null }), [], 'null removes a field')
  t.strictSame(await differencesOf({ title: null }), ['overlay["v2/bikes"][0] must have the property title'])
  t.strictSame(await differencesOf({ specifications: [{ name: 'Own' }] }), [
    'overlay["v2/bikes"][0].specifications[0] must have the property items'
  ])
})

test('an overlay of authored data needs only the fields that it changes', async t => {
  const [bike] = catalogue.bikes
  const laid = (record: object) => loadCatalogue(dataDirectory, { overlay: { 'v1/bikes': [record] } })
  const changes = { title: 'Changed', tyre: null, saddle: null }
  const { bikes: [changed] } = await laid({ id: bike!.id, ...changes, category: { name: bike!.category.name } })
  t.strictSame(changed, { ...bike, ...changes })
  await t.rejects(laid({ id: 999, title: 'New' }), { message: /\[0\] \(id 999\) must have the property category/ })
})

test('a recorded query gets the recorded response, and others are made in its form', async t => {
  const wheels = '[{"id": 9007199254740993, "weight": 8.0, "name": "\\u00fc\\ud800\\u0000"}, ' +
    '{"10": 1e-05, "2": 1, "description": "/media/a.jpg"}]'
  const json = 'application/json'
  const begin = '{"meta":{"count":9,"next":null},"count":3,'
  const next = (query: string) => `https:\\/\\/real.test\\/api\\/v1\\/saddles\\/?${query.replaceAll('&', '\\u0026')}`
  const data = recording(t, {
    'v1/wheels': `\ufeff${wheels}`,
    'v1/saddles': '[{"id":1.0},\n{"id":2.0},\n{"id":3.0}]',
    'v1/brakes': '[{"id":1.0}]',
    'v2/bikes': '{"data": 1.0, "self": "https://real.test/api/v2/bikes/"}',
    recording: {
      url: 'https://real.test/',
      recorded: '2024-02-03T04:05:06Z',
      lists: {
        bikesV2: {},
        wheels: {
          separator: ', ',
          form: { paginate: 'never' },
          responses: { '': { body: ['[', [0, 1], ']'] } }
        },
        brakes: {
          responses: {
            '': { body: ['[', 0, ']'] },
            'HEAD=1': { status: 302, headers: { location: 'https://real.test/login' }, body: [''] }
          }
        },
        saddles: {
          responses: {
            '': {
              headers: { 'content-type': json, vary: 'Cookie' },
              body: [`${begin}"next":"${next('page=2&per_page=2')}","results":[`, [0, 1], '],"previous":null}']
            },
            'page=2&per_page=2': {
              headers: { vary: null },
              body: [`${begin}"next":null,"results":[`, 2, `],"previous":"${next('per_page=2')}"}`]
            },
            'page=3': { status: 404, body: ['{"detail":"Weg."}'] },
            'page=1&page_size=1': { status: 422, body: ['"no"'] },
            'ordering=brand': { body: ['{"count":3,"next":null,"results":[', [2, 0], ']}'] },
            'ordering=-brand': { body: ['{"count":3,"next":null,"results":[', [0, 1], ']}'] }
          }
        }
      },
      v2: { missing: { status: 403, headers: { 'content-type': json, vary: null }, body: ['{"detail":  "Nein."}'] } }
    }
  })
  const { get, text } = await serve(t, data)
  const { origin } = new URL((await get('/')).url)
  const link = (query: string) => next(query).replace('https:\\/\\/real.test', origin.replaceAll('/', '\\/'))
  for (const query of ['', '?format=json']) t.equal(await text(`/api/v1/wheels/${query}`), wheels, query)
  t.equal(await text('/api/v1/wheels/?page=1'), wheels.replace('}, {', '},{'), 'made')
  const options = await fetch(`${origin}/api/v1/wheels/`, { method: 'OPTIONS' })
  t.equal(options.headers.get('vary'), 'Accept', 'the response to OPTIONS is ours')
  const first = `${begin}"next":"${link('page=2&per_page=2')}","results":[{"id":1.0},{"id":2.0}],"previous":null}`
  t.equal(await text('/api/v1/saddles/'), first)
  const second = `${begin}"next":null,"results":[{"id":3.0}],"previous":`
  t.equal(await text('/api/v1/saddles/?per_page=2&page=2'), `${second}"${link('per_page=2')}"}`, 'in any order')
  t.equal(
    await text('/api/v1/saddles/?ordering=-brand&page=2'),
    `${second}"${origin}/api/v1/saddles/?ordering=-brand"}`,
    'a page that is made has the fields of the recorded one, and the spelling of the contract'
  )
  t.equal(await text('/api/v1/saddles/?page=3'), '{"detail":"Weg."}')
  t.equal(await text('/api/v1/saddles/?page=x'), '{"detail":"Invalid page."}')
  const redirect = await fetch(`${origin}/api/v1/brakes/?HEAD=1`, { redirect: 'manual' })
  t.equal(redirect.headers.get('location'), `${origin}/login`)
  t.equal(await text('/api/v2/bikes/?search=x'), `{"data": 1.0, "self": "${origin}/api/v2/bikes/"}`)
  const browsable = await text('/api/v2/bikes/?format=api')
  t.match(browsable, /one document[^]*The recorded response to this request is no list\.<\/p>/)
  const post = await fetch(`${origin}/api/v2/bikes/`, { method: 'POST' })
  t.equal(post.status, 403, 'a method that the list lacks is refused in the same way')
  const given = await serve(t, data, { paginate: 'on-request', compress: true, simulate: true })
  t.equal(await given.text('/api/v1/saddles/'), '[{"id":1.0},{"id":2.0},{"id":3.0}]', 'a setting beats a recorded form')
  t.equal((await given.get('/api/v1/saddles/')).headers.get('vary'), 'Cookie, Accept-Encoding')
  t.equal(await given.text('/api/v1/brakes/?__example=one'), '[{"id":1.0}]')
  const changed = await serve(t, data, { overlay: { 'v1/saddles': [{ id: 2, brand: 'x' }] } })
  const { results } = await changed.json('/api/v1/saddles/')
  t.same(results, [{ id: 1 }, { id: 2, brand: 'x' }], 'a list with an overlay is made')
  const indented = await fetch(`${origin}/api/v1/brakes/`, { headers: { accept: 'application/json; indent=2' } })
  t.equal(await indented.text(), '[\n  {\n    "id": 1.0\n  }\n]')
})

test('records of a response are indented as they were', async t => {
  const record = '{\n  "id": 1\n}'
  const { text } = await serve(t, recording(t, {
    'v1/bikes': `[${record}, ${record.replace('1', '2')}]`,
    recording: responses({
      '': { body: ['{"count": 2, "next": "/api/v1/bikes/?page=2", "results": [', 0, ']}'] },
      'page=1': { shift: 1, body: ['[', 0, ']'] },
      'page=2': { shift: -1, body: ['[', 1, ']'] }
    })
  }))
  t.equal(await text('/api/v1/bikes/?page=1'), '[{\n   "id": 1\n }]')
  t.equal(await text('/api/v1/bikes/?page=2'), '[{\n "id": 2\n}]')
  t.match(await text('/api/v1/bikes/?ordering=brand'), /"next":"http:\S+\/api\/v1\/bikes\/\?ordering=brand&page=2"/)
})
