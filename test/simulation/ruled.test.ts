import { execFile } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { test } from 'tap'
import { build, catalogue, exchange, started } from '../helper.ts'
import type { Simulation } from '../../src/simulation/control.ts'
import { addRule, outcomeOf, rulesPath as address, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/bikes/'
const [image = ''] = catalogue.images.keys()
const json = { 'content-type': 'application/json' }

test('POST, GET and DELETE /__simulate', async t => {
  const { app, log } = await simulated(t, { logRequests: true })
  const added = await addRule(app, { method: 'get', path, code: 503, times: 1 })
  t.same([added.statusCode, added.json()], [201, { id: 1, method: 'get', path, code: 503, times: 1, used: 0 }])
  const statuses = []
  for (const url of [path, path, image, '/livez']) {
    statuses.push((await app.inject({ url, headers: { authorization: 'Token ci', accept: '*/*' } })).statusCode)
  }
  t.same(statuses, [503, 200, 200, 200])
  const { rules, requests } = await stateOf(app)
  t.same(rules, [{ id: 1, method: 'get', path, code: 503, times: 1, used: 1 }])
  t.match(
    requests,
    [
      [path, 503], [path, 200], [image, 200]
    ].map(([path, status]) => ({ method: 'GET', path, query: {}, status, headers: { accept: '*/*' } }))
  )
  t.notMatch(JSON.stringify(requests), /Token|authorization/)

  const deleted = await app.inject({ method: 'DELETE', url: address, headers: json })
  t.same([deleted.statusCode, deleted.body], [204, ''])
  t.same(await stateOf(app), { rules: [], unused: [], requests: [], dropped: 0 })
  const head = await app.inject({ method: 'HEAD', url: `${address}?images` })
  const other = await app.inject({ method: 'PATCH', url: address, headers: json, payload: '{}' })
  t.same([other.statusCode, other.headers.allow, other.json()], [
    405, 'GET, HEAD, POST, PUT, DELETE', { detail: 'Method "PATCH" not allowed.' }
  ])
  const preflight = await app.inject({
    method: 'OPTIONS', url: address, headers: { origin: 'http://a', 'access-control-request-method': 'POST' }
  })
  t.equal(preflight.statusCode, 405)
  for (const [name, { headers }] of Object.entries({ added, deleted, head, other, preflight })) {
    t.equal(headers['cache-control'], 'no-store', name)
    t.notMatch(Object.keys(headers).join(), 'access-control', name)
  }
  await app.inject({ method: 'DELETE', url: `${address}/1` })
  t.same(log.map(({ url }) => url), [path, path, image])
})

test('DELETE /__simulate/ID deletes a rule, /rules and /requests all of one kind; a query is refused', async t => {
  const { app } = await simulated(t)
  for (let count = 0; count < 3; count++) await addRule(app, { path, code: 503 })
  await app.inject(path)
  const remove = async (below: string) => {
    const { statusCode, body } = await app.inject({ method: 'DELETE', url: address + below })
    const { rules, requests } = await stateOf(app)
    return [statusCode, body, rules.map(({ id }) => id), requests.length]
  }
  const refused = '{"detail":"DELETE takes no query. Delete one rule with DELETE /__simulate/ID."}'
  t.same(await remove('?id=1'), [400, refused, [1, 2, 3], 1])
  t.same(await remove('/2'), [204, '', [1, 3], 1])
  for (const id of ['2', '', 'toString']) {
    t.same(await remove(`/${id}`), [404, '{"detail":"Not found."}', [1, 3], 1], id)
  }
  t.same(await remove('/requests'), [204, '', [1, 3], 0])
  t.same(await remove('/rules'), [204, '', [], 0])
})

const refused: readonly [payload: string, type: string | undefined, status: number, body: object][] = [
  ['{}', 'application/json', 400, { path: ['This field is required.'] }],
  [JSON.stringify({ path, code: 200 }), 'application/json; charset=utf-8', 400, { code: [/^Must be 400, 401/] }],
  ['{"path"', 'application/json', 400, { detail: /^JSON parse error - / }],
  ['', 'application/json', 400, { non_field_errors: ['The rule must be plain JSON, got undefined.'] }],
  [
    '{}', 'text/plain', 415,
    { detail: 'Unsupported media type "text/plain" in request. Send Content-Type: application/json.' }
  ],
  ['a=1', 'application/x-www-form-urlencoded', 415, {}],
  ['{}', undefined, 415, { detail: 'Unsupported media type "" in request. Send Content-Type: application/json.' }],
  ['', undefined, 400, { non_field_errors: ['The rule must be plain JSON, got undefined.'] }],
  [`{"path":"${path}","body":${'['.repeat(2e5)}${']'.repeat(2e5)}}`, 'application/json', 400,
    { non_field_errors: [/^The rule\.body.* must be JSON of at most 100 levels/] }],
  [JSON.stringify({
    path, ...Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`f${index}`, 1]))
  }), 'application/json', 400,
  { f0: [/^Unknown field/], f9: [/^Unknown field/], non_field_errors: ['There are more errors.'] }],
  [
    JSON.stringify({
      path, sequence: [Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`f${index}`, 1]))]
    }),
    'application/json', 400,
    { sequence: [/^Step 1: f0: Unknown field/], non_field_errors: ['There are more errors.'] }
  ],
  [JSON.stringify({ path: `/${'a'.repeat(2 ** 19)}` }), 'application/json', 400,
    { non_field_errors: ['Must be at most 524288 characters as JSON.'] }],
  [JSON.stringify({ path: `/${'a'.repeat(2 ** 24)}` }), 'application/json', 413,
    { detail: 'Request body too large.' }],
  [JSON.stringify([{ path }, { path, times: 0 }, {}]), 'application/json', 400,
    { 'rules[1].times': ['Must be an integer from 1 to 1000000.'], 'rules[2].path': ['This field is required.'] }],
  ['{"rules": [5]}', 'application/json', 400, { 'rules[0]': [/^Must be an object such as/] }],
  [
    JSON.stringify({ path, sequence: [{ code: 503 }, { code: 1 }] }), 'application/json', 400,
    { sequence: [/^Step 2: code: Must be 400/] }
  ]
]

