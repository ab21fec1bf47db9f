import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { createClient, Limited, Unreachable } from '../../src/client/client.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { recordService } from '../../src/pull/record.ts'
import { compare, readKnown } from '../../src/verify/compare.ts'
import { changeLine } from '../../src/verify/report.ts'
import { reporters } from '../../src/verify/reporters.ts'
import { run as pull } from '../pull/pulled.ts'
import { records, says, when } from './faults.ts'
import { createProxy, type Alter } from './proxy.ts'
import { buildFewer, listenProxy, run, token } from './results.ts'

const saddles = '/api/v1/saddles/'
const renamed = records(saddles, own => own.map(record => record['id'] === 1 ? { ...record, brand: 'Other' } : record))

/** Changes of a service, and the places that name them: these and no others. */
const changes: ReadonlyArray<readonly [title: string, alter: Alter, places: readonly string[]]> = [
  ['nothing', () => {}, []],
  ['a value', renamed, [`${saddles} record 1 brand`]],
  ['a record added', records(saddles, (own, { query }) => query === '' ? [...own, { id: 999, brand: 'A', model: 'B' }] : own), [`${saddles} record 999`]],
  ['a record removed', records(saddles, own => own.filter(({ id }) => id !== 3)), [`${saddles} record 3`]],
  ['a header', when(({ path }) => path === saddles, ({ headers }) => { headers['vary'] = 'Cookie' }), [`${saddles} response: vary`, `${saddles} ?page=1: vary`]],
  ['a refusal', when(({ status }) => status === 401, exchange => { exchange.status = 403 }),
    ['/api/v2/bikes/ with a missing token: status', '/api/v2/bikes/ with an invalid token: status']],
  ['an order', records('/api/v1/bikes/', own => [...own].reverse(), ({ query }) => query === 'ordering=title'), ['/api/v1/bikes/ order by title']]
]

test('--compare names each change where it is, in every reporter; an unchanged service has none', async t => {
  const proxy = createProxy(await buildFewer(t))
  const parent = mkdtempSync(join(tmpdir(), 'compare-'))
  t.teardown(() => { rmSync(parent, { recursive: true, force: true }) })
  const directory = join(parent, 'known')
  await pull([await listenProxy(t, proxy(() => {})), directory, '--token', token, '--rate', '100000'])
  const known = await readKnown(directory)
  const options = { rate: 1e5, signal: new AbortController().signal, timeout: 60_000, maxWait: 1000, maxBytes: 2 ** 27 }
  for (const [title, alter, places] of changes) {
    const base = new URL(`${await listenProxy(t, proxy(alter))}/`)
    const send = createClient(base, options)
    const get = ({ pathname, search }: URL, token?: string) =>
      send({ method: 'GET', target: pathname + search, headers: token ? { authorization: `Token ${token}` } : {} })
    const service = { get, base, token, limits: { pages: 400, records: 1e6, arrayBytes: 2 ** 24 }, commandFor: String, warn: () => {} }
    const found = (await compare(service, known, [])).flatMap(({ list, changes }) => changes.map(({ place }) => `${list} ${place}`))
    t.same(found, places, title)
  }
  const url = await listenProxy(t, proxy(renamed))
  const flags = [url, '--token', token, '--compare', directory, '--fail-on', 'difference']
  t.match(await run(flags), { code: 1, stdout: `  ${saddles}\n    record 1 brand: "Fizik" → "Other"\n` })
  t.match(await run([...flags, '--ignore-fields', 'brand,sadles.brand']), { code: 2, stderr: '--ignore-fields: unknown list "sadles"; did you mean saddles?\n' })
  t.match(await run([...flags, '--ignore-fields', 'saddles.brand']), { code: 0, stdout: 'No differences from the recording.' })
  t.match((await run([...flags, '--reporter', 'github'])).stdout, `::error title=${saddles}::record 1 brand: "Fizik" → "Other"\n`)
  t.match((await run([...flags, '--reporter', 'junit'])).stdout, `name="${saddles} is as recorded"><failure message="${saddles} is as recorded">record 1 brand`)
})

test('--compare refuses a directory without lists, and a list that is not JSON', async t => {
  const directory = t.testdir({ v1: { 'bikes.json': '[' } })
  t.match(await run(['http://a', '--compare', directory]), { code: 2, stderr: /^--compare: .*bikes\.json: / })
  t.match(await run(['http://a', '--compare', 'test']), { code: 2, stderr: '--compare: test has no recorded list, such as v1/bikes.json\n' })
})

type Answer = (parameters: URLSearchParams) => unknown

/** Returns a service of one list that answers with JSON. */
const serviceOf = (answer: Answer, token?: string) => ({
  get: async ({ pathname, search, searchParams }: URL) => {
    const body = Buffer.from(JSON.stringify(answer(searchParams)))
    return { request: { method: 'GET', target: pathname + search, headers: {} }, status: 200, headers: {}, body }
  },
  base: new URL('http://a/'), token, limits: { pages: 9, records: 99, arrayBytes: 999 }, commandFor: String, warn: () => {}
})

const own = [1, 2, 3, 4].map(id => ({ id, brand: 'A' }))

