import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { test, type Test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { version } from '../../src/package.ts'
import { tokensOf, withTokens, type Result } from '../../src/verify/check.ts'
import { run as verify } from '../../src/verify/command.ts'
import { reporters } from '../../src/verify/reporters.ts'
import { checks as allChecks } from '../../src/verify/run.ts'
import { build, serve } from '../helper.ts'
import { outputOf } from '../run-script.ts'
import { faithful, records, says, when } from './faults.ts'
import { createProxy, injector, type Alter, type Exchange } from './proxy.ts'
import { buildFewer, failed, fewer, listenProxy, listsOf, report, run, runBehind, token, warned } from './results.ts'

/** Returns the report for people. */
function reported (part: Partial<Parameters<typeof reporters.human>[0]>): string {
  return reporters.human(
    { url: '', requests: 0, results: [], error: '', failOn: 'failure', ignore: [], isVerbose: false, ...part },
    false
  )
}

const listen = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })

for (const [title, settings] of [
  ['--paginate on-request', { paginate: 'on-request' }],
  ['--paginate always', { paginate: 'always', pageSize: 2 }],
  ['--compress on', { compress: true }]
] as const) {
  test(`our own server with ${title} passes without a warning`, async t => {
    const url = await listen(await buildFewer(t, settings))
    const { code, checks: results, summary } = await report(url, '--token', token, '--probe-writes')
    t.same([failed(results), warned(results)], [[], []])
    t.match({ code, summary }, { code: 0, summary: { failed: 0, warnings: 0 } })
    t.same(results.filter(({ id, skipped }) => skipped !== undefined && !/^limits$|\/(?:links|previous)$/.test(id)), [])
  })
}

/** Serves below a path, with a prefix of links and images; also returns the targets of the requests. */
async function listenBelow (t: Test, path: string, linked: string): Promise<{ url: string, targets: string[] }> {
  const targets: string[] = []
  const origin = await listenProxy(t, async request => {
    const { target } = request
    targets.push(target)
    if (target.startsWith(`${path}/`)) return injector(own)({ ...request, target: target.slice(path.length) })
    return target.startsWith('/media/')
      ? injector(own)(request)
      : { request, status: 404, headers: {}, body: Buffer.alloc(0) }
  })
  const own = await buildFewer(t, { paginate: 'always', publicUrl: origin + linked })
  return { url: origin + path, targets }
}

for (const [end, lists] of [['', 'bikes,saddles,bikesV2'], ['/', 'bikes']] as const) {
  test(`all requests are below the path of http://host/some/base${end}`, async t => {
    const { url, targets } = await listenBelow(t, '/some/base', '/some/base')
    const flags = ['--token', token, '--probe-writes', '--lists', lists]
    const { code, checks: results, summary } = await report(url + end, ...flags)
    t.same([failed(results), warned(results)], [[], []])
    t.match({ code, summary }, { code: 0, summary: { requests: targets.length } })
    t.same(targets.filter(target => !target.startsWith('/some/base/')), [])
    t.ok(targets.includes('/some/base/api/v1/bikes/?page=2'))
    t.ok(targets.some(target => target.startsWith('/some/base/media/')))
  })
}

