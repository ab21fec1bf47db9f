import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { test, type Test } from 'tap'
import { checks, verify } from '../../src/verify/command.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { Unreachable, type Ask } from '../../src/verify/ask.ts'
import { Probe, runChecks, type Result } from '../../src/verify/check.ts'
import { compare, type Difference } from '../../src/verify/compare.ts'
import { reporters } from '../../src/verify/report.ts'
import { build, catalogue } from '../helper.ts'
import { each, faults, records, says, when } from './faults.ts'
import { createProxy, type Alter, type Exchange } from './proxy.ts'

const token = 'verify-token'

/** Enough bikes for two pages and for every filter: what a fault does to them is parsed and written for each of hundreds of requests. */
const fewer: Catalogue = { ...catalogue, bikes: catalogue.bikes.slice(0, 16) }

type Told = { code: number, stdout: string, stderr: string }

async function run (args: string[], signal = new AbortController().signal, terminal = {}): Promise<Told> {
  let [stdout, stderr] = ['', '']
  const code = await verify(args, {
    stdout: { write: text => { stdout += text }, ...terminal },
    stderr: { write: text => { stderr += text }, ...terminal },
    signal
  })
  return { code, stdout, stderr }
}

type Summary = { checks: Result[], differences?: object[], summary: Record<string, number> }

async function report (url: string, ...flags: string[]): Promise<Summary & { code: number }> {
  const { code, stdout } = await run([url, '--rate', '100000', '--reporter', 'json', ...flags])
  return { code, ...JSON.parse(stdout) as Summary }
}

