import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import { CatalogueErrors } from '../../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import type { Options } from '../../src/settings/settings.ts'
import { started } from '../helper.ts'

type Files = Readonly<Record<string, unknown>>

/** Writes the files of a recording, and returns its directory. */
function recording (t: Test, files: Files): string {
  const directory = t.testdir({ v1: {}, v2: {} })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return directory
}

/** Serves the files of a recording. */
async function serve (t: Test, files: Files, options: Options = {}) {
  const data = recording(t, files)
  const { app, url } = await started(t, { data, tokens: ['ci'], ...options })
  const get = (target: string, headers = {}) => {
    return app.inject({ url: target, headers: { authorization: 'Token ci', ...headers } })
  }
  return { app, data, get, origin: new URL(url).origin }
}

const saddles = Array.from({ length: 7 }, (_, index) => ({ id: 20 + index, brand: `brand ${index}` }))

/** A page of a recording, of the records between two positions. */
const page = (first: number, last: number, next: string | null, others = '') => ({
  body: [`{"count":7,"next":${JSON.stringify(next)},"previous":null${others},"results":[`, [first, last], ']}']
})

const gone = { status: 404, body: ['"Gone"'] }

const list = (responses: object, others = {}) => ({ lists: { saddles: { responses, ...others } } })

const url = '/api/v1/saddles/'