test('POST /__simulate with what is no rule: a short response says why', async t => {
  const { app } = await simulated(t)
  for (const [payload, type, status, body] of refused) {
    const answer = await app.inject({
      method: 'POST', url: address, headers: type === undefined ? {} : { 'content-type': type }, payload
    })
    const { 'access-control-allow-origin': origin, 'cache-control': caching } = answer.headers
    const title = `${type} ${payload.slice(0, 100)}`
    t.same([answer.statusCode, origin, caching], [status, undefined, 'no-store'], title)
    t.match(answer.json(), body, title)
    t.ok(answer.body.length < 3_000 && Object.keys(answer.json()).length < 12, title)
  }
  t.same((await stateOf(app)).rules, [])
})

test('on a loopback address, requests for rules need a Host that no other site can have', async t => {
  for (const [settings, hosts] of [
    [
      {},
      {
        'localhost:3000': 200, '127.0.0.1': 200, '[::1]:3000': 200, '10.0.2.2:3000': 200,
        'app.localhost': 200, 'evil.example': 403, 'localhost.evil.example:3000': 403
      }
    ],
    [
      { host: '127.0.0.1', publicUrl: 'https://bikes.example/a' },
      { 'bikes.example': 200, 'bikes.example:80': 200, 'evil.example': 403 }
    ],
    [{ host: '0.0.0.0' }, { 'evil.example': 200 }]
  ] as const) {
    const { app } = await simulated(t, settings)
    t.match((await exchange(app, `GET ${address} HTTP/1.0\r\n\r\n`)).answer, 'HTTP/1.1 200 OK', 'HTTP/1.0 has no Host')
    for (const [host, status] of Object.entries(hosts)) {
      for (const method of ['GET', 'DELETE'] as const) {
        const { statusCode, body } = await app.inject({ method, url: address, headers: { host } })
        t.equal(statusCode, method === 'DELETE' && status === 200 ? 204 : status, `${method} ${host}`)
        if (status === 403) {
          t.match(
            body,
            'The Host of a request to this path must be an IP address, localhost or the host of --public-url. ' +
              '--host allows others.',
            method
          )
        }
      }
      t.equal((await app.inject({ url: path, headers: { host } })).statusCode, 200, 'lists stay as they are')
    }
  }
  const { app } = await simulated(t, { trustProxy: true })
  for (const [host, forwarded, status] of [
    ['evil.example', 'localhost', 403], ['localhost', 'evil.example', 403], ['localhost:1', 'localhost', 200]
  ] as const) {
    t.equal(
      (await app.inject({ url: address, headers: { host, 'x-forwarded-host': forwarded } })).statusCode,
      status,
      `${host} ${forwarded}`
    )
  }
})

