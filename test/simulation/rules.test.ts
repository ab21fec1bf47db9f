import type { IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'
import { test } from 'tap'
import { attempt } from '../../src/base/attempt.ts'
import { preferenceNames } from '../../src/http/prefer.ts'
import type { Simulation } from '../../src/simulation/control.ts'
import { examples } from '../../src/simulation/examples.ts'
import { faults } from '../../src/simulation/faults.ts'
import { recordUnparsable } from '../../src/simulation/observer.ts'
import { createRequestLog, toRequests } from '../../src/simulation/request-log.ts'
import { readPreferred } from '../../src/simulation/preferences.ts'
import { RuleError, ruleFieldOf } from '../../src/simulation/rule.ts'
import { compileRule, createRules } from '../../src/simulation/rules.ts'

const path = '/api/v1/bikes/'
const seed = 1

/** Returns the preferences that a rule applies to a request, and how many it is used for. */
function applied (rule: object, url: string, headers: IncomingHttpHeaders = {}) {
  const rules = createRules({ closeIdle: () => {} })
  rules.add([compileRule(rule, seed)])
  const taken = rules.take({ method: 'GET', url, headers }, () => true)
  const wanted = taken &&
    Object.fromEntries(
      Object.entries(taken.effect).filter(([name]) => preferenceNames.some(own => ruleFieldOf(own) === name))
    )
  return [wanted, rules.list()[0]?.used]
}

const wanted: readonly [given: object, wanted: object | undefined][] = [
  [{ path }, undefined],
  [{ path, code: 503 }, { code: 503 }],
  [{ path, code: 429, retryAfter: 7 }, { code: 429, retryAfter: 7 }],
  [{ path, delay: 500 }, { delay: 500 }],
  [{ path, delay: '100-200' }, { delay: '100-200' }],
  [{ path, example: 'odd', fault: 'drip', times: 3 }, { example: 'odd', fault: 'drip' }],
  [{ path, code: undefined, headers: {} }, undefined],
  ...[
    'text/html', 'Text/Plain; Charset=UTF-8', 'text/plain; charset="utf-8"; format=flowed'
  ].map((contentType): [object, object] =>
    [{ path, body: '', contentType }, {}]),
  [{ path, method: 'GET', status: 204, body: '', fault: 'reset' }, { fault: 'reset' }],
  ...Object.keys(examples).map((example): [object, object] => [{ path, method: 'get', example }, { example }]),
  ...Object.keys(faults).map((fault): [object, object] => [{ path, fault }, { fault }])
]

test('a rule is read as the preferences are', async t => {
  for (const [given, expected] of wanted) t.same(applied(given, path)[0], expected, JSON.stringify(given))
})

const required = 'This field is required.'
const ofCode = 'Must be 400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 500, 502, 503 or 504.'
const unknown = 'Unknown field. The fields are: name, enabled, method, path, query, when, code, retryAfter, delay, ' +
  'example, seed, fault, rate, status, contentType, headers, patch, body, times, probability, sequence.'

const unreachable = (hint: string) => `Applies to no request: no list has this path; ${hint}`
const conditions = (example: string) =>
  `Must be an object of at most 100 values such as ${example}; true is any value, null is none.`

const circular: Record<string, unknown> = {}
circular['own'] = circular
const whole = (fault: RegExp | string) => ({ non_field_errors: [fault] })

const errors: readonly (readonly [given: unknown, errors: object])[] = [
  [undefined, whole('The rule must be plain JSON, got undefined.')],
  [{ path, query: new URLSearchParams('page=2') }, whole(/^The rule\.query must be plain JSON, got/)],
  ...[
    new Map(), [NaN], new Date()
  ].map(body => [{ path, body }, whole(/^The rule\.body.* must be plain JSON, got .*\.$/)] as const),
  [{ path, body: { at: [1, 2n] } }, whole('The rule.body.at[1] must be plain JSON, got 2n.')],
  [
    { path, body: circular },
    whole(/^The rule\.body\.own\S*… must be JSON of at most 100 levels; it may be circular\.$/)
  ],
  [{ path, body: 'x'.repeat(2 ** 19) }, whole('Must be at most 524288 characters as JSON.')],
  ...[null, [], 'rule'].map(rule => [
    rule, whole('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  ] as const),
  ...[{}, { path: undefined }].map(rule => [rule, { path: [required] }] as const),
  ...['', 'api', '/a*b', '/a?page=1', '/a#b', '**', 5, null].map(path =>
    [
      { path },
      { path: ['Must be a path such as /api/v1/bikes/, or the beginning of paths such as /media/*.'] }
    ] as const),
  [{ path, method: 'GET POST' }, { method: ['Must be a method such as GET.'] }],
  ...[200, '503', null, true, [503]].map(code => [{ path, code }, { code: [ofCode] }] as const),
  [{ path, retryAfter: 0 }, { retryAfter: ['Must be an integer from 1 to 3600.'] }],
  ...[-1, 60_001, 1.5, '5-1', [1, 2]].map(delay =>
    [
      { path, delay },
      { delay: ['Must be milliseconds, such as 500 or 100-2000, up to 60000, or {"median": 200, "p99": 2000}.'] }
    ] as const),
  ...[{}, { code: 404 }].map(rule => [
    { path, ...rule, retryAfter: 5 }, { retryAfter: ['Needs code 429 or 503.'] }
  ] as const),
  ...[
    { seed: 7 }, { seed: 7, example: 'odd' }
  ].map(rule => [{ path, ...rule }, { seed: ['Needs example random.'] }] as const),
  [{ path: '/media/*', example: 'empty' }, { example: ['Images have no records.'] }],
  [
    { path, query: { page: '1', __code: '404' } },
    { query: ['__code is a preference; rules cannot match preferences.'] }
  ],
  ...['FETCH', 'connect'].map(method => [{ path, method }, { method: ['Must be a method such as GET.'] }] as const),
  [{ path, method: 'POST', example: 'odd' }, { example: ['Only responses to GET and HEAD have records.'] }],
  ...[
    { method: 'head', fault: 'drip' }, { status: 204, body: '', fault: 'truncate' },
    { status: 304, body: '', fault: 'malformed' }
  ].map(rule =>
    [{ path, ...rule }, { fault: ['The response has no body to break.'] }] as const),
  ...[
    'html', 'text/plain; charset=iso-8859-1', 'text/csv;charset="latin1"', 'text/plain; charset=utf-16'
  ].map(contentType =>
    [
      { path, body: '', contentType },
      { contentType: ['Must be a media type in UTF-8 such as text/html; charset=utf-8.'] }
    ] as const),
  ...['/api/v1/saddles/', '/api/v1/bikes/featured/'].map(path =>
    [{ path: `/cat${path}` }, { path: [unreachable(`did you mean ${path}?`)] }] as const),
  [{ path, example: 'two' }, { example: ['Must be empty, one, odd or random.'] }],
  [{ path, fault: 'none' }, { fault: ['Must be reset, empty, truncate, drip or malformed.'] }],
  ...[-1, 1.1, 'half'].map(probability => [
    { path, probability }, { probability: ['Must be a number from 0 to 1, such as 0.1.'] }
  ] as const),
  ...[0, 1.5, 1e21].map(times => [{ path, times }, { times: ['Must be an integer from 1 to 1000000.'] }] as const),
  ...['page=1', ['1'], { page: false }, { page: [1] }, null].map(query =>
    [{ path, query }, { query: [conditions('{"page": 2}')] }] as const),
  ...['', 'x'.repeat(101), 5].map(name => [
    { path, name }, { name: ['Must be a string of 1 to 100 characters.'] }
  ] as const),
  [{ path, enabled: 'false' }, { enabled: ['Must be true or false.'] }],
  [{ path, patch: null }, { patch: ['Must be an object such as {"title": null}.'] }],
  [{ path, patch: {}, code: 404 }, { patch: ['Cannot be combined with code.'] }],
  [{ path, patch: {}, body: [] }, { patch: ['Cannot be combined with body.'] }],
  [{ path: '/media/*', patch: {} }, { patch: ['Images have no records.'] }],
  ...[
    '/api/v1/bikes', '/api/v1/bike/', '/api/v1/bikess/'
  ].map(path => [{ path }, { path: [unreachable('did you mean /api/v1/bikes/?')] }] as const),
  [{ path: '/nowhere/*' }, { path: [/^Applies to no request: no list has this path; the lists are/] }],
  [
    { path, query: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, ''])) },
    { query: [conditions('{"page": 2}')] }
  ],
  [
    { path, status: 410, contentType: 'text/html' },
    { status: ['Needs a body; did you mean code?'], contentType: ['Needs a body.'] }
  ],
  [
    { path, body: 1, contentType: 'text/html', code: 404 },
    { body: ['Must be a string alongside contentType.'], code: ['Cannot be combined with body.'] }
  ],
  [
    { path, headers: { 'transfer-encoding': 'x', 'a b': '', c: 'a\nb' } },
    { headers: [/is set by the server/, /must be a valid HTTP token/, /Invalid character/] }
  ],
  [{ path, headers: ['a'] }, { headers: [/^Must be an object/] }],
  [{ path, when: { a: false } }, { when: [conditions('{"x-test": "a"}')] }],
  [
    { path, when: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, true])) },
    { when: [conditions('{"x-test": "a"}')] }
  ],
  [
    { path, headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, ''])) },
    { headers: ['Must be an object of at most 100 values such as {"deprecation": "true"}.'] }
  ],
  [JSON.parse('{"__proto__": {"path": "/"}, "constructor": 1}'), { path: [required], constructor: [unknown] }],
  [
    { code: 1, times: 0, 'retry-after': 1 },
    { path: [required], code: [ofCode], times: ['Must be an integer from 1 to 1000000.'], 'retry-after': [unknown] }
  ]
]