/** Returns the ids of the records in a browsable page. */
const shownIds = (html: string) => [...html.matchAll(/page_size=1">(\d+)<\/a>/g)].map(([, id]) => Number(id))

test('a browsable page shows the records of the recorded response', async t => {
  const { get } = await serve(t, {
    'v1/saddles': saddles,
    recording: list({
      '': page(0, 1, '?limit=2&offset=2'),
      'limit=2&offset=2': page(2, 3, '?limit=2&offset=4', ',"facets":{"own":5}'),
      'brand=brand+5': { body: ['{"count":1,"next":null,"previous":null,"results":[', 5, ']}'] },
      'ordering=-brand': page(6, 5, '?ordering=-brand&page=2')
    })
  })
  const cases: readonly [query: string, ids: readonly number[]][] = [
    ['', [20, 21]],
    ['limit=2&offset=2', [22, 23]],
    ['brand=brand+5', [25]],
    ['ordering=-brand', [26, 25]],
    ['page=2', [22, 23]]
  ]
  for (const [query, ids] of cases) {
    const json = await get(`${url}?${query}&format=json`)
    t.same((json.json() as { results: typeof saddles }).results.map(({ id }) => id), ids, query)
    const html = await get(`${url}?${query}&format=api`)
    t.same(shownIds(html.body), ids, `browsable ${query}`)
  }
  const { body } = await get(`${url}?limit=2&offset=2&format=api`)
  t.match(body, /facets[^]*own[^]*5/, 'its envelope is the recorded one')
})

test('a recorded response that is no JSON runs no script on the origin of this server', async t => {
  const { get } = await serve(t, {
    'v1/saddles': saddles,
    recording: list({
      '': { body: ['[', [0, 6], ']'] },
      'page=1': { status: 403, headers: { 'content-type': 'text/html' }, body: ['<script>alert(1)</script>'] },
      'page=2': { headers: { 'content-type': null }, body: ['<script>alert(1)</script>'] },
      'page=3': { status: 400, headers: { 'content-type': 'application/problem+json' }, body: ['{}'] }
    })
  })
  const policies = { '': undefined, 'page=1': 'sandbox', 'page=2': 'sandbox', 'page=3': undefined }
  for (const [query, policy] of Object.entries(policies)) {
    const { headers } = await get(`${url}?${query}`)
    t.equal(headers['content-security-policy'], policy, query)
  }
})

test('an example of a recording has absolute URLs of images', async t => {
  const wheels = [{ id: 1, image_url: 'https://real.test/media/a.jpg' }]
  const { get } = await serve(t, { 'v1/wheels': wheels }, { simulate: true })
  for (const example of ['random', 'odd']) {
    const { body } = await get('/api/v1/wheels/', { prefer: `example=${example}` })
    t.notMatch(body, /"image_url": ?"\//, example)
  }
  const { body } = await get('/api/v1/wheels/', { prefer: 'example=random' })
  t.match(body, /"image_url":"http:\/\/[^"/]+\/media\//)
  t.same((await get('/api/v1/wheels/', { prefer: 'example=one' })).json(), wheels, 'a selection is as it was recorded')
})

test('an example in pages has the fields of the recorded pages', async t => {
  const files = { 'v1/saddles': saddles, recording: list({ '': page(0, 1, '?page=2', ',"meta":1') }) }
  const { get } = await serve(t, files, { simulate: true })
  t.match((await get(url, { prefer: 'example=one' })).json(), { count: 1, next: null, meta: 1, results: { length: 1 } })
})

test('a page that is made has the other fields of the first recorded page', async t => {
  const responses = { '': page(0, 1, '?page=2', ',"page":1'), 'page=2': page(2, 3, '?page=3', ',"page":2') }
  const files = { 'v1/saddles': saddles, recording: list(responses) }
  const { get, origin } = await serve(t, files)
  const { host } = new URL(origin)
  for (const number of [1, 2, 3]) {
    const { body } = await get(`${url}?ordering=id&page=${number}`, { host })
    const link = (to: number) => `"${origin}${url}?ordering=id${to > 1 ? `&page=${to}` : ''}"`
    const next = link(number + 1)
    const previous = number === 1 ? null : link(number - 1)
    const results = JSON.stringify(saddles.slice(2 * number - 2, 2 * number))
    const expected = `{"count":7,"next":${next},"previous":${previous},"page":1,"results":${results}}`
    t.equal(body, expected, `page ${number}`)
  }
  const indented = await get(`${url}?page=1`, { accept: 'application/json; indent=2' })
  t.match(indented.body, /^\{\n {2}"count": 7,[^]*\n {2}"page": 1,\n {2}"results": \[\n {4}\{\n {6}"id": 20,/)
})

test('a service that counts its pages from 0: those that were not recorded are counted from 1', async t => {
  const responses = { '': page(0, 2, '?page=1'), 'page=1': page(3, 5, '?page=2'), 'page=3': gone }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list(responses) })
  const cases: readonly [query: string, ids: readonly number[], next: RegExp | null, previous: RegExp | null][] = [
    ['page=1', [23, 24, 25], /page=2$/, null],
    ['ordering=id', [20, 21, 22], /page=2$/, null],
    ['ordering=id&page=1', [20, 21, 22], /page=2$/, null],
    ['ordering=id&page=2', [23, 24, 25], /page=3$/, /ordering=id$/]
  ]
  for (const [query, ids, next, previous] of cases) {
    const { results, ...links } = (await get(`${url}?${query}`)).json() as { results: typeof saddles }
    t.same(results.map(({ id }) => id), ids, query)
    t.match(links, { next, previous }, query)
    t.same(shownIds((await get(`${url}?${query}&format=api`)).body), ids, `browsable ${query}`)
  }
  t.match(await get(`${url}?page=3`), { statusCode: 404, body: '"Gone"' })
  for (const query of ['ordering=id&page=0', 'ordering=id&page=4']) {
    t.match(await get(`${url}?${query}`), { statusCode: 404, body: '{"detail":"Invalid page."}' }, query)
  }
})

test('a made page has the links that any recorded page has', async t => {
  const small = { body: ['{"count":7,"next":"?page=2&page_size=1","results":[', 0, ']}'] }
  const one = { body: ['{"count":7,"results":[', [0, 6], ']}'] }
  const recorded = list({ '': one, 'page=1': one, 'page=1&page_size=1': small })
  const { get, origin } = await serve(t, { 'v1/saddles': saddles, recording: recorded })
  const { host } = new URL(origin)
  const { body } = await get(`${url}?page=2&page_size=3`, { host })
  const next = `"next":"${origin}${url}?page=3&page_size=3"`
  t.match(body, `{"count":7,${next},"results":[{"id":23,`, 'previous is in no recorded page')
})

test('HEAD has the recorded status for every query, and recorded headers only for its own', async t => {
  const responses = { '': page(0, 1, '?page=2'), 'page=2': page(2, 3, '?page=3'), 'page=5': gone }
  const other = { headers: { vary: 'Cookie' } }
  const { app, get } = await serve(t, { 'v1/saddles': saddles, recording: list(responses, { head: other }) })
  const head = (query = '') => app.inject({ method: 'HEAD', url: url + query })
  const { headers: ofGet } = await get(url)
  t.match(await head(), { statusCode: 200, headers: { ...ofGet, ...other.headers, date: String } })
  for (const query of ['?page=2', '?page=3', '?page=9', '?brand=x']) {
    const { statusCode, headers: { etag, vary } } = await get(url + query)
    t.match(await head(query), { statusCode, headers: { etag, vary } }, query)
  }
  const refused = list(responses, { head: { status: 405 } })
  const { app: refusing } = await serve(t, { 'v1/saddles': saddles, recording: refused })
  for (const query of ['', '?page=2', '?page=9']) {
    t.equal((await refusing.inject({ method: 'HEAD', url: url + query })).statusCode, 405, query)
  }
})

test('the first response has the content of the file, unless it has a body', async t => {
  const first = { headers: { vary: 'Cookie' } }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list({ '': first }) })
  t.match(await get(url), { statusCode: 200, headers: first.headers, body: JSON.stringify(saddles) })
  t.equal((await get(`${url}?ordering=brand`)).body, JSON.stringify(saddles))
  const missing = await serve(t, { 'v1/brakes': [], recording: list({ '': { status: 404 } }) })
  t.match(await missing.get(`${url}?page=1`), { statusCode: 404, body: '' })
})

const empty = '{"count":7,"next":null,"previous":null,"results":[]}'

test('an empty last page is replayed, a page after it is invalid', async t => {
  const responses = {
    '': page(0, 2, '?page=2'), 'page=2': page(3, 5, '?page=3'), 'page=3': page(6, 6, '?page=4'),
    'page=4': { body: [empty.slice(0, -2), ']}'] }
  }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list(responses) })
  t.equal((await get(`${url}?page=4`)).body, empty)
  t.match(await get(`${url}?page=999`), { statusCode: 404, body: '{"detail":"Invalid page."}' })
  t.match(await get(`${url}?page=4&format=api`), { statusCode: 200, body: /This list has no records/ })
  const other = await serve(t, { 'v1/saddles': saddles, recording: list({ ...responses, 'page=5': gone }) })
  t.match(await other.get(`${url}?page=5`), { statusCode: 404, body: '"Gone"' })
  t.match(await other.get(`${url}?page=999`), { statusCode: 404, body: '{"detail":"Invalid page."}' })
})