test('links without the path of the base URL are faults and are not followed; images may be anywhere', async t => {
  const { url, targets } = await listenBelow(t, '/some/base', '')
  const { code, stdout } = await run([url, '--lists', 'bikes,wheels'])
  t.equal(code, 1)
  t.match(stdout, `
    curl '${url}/api/v1/bikes/'
    lists:    bikes, wheels
    expected: an absolute URL such as ${url}/api/v1/bikes/?page=2
    got:      "${new URL(url).origin}/api/v1/bikes/?page=2"
    and `)
  t.same(targets.filter(target => !/^\/some\/base\/|^\/media\//.test(target)), [])
  t.notMatch(stdout, '/images')
})

test('the report for people says why something was not tried', async t => {
  const proxy = createProxy(await buildFewer(
    t, { tokens: [] }, { ...fewer, bikes: fewer.bikes.slice(0, 1), bikesV2: fewer.bikesV2.slice(0, 1) }
  ))
  const broken = proxy(when(({ path }) => path === saddles, says(500, {})))
  const lists = ['bikes', 'saddles', 'bikesV2', 'token', 'limits']
  const results = await runBehind(broken, { token: undefined, probeWrites: false, lists })
  const counts = [
    'needs --token', 'needs a list', 'needs a second page', 'needs --probe-writes', 'needs a response with 429'
  ].map(reason => {
    const { length } = results.filter(({ skipped }) => skipped === reason)
    return `${String(length).padStart(5)}  ${reason}\n`
  })
  t.match(reported({ results }), `\n\nSkipped\n\n${counts.join('')}\n`)
  const alone = results.filter(({ id }) => id === 'saddles/unique')
  t.match(
    reported({ results: alone }),
    '\n\nSkipped\n\n    1  needs a list\n\n0 passed, 0 failed, 0 warnings, 1 skipped. 0 requests.\n'
  )
  t.notMatch(reported({}), 'Skipped')
})

test('what is wrong with us, and not with the server, is thrown', async t => {
  const url = await listen(await buildFewer(t, { tokens: [] }))
  const stdout = { write: () => { throw new Error('broken pipe') }, isTTY: true }
  await t.rejects(
    verify([url, '--lists', 'brakes'], { stdout, stderr: stdout, signal: new AbortController().signal }),
    { message: 'broken pipe' }
  )
  await t.rejects(runBehind(() => Promise.reject(new Error('a mistake'))), { message: 'a mistake' })
})

test('without a token what needs one is not tried, and nothing but reading is sent', async t => {
  const app = await buildFewer(t, { tokens: [] })
  const methods = new Set<string>()
  const agents = new Set<string | undefined>()
  app.server.on(
    'request',
    ({ method, headers }: IncomingMessage) => { methods.add(String(method)); agents.add(headers['user-agent']) }
  )
  const lists = ['bikes', 'saddles', 'bikesV2']
  const { code, checks: results } = await report(await listen(app), '--lists', lists.join())
  const skipped = ['bikesV2/superset', 'saddles/read-only'].map(name => results.find(({ id }) => id === name)?.skipped)
  t.same([code, ...skipped], [0, 'needs --token', 'needs --probe-writes'])
  t.same([...methods].sort(), ['GET', 'HEAD', 'OPTIONS'])
  t.same([...agents], [`bicycle-catalogue/${version}`], 'which some firewalls want')
  const probed = await runBehind(createProxy(app)(() => {}), { token: undefined, lists })
  t.same([failed(probed), probed.find(({ id }) => id === 'saddles/read-only')?.skipped], [[], undefined])
})

const saddles = '/api/v1/saddles/'

test('a record that shows a fault is shown, cut where it is long', async t => {
  const long = 'x'.repeat(200)
  const alter = records(
    saddles, ([first, second]) => [{ ...first, brand: null }, { ...second, model: null, brand: long }]
  )
  const url = await listenProxy(t, createProxy(await buildFewer(t, { tokens: [] }))(alter))
  const { stdout } = await run([url, '--lists', 'saddles'])
  t.match(stdout, '    record:   {"id":1,"brand":null,"model":"Antares R3"}\n')
  t.match(stdout, /record: {3}\{"id":2,"brand":"x{100,}…\n/)
})

test('docs/guides/record-and-verify.md shows the report of a server with one fault', async t => {
  const page = readFileSync(new URL('../../docs/guides/record-and-verify.md', import.meta.url), 'utf8')
  const [, args = '', sample = ''] = /```sh\nbicycle-catalogue verify (.+)\n```\n\n```\n([^`]+)```/.exec(page) ?? []
  const [address = '', ...flags] = args.replace('"$TOKEN"', token).split(' ')
  const proxy = createProxy(await build(t, { tokens: [token] }))
  const isFaulty = ({ path, query, sent }: Exchange) =>
    path === '/api/v1/bikes/' && !query.includes('format=api') && !String(sent['accept']).startsWith('text/html')
  const url = await listenProxy(
    t,
    proxy(when(isFaulty, ({ headers }) => { headers['content-type'] = 'application/json; charset=utf-8' }))
  )
  const { code, stdout } = await run([url, ...flags])
  const parts = sample.split(/^ +…\n/m).map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  t.match([code, stdout.replaceAll(url, address)], [1, new RegExp(`^${parts.join('[^]*?')}$`)])
  t.ok(parts.length > 1)
})

const at = (list: string, change: (exchange: Exchange) => unknown) =>
  when(({ path, query }) => path === list && !query.includes('format'), change)

const says404 = says(404, '{"detail":"No."}')

/** Alterations, a check and what its only finding got. */
const causes: ReadonlyArray<readonly [id: string, alter: Alter, got: string | RegExp]> = [
  [
    'saddles/status',
    at(saddles, says(200, '<!doctype html>\n<title>Saddles</title>')),
    '200, <!doctype html>\n<title>Saddles</title>'
  ],
  ['saddles/status', at(saddles, says(200, '')), '200, an empty body'],
  [
    'wheels/ordering/brand_name',
    records('/api/v1/wheels/', own => own.slice(1), ({ query }) => query === 'ordering=brand_name'),
    /^4 records, without record \d+$/
  ],
  ['saddles/status', at(saddles, says(200, 'x'.repeat(1000))), `200, ${'x'.repeat(119)}…`],
  [
    'saddles/status',
    at(saddles, says(200, '[{"id":1},\n {"id":2,}]')),
    /^200, invalid JSON: \[\{"id":1\},\n \{"id":2,\}\]; Expected double-quoted property name in JSON at position 20/
  ],
  [
    'saddles/status',
    at(saddles, exchange => { exchange.status = 302; exchange.headers['location'] = '/login/' }),
    '302, Location: /login/'
  ],
  [
    'saddles/utf-8',
    at(
      saddles,
      exchange => { exchange.body = Buffer.from(exchange.body.toString().replace('Antares', 'Antarés'), 'latin1') }
    ),
    /^another byte at position \d+$/
  ],
  [
    'saddles/options',
    when(({ path, method }) => path === saddles && method === 'OPTIONS', says(200, 'GET')), '200, GET'
  ],
  [
    'saddles/ordering/unknown',
    when(({ path, query }) => path === saddles && query === 'ordering=nonsense', says404), '404'
  ],
  ['saddles/numbers', when(({ path, query }) => path === saddles && query === 'page=3', says(200, '[1,]')), '200'],
  [
    'token/refused',
    when(({ path, sent }) => path === '/api/v2/bikes/' && sent['authorization'] === 'Token', says404),
    '404, application/json, {"detail":"No."}'
  ],
  [
    'bikes/timestamps',
    records('/api/v1/bikes/', own => own.map(bike => bike['id'] === 4 ? { ...bike, date_added: 'now' } : bike)),
    '"now" in record 4'
  ],
  [
    'bikes/links',
    at(
      '/api/v1/bikes/',
      exchange => { exchange.body = exchange.body.toString().replace('ordering=title&page', 'page') }
    ),
    '"http://proxy.test/api/v1/bikes/?page=2"'
  ],
  ['featured/status', at('/api/v1/bikes/featured/', exchange => {
    exchange.body = exchange.body.toString().replace(
      '"next":null', '"next":"http://proxy.test/api/v1/bikes/featured/?page=2"'
    )
    if (exchange.query === 'page=2') says(500, {})(exchange)
  }), '500, {}'],
  [
    'saddles/unique',
    at(saddles, exchange => { exchange.body = exchange.body.toString().replace('"model"', '"brand":"X","model"') }),
    'brand of record 1 (number 1) again'
  ],
  [
    'saddles/unique',
    at(saddles, exchange => { exchange.body = exchange.body.toString().replace('"next"', '"count":1,"next"') }),
    'count again'
  ],
  [
    'bikes/same',
    records(
      '/api/v1/bikes/', own => own.map(bike => ({ ...bike, description: `${String(bike['description'])}!` })),
      ({ query }) => query.includes('ordering=title')
    ),
    /^….{20}!"$/
  ],
  [
    'wheels/head',
    when(
      ({ path, query, method }) => path === '/api/v1/wheels/' && query === 'ordering=brand_name' && method === 'GET',
      says(403, {})
    ),
    '403'
  ],
  [
    'bikes/schema',
    records('/api/v1/bikes/', own => [...own.slice(1), {}], ({ query }) => query === 'page=2'),
    'none in a record without an id'
  ]
]

test('a finding leads to its cause; a record without fields is one finding', async t => {
  const proxy = createProxy(await buildFewer(t, { paginate: 'always' }))
  for (const [id, alter, got] of causes) {
    const lists = id === 'token/refused' ? ['token'] : listsOf([id])
    const findings = (await runBehind(proxy(alter), { lists })).filter(result => result.id === id)
      .flatMap(({ failures, warnings }) => [...failures, ...warnings])
    t.match([findings.length, findings[0]?.got], [1, got], `${id}: ${got}`)
  }
  const age = (path: string, seconds: number) =>
    at(path, ({ headers }) => { headers['cache-control'] = `max-age=${seconds}` })
  const ages = [age('/api/v1/wheels/', 60), age('/api/v1/chains/', 600)]
  const results = await runBehind(proxy(exchange => ages.forEach(alter => alter(exchange))), {
    lists: ['wheels', 'chains']
  })
  t.match(reported({ results }), /got: {6}max-age=60\n[^]+got: {6}max-age=600\n/)
})

/** Serves our own responses until a request is refused with 429. */
async function listenLimited (t: Test, after: string, isRefused: (request: number) => boolean): Promise<string> {
  const send = injector(await buildFewer(t))
  let requests = 0
  return listenProxy(
    t,
    async request => isRefused(++requests)
      ? {
          request,
          status: 429,
          headers: { 'retry-after': after },
          body: Buffer.of()
        }
      : send(request)
  )
}

test('limits are no content: they are waited for, and what cannot be asked is skipped', async t => {
  const oftenLimited = await listenLimited(t, '0', request => request % 3 === 0)
  const waited = await report(oftenLimited, '--token', token, '--lists', 'brakes,bikesV2')
  t.match(
    [waited.code, failed(waited.checks), waited.checks.filter(({ skipped }) => skipped?.startsWith('limited'))],
    [0, [], []]
  )
  const url = await listenLimited(t, '86400', request => request > 60)
  const { code, stdout, stderr } = await run([url, '--token', token])
  t.match(
    [code, stderr],
    [2, /^\d+ checks not complete: limited: the service allows fewer requests; try a lower --rate\n$/]
  )
  t.match(stdout, /\d+ {2}limited: the service allows fewer requests; try a lower --rate\n/)
  t.match(stdout, / passed, 0 failed, .* (?:[6-9]\d|1[01]\d) requests\.\n$/)
  const refused = await run([await listenLimited(t, '86400', () => true)])
  t.match(refused, { code: 2, stdout: / 0 passed|\n0 passed/, stderr: ' checks not complete: limited: ' })
})

test('a 429 without Retry-After is a warning', async t => {
  const send = injector(await buildFewer(t))
  let requests = 0
  const headers: Record<string, string> = {}
  let status = 429
  const url = await listenProxy(t, async request => {
    const isLimited = ++requests === 3
    return isLimited ? { request, status, headers, body: Buffer.of() } : send(request)
  })
  const runBrakes = async () => {
    requests = 0
    const args = [url, '--lists', 'brakes', '--reporter', 'json']
    const { stdout } = await run(args, undefined, {}, undefined, async () => {})
    const { checks } = JSON.parse(stdout) as { checks: Result[] }
    return checks.find(({ id }) => id === 'limits')
  }
  t.match(await runBrakes(), { ok: true, warnings: [{ expected: '429 with Retry-After', got: 'none' }] })
  headers['retry-after'] = '0'
  t.match(await runBrakes(), { ok: true, warnings: [], skipped: undefined })
  status = 503
  delete headers['retry-after']
  t.same((await runBrakes())?.warnings, [])
})

test('a list that never responds while others do fails; one that is a copy of another is a warning', async t => {
  const proxy = createProxy(await buildFewer(t))
  const lists = ['brakes', 'saddles', 'handlebars']
  for (const status of [429, 503, 504]) {
    const results = await runBehind(proxy(when(({ path }) => path === saddles, says(status, {}))), { lists })
    t.same(failed(results), ['saddles/status'], String(status))
  }
  const copied = when(
    ({ path }) => path === saddles,
    exchange => { exchange.body = exchange.body.toString().replaceAll('/brakes/', '/saddles/') }
  )
  const results = await runBehind(proxy(copied, target => target.replace(/saddles\/(?=\?|$)/, 'brakes/')), { lists })
  t.same([failed(results), warned(results)], [[], ['saddles/copy']])
})

test('a limit of the first page alone skips the checks of a list', async t => {
  const proxy = createProxy(await buildFewer(t))
  const isLimited = ({ path, query }: Exchange) => path === saddles && query === 'page=1'
  const results = await runBehind(proxy(when(isLimited, says(429, {}))), { lists: ['saddles'] })
  t.same([failed(results), warned(results)], [[], []])
  t.match(results.find(({ id }) => id === 'saddles/paged'), { skipped: /^limited: |^needs a list in pages$/ })
})

test('--ignore skips the checks of clauses; --verbose prints every finding of a warning', async t => {
  const proxy = createProxy(await buildFewer(t))
  const url = await listenProxy(t, proxy(exchange => {
    if (exchange.method === 'OPTIONS' && exchange.sent['origin'] === undefined) exchange.status = 405
    if (exchange.method === 'HEAD' && exchange.path === saddles) {
      Object.assign(exchange.headers, { allow: 'GET', vary: 'Cookie' })
    }
  }))
  const runBoth = (...flags: string[]) => run([url, '--lists', 'brakes,saddles', ...flags])
  const [own, ignored, verbose] = [
    await runBoth(), await runBoth('--ignore', 'F7,D21'), await runBoth('--verbose')
  ]
  t.match(own.stdout, /! responds to OPTIONS with its metadata \[options\] \(F7\)\n[^]+ 2 warnings in 2 lists, /)
  t.match(ignored.stdout, / 1 warning, .*, ignored: F7, D21\. /)
  t.notMatch(ignored.stdout, 'OPTIONS with')
  t.equal(own.stdout.match(/^ {2}! /gm)?.length, 2)
  t.ok(own.stdout.split('\n').every(line => line.length < 240))
  t.match(own.stdout, '    and 1 more with --verbose\n')
  t.match(verbose.stdout, /expected: allow: [^]+expected: vary: /)
})

test('a terminal gets colours and a line of progress that is cleared, also while the server asks to wait', async t => {
  const { stdout, stderr } = await run(
    [await listenLimited(t, '0', request => request === 1), '--lists', 'bikes'], undefined,
    { isTTY: true, hasColors: () => true }
  )
  t.match(stdout, '\u001b[32m✓\u001b[39m')
  t.match(stderr, '\r\u001b[K1 GET /api/v1/bikes/')
  t.match(stderr, /\d+ waiting 0 s, as Retry-After says/)
  t.ok(stderr.endsWith('\r\u001b[K'))
})

/** Forbids scripts of other origins, which is a warning. */
const withoutOrigins = ({ headers }: Exchange) => { delete headers['access-control-allow-origin'] }

const help = '(npm start -- verify --help lists them)'
type Refused = [args: string[], message: string]

const refusedWords: Refused[] = [
  ...[[], ['http://a', 'http://b']].map((args): Refused => [
    args, 'verify takes one URL, such as http://localhost:3000 (npm start -- verify --help)'
  ]),
  ...[
    'ftp://a', 'http://', 'a', '', 'http://a/b?', 'http://a/b?c=d', 'http://a/b#', 'http://a/b#c'
  ].map((url): Refused =>
    [
      [url],
      `the URL must be an http or https URL without a query or fragment, such as http://localhost:3000, got "${url}"`
    ]),
  ...['html', 'toString'].map((name): Refused => [
    ['http://a', '--reporter', name], `--reporter must be human, json, github or junit, got "${name}"`
  ]),
  ...['fast', '0'].map((rate): Refused => [
    ['http://a', '--rate', rate], `--rate must be a number of requests a second, got "${rate}"`
  ]),
  ...[['--token', ''], ['--token=✓']].map((flag): Refused => [
    ['http://a', ...flag], '--token must be a token in ASCII without spaces'
  ]),
  ...[
    ['http://a', '--token'], ['--token', '--verbose', 'http://a']
  ].map((args): Refused => [args, '--token needs a value: a token in ASCII without spaces']),
  ...[['--ignore', 'F99'], ['--ignore', 'F7,']].map((flag): Refused => [
    ['http://a', ...flag], `--ignore must be clauses that verify checks, such as F7,D21, got "${flag[1]}"`
  ]),
  [['http://a', '--rats', '1'], `unknown flag --rats; did you mean --rate? ${help}`],
  [['--probe', 'http://a'], `unknown flag --probe; did you mean --probe-writes? ${help}`],
  [['http://a', '--foo'], `unknown flag --foo ${help}`],
  [['http://a', '-v'], `unknown flag -v ${help}`]
]

test('verify exits with 2 for arguments that it does not take', async t => {
  for (const [args, message] of refusedWords) {
    t.same(
      await run(args), { code: 2, stdout: '', stderr: `${message}\n` }, args.join(' ')
    )
  }
})

test('tokens that must not be accepted are never empty, nor the token', t => {
  t.same([...tokensOf('a').values()], ['a', 'ax', 'A'])
  t.same([...tokensOf('42').values()], ['42', '42x', '4'])
  for (const token of ['a*\\n1', '-n7', '"\'$1#']) {
    for (const [expression, value] of tokensOf(token)) {
      const line = `printf %s "${expression}"`
      t.equal(execFileSync('sh', ['-c', line], { encoding: 'utf8', env: { ...process.env, TOKEN: token } }), value)
    }
  }
  const request = { method: 'GET', target: '/?cursor=$abc', headers: { authorization: 'Token $TOKEN', accept: '*/*' } }
  const { target, headers } = withTokens(request, tokensOf('42'))
  t.equal(target, '/?cursor=$abc', 'a link of a service is no expression')
  t.same(headers, { authorization: 'Token 42', accept: '*/*' })
  t.end()
})

test('a header that a service repeats is not printed', async t => {
  const url = await listenProxy(
    t,
    async request => ({
      request,
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(request.headers))
    })
  )
  const { code, stdout } = await run([url, '--header', 'X-Key: long-secret', '--header', 'X-Mode: a'])
  t.equal(code, 1)
  t.match(stdout, '"x-key":"*","x-mode":"a"')
  t.notMatch(stdout, 'long-secret')
})

