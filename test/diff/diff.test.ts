import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { run as diff } from '../../src/diff/command.ts'
import type { Send } from '../../src/client/client.ts'
import { dataDirectory } from '../../src/package.ts'
import { clearLine } from '../../src/service/progress.ts'
import { serve } from '../helper.ts'
import { habits, respond, usual } from '../pull/habits.ts'
import { pullFrom } from '../pull/pulled.ts'
import { outputOf } from '../run-script.ts'
import { createProxy, type Alter, type Exchange } from '../verify/proxy.ts'
import { buildFewer, fewer, listenProxy, token } from '../verify/results.ts'

type Limits = Parameters<typeof diff>[2]

/** Runs the command without waits. */
function run (args: string[], limits: Limits = {}, signal = new AbortController().signal, isTTY = false) {
  return outputOf(async (args, { stdout, stderr }) => {
    return await diff(args, { stdout, stderr: { ...stderr, isTTY }, signal }, { wait: async () => {}, ...limits })
  }, ...args)
}

const [bikes, saddles, wheels, v2] = ['/api/v1/bikes/', '/api/v1/saddles/', '/api/v1/wheels/', '/api/v2/bikes/']
const keys: Record<string, string> = { [bikes]: 'bikes', [saddles]: 'saddles', [wheels]: 'wheels', [v2]: 'bikesV2' }

const when = (where: (exchange: Exchange) => boolean, change: (exchange: Exchange) => unknown): Alter =>
  exchange => { if (where(exchange)) change(exchange) }

const responds = (exchange: Exchange, status: number) => Object.assign(exchange, { status, body: '{}' })

type Sent = Record<string, unknown>

/** Alters the records of a list, unpaged or a page. */
const records = (path: string, change: (own: Sent[], exchange: Exchange) => unknown, where = (_: Exchange) => true) =>
  when(exchange => at(path)(exchange) && where(exchange), exchange => {
    const value = JSON.parse(exchange.body.toString()) as Sent[] | { results: Sent[] }
    const isPage = !Array.isArray(value)
    const changed = change(isPage ? value.results : value, exchange)
    exchange.body = JSON.stringify(isPage ? { ...value, results: changed } : changed)
  })

const at = (path: string) => (exchange: Exchange) => exchange.path === path && exchange.status === 200
const edited = (path: string, from: RegExp, to: string) => when(
  at(path), exchange => { exchange.body = exchange.body.toString().replace(from, to) }
)
const renamed = records(saddles, own => own.map(record => record['id'] === 1 ? { ...record, brand: 'Other' } : record))
const refused = ({ status }: Exchange) => status === 401
const isHead = ({ path, method }: Exchange) => path === saddles && method === 'HEAD'
const isLong = ({ query }: Exchange) => query === ''

/** Changes of a list of a service, and the lines that name them: these and no others. */
type Alteration = readonly [
  title: string, list: string, alter: Alter, lines: readonly (string | RegExp)[], pass?: (target: string) => string
]