test('an empty list of a service without pages has none', async t => {
  for (const body of [['[', ']'], ['[ ', ']'], ['[\n', ']\n']]) {
    const { get } = await serve(t, { 'v1/saddles': [], recording: list({ '': { body }, 'page=1': { body } }) })
    for (const query of ['', '?page=1']) t.equal((await get(url + query)).body, body.join(''), query)
    for (const query of ['?page=2', '?page=1&ordering=brand']) t.equal((await get(url + query)).body, '[]', query)
  }
})

test('a refusal has its own headers, or those of the contract', async t => {
  const first = { headers: { allow: 'HEAD, GET', vary: 'Cookie', 'content-type': 'text/json' }, body: ['[', ']'] }
  const recorded = { lists: { bikesV2: { responses: { '': first } } }, v2: { missing: { status: 401, body: ['{}'] } } }
  const { app, get } = await serve(t, { 'v2/bikes': [], recording: recorded })
  t.match((await get('/api/v2/bikes/')).headers, first.headers)
  const { statusCode, headers } = await app.inject('/api/v2/bikes/')
  t.equal(statusCode, 401)
  t.match(headers, {
    allow: 'GET, HEAD, OPTIONS',
    vary: 'Accept',
    'content-type': 'application/json',
    'cache-control': 'no-store'
  })
  t.notOk('etag' in headers || 'last-modified' in headers)
})

test('version 2.1 of a service that needs no token is open for every query', async t => {
  const bikes = [{ id: 1, brand: 'a' }, { id: 2, brand: 'b' }]
  const open = { body: ['[', [0, 1], ']'] }
  const about = { lists: { bikesV2: { responses: { '': open } } }, v2: { missing: open } }
  const { app, data } = await serve(t, { 'v2/bikes': bikes, recording: about })
  for (const [query, body] of [['', bikes], ['?brand=b', [bikes[1]]]] as const) {
    t.match(await app.inject(`/api/v2/bikes/${query}`), { statusCode: 200, body: JSON.stringify(body) }, query)
  }
  t.equal((await app.inject({ url: '/api/v2/bikes/', headers: { authorization: 'Token x' } })).statusCode, 401)
  const overlaid = await started(t, { data, overlay: { 'v2/bikes': [{ id: 1, brand: 'c' }] } })
  t.same((await overlaid.app.inject('/api/v2/bikes/')).json(), [{ id: 1, brand: 'c' }, bikes[1]])
  const part = await serve(t, { 'v2/bikes': bikes, recording: { ...about, v2: { missing: { body: ['[', 1, ']'] } } } })
  t.same((await part.app.inject('/api/v2/bikes/')).json(), [bikes[1]], 'another list without a token is replayed')
})