test('without simulate there are no rules', async t => {
  const app = await build(t)
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    t.equal(
      (await app.inject({ method, url: address, headers: json, payload: method === 'POST' ? '{}' : '' })).statusCode,
      404,
      method
    )
  }
  const server = await started(t)
  const message = 'rules and recorded requests need the option simulate: start({ simulate: true })'
  for (const call of [() => server.simulate({ path }), server.requests, server.reset, () => server.remove(1)]) {
    t.throws(call, { message })
  }
})

test('server.simulate: the third call fails, a reset forgets it, and a rule is copied', async t => {
  const server = await started(t, { simulate: true, metricsPort: 0 })
  const statuses = async (count: number) => {
    const found = []
    for (let page = 1; page <= count; page++) {
      found.push((await fetch(
      `${server.url}${path}?page=${page}`,
      { method: 'HEAD' }
      )).status)
    }
    return found
  }
  server.simulate({ path, code: 503, retryAfter: 9, times: 1 })
  t.same(server.simulate({ path, times: 2 }), { id: 2, path, times: 2, used: 0 })
  t.same(await statuses(4), [200, 200, 503, 200])
  t.match(
    server.requests(),
    [200, 200, 503, 200].map((status, index) => ({ path, query: { page: String(index + 1) }, status }))
  )
  server.simulate({ path, code: 404 })
  t.same(await statuses(1), [404])
  t.same([server.remove(3), server.remove(3)], [true, false])
  t.same(await statuses(1), [200])
  server.reset()
  t.same(server.requests(), [])
  t.same(await statuses(1), [200])
  t.throws(() => server.simulate({ path: 'api', code: 503 }), { message: /^invalid rule: path: Must be a path/ })
  t.equal((await fetch(server.url + address)).status, 200)
  const metrics = await (await fetch(String(server.metricsUrl))).text()
  t.match(metrics, `requests_total{route="${path}"`)
  t.notMatch(metrics, address)

  const rule = { path, body: [{ id: 1 }] }
  const added = server.simulate(rule)
  t.match(added, { path, body: [{ id: 1 }], used: 0 })
  for (const { body } of [rule, added]) (body as unknown[]).length = 0
  t.same(await (await fetch(server.url + path)).json(), [{ id: 1 }])
})