test('secrets are masked before they are cut, however they are written; ##[ of a service is no command', async t => {
  const secret = 'zebra"se/cret\\'
  const token = 'quagga-is-extinct'
  const url = await listenProxy(t, async request => {
    const { 'x-key': key = '', authorization = '' } = request.headers
    const body = JSON.stringify({ filling: 'x'.repeat(90), key, authorization, command: '##[error]no' })
    const location = `/elsewhere?key=${encodeURIComponent(String(key))}&was=${authorization.replace('Token ', '')}`
    const isRedirected = request.target.startsWith('/api/v1/chains/')
    const headers = isRedirected ? { location } : { 'content-type': 'application/json' }
    return { request, status: isRedirected ? 302 : 500, headers, body: Buffer.from(body) }
  })
  for (const reporter of ['human', 'json', 'github', 'junit']) {
    const { stdout } = await run([url, '--token', token, '--header', `X-Key: ${secret}`, '--reporter', reporter])
    t.match(stdout, /elsewhere\?key=\*(?:&|&amp;)was=/, reporter)
    t.notMatch(stdout, /zebra|quagga|##\[/, reporter)
  }
})

test('secrets in Retry-After and Content-Encoding are masked', async t => {
  const proxy = createProxy(await buildFewer(t))
  const url = await listenProxy(t, proxy(exchange => {
    const { headers, path } = exchange
    if (path === saddles) {
      exchange.status = 429
      headers['retry-after'] = token
    }
    if (path === '/api/v1/brakes/') headers['content-encoding'] = 'Long-Secret'
  }))
  const args = [url, '--token', token, '--header', 'X-Key: Long-Secret', '--lists', 'bikes,saddles,brakes']
  const { stdout, stderr } = await run(args, undefined, {}, undefined, async () => {})
  t.match(stdout, '429, Retry-After: *; the service limits requests')
  t.match(stdout, 'the unsupported content coding *')
  t.notMatch(stdout + stderr, new RegExp(`${token}|long-secret`, 'i'))
})

test('without a terminal, a slow run says how long it takes and prints a line about every ten seconds', async t => {
  const url = await listen(await buildFewer(t))
  const { stderr } = await run([url, '--rate', '20'], undefined, {}, 450, async () => {})
  t.match(stderr, /^48 bikes need about \d+ requests: \d+ s at 20 a second \(--rate\)\.\n200 requests\n400 requests\n/)
})

test('the default rate is 100 requests a second for a loopback address, and 5 for another', async t => {
  const url = new URL(await listen(await buildFewer(t)))
  for (const [host, least, most] of [['127.0.0.1', 0, 10], ['0.0.0.0', 10, 200]] as const) {
    url.hostname = host
    const pauses: number[] = []
    const wait = async (milliseconds: number) => pauses.push(milliseconds)
    await outputOf(async (args, streams) => {
      return await verify(args, { ...streams, signal: new AbortController().signal, wait }, 60)
    }, url.href)
    const mean = (pauses.at(-1) ?? 0) / Math.max(1, pauses.length) // no pause passes, so each is added to the next
    t.ok(mean >= least && mean <= most, `${host}: ${mean} ms`)
  }
})

test('two lines of Content-Type are a failure', async t => {
  const send = injector(await buildFewer(t))
  const url = await serve(t, async ({ method = '', url = '', headers: sent }, response) => {
    const { status, headers, body } = await send({ method, target: url, headers: sent as Record<string, string> })
    const { connection, date, 'content-type': type, ...kept } = headers
    for (const [name, value] of Object.entries(kept)) response.setHeader(name, value as string)
    const isTwice = url === saddles && method === 'GET'
    response.setHeader('content-type', isTwice ? [String(type), 'text/plain'] : String(type))
    response.writeHead(status).end(body)
  })
  const { checks: results } = await report(url, '--lists', 'saddles')
  t.same(failed(results), ['saddles/content-type'])
})

test('the order of another language and a server of apps under development are warnings', async t => {
  const proxy = createProxy(await buildFewer(t, { tokens: [], watch: true }))
  const alter = faithful.find(([title]) => title.startsWith('German names'))?.[1] as Alter
  const lists = ['bikes', 'wheels', 'saddles']
  const results = await runBehind(proxy(alter), { token: undefined, probeWrites: false, lists })
  const text = reported({ results })
  t.match(text, '\n  ! /api/v1/wheels/ sorts by brand_name [wheels/ordering/brand_name] (S13, S15)\n')
  t.match(text, 'got:      "Ärger" before "Af"\n')
  t.match(text, 'got:      private, no-cache, as under dev, --simulate and --watch\n')
  t.match(text, /, 3 warnings in 3 lists, /)
  t.match(text, 'and 1 more with --verbose')
})

test('a run that is stopped says what it did not check in every report, and exits with 2', async t => {
  for (const reporter of ['human', 'json', 'github', 'junit']) {
    const app = await buildFewer(t)
    const controller = new AbortController()
    let requests = 0
    app.server.on('request', () => { if (++requests === 50) controller.abort() })
    const { code, stdout, stderr } = await run([await listen(app), '--reporter', reporter], controller.signal)
    t.same([code, stderr], [2, 'the run was stopped\n'], reporter)
    if (reporter === 'human') t.match(stdout, /\d+ {2}the run was stopped\n[^]* 0 failed, .* 50 requests\.\n$/)
    if (reporter === 'github') t.equal(stdout, '::error title=Not everything was checked::the run was stopped\n')
    if (reporter === 'junit') {
      t.match(stdout, new RegExp(`tests="${allChecks.length + 1}" failures="0" errors="1"`))
      t.match(stdout, '<skipped message="the run was stopped"/>')
      t.match(stdout, '<error message="the run was stopped"/>')
    }
    if (reporter !== 'json') continue
    const { complete, checks } = JSON.parse(stdout) as { complete: boolean, checks: Result[] }
    t.equal(complete, false)
    t.same(checks.map(({ id }) => id), allChecks.map(({ id }) => id))
    const passed = checks.filter(({ skipped }) => skipped === undefined)
    t.same(passed.map(({ id }) => id), [], 'what was judged in part has not passed')
  }
})

test('--lists asks these lists only', async t => {
  const app = await buildFewer(t)
  const paths = new Set<string>()
  app.server.on('request', ({ url = '' }: IncomingMessage) => paths.add(url.replace(/\?.*/, '')))
  const url = await listen(app)
  const { code, checks } = await report(url, '--lists', 'saddles')
  t.equal(code, 0)
  t.ok(checks.length > 20 && checks.every(({ id }) => id.startsWith('saddles/')))
  t.same([...paths], [saddles, saddles.slice(0, -1)])
  const others = await report(url, '--lists', 'featured,bikesV2', '--token', token)
  const needing = others.checks.filter(({ skipped }) => skipped === 'needs /api/v1/bikes/')
  t.same(needing.map(({ id }) => id), ['featured/complete', 'bikesV2/superset'])
  t.ok(others.checks.some(({ id }) => id === 'token/needed'))
  const wrong = await run([url, '--lists', 'sadles'])
  t.match(wrong, { code: 2, stderr: /^--lists: unknown list "sadles"; did you mean saddles\?/ })
})

test('--max-requests asks what tells most, of all lists, and says what it left out', async t => {
  const app = await buildFewer(t)
  const targets: string[] = []
  app.server.on('request', ({ url = '' }: IncomingMessage) => targets.push(url))
  const { length } = resources
  const most = 6 * length
  const url = await listen(app)
  const { code, complete, checks, summary } = await report(url, '--max-requests', String(most), '--token', token)
  t.match({ code, complete, summary }, { code: 0, complete: true, summary: { failed: 0, warnings: 0, requests: most } })
  t.equal(targets.length, most)
  t.equal(new Set(targets.slice(0, length)).size, length)
  t.ok(targets.includes('/api/v1/bikes/?page=2') && targets.includes('/api/v1/wheels/?ordering=brand_name'))
  t.ok(checks.some(({ skipped }) => skipped === `left out by --max-requests ${most}`))
  const all = await report(await listen(await buildFewer(t)), '--max-requests', '5000', '--lists', 'bikes,wheels')
  t.match(all, { code: 0, summary: { failed: 0, warnings: 0 } })
  const missing = await listenProxy(t, async request => ({ request, status: 404, headers: {}, body: Buffer.from('') }))
  t.match(await report(missing, '--max-requests', '30'), { code: 1, summary: { failed: length - 1 } })
})

test('where a limit shows, the run says at its start how long it takes', async t => {
  for (const [headers, words] of [
    [{ 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '60' }, '60 requests in 60 s: about 20 minutes'],
    [{ 'x-ratelimit-limit': '100', 'x-ratelimit-reset': '1900000000' }, '100 requests in 60 s: about 12 minutes']
  ] as const) {
    const url = await listenProxy(t, async request => ({ request, status: 404, headers, body: Buffer.from('') }))
    const { stderr } = await run([url])
    t.equal(stderr, `The service allows ${words} for all. For a first look, use --max-requests 60.\n`)
    t.equal((await run([url, '--lists', 'saddles'])).stderr, '')
  }
})

test('a service that is down is one error in every report', async t => {
  t.match(await run(['http://nowhere.invalid']), { code: 2, stderr: /nowhere\.invalid/ })
  for (const reporter of ['json', 'github', 'junit']) {
    const { code, stdout, stderr } = await run(['http://127.0.0.1:1', '--reporter', reporter])
    const error = 'GET http://127.0.0.1:1/api/v1/bikes/: ECONNREFUSED; is the server running?'
    t.same([code, stderr], [2, `${error}\n`], reporter)
    t.match(stdout, reporter === 'json' ? `"complete": false,\n  "error": "${error}"` : /error/, reporter)
    t.match(stdout, 'ECONNREFUSED', reporter)
  }
})

test('a wrong URL is said first and once, a refused token once; --fail-on warning makes warnings fail', async t => {
  const url = await listen(await buildFewer(t))
  const wrong = await run([`${url}/shop`, '--token', token])
  t.equal(wrong.code, 1)
  t.match(wrong.stdout, '\n\nNo list found. Has the URL the right path, and a user and a password if needed?\n')
  t.ok(wrong.stdout.split('\n').length < 60)
  const refused = await run([url, '--token', 'other', '--lists', 'bikes,bikesV2'])
  t.equal(refused.stdout.match(/got: {6}401/g)?.length, 1)
  t.notMatch(refused.stdout, 'needs a list')
  t.match(refused.stdout, 'expected: 200 for the token of --token')
  const alone = await listenProxy(t, createProxy(await buildFewer(t))(withoutOrigins))
  const args = [alone, '--lists', 'brakes,saddles']
  t.equal((await run(args)).code, 0)
  t.match(
    await run([...args, '--fail-on', 'warning']),
    { code: 1, stdout: / 0 failed, 1 warning in 2 lists \(--fail-on warning\), / }
  )
})

test('a gateway that asks for a user and a password is told from a wrong path', async t => {
  const headers = { 'www-authenticate': 'Basic realm="bikes"' }
  const url = await listenProxy(t, async request => ({ request, status: 401, headers, body: Buffer.from('no') }))
  const { code, stdout } = await run([url])
  t.equal(code, 1)
  t.match(stdout, 'got:      401, no; it asks for a user and a password: https://USER:PASSWORD@HOST/\n')
})

test('a missing list fails once, also for the checks that concern no single list', async t => {
  const proxy = createProxy(await buildFewer(t))
  const lists = ['bikes', 'featured', 'brakes', 'bikesV2', 'paths', 'token', 'limits']
  for (const [path, key] of [
    ['/api/v1/bikes/', 'bikes'], ['/api/v1/brakes/', 'brakes'], ['/api/v2/bikes/', 'bikesV2']
  ] as const) {
    const isMissing = (exchange: Exchange) => exchange.path === path
    const results = await runBehind(
      proxy(when(isMissing, says(404, '<!doctype html>', 'text/html'))), { probeWrites: false, lists }
    )
    t.same(failed(results), [`${key}/status`], path)
    t.ok(results.filter(({ skipped }) => skipped === 'needs a list').length > 20, path)
  }
})

test('--reporter github and junit tell failures and warnings', async t => {
  const proxy = createProxy(await buildFewer(t, { tokens: [] }))
  const url = await listenProxy(t, proxy(exchange => {
    withoutOrigins(exchange)
    exchange.headers['allow'] &&= 'GET & "HEAD" <a>'
  }))
  const runTwo = async (...flags: string[]) =>
    (await run([url, '--lists', 'brakes,handlebars,bikesV2', '--reporter', ...flags])).stdout
  const github = await runTwo('github')
  const [annotation = ''] = github.split('\n')
  const [title, lists, expected, ...others] = annotation.split('%0A')
  t.match(title, /^::error title=allows GET%2C HEAD%2C OPTIONS \[allow\] \(S8\)::curl '[^']+'$/)
  t.equal(lists, 'lists:    brakes, handlebars')
  t.match(expected, /^expected: /)
  t.match(others.at(-1), /^and \d+ more requests$/)
  t.match(github, '::notice title=can be read by scripts of other origins [cors] (D21)::')
  const junit = await runTwo('junit')
  t.match(junit, /<testsuite name="bicycle-catalogue verify" tests="\d+" failures="2" errors="0" skipped="\d+">/)
  t.match(junit, 'got:      GET &amp; &quot;HEAD&quot; &lt;a&gt;\nand ')
  t.match(junit, '<skipped message="needs --token"/>')
  t.match(junit, /<system-out>curl .*\nexpected: Access-Control/)
  t.match(await runTwo('junit', '--fail-on', 'warning'), 'failures="6"')
  t.match(await runTwo('github', '--fail-on', 'warning'), '::error title=can be read by scripts of other origins')
})