test('a browsable page of a recorded response that is no list shows its status and body', async t => {
  const responses = {
    '': page(0, 6, null),
    'ordering=x': { status: 400, body: ['{"ordering":["<Unknown>"]}'] },
    'HEAD=1': { status: 302, headers: { location: '/login' }, body: [''] }
  }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list(responses) })
  const refusal = await get(`${url}?ordering=x&format=api`)
  t.match(refusal, { statusCode: 400, body: /400 Bad Request[^]*ordering[^]*&lt;Unknown/ })
  t.match(await get(`${url}?HEAD=1&format=api`), { statusCode: 200, body: /302 Found/ })
})

test('a browsable page has its type where the JSON has none', async t => {
  const first = { headers: { 'content-type': null, vary: null }, body: ['[', [0, 6], ']'] }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list({ '': first }) })
  t.match((await get(`${url}?format=api`)).headers, { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' })
  t.notOk('content-type' in (await get(url)).headers)
})

test('a recorded order holds for its recorded pages, and this server orders others', async t => {
  const responses = { '': page(0, 1, '?page=2'), 'ordering=brand': page(6, 5, '?page=2') }
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list(responses) })
  const ids = async (query: string) => {
    return ((await get(`${url}?${query}`)).json() as { results: typeof saddles }).results.map(({ id }) => id)
  }
  t.same(await ids('ordering=brand'), [26, 25])
  t.same(await ids('ordering=brand&page=1'), [20, 21])
  t.same(await ids('ordering=brand&page=2'), [22, 23])
})

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

test('a list that was edited after its pull is served from its records', async t => {
  const text = JSON.stringify(saddles)
  const responses = {
    '': page(0, 2, '?page=2', ',"meta":"x"'),
    'page=2': page(3, 5, '?page=3'),
    'ordering=brand': page(6, 4, null)
  }
  const about = { version: 1, ...list(responses, { digest: digestOf(text) }) }
  const warningsOf = async (data: string) => {
    const { warnings } = await loadCatalogue(data)
    return warnings.filter(line => line.includes(' was edited '))
  }
  const same = await serve(t, { 'v1/saddles': text, recording: about })
  t.match((await same.get(url)).body, '"meta":"x"')
  t.same(await warningsOf(same.data), [])
  for (const records of [[...saddles, { id: 1 }], saddles.slice(0, 1), []]) {
    const { get, data } = await serve(t, { 'v1/saddles': records, recording: about })
    t.match((await get(url)).json(), { count: records.length, meta: 'x', results: records.slice(0, 3) })
    const ordered = (await get(`${url}?ordering=brand`)).json() as unknown
    t.match(ordered, { count: records.length }, 'recorded orders are those of other records')
    t.match(await warningsOf(data), [/v1\/saddles\.json was edited after it was pulled: responses are generated/])
  }
  const deleted = await serve(t, { 'v1/brakes': [], recording: about })
  t.match((await deleted.get(url)).json(), { count: 0, results: [] }, 'a list that was deleted is empty')
})

test('an edited document, and one that became a list', async t => {
  const responses = { '': { headers: { 'content-type': 'text/plain' } } }
  const about = { lists: { bikesV2: { digest: digestOf('"old"'), responses } } }
  const document = await serve(t, { 'v2/bikes': '"new"', recording: about })
  t.match(await document.get('/api/v2/bikes/'), { body: '"new"', headers: { 'content-type': 'text/plain' } })
  const bikes = await serve(t, { 'v2/bikes': [{ id: 1 }], recording: about })
  t.same((await bikes.get('/api/v2/bikes/')).json(), [{ id: 1 }])
})

test('the files of two pulls are refused: one was interrupted while it replaced them', async t => {
  const reason = 'a different pull than other files, because a pull was interrupted: pull again'
  const message = new RegExp(`recording\\.json:1:1 belongs to ${reason}$`)
  const left = { 'v1/saddles': saddles, '.pull-0f': 'of the pull' }
  const digest = digestOf(JSON.stringify(saddles))
  const before = recording(t, { ...left, recording: list({ '': { body: ['[', [0, 6], ']'] } }, { digest }) })
  t.match(await loadCatalogue(before), { saddles: { length: 7 } }, 'a pull that replaced nothing yet')
  renameSync(join(before, '.pull-0f.json'), join(before, '.commit-0f'))
  await t.rejects(loadCatalogue(before), { message })
})