const changes: readonly Alteration[] = [
  ['a value', saddles, renamed, ['saddles 1: brand "Fizik" → "Other"']],
  [
    'a nested value', bikes, records(bikes, own => own.map(record => {
      return record['id'] === 2 ? { ...record, category: { ...record['category'] as object, slug: 'other' } } : record
    })),
    [/^bikes 2: category\.slug ".*" → "other"$/]
  ],
  [
    'an integer with a fraction', wheels, edited(wheels, /("id":1,.*?"weight_grams":\d+)/, '$1.0'),
    [/^wheels 1: weight_grams (\d+) → \1\.0$/]
  ],
  [
    'an object in place of a string', saddles,
    records(saddles, own => own.map(record => record['id'] === 2 ? { ...record, brand: { name: 'A' } } : record)),
    [/^saddles 2: brand ".*" → \{"name":"A"\}$/]
  ],
  [
    'a title that moves in the orders', bikes,
    records(bikes, own => own.map(record => record['id'] === 2 ? { ...record, title: 'zzz' } : record)),
    [/^bikes 2: title ".*" → "zzz"$/]
  ],
  ['null', wheels, edited(wheels, /("id":2,.*?"image_url":)"[^"]+"/, '$1null'), [/^wheels 2: image_url ".*" → null$/]],
  [
    'a field more in one record', saddles,
    records(saddles, own => own.map(record => record['id'] === 2 ? { ...record, width: 130 } : record)),
    ['saddles 2: width added 130']
  ],
  [
    'a field less in one record', saddles,
    records(saddles, own => own.map(({ model, ...record }) => record['id'] === 2 ? record : { ...record, model })),
    [/^saddles 2: model removed "/]
  ],
  [
    'a field more in all records', saddles,
    records(saddles, own => own.map(record => ({ ...record, width: 130 }))),
    ['saddles 1: width added 130 (and 5 more)']
  ],
  [
    'a field more in all wheels of bikes', bikes,
    records(bikes, own => own.map(record => {
      const { wheels } = record as { wheels: object }
      return { ...record, wheels: { ...wheels, depth: 7 } }
    })),
    ['bikes 2: wheels.depth added 7 (and 5 more)']
  ],
  [
    'a value of version 2.1', v2,
    records(v2, own => own.map(record => record['id'] === 2 ? { ...record, view_count: 7 } : record)),
    [/^bikesV2 2: view_count \d+ → 7$/]
  ],
  [
    'a record added', saddles,
    records(saddles, (own, exchange) => isLong(exchange) ? [...own, { id: 999, brand: 'A', model: 'B' }] : own),
    ['saddles 999: added {"id":999,"brand":"A","model":"B"}']
  ],
  [
    'a record removed', saddles, records(saddles, own => own.filter(({ id }) => id !== 3)),
    [/^saddles 3: removed \{"id":3/]
  ],
  ['Vary', saddles, when(at(saddles), ({ headers }) => { headers['vary'] = 'Cookie' }), [
    'saddles GET: vary "Accept" → "Cookie" (and 11 more)'
  ]],
  [
    'no Allow', saddles, when(at(saddles), ({ headers }) => { delete headers['allow'] }),
    [/^saddles GET: allow removed "GET, HEAD, OPTIONS" \(and 11 more\)$/]
  ],
  [
    'the status of a refusal', v2, when(refused, exchange => { exchange.status = 403 }),
    ['bikesV2 missing token: status 401 → 403 (and 1 more)']
  ],
  [
    'the text of a refusal', v2,
    when(refused, exchange => { exchange.body = exchange.body.toString().replace('not provided', 'missing') }),
    [/^bikesV2 missing token: detail ".* were not provided\." → ".* were missing\."$/]
  ],
  [
    'a challenge', v2, when(refused, ({ headers }) => { headers['www-authenticate'] = 'Bearer' }),
    ['bikesV2 missing token: www-authenticate "Token" → "Bearer" (and 1 more)']
  ],
  [
    'HEAD with another Allow', saddles, when(isHead, ({ headers }) => { headers['allow'] = 'GET' }),
    ['saddles HEAD: allow "GET, HEAD, OPTIONS" → "GET"']
  ],
  [
    'HEAD as a 405', saddles, when(isHead, exchange => { exchange.status = 405 }), ['saddles HEAD: status 200 → 405']
  ],
  [
    'a field less in an order', bikes,
    records(bikes, own => own.map(({ slug, ...record }) => record), ({ query }) => query === 'ordering=title'),
    [
      /^bikes \?ordering=title: 2\.slug removed ".*" \(and 5 more\)$/
    ]
  ],
  [
    'an order', bikes, records(bikes, own => [...own].reverse(), ({ query }) => query === 'ordering=title'),
    [/^bikes \?ordering=title: order "canyon aeroad.*… → "/]
  ],
  [
    'the default order', saddles, records(saddles, own => [...own].reverse(), isLong),
    ['saddles GET: order "1,2,3,4,6,7" → "7,6,4,3,2,1"']
  ],
  [
    'a page after the last', wheels,
    when(
      ({ path, query, status }) => path === wheels && query === 'page=4' && status === 404,
      exchange => responds(exchange, 400)
    ),
    ['wheels ?page=4: status 404 → 400']
  ],
  ['an envelope field', wheels, edited(wheels, /^\{"count":/, '{"total":3,"count":'), [
    'wheels ?page=1: total added 3 (and 12 more)'
  ]],
  [
    'no count', wheels, edited(wheels, /^\{"count":\d+,/, '{'),
    ['wheels ?page=1: count removed 12 (and 12 more)']
  ],
  [
    'a page size', saddles, () => {},
    [
      /^saddles \?page=1: next ".*page=2" → ".*page=2&page_size=4" \(and 1 more\)$/,
      'saddles ?page=1: order "1,2,3,4,6" → "1,2,3,4" (and 2 more)',
      /^saddles \?page=2: previous ".*" → ".*\?page_size=4"$/
    ],
    target => target.startsWith(saddles) ? target.replace(/page=(\d)$/, 'page=$1&page_size=4') : target
  ],
  [
    'links to another host', wheels,
    edited(wheels, /"next":"http:..127.0.0.1:\d+/, '"next":"http://backend:8000'),
    [/^wheels \?page=1: next "http:.*" → "http:\/\/backend:8000\/.* \(and 8 more\)$/]
  ],
  [
    'the order of pages alone', wheels,
    records(wheels, own => [...own].reverse(), ({ query }) => query === 'page=1'),
    [/^wheels \?page=1: order "1,2,3,4,5" → "5,4,3,2,1"$/]
  ],
  [
    'a filter that is ignored', v2, () => {},
    [/^bikesV2 \?brand=Canyon: order "2" → "2,3,4,5,6,8" /],
    target => target.replace('brand=', 'x=')
  ],
  [
    'a list that is missing', saddles,
    when(({ path }) => path === saddles, exchange => {
      responds(exchange, 404)
      delete exchange.headers['cache-control']
    }),
    ['saddles GET: status 200 → 404']
  ],
  [
    'no pages', saddles, () => {},
    [
      /^saddles \?page=1: page \{"count":6,"next":".*","previous":null\} → \[\] \(and 1 more\)$/,
      /^saddles \?page=1: order "1,2,3,4,6" → "1,2,3,4,6,7" \(and 1 more\)$/
    ],
    target => target.startsWith(saddles) ? target.replace('page', 'x') : target
  ],
  [
    'no access for scripts', saddles,
    when(at(saddles), ({ headers }) => { delete headers['access-control-allow-origin'] }),
    ['saddles GET: access-control-allow-origin removed "*"']
  ]
]

test('each change is named where it is', async t => {
  const proxy = createProxy(await buildFewer(t))
  const { directory } = await pullFrom(t, await listenProxy(t, proxy(() => {})), ['--token', token, '--rate', '999'])
  t.ok(changes.length > 20)
  for (const [title, list, alter, lines, pass] of changes) {
    const url = await listenProxy(t, proxy(alter, pass))
    const args = [directory, url, '--token', token, '--rate', '999', '--lists', `brakes,${keys[list]}`]
    const { code, stdout } = await run(args)
    const found = stdout.split('\n').slice(0, -2)
    t.equal(code, 1, title)
    t.match([found.length, ...found], [lines.length, ...lines], title)
  }
})

test('an unchanged service is the same, whatever its habits', async t => {
  const { network, ...others } = habits
  for (const [name, values] of Object.entries(others)) {
    for (const value of values) {
      const own = { ...usual, paging: 'always' as const, [name]: value }
      const send: Send = async request => {
        const isIn = request.headers['authorization'] === `Token ${token}`
        const url = new URL(request.target, `http://${request.headers['host']}`)
        const { status, headers, body } = respond(own, url, isIn, request.method)
        return { request, status, headers, body: Buffer.from(body, status === 403 ? 'latin1' : 'utf8') }
      }
      const flags = ['--token', token, '--rate', '9999', '--lists', 'bikes,bikesV2']
      const { directory } = await pullFrom(t, await listenProxy(t, send), flags)
      const { code, stdout } = await run([directory, await listenProxy(t, send), ...flags])
      t.same([code, stdout], [0, 'no differences\n'], `${name}: ${value}`)
    }
  }
})

const own = [1, 2, 3, 4].map(id => ({ id, brand: 'A' }))
const json = JSON.stringify

/** What two handwritten recordings have, and the output of their comparison. */
type Files = Record<string, string>

const pairs: readonly (readonly [before: Files, after: Files, output: string | RegExp])[] = [
  [{ 'saddles.json': json(own) }, { 'saddles.json': json(own, null, 2) }, /^no differences\n$/],
  [
    { 'saddles.json': json([{ id: 1, note: `${'a'.repeat(99)}b` }]) },
    { 'saddles.json': json([{ id: 1, note: `${'a'.repeat(99)}c` }]) },
    `saddles 1: note …${'a'.repeat(20)}b" → …${'a'.repeat(20)}c"\n1 difference\n`
  ],
  [
    { 'saddles.json': json([{ id: 1, note: 'b' }]) }, { 'saddles.json': json([{ id: 1, note: 'c'.repeat(99) }]) },
    `saddles 1: note "b" → "${'c'.repeat(99)}"\n`
  ],
  [
    { 'saddles.json': json([{ brand: 'A' }]) }, { 'saddles.json': json([{ brand: {} }]) },
    'saddles at position 0: brand "A" → {}\n'
  ],
  [
    { 'saddles.json': json(own) }, { 'saddles.json': json([...own, own[0]]) },
    'saddles 1, repeated at position 4: added {"id":1,"brand":"A"}\n'
  ],
  [{ 'saddles.json': json(own) }, { 'saddles.json': json(own), 'brakes.json': json(own) }, /^no differences\n$/],
  [{ 'saddles.json': `\ufeff${json(own)}` }, { 'saddles.json': json(own) }, /^no differences\n$/],
  [
    { 'saddles.json': json([{ id: 1 }]) },
    { 'saddles.json': '[{"id":1,"constructor":"x","toString":2,"__proto__":3}]' },
    'saddles 1: constructor added "x"\nsaddles 1: toString added 2\nsaddles 1: __proto__ added 3\n3 differences\n'
  ],
  [
    { 'saddles.json': '[{"id":1,"a":{"valueOf":1,"__proto__":{"b":2}}}]' }, { 'saddles.json': '[{"id":1,"a":{}}]' },
    'saddles 1: a.valueOf removed 1\nsaddles 1: a.__proto__ removed {"b":2}\n2 differences\n'
  ],
  [{ 'saddles.json': '[{"id":1},{}]' }, { 'saddles.json': '[{"id":1,"":3},{}]' }, /^saddles 1: "" added 3\n/]
]

test('two recordings are compared, which may be written by hand', async t => {
  for (const [before, after, output] of pairs) {
    const directory = t.testdir({ before: { v1: before }, after: { v1: after } })
    const { code, stdout } = await run([join(directory, 'before'), join(directory, 'after')])
    t.match(stdout, output)
    t.equal(code, stdout.startsWith('no') ? 0 : 1)
  }
})

test('the default order may be another one of equal titles only where it is asked for by title', async t => {
  const serveLists = (isOther: boolean): Send => async request => {
    const { searchParams } = new URL(request.target, 'http://a')
    const bikes: Sent[] = [{ id: 1, title: 'A' }, { id: 2, title: 'a' }, { id: 3, title: 'b' }, { id: 4, title: {} }]
    const term = searchParams.get('ordering')
    if (term !== null && isOther) bikes.splice(0, 2, { id: 2, title: 'a' }, { id: 1, title: 'A' })
    if (term?.startsWith('-')) bikes.reverse()
    return { request, status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(json(bikes)) }
  }
  const flags = ['--lists', 'bikes', '--rate', '999']
  const { directory } = await pullFrom(t, await listenProxy(t, serveLists(false)), flags)
  t.match(await run([directory, await listenProxy(t, serveLists(true)), ...flags]), { code: 0 })
})

test('a document of version 2.1 is compared by value; another form of it has no other lines', async t => {
  const serveDocument = (value: unknown): Send => async request => {
    return { request, status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(json(value)) }
  }
  const flags = ['--token', token, '--lists', 'bikesV2', '--rate', '999']
  const { directory } = await pullFrom(t, await listenProxy(t, serveDocument({ a: 1 })), flags)
  for (const [value, lines] of [
    [{ a: 2 }, ['bikesV2 GET: a 1 → 2 (and 2 more)', '1 difference']],
    [
      [],
      [
        'bikesV2 GET: body {"a":1} → "a list" (and 2 more)', '1 difference'
      ]
    ]
  ] as const) {
    const { stdout } = await run([directory, await listenProxy(t, serveDocument(value)), ...flags])
    t.match(stdout.split('\n'), lines)
  }
})

test('fields are ignored by name, in all lists or in one; JSON has the values as they are written', async t => {
  const before = { v1: { 'saddles.json': '[{"id":1,"a":{"b":1.0}}]', 'brakes.json': '[{"id":1,"b":1}]' } }
  const after = { v1: { 'saddles.json': '[{"id":1,"a":{"b":1}}]', 'brakes.json': '[{"id":1,"b":2}]' } }
  const directory = t.testdir({ before, after })
  const args = [join(directory, 'before'), join(directory, 'after')]
  const { code, stdout } = await run([...args, '--reporter', 'json'])
  t.same([code, JSON.parse(stdout)], [1, {
    complete: true,
    differences: [
      { list: 'brakes', record: '1', field: 'b', before: '1', after: '2', more: 0 },
      { list: 'saddles', record: '1', field: 'a.b', before: '1.0', after: '1', more: 0 }
    ]
  }])
  t.match(await run([...args, '--ignore-fields', 'b']), { code: 0 })
  t.match(await run([...args, '--ignore-fields', 'saddles.a']), { code: 1, stdout: /^brakes 1: b 1 → 2\n1 diff/ })
  t.match(await run([...args, '--ignore-fields', 'saddles.a,brakes.b']), { code: 0 })
  for (const fields of ['', ',', 'brand,', 'saddles.', '.brand']) {
    t.match(await run([...args, '--ignore-fields', fields]), { code: 2, stderr: /^--ignore-fields/ }, fields)
  }
})

test('a field of records is ignored, not a part of a response or a parameter with its name in another', async t => {
  const before = {
    '': {},
    'page=1': { body: ['{"count":1,"results":[', 0, ']}'] },
    'ordering=-age': {},
    'ordering=title,age': {},
    'age__gte=3': {}
  }
  const after: typeof before & { [query: string]: object } = { ...before }
  for (const query of Object.keys(after)) {
    after[query] = { status: 500, body: ['x'] }
  }
  const recordingOf = (responses: object) => ({
    v1: { 'bikes.json': '[{"id":1}]' }, 'recording.json': json({ lists: { bikes: { responses } } })
  })
  const directory = t.testdir({ before: recordingOf(before), after: recordingOf({ ...after, '': {} }) })
  const args = [join(directory, 'before'), join(directory, 'after'), '--ignore-fields']
  for (const [field, more] of [['age', 0], ['g', 3], ['status', 3], ['bikes.age', 0], ['title', 2]] as const) {
    const { code, stdout } = await run([...args, field])
    const others = more > 0 ? ` (and ${more} more)` : ''
    t.same([code, stdout], [1, `bikes ?page=1: status 200 → 500${others}\n1 difference\n`], field)
  }
})

test('the fields of a page may have the names of properties that every object has', async t => {
  const recordingOf = (field: string) => ({
    v1: { 'saddles.json': '[{"id":1}]' },
    'recording.json': json({
      lists: { saddles: { responses: { '': {}, 'page=1': { body: [`{${field},"results":[`, 0, ']}'] } } } }
    })
  })
  const directory = t.testdir({ before: recordingOf('"constructor":1'), after: recordingOf('"__proto__":2') })
  t.match(await run([join(directory, 'before'), join(directory, 'after')]), {
    stdout: 'saddles ?page=1: constructor removed 1\nsaddles ?page=1: __proto__ added 2\n2 differences\n'
  })
})

test('a list that was saved or edited by hand has its records, but neither headers nor the form of pages', async t => {
  const send: Send = async request => {
    const headers = { 'content-type': 'application/json', vary: 'Cookie', 'access-control-allow-origin': '*' }
    const page = request.target.endsWith('?page=2')
      ? { count: 3, next: null, previous: '?page=1', results: [{ id: 3 }] }
      : { count: 3, next: '?page=2', previous: null, results: [{ id: 1 }, { id: 2 }] }
    const body = request.target.startsWith('/api/v2/') ? '{"a":1}' : json(page)
    return { request, status: 200, headers, body: Buffer.from(body) }
  }
  const url = await listenProxy(t, send)
  const flags = ['--rate', '999', '--token', token]
  const { directory } = await pullFrom(t, url, ['--lists', 'saddles', '--rate', '999'])
  t.match(await run([directory, url, ...flags]), { code: 0 })
  const list = '[{"id":1},{"id":2},{"id":3}]'
  const saved = join(directory, 'saved')
  for (const [file, content] of [['v1/saddles.json', list], ['v2/bikes.json', '{"a":1}']] as const) {
    mkdirSync(dirname(join(saved, file)), { recursive: true })
    writeFileSync(join(saved, file), content)
  }
  t.match(await run([saved, url, ...flags]), { code: 0, stdout: 'no differences\n' })
  t.match(await run([directory, saved]), { code: 0, stdout: 'no differences\n' })
  writeFileSync(join(directory, 'v1/saddles.json'), list.replace('1', '1,"brand":"A"'))
  t.match(await run([directory, url, ...flags]), { code: 1, stdout: 'saddles 1: brand removed "A"\n1 difference\n' })
})

test('a recording of another URL has the URL of the compared one', async t => {
  const recordingOf = (url: string, text: string) => ({
    v1: { 'saddles.json': json([{ id: 1, image_url: `${text}/media/1.jpg` }]) },
    'recording.json': json({
      url, lists: { saddles: { responses: { '': {}, 'page=9': { status: 404, body: [text] } } } }
    })
  })
  const directory = t.testdir({
    before: recordingOf('https://old.test/x/', 'http://old.test/x'), after: recordingOf('http://a/', 'http://a')
  })
  t.match(await run([join(directory, 'before'), join(directory, 'after')]), { code: 0, stdout: /^no differences\n$/ })
})

test('what cannot be compared is named, and ends with 2', async t => {
  const directory = t.testdir({
    invalid: { v1: { 'bikes.json': '[' } }, empty: {}, saddles: { v1: { 'saddles.json': '[]' } },
    brakes: { v1: { 'brakes.json': '[]' } }, document: { v1: { 'saddles.json': '{"a":1}' } },
    numbers: { v1: { 'saddles.json': '[{},1]' } }, latin: { v1: { 'saddles.json': Buffer.from('["\xff"]', 'latin1') } }
  })
  const at = (name: string) => join(directory, name)
  const limited: Send = async request => {
    return { request, status: 429, headers: { 'retry-after': '9999' }, body: Buffer.from('') }
  }
  for (const [args, stderr] of [
    [[], /^diff takes a recording, and a URL or a second recording, such as real new /],
    [['a', 'b', 'c'], /^diff takes/],
    [[at('invalid'), at('empty')], /bikes\.json cannot be read: Unexpected end of JSON input\n$/],
    [[at('empty'), at('saddles')], /empty has no recorded list, such as v1\/bikes\.json\n$/],
    [[dataDirectory, at('saddles')], /has data in the built-in format, not a recording\n$/],
    [[at('document'), at('saddles')], /saddles\.json is no list of records\n$/],
    [[at('saddles'), at('numbers')], /saddles\.json is no list of records\n$/],
    [[at('saddles'), at('latin')], /saddles\.json cannot be read: must be UTF-8, got the byte 0xff\n$/],
    [[at('saddles'), 'http://a', '--lists', 'brakes'], /saddles has none of the lists of --lists\n$/],
    [[at('saddles'), await listenProxy(t, limited)], /429, Retry-After: 9999; the service limits requests\n$/],
    [[at('saddles'), 'http://127.0.0.1:1', '--token', 'x'], /ECONNREFUSED; is the server running\?\n$/]
  ] as const) t.match(await run([...args]), { code: 2, stdout: /^$/, stderr }, args.join(' '))
  t.match(await run([at('saddles'), at('brakes')]), { code: 2, stderr: /brakes has none of the lists: saddles\n$/ })
  const two = t.testdir({ v1: { 'saddles.json': '[]', 'brakes.json': '[]' }, one: { v1: { 'brakes.json': '[]' } } })
  t.match(await run([two, join(two, 'one')]), {
    code: 0, stdout: /^no differences\n$/, stderr: /^not compared, because only .* has them: saddles\n$/
  })
})

test('a service that limits requests is compared as far as it was read', async t => {
  let most = Infinity
  let brand = 'A'
  const send: Send = async request => {
    const headers = { 'content-type': 'application/json', 'retry-after': '9999' }
    if (most-- <= 0) return { request, status: 429, headers, body: Buffer.from('') }
    return { request, status: 200, headers, body: Buffer.from(json([{ id: 1, brand }])) }
  }
  const url = await listenProxy(t, send)
  const flags = ['--lists', 'saddles', '--rate', '999']
  const { directory } = await pullFrom(t, url, flags)
  most = 3
  const partial = /^HEAD .*; the service limits requests\nrecorded only in part, so not compared as a whole: saddles\n$/
  t.match(await run([directory, url, ...flags]), { code: 2, stdout: /^no differences\n$/, stderr: partial })
  most = 3
  const { stdout } = await run([directory, url, ...flags, '--reporter', 'json'])
  t.match(JSON.parse(stdout), { complete: false, differences: [] })
  most = 3
  brand = 'B'
  t.match(await run([directory, url, ...flags]), { code: 1, stdout: /^saddles 1: brand "A" → "B"\n/, stderr: partial })
})

test('secrets that a service repeats are masked, and a number that is one leaves the report valid JSON', async t => {
  let answer = 'none'
  const send: Send = async request => {
    const text = answer === 'none' ? answer : request.headers['x-key']
    return { request, status: 200, headers: {}, body: Buffer.from(json([{ id: 1, text: `${'a'.repeat(90)}${text}` }])) }
  }
  const url = await listenProxy(t, send)
  const flags = ['--lists', 'saddles', '--rate', '999', '--header', 'X-Key: a-secret', '--header', 'X-Level: 0']
  const { directory } = await pullFrom(t, url, flags)
  answer = 'secret'
  for (const reporter of ['human', 'json']) {
    const { code, stdout, stderr } = await run([directory, url, ...flags, '--reporter', reporter])
    t.equal(code, 1)
    t.notMatch(stdout + stderr, /secret/)
    if (reporter === 'json') t.match(JSON.parse(stdout), { differences: [{ more: 0 }] })
  }
})

test('a run that is stopped says so; on a terminal progress is cleared', async t => {
  const directory = t.testdir({ v1: { 'saddles.json': '[]' } })
  const stop = new AbortController()
  const url = await serve(t, () => stop.abort())
  const { code, stdout, stderr } = await run([directory, url], {}, stop.signal, true)
  t.same([code, stdout], [2, ''])
  t.match(stderr, `${clearLine}stopped before the end\n`)
})

test('a list with fewer records has fewer pages, which is one change', async t => {
  const proxied = async (saddles: typeof fewer.saddles) => {
    return await listenProxy(t, createProxy(await buildFewer(t, {}, { ...fewer, saddles }))(() => {}))
  }
  const { directory } = await pullFrom(t, await proxied(fewer.saddles), ['--rate', '999'])
  const url = await proxied(fewer.saddles.slice(0, 5))
  const { code, stdout } = await run([directory, url, '--rate', '999', '--lists', 'saddles'])
  t.equal(code, 1)
  t.notMatch(stdout, /status/)
})

test('a service that limits requests before all records are read is not compared', async t => {
  const send: Send = async request => {
    const isLimited = request.target.includes('saddles')
    const headers = { 'content-type': 'application/json', 'retry-after': '9999' }
    return { request, status: isLimited ? 429 : 200, headers, body: Buffer.from('[{"id":1}]') }
  }
  const directory = t.testdir({ v1: { 'brakes.json': '[{"id":1}]', 'saddles.json': '[]' } })
  const ended = await run([directory, await listenProxy(t, send)])
  t.match(ended, { code: 2, stdout: /^$/, stderr: /the service limits requests\n$/ })
})