async function listen (app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

const failed = (checks: readonly Result[]) => checks.filter(({ ok }) => !ok).map(({ id }) => id)
const remarked = (checks: readonly Result[]) => checks.filter(({ remarks }) => remarks.length > 0).map(({ id }) => id)

for (const paginate of ['on-request', 'always'] as const) {
  test(`our own server with --paginate ${paginate} holds, without a remark but that nothing is limited`, async t => {
    const url = await listen(await build(t, { paginate, tokens: [token] }))
    const { code, checks: results, summary } = await report(url, '--token', token, '--probe-writes')
    t.same(failed(results), [])
    t.same(remarked(results), ['limits/headers'])
    t.match({ code, summary }, { code: 0, summary: { failed: 0, remarks: 1 } })
    t.same(results.filter(({ skipped }) => skipped !== undefined).map(({ id, skipped }) => [id, skipped]).filter(([id]) => !String(id).endsWith('/links')), [])
  })
}

/** Our own server below a path, with links and pictures that begin with what is given; and the targets that are asked for. */
async function listenBelow (t: Test, path: string, linked: string): Promise<{ url: string, asked: string[] }> {
  const asked: string[] = []
  const outer = Fastify({ exposeHeadRoutes: false })
  outer.all('*', async ({ method, url, headers }, reply) => {
    asked.push(url)
    const isBelow = url.startsWith(`${path}/`)
    if (!isBelow && !url.startsWith('/media/')) return reply.code(404).send()
    const target = isBelow ? url.slice(path.length) : url
    const answer = await own.inject({ method: method as 'GET', url: target, headers: headers as Record<string, string> })
    const { connection, 'content-length': length, date, ...kept } = answer.headers
    reply.code(answer.statusCode).headers(kept)
    if (kept.location !== undefined) reply.header('location', linked + kept.location)
    return method === 'HEAD' ? reply.header('content-length', length).send() : reply.send(answer.rawPayload)
  })
  t.teardown(() => outer.close())
  const origin = await listen(outer)
  const own = await build(t, { tokens: [token], paginate: 'always', publicUrl: origin + linked })
  return { url: origin + path, asked }
}

for (const end of ['', '/']) {
  test(`all that is asked is below the path of http://host/some/base${end}`, async t => {
    const { url, asked } = await listenBelow(t, '/some/base', '/some/base')
    const { code, checks: results, differences, summary } = await report(url + end, '--token', token, '--probe-writes', '--compare')
    t.same([failed(results), remarked(results), differences], [[], ['limits/headers'], []])
    t.match({ code, summary }, { code: 0, summary: { requests: asked.length } })
    t.same(asked.filter(target => !target.startsWith('/some/base/')), [])
    t.ok(asked.includes('/some/base/api/v1/bikes/?page=2'))
    t.ok(asked.some(target => target.startsWith('/some/base/media/')))
  })
}

test('links that forget the path of the base address are faults, and are not followed; pictures may be anywhere', async t => {
  const { url, asked } = await listenBelow(t, '/some/base', '')
  const { code, stdout } = await run([url, '--rate', '100000', '--token', token, '--compare'])
  t.equal(code, 1)
  t.match(stdout, `
    curl '${url}/api/v1/bikes/?page=1'
    expected: an absolute URL of /some/base/api/v1/bikes/ with page=2
    got:      "${new URL(url).origin}/api/v1/bikes/?page=2"
`)
  t.match(stdout, `
    curl '${url}/api/v1/saddles?a=1'
    expected: 301 to /some/base/api/v1/saddles/?a=1
    got:      301, Location: /api/v1/saddles/?a=1
`)
  t.notMatch(stdout, 'differs in')
  t.same(asked.filter(target => !/^\/some\/base\/|^\/media\//.test(target)), [])
  t.notMatch(stdout, '/pictures')
})

test('a server that compresses is remarked by nobody', async t => {
  const { checks: results } = await report(await listen(await build(t, { compress: true, tokens: [token] }, fewer)), '--token', token)
  t.same([failed(results), remarked(results)], [[], ['limits/headers']])
})

const base = new URL('http://proxy.test')

async function runBehind (ask: Ask): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of runChecks(checks, base, ask, { token, probeWrites: true })) results.push(result)
  return results
}

test('each fault is noticed by the checks that should notice it, and by no other', async t => {
  const proxy = createProxy(await build(t, { tokens: [token] }, fewer))
  t.ok(faults.length >= 30)
  for (const [title, alter, noticed, pass] of faults) t.same(failed(await runBehind(proxy(alter, pass))).sort(), [...noticed].sort(), title)
})

/** What an honest Django REST framework site does its own way, because the contract is silent (reference-behaviour). */
function honest (exchange: Exchange): void {
  const { headers, path, status, asked } = exchange
  for (const name of Object.keys(headers)) if (/^(etag|last-modified|access-control-|x-ratelimit-)/.test(name)) delete headers[name]
  if (status !== 200 || path.startsWith('/api/v2/') || /featured|brakes|saddles|handlebars/.test(path)) delete headers['cache-control']
  if (String(headers['content-type']).startsWith('text/html')) Object.assign(headers, { vary: 'Accept, Cookie', 'set-cookie': 'csrftoken=x' })
  if (asked['if-none-match'] !== undefined) exchange.status = 200
  if (status === 404 && path.includes('icycle')) Object.assign(exchange, { body: '<!doctype html>' })
}

test('an honest Django REST framework site passes but for remarks', async t => {
  const proxy = createProxy(await build(t, { tokens: [token], paginate: 'always' }, fewer))
  const results = await runBehind(proxy(honest))
  t.same(failed(results), [])
  t.same(remarked(results).filter(id => !id.endsWith('/cache')), ['caching/tags', 'cors/origin', 'limits/headers'])
})

/** What a server may leave out or do its own way, and the checks that remark it. */
const liberties: ReadonlyArray<readonly [title: string, alter: Alter, remarked: readonly string[], pass?: (target: string) => string]> = [
  ['lists come without pages', () => {}, ['bikes', 'featured', 'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars', 'bikesV2'].map(key => `${key}/envelope`),
    target => target.replace(/page=(1|2|999999)$/, 'x=')],
  ['v2 knows no ordering by rating', () => {}, ['bikesV2/ordering/rating', 'bikesV2/ordering/-rating'], target => target.replace(/ordering=-?rating/, 'x=')],
  ['v2 knows no filter by year', () => {}, ['filters/year', 'filters/year__gte', 'filters/year__lte', 'filters/unreadable-integer'], target => target.replace(/year(__..e)?=/, 'x=')],
  ['v2 tells no prices', each('/api/v2/bikes/', ({ price, ...bike }) => bike), ['bikesV2/schema']],
  ['v2 tells more', each('/api/v2/bikes/', bike => ({ ...bike, colour_code: 7 })), ['bikesV2/schema']],
  ['saddles tell more', each('/api/v1/saddles/', saddle => ({ ...saddle, width: 130 })), ['saddles/schema']],
  ['v1 bikes have a rating', each('/api/v1/bikes/', bike => ({ ...bike, rating: 4.5 })), ['bikes/schema']],
  ['brakes are cached for longer', exchange => { if (exchange.path === '/api/v1/brakes/') exchange.headers['cache-control'] = 'max-age=900' }, ['brakes/cache']]
]

test('where the contract is silent another way is remarked, and no failure', async t => {
  const proxy = createProxy(await build(t, { tokens: [token] }, fewer))
  for (const [title, alter, expected, pass] of liberties) {
    const results = await runBehind(proxy(alter, pass))
    t.same(failed(results), [], title)
    t.same(remarked(results).filter(id => id !== 'limits/headers').sort(), [...expected].sort(), title)
  }
})

test('the report for people says why something was not tried', async t => {
  const proxy = createProxy(await build(t, {}, { ...fewer, bikes: fewer.bikes.slice(0, 1) }))
  const results: Result[] = []
  const broken = proxy(when(({ path }) => path === saddles, says(500, {})))
  for await (const result of runChecks(checks, base, broken, { token: undefined, probeWrites: false })) results.push(result)
  const count = (reason: string) => String(results.filter(({ skipped }) => skipped === reason).length).padStart(3)
  t.match(reporters.human(false).end({ url: '', requests: 0, results, differences: undefined }), `

Not tried

  ${count('needs --token')}  need --token
   10  need --probe-writes
    6  need a list, which /api/v1/saddles/ does not give
    3  need a list, which /api/v1/saddles/?page=1 does not give
    2  need a second page

`)
  t.match(reporters.human(false).end({ url: '', requests: 0, results: results.filter(({ id }) => id === 'saddles/fields'), differences: undefined }), `

Not tried

    1  needs a list, which /api/v1/saddles/ does not give

0 hold, 0 do not, 0 remarks, 1 not tried. 0 requests.
`)
  t.notMatch(reporters.human(false).end({ url: '', requests: 0, results: [], differences: undefined }), 'Not tried')
})

test('a POST without a token may be refused for that', async t => {
  const proxy = createProxy(await build(t, {}, fewer))
  const results: Result[] = []
  for await (const result of runChecks(checks, base, proxy(() => {}), { token: undefined, probeWrites: true })) results.push(result)
  t.same(failed(results), [])
  t.match(results.find(({ id }) => id === 'bikesV2/post'), { ok: true, requests: 1 })
})

test('what is wrong with us, and not with the server, is thrown', async t => {
  const url = await listen(await build(t, {}, fewer))
  const stdout = { write: () => { throw new Error('broken pipe') } }
  await t.rejects(verify([url, '--rate', '100000', '--reporter', 'tap'], { stdout, stderr: stdout, signal: new AbortController().signal }), { message: 'broken pipe' })
})

test('without a token what needs one is not tried, and nothing but reading is sent', async t => {
  const app = await build(t, {}, fewer)
  const methods = new Set<string>()
  app.server.on('request', ({ method }: { method: string }) => methods.add(method))
  const { code, checks: results } = await report(await listen(app))
  t.equal(code, 0)
  t.equal(results.find(({ id }) => id === 'bikesV2/superset')?.skipped, 'needs --token')
  t.equal(results.find(({ id }) => id === 'saddles/post')?.skipped, 'needs --probe-writes')
  t.same([...methods].sort(), ['GET', 'HEAD', 'OPTIONS'])
})

/** A listening app whose lists are altered before they are sent. */
async function listenAltered (t: Test, path: string, change: (reply: FastifyReply, records: { id: number }[]) => unknown, all = fewer): Promise<string> {
  const records = catalogue.saddles.map(record => ({ ...record }))
  const app = Fastify({ exposeHeadRoutes: false })
  const own = await build(t, { tokens: [token] }, all)
  app.all('*', async (request, reply) => {
    const { statusCode, headers, rawPayload } = await own.inject({ method: request.method as 'GET', url: request.url, headers: request.headers as Record<string, string> })
    const { connection, 'content-length': length, date, ...kept } = headers
    reply.code(statusCode).headers(kept)
    if (request.method === 'HEAD') return reply.header('content-length', length).send()
    if (request.url === path && request.headers.accept === undefined) return change(reply, records)
    return reply.send(rawPayload)
  })
  t.teardown(() => app.close())
  return listen(app)
}

const saddles = '/api/v1/saddles/'

const isSaddles = ({ path, method, query, asked }: Exchange) => path === saddles && method === 'GET' && query === '' && asked['accept'] === undefined

const charset = (reply: FastifyReply, records: { id: number }[]) => reply.type('application/json; charset=utf-8').send(Buffer.from(JSON.stringify(records)))

const other: Alter = records(saddles, ([first, , ...rest]) => [{ ...first, brand: 'Other' }, ...rest, { id: 999, brand: 'A', model: 'B' }])

const comparisons: ReadonlyArray<readonly [title: string, alter: Alter, differences: readonly Difference[], lines: string]> = [
  ['nothing', () => {}, [], 'Every record is the same as ours.'],
  ['all kinds', other, [{ list: saddles, missing: [2], extra: [999], changed: [{ id: 1, fields: ['brand'] }] }],
    'Compared with our records\n\n  /api/v1/saddles/\n    missing: 2\n    extra: 999\n    1 differs in brand\n'],
  ['one that is changed', records(saddles, ([first, ...rest]) => [{ ...first, brand: 'Other' }, ...rest]),
    [{ list: saddles, missing: [], extra: [], changed: [{ id: 1, fields: ['brand'] }] }], '/api/v1/saddles/\n    1 differs in brand\n\n'],
  ['one that is missing', records(saddles, ([, ...rest]) => rest), [{ list: saddles, missing: [1], extra: [], changed: [] }], '/api/v1/saddles/\n    missing: 1\n\n'],
  ['no list', exchange => { if (exchange.path === saddles) exchange.status = 500 },
    [{ list: saddles, unread: 'needs a list, which /api/v1/saddles/ does not give' }],
    '/api/v1/saddles/\n    not compared: needs a list, which /api/v1/saddles/ does not give\n\n'],
  ['nothing', () => {}, [], 'Every record is the same as ours.']
]

test('a comparison tells which records differ from ours, by id and field, and which lists were not compared', async t => {
  const proxy = createProxy(await build(t, { tokens: [token] }))
  for (const [title, alter, expected, lines] of comparisons) {
    const differences = await compare(new Probe(base, proxy(alter), token), catalogue)
    t.same(differences, expected, title)
    t.match(reporters.human(false).end({ url: '', requests: 0, results: [], differences }), lines, title)
  }
  const gone = new Unreachable('gone')
  await t.rejects(compare(new Probe(base, () => Promise.reject(gone), token), catalogue), gone)
})

test('with --compare the report ends with what differs', async t => {
  const url = await listen(await build(t, { tokens: [token] }))
  const { differences } = await report(url, '--compare', '--token', token)
  t.same(differences, [])
  const ours = await listenAltered(t, saddles, (reply, [, ...rest]) => reply.send(Buffer.from(JSON.stringify(rest))), catalogue)
  const { stdout } = await run([ours, '--rate', '100000', '--compare', '--reporter', 'tap'])
  t.match(stdout, /# {3}missing: 1\n# \/api\/v2\/bikes\/\n# {3}not compared: needs a list, which \/api\/v2\/bikes\/ does not give\n1\.\.\d+\n$/)
})

test('a record that shows a fault is shown, cut where it is long', async t => {
  const long = 'x'.repeat(200)
  const url = await listenAltered(t, saddles, (reply, [first, second]) => reply.send(Buffer.from(JSON.stringify([{ ...first, brand: null }, { ...second, model: null, brand: long }]))))
  const { stdout } = await run([url, '--rate', '100000'])
  t.match(stdout, '    record:   {"id":1,"brand":null,"model":"Antares R3"}\n')
  t.match(stdout, /record: {3}\{"id":2,"brand":"x{100,}…\n/)
})

test('a server that asks to wait is waited for', async t => {
  let refused = 0
  const url = await listenAltered(t, saddles, (reply, records) => refused++ === 0
    ? reply.code(429).header('retry-after', '0').send({ detail: 'Request was throttled.' })
    : reply.send(Buffer.from(JSON.stringify(records))))
  const { stderr } = await run([url, '--rate', '100000'], undefined, { isTTY: true, hasColors: () => false })
  t.match(stderr, /\d+\/\d+ waiting 0 s, as the server asks/)
})

test('the report for people says what failed, how to ask again, what was expected and what came', async t => {
  const url = await listenAltered(t, saddles, charset)
  const { code, stdout } = await run([url, '--rate', '100000'])
  t.equal(code, 1)
  t.match(stdout, `✗ ${saddles} is application/json saddles/content-type
    stands in: specification, "Endpoints"

    curl '${url}${saddles}'
    expected: application/json without a charset
    got:      application/json; charset=utf-8
`)
  t.match(stdout, /✓ negotiation {3} 14 hold\n/)
  t.match(stdout, /\d+ hold, \d do not, \d+ remarks?, \d+ not tried\. \d+ requests\.\n$/)
})

/** What a proxy asks of its app, over HTTP. */
async function listenProxy (t: Test, ask: Ask): Promise<string> {
  const app = Fastify({ exposeHeadRoutes: false })
  app.all('*', async ({ method, url, headers: asked }, reply) => {
    const { status, headers, body } = await ask({ method, target: url, headers: asked as Record<string, string> })
    const { connection, date, ...kept } = headers
    return reply.code(status).headers(kept).send(method === 'HEAD' ? undefined : body)
  })
  t.teardown(() => app.close())
  return listen(app)
}

test('the README shows what the command says of a server with one fault', async t => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, args = '', sample = ''] = /```sh\nnpx bicycle-catalogue verify (.+)\n```\n\n```\n([^`]+)```/.exec(readme) ?? []
  const [address = '', ...flags] = args.replace('"$TOKEN"', token).split(' ')
  const proxy = createProxy(await build(t, { tokens: [token] }))
  const isFaulty = ({ path }: Exchange) => path === '/api/v1/bikes/'
  const url = await listenProxy(t, proxy(when(isFaulty, ({ headers }) => { headers['content-type'] = 'application/json; charset=utf-8' })))
  const { code, stdout } = await run([url, ...flags, '--rate', '100000'])
  t.equal(code, 1)
  const said = stdout.replaceAll(url, address)
  const [head = '', ...others] = sample.split(/^ +…\n/m)
  t.ok(said.startsWith(head), head)
  const rest = others.reduce((rest, part) => {
    t.ok(rest.includes(part), part)
    return rest.slice(rest.indexOf(part) + part.length)
  }, said)
  t.equal(rest, '', said)
})

/** What a server says in place of what is expected of it, and how the report for people shows it. */
const answers: ReadonlyArray<readonly [id: string, where: (exchange: Exchange) => boolean, status: number, body: string, got: string]> = [
  ['saddles/status', isSaddles, 200, '<!doctype html>\n<title>Saddles</title>', '200, <!doctype html>\\n<title>Saddles</title>'],
  ['saddles/status', isSaddles, 200, '\r\n\t\u001b[2J\u009b\u202e\u2028', '200, \\r\\n\\t\\u{1b}[2J\\u{9b}\\u{202e}\\u{2028}'],
  ['saddles/status', isSaddles, 200, '', '200, no body'],
  ['saddles/status', isSaddles, 200, '{"detail":"None."}', '200, {"detail":"None."}'],
  ['saddles/status', isSaddles, 200, 'x'.repeat(1000), `200, ${'x'.repeat(119)}…`],
  ['saddles/status', isSaddles, 500, '<h1>Server Error</h1>', '500, <h1>Server Error</h1>'],
  ['saddles/envelope', ({ path, query }) => path === saddles && query === 'page=1', 502, 'Bad gateway', '502, Bad gateway'],
  ['saddles/options', ({ path, method }) => path === saddles && method === 'OPTIONS', 200, 'GET', '200, GET'],
  ['saddles/ordering/unknown', ({ path, query }) => path === saddles && query === 'ordering=nonsense', 400, 'No.', '400, No.'],
  ['bikes/links', ({ path, query }) => path === '/api/v1/bikes/' && query === 'page=2', 200, 'None.', '200, None.'],
  ['saddles/invalid-page', ({ path, query }) => path === saddles && query === 'page=999999', 404, '{"detail":"None."}', '404, {"detail":"None."}'],
  ['token/absent', ({ path, asked }) => path === '/api/v2/bikes/' && asked['authorization'] === undefined, 401, '{"detail":"No."}', '401, {"detail":"No."}'],
  ['filters/unreadable-integer', ({ query }) => query === 'year=verify', 400, '{"year":["No."]}', '400, {"year":["No."]}'],
  ['negotiation/format-unknown', ({ query }) => query === 'format=xml', 404, '{"detail":"No."}', '404, application/json, {"detail":"No."}'],
  ['negotiation/indent', ({ asked }) => String(asked['accept']).includes('indent'), 200, '[\n  1]', '[\\n  1]']
]

test('a body that is not what was expected is shown as it is: its start, on one line', async t => {
  const proxy = createProxy(await build(t, { tokens: [token] }, fewer))
  for (const [id, where, status, body, got] of answers) {
    const result = (await runBehind(proxy(when(where, says(status, body))))).find(result => result.id === id)
    t.equal((result?.failures[0] ?? result?.remarks[0])?.got, got, id)
    t.equal(result?.skipped, undefined)
  }
})

test('the TAP report is whole: a plan, findings as YAML, skips and remarks', async t => {
  const { stdout } = await run([await listenAltered(t, saddles, charset), '--rate', '100000', '--reporter', 'tap'])
  const lines = stdout.split('\n')
  t.equal(lines[0], 'TAP version 14')
  t.equal(lines.at(-2), `1..${checks.length}`)
  t.equal(lines.filter(line => /^(not )?ok \d+ - /.test(line)).length, checks.length)
  t.match(stdout, /^not ok \d+ - saddles\/content-type: .*\n {2}---\n {2}source: "specification, \\"Endpoints\\""\n {2}failures:\n {4}- request: "curl /m)
  t.match(stdout, /# SKIP needs --token/)
  t.match(stdout, /# remark: expected X-RateLimit-Limit/)
})

test('on a terminal there are colours, and a line of progress that is wiped away', async t => {
  const url = await listen(await build(t, {}, fewer))
  const { stdout, stderr } = await run([url, '--rate', '100000'], undefined, { isTTY: true, hasColors: () => true })
  t.match(stdout, '\u001b[32m✓\u001b[39m')
  t.match(stderr, `\r\u001b[K0/${checks.length} GET /api/v1/bikes/`)
  t.ok(stderr.endsWith('\r\u001b[K'))
})

const help = '(bicycle-catalogue verify --help lists them)'
const refusedWords: [args: string[], message: string][] = [
  [[], 'verify takes one URL, such as http://127.0.0.1:3000 (bicycle-catalogue verify --help)'],
  [['http://a', 'http://b'], 'verify takes one URL, such as http://127.0.0.1:3000 (bicycle-catalogue verify --help)'],
  ...['ftp://a', 'http://', 'a', '', 'http://a/b?', 'http://a/b?c=d', 'http://a/b#', 'http://a/b#c'].map((url): [string[], string] =>
    [[url], `the URL must be an http or https address without a query or fragment, such as http://127.0.0.1:3000, got "${url}"`]),
  [['http://a', '--reporter', 'html'], '--reporter must be human, tap or json, got "html"'],
  [['http://a', '--reporter', 'toString'], '--reporter must be human, tap or json, got "toString"'],
  [['http://a', '--rate', 'fast'], '--rate must be a number of requests a second, got "fast"'],
  [['http://a', '--rate', '0'], '--rate must be a number of requests a second, got "0"'],
  [['http://a', '--token', ''], '--token must be a token in ASCII without spaces'],
  [['http://a', '--token', 'ab c'], '--token must be a token in ASCII without spaces'],
  [['http://a', '--token=✓'], '--token must be a token in ASCII without spaces'],
  [['http://a', '--token'], '--token needs a value: a token in ASCII without spaces'],
  [['--token', '--compare', 'http://a'], '--token needs a value: a token in ASCII without spaces'],
  [['http://a', '--compare=on'], '--compare takes no value'],
  [['http://a', '--rats', '1'], `unknown flag --rats; did you mean --rate? ${help}`],
  [['--probe', 'http://a'], `unknown flag --probe; did you mean --probe-writes? ${help}`],
  [['http://a', '--foo'], `unknown flag --foo ${help}`],
  [['http://a', '-v'], `unknown flag -v ${help}`]
]

for (const [args, message] of refusedWords) {
  test(`verify ${args.join(' ')} exits with 2: ${message}`, async t => {
    const { code, stdout, stderr } = await run(args)
    t.equal(code, 2)
    t.equal(stdout, '')
    t.equal(stderr, `${message}\n`)
  })
}

test('verify --help says what it takes', async t => {
  const [{ code, stdout }, short] = [await run(['--help']), await run(['http://a', '-h', '--rate', 'fast'])]
  t.equal(code, 0)
  t.same(short, { code, stdout, stderr: '' })
  t.match(stdout, /^Usage: bicycle-catalogue verify URL \[flags\]\n/)
})

test('a server that cannot be reached is 2', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const { code, stderr } = await run([`http://127.0.0.1:${port}`])
  t.equal(code, 2)
  t.match(stderr, `GET http://127.0.0.1:${port}/api/v1/bikes/: ECONNREFUSED`)
})

test('what is stopped tells what it knows, and is 2', async t => {
  const url = await listen(await build(t))
  const controller = new AbortController()
  const stopping = { isTTY: true, hasColors: () => { setTimeout(() => controller.abort(), 100); return false } }
  const { code, stdout, stderr } = await run([url, '--rate', '20'], controller.signal, stopping)
  t.equal(code, 2)
  t.match(stdout, / hold, 0 do not, /)
  t.match(stderr, 'stopped before the end\n')
})