test('a rule that cannot be read is a 400 with every field that is wrong', async t => {
  for (const [given, expected] of errors) {
    const { error } = attempt(() => compileRule(given, seed))
    t.ok(error instanceof RuleError, inspect(given))
    t.match((error as unknown as RuleError).errors, expected, inspect(given))
  }
  t.throws(() => compileRule({ code: 1 }, seed), {
    name: 'SettingsError', message: `invalid rule: path: ${required} code: ${ofCode}`
  })
})

test('long strings are read at once', async t => {
  const before = performance.now()
  for (const rule of [
    { path, body: '', contentType: `a/${'a'.repeat(400_000)}\x01` },
    { path, body: '', contentType: `a/${'charset='.repeat(50_000)}` },
    { path, code: `${'9'.repeat(500_000)}x` }, { path, code: `${'9'.repeat(500_000)}` }
  ]) {
    t.throws(() => compileRule(rule, seed))
  }
  const headers = { prefer: `code=${'9'.repeat(500_000)}` }
  readPreferred({ headers, originalUrl: `${path}?__code=${'9'.repeat(500_000)}x` }, [])
  const head = `POST /${'a'.repeat(200_000)} HTTP/1.1\r\n\r\n${'a'.repeat(200_000)}`
  const rawPacket = Buffer.from(head)
  const error = Object.assign(new Error(), { code: 'HPE_INVALID_CHUNK_SIZE', rawPacket, bytesParsed: head.length })
  recordUnparsable(error, '', {} as Simulation) // nothing to record: its headers were valid
  t.ok(performance.now() - before < 2_000)
})