/** Returns the messages of the errors of a recording. */
async function errorsOf (directory: string): Promise<readonly string[]> {
  const error = await loadCatalogue(directory).then(() => undefined, (error: unknown) => error)
  return error instanceof CatalogueErrors ? error.errors.map(({ message }) => message) : [String(error)]
}

test('a recording.json of another version has one error, with what to do', async t => {
  const oldList = { paginate: 'always', headers: {}, envelopes: [] }
  const old = { bikes: oldList, wheels: oldList, saddles: oldList }
  const remedy = /; if another version wrote the file, pull again, or delete it to keep only the lists$/
  for (const about of [{ version: 2, more: 1 }, { settings: {}, lists: old }, { version: '1' }]) {
    const messages = await errorsOf(recording(t, { 'v1/saddles': [], recording: about }))
    t.match(messages, [remedy], JSON.stringify(about))
    t.equal(messages.length, 1)
  }
  const messages = await errorsOf(recording(t, { 'v1/saddles': [], recording: { version: 1, lists: old } }))
  t.equal(messages.length, 9, 'in a file of this version each property has its place')
  t.match(await errorsOf(recording(t, { 'v1/saddles': [], recording: 'null' })), [/must be an object/])
})

test('a huge range and a huge shift in recording.json are errors', async t => {
  const cases: readonly [response: object, message: RegExp][] = [
    [{ body: ['[', [0, 1e9], ']'] }, /has the position 1000000000, but the list has 7 records$/],
    [{ shift: 1e9, body: ['[', [0, 6], ']'] }, /shift must be at most 1000, got 1000000000$/],
    [{ shift: -1e9, body: ['[', [0, 6], ']'] }, /shift must be at most 1000, got -1000000000$/]
  ]
  for (const [response, message] of cases) {
    const whole = recording(t, { 'v1/saddles': saddles, recording: list({ 'page=1': response }) })
    await t.rejects(loadCatalogue(whole), { message })
    const about = list({ 'page=1': { ...response, shift: 0 } }, { digest: digestOf('') })
    const edited = recording(t, { 'v1/saddles': saddles, recording: about })
    t.match(await loadCatalogue(edited), { saddles: { length: 7 } }, 'positions of an edited list are never read')
  }
})

test('a record with 130,000 names has a warning for each', async t => {
  const names = Object.fromEntries(Array.from({ length: 130_000 }, (_, index) => [`n${index}`, 0]))
  const { differences } = await loadCatalogue(recording(t, { 'v1/saddles': [{ id: 1, ...names }] }))
  t.ok(differences.length >= 130_000)
})

test('a variant that is no JSON in its record is an error; a list that was edited does not replay it', async t => {
  const broken = { '': { body: ['[', { position: 0, from: 0, to: 5, text: 'x' }, [1, 6], ']'] } }
  const messages = await errorsOf(recording(t, { 'v1/saddles': saddles, recording: list(broken) }))
  t.match(messages, [/responses\[""\]\.body must be JSON once its records are inserted$/])
  const { get } = await serve(t, { 'v1/saddles': saddles, recording: list(broken, { digest: '0'.repeat(16) }) })
  t.same((await get(url)).json(), saddles)
})

test('the key of a response in recording.json may have a line break', async t => {
  const messages = await errorsOf(recording(t, { 'v1/saddles': saddles, recording: list({ 'a\nb': null }) }))
  t.match(messages, [/responses\["a\\nb"\] must be an object, got null$/])
})

test('a generated page has each field of the recorded one, and its records only once', async t => {
  const file = `{"count":7,"next":null,"previous":null,"__proto__":{"a":1},"results":${JSON.stringify(saddles)}}`
  const { get } = await serve(t, { 'v1/saddles': file })
  t.match((await get(`${url}?page=2&page_size=4`)).body, /"previous":"[^"]*","__proto__":\{"a":1\},"results":\[\{/)
  const responses = { 'page=1': { body: ['{"data":[', [0, 1], ']}'] } }
  const other = await serve(t, { 'v1/saddles': saddles, recording: list(responses) })
  t.same((await other.get(`${url}?page=1&page_size=2`)).json(), saddles)
  t.same((await other.get(`${url}?page=1`)).json(), { data: saddles.slice(0, 2) })
})
