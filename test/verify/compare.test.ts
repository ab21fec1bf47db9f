import { join } from 'node:path'
import { test, type Test } from 'tap'
import { Limited, Unreachable, type Send } from '../../src/client/client.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { stageRecording } from '../../src/pull/directory.ts'
import { recordService } from '../../src/pull/record.ts'
import { getWith, type Service } from '../../src/pull/recorder.ts'
import { createStage } from '../../src/pull/stage.ts'
import { compare, readKnown } from '../../src/verify/compare.ts'
import { changeLine } from '../../src/verify/report.ts'
import { reporters } from '../../src/verify/reporters.ts'
import { folder } from '../deploy/machines.ts'
import { serve } from '../helper.ts'
import { habits, respond, usual } from '../pull/habits.ts'
import { faithful, records, says, when } from './faults.ts'
import { createProxy, type Alter, type Exchange } from './proxy.ts'
import { buildFewer, listenProxy, run, token } from './results.ts'

const [bikes, saddles, wheels, v2] = ['/api/v1/bikes/', '/api/v1/saddles/', '/api/v1/wheels/', '/api/v2/bikes/']
const renamed = records(saddles, own => own.map(record => record['id'] === 1 ? { ...record, brand: 'Other' } : record))
const at = (path: string) => (exchange: Exchange) => exchange.path === path && exchange.status === 200
const edited = (path: string, from: RegExp, to: string) => when(
  at(path), exchange => { exchange.body = exchange.body.toString().replace(from, to) }
)
const refused = ({ status }: Exchange) => status === 401
const isHead = ({ path, method }: Exchange) => path === saddles && method === 'HEAD'
const isLong = ({ query }: Exchange) => query === ''

/** Changes of a service, and the places that name them: these and no others. */
type Alteration = readonly [
  title: string, alter: Alter, places: readonly string[], pass?: (target: string) => string
]

