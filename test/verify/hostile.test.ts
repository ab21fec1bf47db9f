import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'tap'
import type { Result } from '../../src/verify/check.ts'
import { serve } from '../helper.ts'
import { run as runVerify } from './results.ts'

const run = (...args: string[]) => runVerify([...args, '--token', 't'])

const saddles = '/api/v1/saddles/'

/** Answers two lists with a body, the others with an empty list, and anything else with 404. */
const twoLists = (body: string, headers = {}) => ({ url = '' }: IncomingMessage, response: ServerResponse) => {
  const isHostile = /^\/api\/(v1\/saddles|v2\/bikes)\//.test(url)
  response.writeHead(url.startsWith('/api/') ? 200 : 404, headers).end(isHostile ? body : '[]')
}

const forged = '\n\n0 passed, 0 failed'
const record = { id: 1, brand: 'A', model: 'B', [`x\u001b[2J\u009b1m\u202e\u2028${forged}`]: 1 }

for (const reporter of ['human', 'json']) {
  test(`--reporter ${reporter} escapes control and formatting characters of the server`, async t => {
    const origin = await serve(
      t, twoLists(JSON.stringify([record]), { etag: '"\u009b31m"', 'content-type': 'a\u009b2J' })
    )
    const { code, stdout, stderr } = await run(origin, '--reporter', reporter)
    t.equal(code, 1)
    t.equal(stderr, '')
    t.notMatch(stdout, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    t.notMatch(stdout, /^0 passed/m)
    t.match(
      stdout,
      reporter === 'human'
        ? 'x\\u{1b}[2J\\u{9b}1m\\u{202e}\\u{2028}\\n\\n0 passed'
        : 'x\\u001b[2J\\u009b1m\\u202e\\u2028\\n\\n0 passed'
    )
    if (reporter === 'json') {
      t.match(
        JSON.parse(stdout), { url: `${origin}/`, checks: [{ id: 'bikes/status', ok: true }] }
      )
    }
  })
}

const oddBodies: [title: string, body: string, got: string][] = [
  ['ids that are objects with a toString', '[{"id":{"toString":1}},{"id":{"toString":1}}]', 'record {"toString":1}'],
  ['ids that are arrays', '[{"id":[null]},null,7]', 'record [null]'],
  [
    'fields that are objects',
    '[{"id":1,"title":{"toString":1},"brand":{"toString":1},"brand_name":{"toString":1},' +
      '"category":7,"price":{"valueOf":1}}]',
    '{"toString":1} in record 1'
  ],
  [
    'half a character, and a slug that is an object', '[{"id":1,"brand":"\\ud800","slug":{"toString":1}}]',
    'none in record 1'
  ],
  ['200,000 nested arrays', '['.repeat(200_000) + ']'.repeat(200_000), '200, [[[['],
  [
    'a page of nested arrays',
    `{"count":1,"next":null,"previous":null,"results":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`,
    '200, {"count":1'
  ],
  [
    'a record with 5,000 extra fields',
    `[{"id":1,${Array.from({ length: 5000 }, (_, index) => `"f${index}":0`).join()}}]`, 'f0 in record 1'
  ],
  ['a page of nothing', '{"results":[null],"next":7,"count":{"toString":1}}', '"count"'],
  ['null', 'null', '200, null'],
  ['no body', '', '200, an empty body']
]

for (const [title, body, got] of oddBodies) {
  test(`${title}: the checks fail, and none throws`, async t => {
    const { code, stdout, stderr } = await run(await serve(t, twoLists(body)), '--lists', 'saddles,bikesV2')
    t.same([code, stderr], [1, ''])
    t.match(stdout, got)
    t.ok(stdout.length < 1e6, `${stdout.length} characters`)
  })
}

test('a connection that always breaks and another protocol fail the list, and end nothing', async t => {
  const broken: Record<string, (response: ServerResponse) => unknown> = {
    '/api/v1/brakes/': response => response.destroy(),
    '/api/v1/tyres/': response => response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end()
  }
  const origin = await serve(t, ({ url = '' }, response) => { (broken[url] ?? (() => response.end('[]')))(response) })
  const { code, stdout, stderr } = await run(origin)
  t.same([code, stderr], [1, ''])
  t.match(stdout, /brakes\/: ECONNRESET/)
  t.match(stdout, /tyres\/: the connection ended without a response/)
  t.match(stdout, /handlebars +\d+/)
})

test('a server that stops to respond ends the run after some attempts', async t => {
  let requests = 0
  const origin = await serve(t, (_, response) => {
    if (++requests > 30) response.destroy()
    else response.end('[]')
  })
  const { code, stdout, stderr } = await run(origin)
  t.equal(code, 2)
  t.match(stdout, ' passed, ')
  t.match(stderr, /: ECONNRESET\n$/)
})

test('a list of more than 400 pages is judged as far as it was read, and a run ends with 5,000 requests', async t => {
  const paged = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams, search } = new URL(url, 'http://a')
    const number = Number(searchParams.get('page') ?? 1)
    const link = (page: number) => `http://${response.req.headers.host}${pathname}?page=${page}`
    const page = {
      count: 500,
      next: number < 500 ? link(number + 1) : null,
      previous: number > 1 ? link(number - 1) : null,
      results: [{ id: number, brand: 'A', model: 'B' }]
    }
    const isLong = pathname === saddles
    if (isLong) seen.add(search)
    const headers = {
      'content-type': 'application/json',
      allow: 'GET, HEAD, OPTIONS',
      vary: 'Accept',
      'cache-control': 'max-age=300'
    }
    response.writeHead(200, headers).end(isLong ? JSON.stringify(page) : '[]')
  }
  const seen = new Set<string>()
  const { stdout } = await run(await serve(t, paged), '--lists', 'saddles', '--reporter', 'json')
  const { checks } = JSON.parse(stdout) as { checks: Result[] }
  const walk = checks.find(({ id }) => id === 'saddles/walk')
  t.match(walk, { ok: true, skipped: 'needs every page of the list, at most 400' })
  t.ok(seen.has('?page=400') && !seen.has('?page=401'))
  const few = await runVerify([await serve(t, twoLists('[]'))], undefined, {}, 50)
  t.equal(few.code, 1)
  t.match(few.stdout, /\d+ {2}limited: a run sends at most 50 requests\n/)
})

test('http://user:password@host: Basic credentials are sent, and the password is not printed', async t => {
  const seen = new Set<string | undefined>()
  const { host } = new URL(await serve(t, ({ headers: { authorization } }, response) => {
    seen.add(authorization)
    response.end('[]')
  }))
  const basic = `Basic ${Buffer.from('me:s3cret').toString('base64')}`
  for (const reporter of ['human', 'json']) {
    const { stdout, stderr } = await run(`http://me:s3cret@${host}`, '--lists', 'bikes,bikesV2', '--reporter', reporter)
    t.notMatch(stdout + stderr, /s3cret|bWU6czNjcmV0/, reporter)
    t.match(stdout, `http://me:***@${host}/`, reporter)
    t.match(stdout, `'http://me:***@${host}/api/v1/bikes/'`, reporter)
  }
  t.ok(seen.has(basic) && seen.has('Token t'))
  const refused = await run('http://me:s3cret@host?x')
  t.same([refused.code, refused.stdout], [2, ''])
  t.notMatch(refused.stderr, 's3cret')
  const closed = await run('http://me:s3cret@127.0.0.1:1')
  t.same(
    closed,
    {
      code: 2,
      stdout: '',
      stderr: 'GET http://me:***@127.0.0.1:1/api/v1/bikes/: ECONNREFUSED; is the server running?\n'
    }
  )
})
