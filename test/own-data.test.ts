import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Test, test } from 'tap'
import { shownPath } from '../src/catalogue/errors/error.ts'
import { run as init } from '../src/command/init.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { dataDirectory } from '../src/package.ts'
import type { SettingsError } from '../src/settings/flags.ts'
import type { OverlayRecords } from '../src/settings/overlay-records.ts'
import { start } from '../src/start.ts'
import { built, readyOf, run } from './built.ts'
import { changedDirectory } from './catalogue/changed.ts'
import { folder as outside } from './deploy/machines.ts'
import { catalogue, loadAuthored, started } from './helper.ts'
import { outputOf } from './run-script.ts'

const page = readFileSync('docs/guides/own-data.md', 'utf8')

/** The id of the user and group nobody. */
const nobody = 65_534

test('a bike is added by the overlay of docs/guides/own-data.md', async t => {
  const folder = t.testdir()
  const [, file = '', json = ''] = /Write `(\S+)`:\n\n```json\n([^`]+)```/.exec(page) ?? []
  const command = /^bicycle-catalogue (--overlay .*)\ncurl "http:\/\/localhost:3000(.*)"$/m
  const [, flags = '', path = ''] = command.exec(page) ?? []
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), json)
  const { url, token } = await readyOf(run(t, ['--port', '0', ...flags.split(' ')], { cwd: folder }))
  const answer = await (await fetch(url + path)).json() as { count: number, results: { title: string }[] }
  t.match(answer, { count: 49, results: [{ id: 1001, title: 'Own Commuter 2026' }] })
  const headers = { authorization: `Token ${token}` }
  const detailed = await fetch(`${url}/api/v2/bikes/?page=49&page_size=1`, { headers })
  const bike = { id: 1001, price: null, weight_kg: null, rating: null, reviews: [], specifications: [{ name: /./ }] }
  t.match(await detailed.json(), { results: [bike] })
})

const updated = '2026-11-21T08:00:00Z'
const file = (name: string, ...records: object[]) => JSON.stringify({ version: 1, updated, [name]: records })
const stored = (path: string, index = 0) => {
  const [name = ''] = path.split('/').slice(1)
  const text = readFileSync(join(dataDirectory, `${path}.json`), 'utf8')
  return (JSON.parse(text) as Record<string, object[]>)[name]?.[index] as { id: number }
}

test('records of an overlay replace those of the same key and join the rest, in v1 and v2', async t => {
  const overlay = t.testdir({
    v1: {
      'saddles.json': file(
        'saddles',
        { ...stored('v1/saddles'), model: 'Replaced' },
        { id: 900, brand: 'Own', model: 'Joined' }
      ),
      'bikes.json': file('bikes', {
        ...stored('v1/bikes'),
        category: { slug: 'cargo', name: 'Cargo' },
        bike_type: 'cargo',
        saddle: 900
      })
    },
    v2: {
      'bikes.json': file('bikes', { ...stored('v2/bikes'), price: '1.00' }),
      'categories.json': file('categories', { slug: 'road', specifications: [] })
    }
  })
  const laid = await loadAuthored(dataDirectory, { overlay })
  t.equal(laid.saddles.length, catalogue.saddles.length + 1)
  t.match(laid.saddles[0], { model: 'Replaced' })
  t.match(laid.saddles.at(-1), { id: 900, model: 'Joined' })
  t.equal(laid.bikes.length, catalogue.bikes.length)
  const { id } = stored('v1/bikes')
  const bike = laid.bikesV2.find(bike => bike.id === id)
  t.match(bike, { bike_type: 'cargo', price: '1.00', components: { saddle: { id: 900, measurements: {} } } })
  const others = laid.bikesV2.filter(({ category }) => ['cargo', 'road'].includes(category.slug))
  t.notOk(others.some(({ specifications }) => specifications.some(({ name }) => name === 'Road')))
  t.equal(laid.updated.toISOString(), '2026-11-21T08:00:00.000Z')
  t.not(laid.digest, catalogue.digest)
  t.strictSame(laid.warnings, [])
})

test('the later of two times counts, to a fraction of a second; one in the future causes a warning', async t => {
  const changed = { ...stored('v1/bikes'), date_updated: '2026-11-16T08:30:00.400Z' }
  const bikes = JSON.stringify({ version: 1, updated: '2026-11-16T08:30:00.500Z', bikes: [changed] })
  const laid = await loadCatalogue(dataDirectory, { overlay: t.testdir({ v1: { 'bikes.json': bikes } }) })
  t.equal(laid.updated.toISOString(), '2026-11-16T08:30:00.500Z')
  const overlay = t.testdir({ v1: { 'brakes.json': '{"version":1,"updated":"2999-01-01T00:00:00Z","brakes":[]}' } })
  const { warnings } = await loadCatalogue(dataDirectory, { overlay })
  t.match(warnings, [/^(?!data)\S+v1\/brakes\.json:1:\d+ updated "2999-01-01T00:00:00Z" is in the future$/])
  const bike = { ...stored('v1/bikes'), date_updated: '2999-01-01T00:00:00Z' }
  const given = await loadCatalogue(dataDirectory, { overlay: { 'v1/bikes': [bike] } })
  t.strictSame(given.warnings, ['overlay["v1/bikes"]: updated "2999-01-01T00:00:00Z" is in the future'])
})

const [review] = (stored('v2/bikes') as { id: number, reviews?: object[] }).reviews ?? []

const ownBrakes = { id: 900, brand: 'x', model: 'x' }

/** Returns a pattern of parts with spaces between them. */
const matching = (flags: '' | 'm', ...parts: string[]) => new RegExp(parts.join(' '), flags)

const faulty: { name: string, overlay: Parameters<Test['testdir']>[0], message: RegExp }[] = [
  {
    name: 'no data file',
    overlay: { 'own.json': '{}' },
    message: /^\S+ has no data file, such as v1\/bikes\.json$/
  },
  {
    name: 'a time that is an object',
    overlay: { v1: { 'brakes.json': '{"version":1,"updated":{"toString":1,"valueOf":1},"brakes":[]}' } },
    message: /^\S+brakes\.json:1:\d+ updated must be a string, got an object$/
  },
  { name: 'no JSON', overlay: { v1: { 'brakes.json': '{' } }, message: /brakes\.json:1:2 expected/ },
  {
    name: 'an id twice',
    overlay: { v1: { 'brakes.json': file('brakes', ownBrakes, ownBrakes) } },
    message: /brakes\.json:1:\d+ brakes\[1\]\.id \(id 900\) must differ from brakes\[0\]\.id, got 900$/
  },
  {
    name: 'a reference to nothing',
    overlay: { v1: { 'groupsets.json': file('groupsets', { ...stored('v1/groupsets'), chain: 900 }) } },
    message: /groupsets\.json:1:\d+ groupsets\[0\]\.chain \(id 1\) must be the id of a chain, got 900$/
  },
  {
    name: 'the id of a review of the data',
    overlay: { v2: { 'bikes.json': file('bikes', { ...stored('v2/bikes', 1), reviews: [review] }) } },
    message: matching(
      'm',
      String.raw`^\S+v2/bikes\.json:1:\d+ bikes\[0\]\.reviews\[0\]\.id \(id 3\)`,
      String.raw`must differ from bikes\[0\]\.reviews\[0\]\.id in data/v2/bikes\.json, got 1$`
    )
  },
  {
    name: 'another name of a category',
    overlay: {
      v1: {
        'bikes.json': file('bikes', {
          ...stored('v1/bikes', 1),
          category: { slug: 'road', name: 'Own' },
          bike_type: 'road'
        })
      }
    },
    message: matching(
      '',
      String.raw`bikes\[0\]\.category\.name \(id 3\) must be "\w+" like bikes\[0\]\.category\.name`,
      String.raw`in data/v1/bikes\.json, which has the same slug, got "Own"`
    )
  },
  {
    name: 'a time before that of its records',
    overlay: { v1: { 'bikes.json': file('bikes', { ...stored('v1/bikes'), date_updated: '2027-01-01T00:00:00Z' }) } },
    message: matching(
      '',
      String.raw`^(?!data)\S+v1/bikes\.json:1:24 updated must not be before the newest date of its records,`,
      '"2027-01-01T00:00:00Z", got "2026-11-21T08:00:00Z"$'
    )
  },
  {
    name: 'no JSON next to a file that refers to it',
    overlay: {
      v1: { 'bikes.json': '{' },
      v2: { 'bikes.json': file('bikes', { ...stored('v2/bikes'), id: 999, reviews: [] }) }
    },
    message: /^\S+v1\/bikes\.json:1:2 expected[^\n]*$/
  },
  {
    name: 'reviews that are not counted',
    overlay: {
      v1: {
        'bikes.json': file('bikes', {
          ...stored('v1/bikes'),
          id: 900,
          slug: 'own',
          review_count: 2
        })
      }
    },
    message: /bikes\.json:1:\d+ bikes\[0\]\.review_count \(id 900\) must be 0, the number of its reviews, got 2$/
  }
]

test('an overlay with an error is refused, with its own place', async t => {
  for (const { name, overlay, message } of faulty) {
    await t.rejects(loadCatalogue(dataDirectory, { overlay: t.testdir(overlay) }), { message }, name)
  }
})

test('start({ overlay: { … } }) serves records that a program gives', async t => {
  const bike = {
    ...stored('v1/bikes'),
    id: 900,
    slug: 'given',
    title: 'Given',
    review_count: 0,
    date_updated: '2026-11-22T00:00:00Z'
  }
  const overlay = { 'v1/bikes': [bike], 'v1/saddles': [{ id: 1, brand: 'Given', model: 'One' }] }
  const server = await started(t, { overlay, tokens: ['mine'] })
  const get = async (url: string) => server.app.inject({ url, headers: { authorization: 'Token mine' } })
  const bikes = (await get('/api/v1/bikes/')).json() as { id: number, title: string }[]
  t.match(bikes.at(-1), { id: 900, title: 'Given' })
  t.match((await get('/api/v1/saddles/')).json(), [{ id: 1, brand: 'Given' }])
  const lastBike = (await get('/api/v2/bikes/?ordering=-id&page=1')).json<object>()
  t.match(lastBike, { results: [{ id: 900, reviews: [], price: null }] })
  const modified = String((await get('/api/v1/bikes/')).headers['last-modified'])
  t.ok(Date.parse(modified) >= Date.parse('2026-11-22T00:00:00Z'), 'not before its newest record')
  overlay['v1/saddles'] = [{ id: 1, brand: 'Changed', model: 'One' }]
  await server.reload()
  t.match((await get('/api/v1/saddles/')).json(), [{ brand: 'Changed' }])
})

const refused: readonly [overlay: OverlayRecords, message: string | RegExp][] = [
  [
    { 'v1/bikes': [{ ...stored('v1/bikes'), year: '1999' }] },
    'overlay["v1/bikes"][0].year (id 2) must be an integer, got "1999"'
  ],
  [{ 'v1/saddles': { id: 1 } as unknown as object[] }, 'overlay["v1/saddles"] must be an array, got an object'],
  [
    { 'v1/brakes': [ownBrakes, ownBrakes] },
    'overlay["v1/brakes"][1].id (id 900) must differ from overlay["v1/brakes"][0].id, got 900'
  ],
  [
    { 'v1/groupsets': [{ ...stored('v1/groupsets'), chain: 900 }] },
    'overlay["v1/groupsets"][0].chain (id 1) must be the id of a chain, got 900'
  ],
  [{ 'v1/forks': [] }, /^overlay\["v1\/forks"\] must be one of v1\/bikes, .*, v2\/categories$/]
]

test('start refuses records with errors, and an overlay of anything but plain JSON, with the place', async t => {
  await t.rejects(start({ overlay: { 'v1/forks': [] } }), { name: 'CatalogueErrors', errors: [{ rule: 'overlay' }] })
  for (const [overlay, message] of refused) {
    const errors = [{ file: '', line: null, column: null }]
    await t.rejects(start({ overlay }), { name: 'CatalogueErrors', message, errors })
  }
  for (const overlay of [7, ['v1/bikes']]) {
    // @ts-expect-error neither a path nor an object
    await t.rejects(start({ overlay }), {
      name: 'SettingsError',
      message: /^overlay must be a directory, or an object of records such as \{ 'v1\/bikes': \[ … \] \}, got /
    })
  }
  const circular: Record<string, unknown> = { id: 1 }
  circular['self'] = circular
  for (const [value, message] of [
    [
      circular,
      /^overlay: \["v1\/bikes"\]\[0\]\.self\.self\S*… must be JSON of at most 500 levels; it may be circular$/
    ],
    [{ id: 1n }, /^overlay: \["v1\/bikes"\]\[0\]\.id must be plain JSON, got 1n$/],
    [{ id: undefined, at: [undefined] }, /^overlay: \["v1\/bikes"\]\[0\]\.at\[0\] must be plain JSON, got undefined$/],
    [{ 'a b': new Map() }, /^overlay: \["v1\/bikes"\]\[0\]\["a b"\] must be plain JSON, got Map/]
  ] as const) await t.rejects(start({ overlay: { 'v1/bikes': [value] } }), { name: 'SettingsError', message })
  await t.rejects(start({ overlay: { realPath: '/etc' } as object }), {
    name: 'CatalogueErrors',
    message: /^overlay\["realPath"\] must be one of v1\/bikes, /
  })
})

test('errors below an overlay keep their place: those of a changed bike in its file and in its overlay', async t => {
  const data = changedDirectory(t, { bikes: [['"saddle": 1', '"saddle": 95']] })
  const patch = (fields: object) => ({ 'v1/bikes': [{ id: 1, ...fields }] }) as unknown as OverlayRecords
  await t.rejects(loadCatalogue(data, { overlay: patch({ title: 'x' }) }), {
    message: /v1\/bikes\.json:85:17 bikes\[1\]\.saddle \(id 1\) must be the id of a saddle, got 95$/
  })
  await t.rejects(loadCatalogue(data, { overlay: patch({ saddle: 96 }) }), {
    message: 'overlay["v1/bikes"][0].saddle (id 1) must be the id of a saddle, got 96'
  })
  const broken = changedDirectory(t, {
    saddles: [['"brand": "Make"', '"brand": 7']],
    brakes: Buffer.from('{'),
    'v2/saddles': Buffer.from('{')
  })
  const part = { id: 900, brand: 'x', model: 'x' }
  await t.rejects(loadCatalogue(broken, { overlay: { 'v1/saddles': [part], 'v1/brakes': [part] } }), {
    message: new RegExp([
      String.raw`v1/brakes\.json:1:2 expected .*`,
      String.raw`.*v1/saddles\.json:8:16 saddles\[0\]\.brand \(id 1\) must be a string, got 7`,
      String.raw`.*v2/saddles\.json:1:2 expected`
    ].join('\n'))
  })
})

test('a missing directory is reported in a line of its own, and so is an empty overlay of invalid data', async t => {
  await t.rejects(loadCatalogue(dataDirectory, { overlay: 'nowhere' }), { message: 'nowhere is missing' })
  await t.rejects(loadCatalogue('/nowhere', { overlay: '/none/either' }), {
    message: '/nowhere is missing; npm start -- init /nowhere makes one\n/none/either is missing'
  })
  const data = changedDirectory(t, { bikes: [['"brand": "Unknown Brand"', '"brand": 7']] })
  const overlay = join(data, 'overlay')
  mkdirSync(overlay)
  await t.rejects(loadCatalogue(data, { overlay }), {
    message: /overlay has no data file, such as v1\/bikes\.json$/m,
    errors: [
      { file: shownPath(overlay), rule: 'missing' },
      { file: shownPath(join(data, 'v1/bikes.json')), rule: 'type' }
    ]
  })
})

test('images of an overlay take the place of others', async t => {
  const overlay = t.testdir({
    media: { saddles: {} },
    v1: { 'saddles.json': file('saddles', { id: 900, brand: 'Own', model: 'One' }) }
  })
  cpSync(join(dataDirectory, 'media/saddles/2.jpg'), join(overlay, 'media/saddles/1.jpg'))
  const server = await started(t, { overlay })
  const tagOf = async (url: string) => (await server.app.inject(url)).headers.etag
  t.equal(await tagOf('/media/saddles/1.jpg'), await tagOf('/media/saddles/2.jpg'))
  t.not(await tagOf('/media/saddles/3.jpg'), await tagOf('/media/saddles/2.jpg'))
})

/** Runs init and returns its output, or its error. */
async function runInit (...args: string[]): Promise<string> {
  return await outputOf(init, ...args).then(({ stdout }) => stdout, (error: SettingsError) => error.message)
}

test('init copies the data and the schemas that it names, and leaves a directory that is not empty alone', async t => {
  const directory = join(t.testdir(), 'new/data')
  t.match(await runInit(directory), `npm start -- --data ${directory} --watch\n`)
  const copy = await loadCatalogue(directory)
  t.equal(copy.bikes.length, catalogue.bikes.length)
  t.equal(copy.images.size, catalogue.images.size)
  t.strictSame(copy.warnings, [])
  for (const name of ['v1/bikes.json', 'v2/categories.json']) {
    const { $schema } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { $schema: string }
    const schema = JSON.parse(readFileSync(join(directory, dirname(name), $schema), 'utf8')) as { title: string }
    t.equal(schema.title, `data/${name}`, name)
  }
  const refusal = `cannot copy the data to ${directory}: it is not empty; choose a new or empty directory`
  t.strictSame(await runInit(directory), refusal)
  t.match(await runInit(join(directory, 'README.md')), /^cannot copy the data to .*: ENOTDIR/)
  t.match(await runInit(join(directory, 'README.md/data')), /^cannot copy the data to .*: ENOTDIR/)
  if (process.platform === 'linux') {
    t.match(await runInit('/proc/none/data'), /^cannot copy the data to \/proc\/none\/data: ENOENT/)
  }
})

test('init into a link to an empty directory, whose name has blanks and a quote, and arguments', async t => {
  const usage = 'init takes one directory, such as my-data (npm start -- init --help)'
  for (const args of [[], ['a', 'b'], ['--watch']]) t.equal(await runInit(...args), usage, args.join(' '))
  const folder = t.testdir({ empty: {} })
  const link = join(folder, "my bikes'")
  symlinkSync('empty', link)
  t.match(await runInit(link), `npm start -- --data '${link.replace("'", "'\\''")}' --watch\n`)
  t.equal((await loadCatalogue(link)).bikes.length, catalogue.bikes.length)
})

const isNoRoot = process.getuid?.() !== 0 && 'needs another user'

test('init from a read-only package copies files that can be edited', { skip: isNoRoot }, async t => {
  const folder = outside(t)
  const copied = join(folder, 'package')
  for (const name of ['data', 'schemas', 'assets', 'package.json', 'CHANGELOG.md', 'VERSIONING.md']) {
    cpSync(name, join(copied, name), { recursive: true })
  }
  cpSync(built(), join(copied, 'dist'), { recursive: true })
  const node = join(copied, 'node') // other users may not be able to reach this process' own
  cpSync(process.execPath, node)
  spawnSync('chmod', ['-R', 'a=rX', copied])
  const target = join(folder, 'target')
  mkdirSync(target)
  for (const path of [folder, target]) chownSync(path, nobody, nobody)
  const as = { uid: nobody, gid: nobody, cwd: '/', encoding: 'utf8' } as const
  const withoutVariables = ['-i', node, join(copied, 'dist/cli.js'), 'init', target] // of tap
  t.match(spawnSync('env', withoutVariables, as), { status: 0, stderr: '' })
  t.equal(statSync(join(target, 'v1/bikes.json')).mode & 0o200, 0o200)
})