const changes: readonly Alteration[] = [
  ['a value', renamed, [`${saddles} record 1 brand`]],
  [
    'a nested value',
    edited(bikes, /("id":2,.*?"category":\{"slug":)"road"/, '$1"other"'), [`${bikes} record 2 category.slug`]
  ],
  [
    'an integer with a fraction',
    edited(wheels, /("id":1,.*?"weight_grams":\d+)/, '$1.0'), [`${wheels} record 1 weight_grams`]
  ],
  [
    'an object in place of null',
    records(
      saddles,
      own => own.map(record => record['id'] === 2 ? { ...record, brand: { name: 'A', slug: 'a' } } : record)
    ),
    [`${saddles} record 2 brand`]
  ],
  [
    'a title that moves in the orders',
    edited(bikes, /("id":2,.*?"title":)"[^"]+"/, '$1"zzz"'), [`${bikes} record 2 title`]
  ],
  ['null', edited(wheels, /("id":2,.*?"image_url":)"[^"]+"/, '$1null'), [`${wheels} record 2 image_url`]],
  [
    'a field more',
    records(saddles, own => own.map(record => record['id'] === 2 ? { ...record, width: 130 } : record)),
    [`${saddles} record 2 width`]
  ],
  [
    'a field less',
    records(saddles, own => own.map(({ model, ...record }) => record['id'] === 2 ? record : { ...record, model })),
    [`${saddles} record 2 model`]
  ],
  ['a value of version 2.1', edited(v2, /("id":2,.*?"view_count":)\d+/, '$17'), [`${v2} record 2 view_count`]],
  [
    'a record added',
    records(saddles, (own, exchange) => isLong(exchange) ? [...own, { id: 999, brand: 'A', model: 'B' }] : own),
    [`${saddles} record 999`]
  ],
  ['a record removed', records(saddles, own => own.filter(({ id }) => id !== 3)), [`${saddles} record 3`]],
  ['Vary', when(at(saddles), ({ headers }) => { headers['vary'] = 'Cookie' }), [`${saddles} response vary`]],
  [
    'a cache lifetime',
    when(at(saddles), ({ headers }) => { headers['cache-control'] = 'max-age=7' }),
    [`${saddles} response cache-control`]
  ],
  [
    'a type',
    when(at(saddles), ({ headers }) => { headers['content-type'] = 'text/json' }),
    [`${saddles} response content-type`]
  ],
  ['no Allow', when(at(saddles), ({ headers }) => { delete headers['allow'] }), [`${saddles} response allow`]],
  ['the status of a refusal', when(refused, exchange => { exchange.status = 403 }), [`${v2} without a token status`]],
  [
    'the text of a refusal',
    when(refused, exchange => { exchange.body = exchange.body.toString().replace('not provided', 'missing') }),
    [`${v2} without a token body`]
  ],
  [
    'a challenge',
    when(refused, ({ headers }) => { headers['www-authenticate'] = 'Bearer' }),
    [`${v2} without a token www-authenticate`]
  ],
  [
    'a refusal of invalid tokens alone',
    when(
      ({ status, sent }) => status === 401 && sent['authorization'] !== undefined,
      exchange => { exchange.status = 403 }
    ),
    [`${v2} with an invalid token status`]
  ],
  ['HEAD with another Allow', when(isHead, ({ headers }) => { headers['allow'] = 'GET' }), [`${saddles} HEAD allow`]],
  ['HEAD as a 405', when(isHead, exchange => { exchange.status = 405 }), [`${saddles} HEAD status`]],
  [
    'a field less in an order',
    records(bikes, own => own.map(({ slug, ...record }) => record), ({ query }) => query === 'ordering=title'),
    [`${bikes} ?ordering=title body`]
  ],
  [
    'an order',
    records(bikes, own => [...own].reverse(), ({ query }) => query === 'ordering=title'),
    [`${bikes} order by title`]
  ],
  ['the default order', records(saddles, own => [...own].reverse(), isLong), [`${saddles} default order`]],
  [
    'the order of version 2.1',
    records(v2, own => [...own].reverse(), ({ query }) => query === 'ordering=-title'),
    [`${v2} order by -title`]
  ],
  [
    'a page after the last',
    when(({ path, query, status }) => path === wheels && query === 'page=4' && status === 404, says(400, {})),
    [`${wheels} ?page=4 status`, `${wheels} ?page=4 body`]
  ],
  ['an envelope field', edited(wheels, /^\{"count":/, '{"total":3,"count":'), [`${wheels} ?page=1 total`]],
  ['no count', edited(wheels, /^\{"count":\d+,/, '{'), [`${wheels} ?page=1 count`]],
  [
    'a page size',
    () => {}, [`${saddles} ?page=1 body`],
    target => target.startsWith(saddles) ? target.replace(/page=(\d)$/, 'page=$1&page_size=4') : target
  ],
  ['relative links', edited(wheels, /"next":"http:..proxy.test/, '"next":"'), [`${wheels} ?page=1 next`]],
  [
    'links to another host',
    edited(wheels, /"next":"http:..proxy.test/, '"next":"http://backend:8000'), [`${wheels} ?page=1 next`]
  ],
  ['a count with a fraction', edited(wheels, /"count":(\d+)/, '"count":$1.0'), [`${wheels} ?page=1 count`]],
  [
    'other links on every page',
    edited(wheels, /(\?)(page=\d+)/g, '$1x=1&$2'), [`${wheels} ?page=1 next`, `${wheels} ?page=3 previous`]
  ],
  [
    'the order of pages alone',
    records(wheels, own => [...own].reverse(), ({ query }) => query === 'page=1'), [`${wheels} ?page=1 body`]
  ],
  ['a filter that is ignored', () => {}, [`${v2} ?brand=Canyon body`], target => target.replace('brand=', 'x=')],
  [
    'a list that is missing',
    when(({ path }) => path === saddles, says(404, { detail: 'Not found.' })),
    [`${saddles} response status`, `${saddles} response body`]
  ],
  [
    'no pages',
    () => {}, [`${saddles} ?page=1 body`],
    target => target.startsWith(saddles) ? target.replace('page', 'x') : target
  ]
]

/** Returns a service to record, which sends a request again after a 5xx or a 429. */
function serviceBehind (send: Send): Service {
  const get = getWith(async request => {
    const response = await send(request)
    return response.status >= 500 || response.status === 429 ? await send(request) : response
  })
  const limits = { pages: 400, arrayBytes: 2 ** 24 }
  return { get, base: new URL('http://proxy.test/'), token, limits, warn: () => {} }
}

/** Records a service into a directory, and reads that. */
async function known (t: Test, service: Service, ...keys: Resource['key'][]) {
  const directory = join(folder(t), 'known')
  const asked = resources.filter(({ key }) => keys.length === 0 || keys.includes(key))
  const { recording } = await recordService(service, asked)
  const stage = createStage(directory)
  await stageRecording(stage, recording, { url: service.base.href })
  stage.commit()
  return Object.assign(await readKnown(directory, service.base), { directory })
}

const linesOf = (differences: Awaited<ReturnType<typeof compare>>) =>
  differences.flatMap(({ list, changes, unread }) => [
    ...changes.map(change => `${list} ${changeLine(change)}`), ...unread === undefined ? [] : [unread]
  ])

test('--compare names each change where it is', async t => {
  const proxy = createProxy(await buildFewer(t))
  const recorded = await known(t, serviceBehind(proxy(() => {})))
  t.ok(changes.length > 20)
  for (const [title, alter, places, pass] of changes) {
    const found = await compare(serviceBehind(proxy(alter, pass)), recorded, [])
    t.same(found.flatMap(({ list, changes }) => changes.map(({ place }) => `${list} ${place}`)), places, title)
  }
})

for (const paginate of ['on-request', 'always'] as const) {
  test(`an unchanged service has no difference, whatever it does its own way: --paginate ${paginate}`, async t => {
    const proxy = createProxy(await buildFewer(t, { paginate }))
    for (const [title, alter, pass] of faithful) {
      const service = serviceBehind(proxy(alter, pass))
      t.same(
        linesOf(await compare(service, await known(t, service, 'bikes', 'wheels', 'saddles', 'bikesV2'), [])),
        [], title
      )
    }
  })
}

test('an unchanged service has no difference, whatever its habits', async t => {
  for (const [name, values] of Object.entries(habits)) {
    for (const value of values) {
      const own = { ...usual, paging: 'always' as const, [name]: value }
      const service = serviceBehind(async request => {
        const { status, headers, body } = respond(
          own, new URL(request.target, 'http://proxy.test'),
          request.headers['authorization'] === `Token ${token}`, request.method
        )
        return { request, status, headers, body: Buffer.from(body) }
      })
      t.same(
        linesOf(await compare(service, await known(t, service, 'bikes', 'saddles', 'bikesV2'), [])), [],
        `${name}: ${value}`
      )
    }
  }
})

test('--compare tells differences in every reporter', async t => {
  const proxy = createProxy(await buildFewer(t))
  const { directory } = await known(t, serviceBehind(proxy(() => {})))
  const flags = [
    await listenProxy(t, proxy(renamed)), '--token', token, '--compare', directory, '--fail-on', 'difference'
  ]
  t.match(await run(flags), { code: 1, stdout: `  ${saddles}\n    record 1 brand: "Fizik" → "Other"\n` })
  t.match(
    await run([...flags, '--ignore-fields', 'saddles.brand']),
    { code: 0, stdout: 'No differences from the recording.' }
  )
  const failing = serviceBehind(proxy(when(at(wheels), ({ headers }) => { headers['vary'] = 'Cookie' })))
  const own = ['--token', token, '--compare', (await known(t, failing)).directory]
  const url = await listenProxy(t, proxy(when(at(wheels), ({ headers }) => { headers['vary'] = 'Cookie' })))
  t.equal((await run([url, ...own, '--fail-on', 'difference'])).code, 0, 'a failure that was recorded is none')
  t.equal((await run([url, ...own, '--fail-on', 'failure,difference'])).code, 1)
  t.match(
    (await run([...flags, '--reporter', 'github'])).stdout,
    `::error title=Changes of ${saddles}::record 1 brand: "Fizik" → "Other"\n`
  )
  t.match(
    (await run([...flags, '--reporter', 'junit'])).stdout,
    `name="${saddles} is as recorded"><failure message="1 change">record 1 brand`
  )
})

test('--compare refuses a directory without lists, and a list that is not JSON', async t => {
  const directory = t.testdir({ v1: { 'bikes.json': '[' } })
  t.match(await run(['http://a', '--compare', directory]), { code: 2, stderr: /^--compare: .*bikes\.json: / })
  t.match(
    await run(['http://a', '--fail-on', 'warning,difference']),
    { code: 2, stderr: /^--fail-on difference needs --compare / }
  )
  for (const fields of ['', ',', 'brand,', 'brand,,model', 'saddles.', '.brand']) {
    t.match(await run(['http://a', '--ignore-fields', fields]), { code: 2, stderr: /^--ignore-fields/ }, fields)
  }
  t.match(
    await run(['http://a', '--compare', 'test']),
    { code: 2, stderr: '--compare: test has no recorded list, such as v1/bikes.json\n' }
  )
})

type Answer = (parameters: URLSearchParams) => unknown

/** Returns a service of one list that answers with JSON. */
const serviceOf = (answer: Answer, token?: string) => ({
  get: async ({ pathname, search, searchParams }: URL) => {
    const value = answer(searchParams)
    const body = Buffer.from(JSON.stringify(value ?? {}))
    return {
      request: { method: 'GET', target: pathname + search, headers: {} },
      status: value === undefined ? 404 : 200,
      headers: {},
      body
    }
  },
  base: new URL('http://a/'), token, limits: { pages: 9, records: 99, arrayBytes: 999 },
  commandFor: String, warn: () => {}
})

const own = [1, 2, 3, 4].map(id => ({ id, brand: 'A' }))

/** Answers with pages of some size. */
const paged = (size: number, more = {}, records = own): Answer => parameters => {
  const number = Number(parameters.get('page') ?? 1)
  if (number > 1 && (number - 1) * size >= records.length) return undefined
  const next = number * size < records.length ? `http://a${saddles}?page=${number + 1}` : null
  return {
    count: records.length,
    next,
    previous: null,
    results: records.slice((number - 1) * size, number * size),
    ...more
  }
}

const always = (value: unknown): Answer => () => value
let turn = 0

/** Answers with the other order of equal values to each second request for an order. */
const swapped: Answer = parameters => {
  const own = [{ id: 1, brand: 'A' }, { id: 2, brand: 'a' }]
  return parameters.has('ordering') ? own.reverse() : own
}

/** What a list was and is, and the lines of its changes. */
type State = readonly [key: Resource['key'], before: Answer, now: Answer, lines: readonly (string | RegExp)[]]

const states: readonly State[] = [
  ['saddles', paged(2), always(own), ['response body: a page of 2 records → an unpaged list of 4 records']],
  [
    'saddles',
    paged(2), paged(1),
    [
      'response body: a page of 2 records → a page of 1 record', '?page=3 status: 404 → 200',
      '?page=3 body: {} → a page of 1 record: 3'
    ]
  ],
  ['saddles', paged(2), paged(2, { total: 4 }), ['response total: added 4']],
  [
    'saddles',
    always([{ id: 1, note: `${'a'.repeat(99)}b` }]), always([{ id: 1, note: `${'a'.repeat(99)}c` }]),
    [`record 1 note: …${'a'.repeat(20)}b" → …${'a'.repeat(20)}c"`]
  ],
  [
    'saddles',
    always([{ id: 1, note: 'b' }]), always([{ id: 1, note: 'c'.repeat(99) }]),
    [`record 1 note: "b" → "${'c'.repeat(58)}…`]
  ],
  [
    'saddles',
    paged(4), paged(4, { total: 4 }, [{ id: 1, brand: 'B' }, ...own.slice(1)]),
    ['response total: added 4', 'record 1 brand: "A" → "B"']
  ],
  ['saddles', paged(4), paged(4, {}, [...own, { id: 5, brand: 'A' }]), ['record 5: added {"id":5,"brand":"A"}']],
  [
    'saddles',
    always([{ id: 1, note: '\u{1f6b2}'.repeat(40) + 'a' }]),
    always([{ id: 1, note: '\u{1f6b2}'.repeat(40) + 'b' }]), [/a" → .*b"$/]
  ],
  ['saddles', always([{ id: 1, brand: 'A' }, { id: 2, brand: 'a' }]), swapped, []],
  ['saddles', always(own), always([...own].reverse()), ['default order: 1,2,3,4 → 4,3,2,1']],
  ['saddles', always(own.slice(0, 2)), always(own.slice(0, 1)), ['record 2: removed {"id":2,"brand":"A"}']],
  ['saddles', always([{ brand: 'A' }]), always([{ brand: {} }]), ['record at position 0 brand: "A" → {}']],
  ['saddles', always(own), always([...own, own[0] as object]), [/^record 1, repeated at position 4: added /]],
  ['saddles', always([{ id: 1, views: 0 }]), () => [{ id: 1, views: ++turn }], []],
  ['saddles', paged(2, { at: 0 }), parameters => paged(2, { at: Math.floor(++turn / 3) })(parameters), []],
  ['bikesV2', always({ a: 1 }), always({ a: 2 }), ['document a: 1 → 2']],
  ['bikesV2', always({ a: 1 }), always([]), ['response body: a document → an unpaged list']],
  ['bikesV2', always([]), always({ a: 1 }), ['response body: an unpaged list → a document']]
]

test('a list of another form, size, order or content has a line for each change', async t => {
  for (const [key, before, now, lines] of states) {
    const { recording } = await recordService(
      serviceOf(before, token), resources.filter(resource => resource.key === key)
    )
    const found = await compare(serviceOf(now, token), recording, [])
    const changes = found.flatMap(({ changes }) => changes.map(changeLine))
    t.match([changes.length, ...changes], [lines.length, ...lines], `${key}: ${lines.join()}`)
  }
})

test('--compare says whether scripts of other origins may read a list; older recordings do not tell', async t => {
  const proxy = createProxy(await buildFewer(t))
  const open = serviceBehind(proxy(() => {}))
  const closed = serviceBehind(proxy(({ headers }) => { delete headers['access-control-allow-origin'] }))
  const place = `${saddles} response access-control-allow-origin`
  const openBefore = await known(t, open, 'saddles')
  t.same(linesOf(await compare(closed, openBefore, [])), [`${place}: * → none`])
  t.same(linesOf(await compare(open, await known(t, closed, 'saddles'), [])), [`${place}: none → *`])
  delete openBefore.lists.get('saddles')?.allowOrigin
  t.same(linesOf(await compare(closed, openBefore, [])), [])
})

test('lists of a data directory are compared as far as they can be read', async t => {
  const known = await readKnown(
    t.testdir({ v1: { 'saddles.json': JSON.stringify(own) }, v2: { 'bikes.json': '[]' } }),
    new URL('http://a/')
  )
  const list = saddles
  const limited = (parameters: URLSearchParams) => {
    if (parameters.has('page')) throw new Limited('429')
    return own
  }
  t.same(await compare(serviceOf(always(own)), known, []), [{ list, changes: [] }], 'without a token')
  t.same(await compare(serviceOf(always(own), token), known, []), [
    { list, changes: [] }, {
      list: '/api/v2/bikes/',
      changes: own.map(record => ({ place: `record ${record.id}`, before: undefined, after: JSON.stringify(record) }))
    }
  ])
  t.same(
    await compare(serviceOf(limited), known, []),
    [{ list, changes: [], unread: 'limited: the service allows fewer requests; try a lower --rate' }]
  )
  t.match(await compare(serviceOf(always(7)), known, []), [{ list, unread: /neither an array of records nor a page/ }])
  await t.rejects(
    compare(serviceOf(() => { throw new Unreachable('ECONNRESET') }), known, []), { message: 'ECONNRESET' }
  )
})

test('a recording of another URL has the URL of the compared service', async t => {
  const [own, other] = ['http://a', 'https://old.test/x'].map(base => [{ id: 1, image_url: `${base}/media/1.jpg` }])
  const v2 = { missing: { status: 403, body: ['https://old.test/x/login http://old.test/x/login'] } }
  const directory = t.testdir({
    v1: { 'saddles.json': JSON.stringify(other) },
    'recording.json': JSON.stringify({ url: 'https://old.test/x/', v2 })
  })
  const known = await readKnown(directory, new URL('http://a'))
  t.equal(known.v2.missing?.body?.join(), 'http://a/login http://a/login')
  t.match(linesOf(await compare(serviceOf(always(own)), known, [])), [])
})

test('a list that is gone has changes; one that has moved is not compared, and the report says how to', async t => {
  const list = '[{"id":1}]'
  const directory = t.testdir({
    v1: { 'saddles.json': list, 'brakes.json': list },
    moved: { v1: { 'saddles.json': list } }
  })
  const url = await serve(t, ({ url }, response) => {
    if (url === saddles) response.writeHead(301, { location: `http://b/c${saddles}` }).end()
    else response.writeHead(url === '/api/v1/brakes/' ? 404 : 200).end('[]')
  })
  const args = [url, '--compare', directory]
  const { stdout } = await run(args)
  t.match(stdout, /not compared: .* responds with 301, location: .*; use that URL\n/)
  t.match(stdout, '/api/v1/brakes/\n    record 1: removed {"id":1}\n')
  t.equal((await run([...args.slice(0, 2), join(directory, 'moved'), '--fail-on', 'difference'])).code, 1)
})

test('the reports have at most 20 changes of a list without --verbose, and why a list was not compared', t => {
  const changes = Array.from({ length: 21 }, (_, id) => ({ place: `record ${id}`, after: '{}' }))
  const differences = [{ list: saddles, changes }, { list: '/api/v1/brakes/', changes: [], unread: 'limited' }]
  const report = { url: '', requests: 0, results: [], differences, failOn: [], ignore: [], isVerbose: false }
  t.match(
    reporters.human(report, false),
    /record 19: added \{\}\n {4}and 1 more with --verbose\n[^]+not compared: limited\n/
  )
  t.match(reporters.human({ ...report, isVerbose: true }, false), 'record 20: added {}')
  t.match(reporters.github(report, false), '::notice title=Changes of /api/v1/brakes/::not compared: limited\n')
  t.match(
    reporters.junit(report, false),
    'is as recorded"><failure message="not compared">not compared: limited</failure>'
  )
  t.end()
})