test('a rule sends its own response; the recorded request, the log and /__simulate say so', async t => {
  const { app, log } = await simulated(t, { logRequests: true })
  await addRule(app, { path, status: 410, body: { detail: 'Gone.' }, headers: { deprecation: 'true' } })
  t.match(await app.inject(path), {
    statusCode: 410,
    headers: { 'content-type': 'application/json', deprecation: 'true', 'cache-control': 'no-store', vary: 'Accept' },
    body: '{"detail":"Gone."}'
  })
  await addRule(app, { path, body: '<b>', contentType: 'text/html', fault: 'malformed', times: 1 })
  t.match(await app.inject(path), {
    statusCode: 200, headers: { 'content-type': 'text/html', 'content-length': '1' }, body: '<'
  })
  await addRule(app, { path: '/api/v1/saddles/', headers: { 'content-type': 'text/plain' } })
  t.match(await app.inject('/api/v1/saddles/'), { headers: { 'content-type': 'text/plain' }, body: /^\[\{"id":1/ })
  await app.inject({ url: '/api/v1/chains/?__delay=1', headers: { prefer: 'code=503' } })
  await addRule(app, { path: '/media/*', status: 404, body: { gone: true } })
  t.match(await app.inject(image), { statusCode: 404, body: '{"gone":true}' })
  await addRule(app, { path: '/api/v1/brakes/', example: 'empty' })
  t.match(await app.inject('/api/v1/brakes/'), {
    statusCode: 200, headers: { 'cache-control': 'no-store' }, body: '[]'
  })
  await app.inject('/api/v1/tyres/')
  const causes = [
    'rule 1: status=410, headers=deprecation, own body',
    'rule 2: fault=malformed, contentType=text/html, own body',
    'rule 3: headers=content-type', 'Prefer: code=503; __delay=1', 'rule 4: status=404, own body',
    'rule 5: example=empty'
  ]
  t.same((await stateOf(app)).requests.map(({ simulated }) => simulated), [...causes, null])
  t.same(log.map(({ simulated }) => simulated), [...causes, undefined])
  for (const status of [204, 205, 304]) {
    await addRule(app, { path, status, body: { a: 1 } })
    const { statusCode, rawPayload, headers } = await app.inject(path)
    t.same([statusCode, rawPayload.length, headers['content-length'] ?? '0'], [status, 0, '0'], String(status))
  }
})

test('a strict request with an invalid preference is 400, whatever else it prefers', async t => {
  const { app, log } = await simulated(t)
  const answer = await app.inject({
    url: `${path}?__delay=x&foo=1`, headers: { prefer: 'handling=strict, code=418, fault=malformed' }
  })
  const faults = {
    Prefer: [/^code must be .*, got "418"\.$/], __delay: [/^delay must be/], foo: ['Unknown parameter.']
  }
  t.match([answer.statusCode, answer.json()], [400, faults])
  t.same(await outcomeOf(
    app,
    `${path}?__delay=60000`,
    { prefer: 'handling=strict, code=418' }
  ), [400, 'handling=strict'])
  const unknown = await app.inject({ url: `${path}?__codd=418`, headers: { prefer: 'handling=strict' } })
  t.same([unknown.statusCode, unknown.json()], [400, { __codd: ['Unknown parameter.'] }])
  t.same(log, [], 'none is ignored')
  t.same(
    await outcomeOf(app, '/media/missing.jpg?__delay=1', { prefer: 'handling=strict, code=418' }),
    [404, 'delay=1']
  )
  t.match(log, [{ msg: /^GET \/media\/missing\.jpg: ignored preferences: code must be / }])
})

test('many requests of 990 parameters and rules of 100 hold up nothing', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const { simulate } = app.getDecorator<Simulation>('simulation')
  const query = Array.from({ length: 990 }, (_, index) => `p${index}`).join('&')
  for (let count = 0; count < 200; count++) await app.inject(`/media/x?${query}`)
  const parameters = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`p${index}`, '']))
  for (let count = 0; count < 1000; count++) simulate({ path: '/media/*', query: { ...parameters, p989: 'x' } })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await app.inject(`/media/x?${query}`)
  const { requests, rules } = await stateOf(app)
  delay.disable()
  t.same([requests.length, rules.length], [201, 1000])
  t.ok(delay.max < 1e9, `longest turn: ${delay.max / 1e6} ms`)
})

test('exactly as many concurrent requests fail as the rule says; examples/rules.sh fails the third', async t => {
  const server = await started(t, { simulate: true })
  server.simulate({ path, code: 500, delay: '1-20', times: 7 })
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(server.url + path, { method: 'HEAD' })).status)
  )
  t.same(statuses.toSorted(), [...Array<number>(13).fill(200), ...Array<number>(7).fill(500)])
  t.same(server.requests().map(({ status }) => status).toSorted(), statuses.toSorted())
  server.reset()
  const { stdout } = await promisify(execFile)('bash', ['examples/rules.sh', server.url])
  t.same(stdout.trim().split('\n'), [
    '200', '200', '503', '200', '"status":200', '"status":200', '"status":503', '"status":200'
  ])
})