const matches: readonly [rule: object, matching: string[], others: string[]][] = [
  [{ path }, [path, `${path}?page=1`], ['/api/v1/bikes', `${path}1/`]],
  [{ path: '/api/v1/bikes*' }, ['/api/v1/bikes/featured/'], []],
  [{ path: '*' }, [path], []],
  [{ path: '/api/v1/*' }, [path], []],
  [{ path: '/api/v2/*' }, [], [path]],
  [{ path: '/media/a%20b*' }, ['/media/a%20bc.jpg'], []],
  [{ path: '/media/100%' }, ['/media/100%25'], []],
  [{ path: '/media/*' }, [], ['/media/100%']],
  [{ path, method: 'get' }, [path], []],
  [{ path, method: 'HEAD' }, [], [path]],
  [{ path, query: {} }, [path], []],
  [
    { path, query: { page: '2' } }, [`${path}?page=2&page_size=5`, `${path}?page=1&page=2`],
    [`${path}?page=1`, path, `${path}?page=2${'&'.repeat(1000)}`]
  ],
  [{ path, query: { page: '2', search: 'a b' } }, [`${path}?search=a+b&page=%32`], [`${path}?page=2`]],
  [{ path, query: { page: 2 } }, [`${path}?page=2`], [`${path}?page=02`, path]],
  [{ path, query: { page: true } }, [`${path}?page=2`, `${path}?page`], [path]],
  [{ path, query: { page: null } }, [path, `${path}?pages=1`], [`${path}?page=2`, `${path}?page=`]]
]

const withHeaders: readonly [when: object, headers: IncomingHttpHeaders, used: number][] = [
  [{ 'X-Test': 'a' }, {}, 0],
  [{ 'X-Test': 'a' }, { 'x-test': 'b' }, 0],
  [{ 'X-Test': 'a' }, { 'x-test': 'a' }, 1],
  [{ 'x-any': true }, { 'x-any': '' }, 1],
  [{ 'x-any': true }, {}, 0],
  [{ 'X-Any': null }, {}, 1],
  [{ 'X-Any': null }, { 'x-any': '' }, 0],
  [{ 'x-any': 5 }, { 'x-any': '5' }, 1],
  [{ constructor: true }, {}, 0],
  [{ constructor: null }, {}, 1]
]