/** Answers with pages of some size. */
const paged = (size: number, more = {}): Answer => parameters => {
  const number = Number(parameters.get('page') ?? 1)
  const next = number * size < own.length ? `http://a${saddles}?page=${number + 1}` : null
  return { count: own.length, next, previous: null, results: own.slice((number - 1) * size, number * size), ...more }
}

const always = (value: unknown): Answer => () => value
let turn = 0

/** What a list was and is, and the lines of its changes. */
const states: ReadonlyArray<readonly [key: Resource['key'], before: Answer, now: Answer, lines: readonly string[]]> = [
  ['saddles', paged(2), always(own), ['form: pages of 2 → an unpaged list']],
  ['saddles', paged(2), paged(1), ['page size: 2 → 1', 'page size of ?page=3: 0 → 1']],
  ['saddles', paged(2), paged(2, { total: 4 }), ['total: added 4']],
  ['saddles', always(own), always([...own].reverse()), ['default order: 1,2,3,4 → 4,3,2,1']],
  ['saddles', always(own.slice(0, 2)), always(own.slice(0, 1)), ['record 2: removed {"id":2,"brand":"A"}']],
  ['saddles', always([{ brand: 'A' }]), always([{ brand: {} }]), ['record at position 0 brand: "A" → {}']],
  ['saddles', always([{ id: 1, views: 0 }]), () => [{ id: 1, views: ++turn }], []],
  ['bikesV2', always({ a: 1 }), always({ a: 2 }), ['a: 1 → 2']],
  ['bikesV2', always({ a: 1 }), always([]), ['form: a document → a list']],
  ['bikesV2', always([]), always({ a: 1 }), ['form: a list → a document']]
]

test('a list of another form, size, order or content has a line for each change', async t => {
  for (const [key, before, now, lines] of states) {
    const { recording } = await recordService(serviceOf(before, token), resources.filter(resource => resource.key === key))
    const found = await compare(serviceOf(now, token), { recording, bases: ['http://a/'] }, [])
    t.same(found.flatMap(({ changes }) => changes.map(changeLine)), lines, lines.join())
  }
})

test('lists of a data directory are compared as far as they can be read', async t => {
  const known = await readKnown(t.testdir({ v1: { 'saddles.json': JSON.stringify(own) }, v2: { 'bikes.json': '[]' } }))
  const list = saddles
  const limited = (parameters: URLSearchParams) => {
    if (parameters.has('page')) throw new Limited('429', { request: { method: 'GET', target: '', headers: {} }, status: 429, headers: {}, body: Buffer.of() })
    return own
  }
  t.same(await compare(serviceOf(always(own)), known, []), [{ list, changes: [] }], 'without a token')
  t.same(await compare(serviceOf(always(own), token), known, []), [
    { list, changes: [] }, { list: '/api/v2/bikes/', changes: own.map(record => ({ place: `record ${record.id}`, after: JSON.stringify(record) })) }
  ])
  t.same(await compare(serviceOf(limited), known, []), [{ list, changes: [], unread: 'limited: the service allows fewer requests' }])
  t.match(await compare(serviceOf(always(7)), known, []), [{ list, unread: /neither an array of records nor a page/ }])
  await t.rejects(compare(serviceOf(() => { throw new Unreachable('ECONNRESET') }), known, []), { message: 'ECONNRESET' })
})

test('a list that is gone has changes; one that has moved is not compared, and the report says how to', async t => {
  const directory = t.testdir({ v1: { 'saddles.json': '[{"id":1}]', 'brakes.json': '[{"id":1}]' } })
  const moved = when(({ path }) => path === saddles, exchange => {
    exchange.status = 301
    exchange.headers['location'] = `http://b/c${saddles}`
  })
  const gone = when(({ path }) => path === '/api/v1/brakes/', says(404, {}))
  const proxy = createProxy(await buildFewer(t, { tokens: [] }))
  const { stdout } = await run([await listenProxy(t, proxy(exchange => { moved(exchange); gone(exchange) })), '--compare', directory])
  t.match(stdout, /not compared: .* responds with 301, location: .*; run: npm start -- verify http:\/\/b\/c\n/)
  t.match(stdout, '/api/v1/brakes/\n    record 1: removed {"id":1}\n')
})

test('the reports have at most 20 changes of a list without --verbose, and why a list was not compared', t => {
  const changes = Array.from({ length: 21 }, (_, id) => ({ place: `record ${id}`, after: '{}' }))
  const differences = [{ list: saddles, changes }, { list: '/api/v1/brakes/', changes: [], unread: 'limited' }]
  const report = { url: '', requests: 0, results: [], differences, failOn: [], ignore: [], isVerbose: false }
  t.match(reporters.human(report, false), /record 19: added \{\}\n {4}and 1 more with --verbose\n[^]+not compared: limited\n/)
  t.match(reporters.human({ ...report, isVerbose: true }, false), 'record 20: added {}')
  t.match(reporters.github(report, false), '::notice title=/api/v1/brakes/::not compared: limited\n')
  t.match(reporters.junit(report, false), '<skipped message="limited"/>')
  t.end()
})