test("a request's own preference beats a rule, and uses up none", async t => {
  const { app } = await simulated(t)
  await addRule(app, { path, code: 503, retryAfter: 4 })
  t.same(await outcomeOf(app, path, { prefer: 'code=404' }), [404, 'code=404'])
  t.same(await outcomeOf(app, `${path}?__delay=1`), [200, 'delay=1'])
  t.equal((await stateOf(app)).rules[0]?.used, 0)
  for (const prefer of ['handling=strict', 'code=999']) {
    const { statusCode, headers } = await app.inject({ url: `${path}?__other=1`, headers: { prefer } })
    t.match(headers, { 'retry-after': '4', 'cache-control': 'no-store', vary: /^Accept$/ }, prefer)
    t.same([statusCode, headers['preference-applied']], [503, undefined], prefer)
  }
  t.equal((await stateOf(app)).rules[0]?.used, 2)
})

test('a rule is for lists and images: no preflight, no page', async t => {
  const { app } = await simulated(t)
  await addRule(app, { path: '*', code: 403 })
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  t.equal((await app.inject({ method: 'OPTIONS', url: path, headers: preflight })).statusCode, 204)
  await addRule(app, { path, method: 'GET', headers: { 'access-control-allow-origin': 'https://app.example' } })
  t.match(
    (await app.inject({ method: 'OPTIONS', url: path, headers: preflight })).headers,
    { 'access-control-allow-origin': 'https://app.example' }
  )
  await app.inject({ method: 'DELETE', url: `${address}/2` })
  for (const url of ['/', '/livez', '/nothing']) t.not((await app.inject(url)).statusCode, 403, url)
  t.match(await stateOf(app), { rules: [{ id: 1, path: '*', code: 403, used: 0 }], unused: [], requests: [] })
  for (const method of ['OPTIONS', 'POST', 'HEAD'] as const) {
    t.equal((await app.inject({ method, url: path })).statusCode, 403, method)
  }
  t.same((await stateOf(app)).requests.map(({ method, status }) => [method, status]), [
    ['OPTIONS', 403], ['POST', 403], ['HEAD', 403]
  ])
})

test('a rule is not used up by a request without a token or an acceptable format', async t => {
  const { app } = await simulated(t)
  const v2 = '/api/v2/bikes/'
  for (const [rule, request, status] of [
    [{ path: v2, body: [1], headers: { deprecation: 'true' } }, { url: v2 }, 401],
    [{ path, example: 'one' }, { url: `${path}?format=xml` }, 404],
    [{ path, code: 503 }, { url: `${path}?format=xml` }, 404]
  ] as const) {
    await app.inject({ method: 'DELETE', url: address })
    await addRule(app, { ...rule, times: 1 })
    const { statusCode, headers } = await app.inject(request)
    t.same([statusCode, headers['deprecation']], [status, undefined], String(status))
    const { rules, requests } = await stateOf(app)
    t.same([rules[0]?.used, requests[0]?.simulated], [0, null], JSON.stringify(rule))
  }
  await addRule(app, { path, example: 'one', times: 1 })
  t.match(await app.inject(`${path}?page=2`), {
    statusCode: 404, headers: { 'cache-control': 'no-store' }, body: '{"detail":"Invalid page."}'
  })
  t.match(
    await stateOf(app),
    { rules: [{}, { used: 1 }], requests: [{}, { simulated: /^rule \d+: example=one$/ }] },
    'the example lacks the page'
  )
  await addRule(app, { path: v2, body: [1], times: 1 })
  t.match(await app.inject({ url: v2, headers: { authorization: 'Token ci' } }), { statusCode: 200, body: '[1]' })
})