test('a rule matches by method, path, query and headers', async t => {
  for (const [rule, matching, others] of matches) {
    for (const url of matching) {
      t.same(applied({ ...rule, code: 503 }, url), [{ code: 503 }, 1], `${JSON.stringify(rule)} ${url}`)
    }
    for (const url of others) {
      t.same(applied({ ...rule, code: 503 }, url), [undefined, 0], `${JSON.stringify(rule)} ${url}`)
    }
  }
  for (const [when, headers, used] of withHeaders) {
    t.equal(applied({ path, when }, path, headers)[1], used, JSON.stringify([when, headers]))
  }
})

test('there are at most 1,000 rules, of 16 MiB', async t => {
  const rules = createRules({ closeIdle: () => {} })
  for (let count = 0; count < 1000; count++) rules.add([compileRule({ path }, seed)])
  t.throws(
    () => rules.add([compileRule({ path }, seed)]),
    { message: 'invalid rule: non_field_errors: The limit of 1000 rules is reached. Delete some first.' }
  )
  rules.reset()
  t.ok(Number(rules.add([compileRule({ path }, seed)])[0]?.id) > 1000)
  const large = compileRule({ path, body: 'x'.repeat(500_000) }, seed)
  t.throws(
    () => { for (let count = 0; count < 40; count++) rules.add([large]) },
    { message: /The limit of 16777216 characters for all rules as JSON is reached\./ }
  )
  t.equal(rules.list().length, 34)
})

test('a rule with a probability applies to a share of the requests, the same ones for the same seed', async t => {
  const run = (seed: number) => {
    const rules = createRules({ closeIdle: () => {} })
    rules.add([compileRule({ path, code: 503, probability: 0.3, times: 40 }, seed)])
    t.equal(rules.peek({ method: 'GET', url: path })?.rule.code, 503)
    return Array.from({ length: 100 }, () => rules.take({ method: 'GET', url: path }, () => true) !== undefined)
  }
  const drawn = run(7)
  t.same(run(7), drawn)
  t.notSame(run(8), drawn)
  const count = drawn.filter(Boolean).length
  t.ok(count > 15 && count < 45, `${count} of 100`)
})

const requestOf = (url: string, headers: IncomingHttpHeaders = {}) => ({ method: 'GET', url, headers })

/** Creates a requestLog and records requests. */
function recording (...requests: ReturnType<typeof requestOf>[]) {
  const requestLog = createRequestLog(() => ['s3cret-and-longer', 'ci', 'a/b+c=='])
  for (const request of requests) requestLog.record(request)
  return toRequests(requestLog.list())
}

test('the last 1,000 requests are recorded', async t => {
  const requests = recording(...Array.from({ length: 1001 }, (_, count) => requestOf(`${path}?page=${count}`)))
  t.same(requests.map(({ query }) => query['page']), Array.from({ length: 1000 }, (_, index) => String(index + 1)))
})

const recorded: readonly [target: string, path: string, query: object][] = [
  ['/media/%ff', '/media/%ff', {}],
  [`${path}?search=city&author=a&keyword=k`, path, { search: 'city', author: 'a', keyword: 'k' }],
  [`${path}?q=a%26b&q=a%3Db`, path, { q: ['a&b', 'a=b'] }],
  [`${path}?__proto__=1`, path, JSON.parse('{"__proto__":"1"}') as object],
  [`${path}?search=ci&page=1&page=2`, path, { search: '*', page: ['1', '2'] }],
  [`${path}?api_key=a%26b&x=xs3cret-and-longery`, path, { api_key: '*', x: '*' }],
  [`${path}?access_token=a&token=b&password=c`, path, { access_token: '*', token: '*', password: '*' }],
  [`${path}?a=Token+ci&ci&b=a%2Fb%2Bc%3D%3D`, path, { a: '*', '*': '', b: '*' }],
  [`${path}?${'a=1&'.repeat(1001)}`, path, {}],
  ['/media/ci/x', '/media/*/x', {}],
  ['/media/a/b+c==', '*', {}]
]

test('a recorded request has what was sent, without credentials', async t => {
  for (const [target, path, query] of recorded) {
    t.match(recording(requestOf(target)), [{ method: 'GET', path, query, status: null, simulated: null }], target)
  }
  const headers = {
    accept: 'text/html', authorization: 'Token x', cookie: 'id=1', 'proxy-authorization': 'Basic x',
    'x-api-key': 'a', 'api-key': 'a', 'x-auth-token': 'a', 'x-access-token': 'a', 'x-csrftoken': 'a',
    referer: 'http://a/?token=some&q=city', 'x-debug': 'Token ci', 'x-author': 'city', 'x-other': 'Token%20%63i'
  }
  const [request] = recording(requestOf(path, headers))
  t.match(request?.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.same(request?.headers, {
    accept: 'text/html', referer: 'http://a/?token=*&q=city', 'x-debug': '*', 'x-author': 'city',
    'x-other': '*'
  })
})
