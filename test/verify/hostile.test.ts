import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'tap'
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
    const origin = await serve(t, twoLists(JSON.stringify([record]), { etag: '"\u009b31m"', 'content-type': 'a\u009b2J' }))
    const { code, stdout, stderr } = await run(origin, '--reporter', reporter, '--compare')
    t.equal(code, 1)
    t.equal(stderr, '')
    t.notMatch(stdout, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    t.notMatch(stdout, /^0 passed/m)
    t.match(stdout, reporter === 'human' ? 'x\\u{1b}[2J\\u{9b}1m\\u{202e}\\u{2028}\\n\\n0 passed' : 'x\\u001b[2J\\u009b1m\\u202e\\u2028\\n\\n0 passed')
    if (reporter === 'json') t.match(JSON.parse(stdout), { url: `${origin}/`, checks: [{ id: 'bikes/status', ok: true }] })
  })
}

const oddBodies: [title: string, body: string, got: string][] = [
  ['ids that are objects with a toString', '[{"id":{"toString":1}},{"id":{"toString":1}}]', 'the record {"toString":1}'],
  ['ids that are arrays', '[{"id":[null]},null,7]', 'the record [null]'],
  ['fields that are objects', '[{"id":1,"title":{"toString":1},"brand":{"toString":1},"brand_name":{"toString":1},"category":7,"price":{"valueOf":1}}]', '{"toString":1} in the record 1'],
  ['200,000 nested arrays', '['.repeat(200_000) + ']'.repeat(200_000), '200, [[[['],
  ['a page of nested arrays', `{"count":1,"next":null,"previous":null,"results":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`, '200, {"count":1'],
  ['a record with 20,000 extra fields', `[{"id":1,${Array.from({ length: 20_000 }, (_, index) => `"f${index}":0`).join()}}]`, 'f1 in the record 1'],
  ['a page of nothing', '{"results":[null],"next":7,"count":{"toString":1}}', '"count"'],
  ['null', 'null', '200, null'],
  ['no body', '', '200, no body']
]

for (const [title, body, got] of oddBodies) {
  test(`${title}: the checks fail, and none throws`, async t => {
    const { code, stdout, stderr } = await run(await serve(t, twoLists(body)), '--compare', '--probe-writes')
    t.same([code, stderr], [1, ''])
    t.match(stdout, got)
    t.ok(stdout.length < 1e6, `${stdout.length} characters`)
  })
}

test('a response over 32 MB ends the run', async t => {
  const origin = await serve(t, ({ url }, response) => { response.end(url === saddles ? Buffer.alloc(2 ** 25 + 1) : '[]') })
  const { code, stdout, stderr } = await run(origin)
  t.equal(code, 2)
  t.match(stdout, ' passed, ')
  t.equal(stderr, `GET ${origin}${saddles}: a response of more than 32 MB\n`)
})

test('more than 100 pages of a list, or 5,000 requests, end the run', async t => {
  const page = (size: number) => ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const number = Number(new URL(url, 'http://a').searchParams.get('page') ?? 1)
    const next = `http://${response.req.headers.host}${url.split('?')[0]}?page=${number + 1}`
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ count: 1e6, next, previous: null, results: Array.from({ length: size }, (_, id) => ({ id })) }))
  }
  const { code, stderr } = await run(await serve(t, page(1)))
  t.equal(code, 2)
  t.match(stderr, /: a list of more than 100 pages\n$/)
  const many = await runVerify([await serve(t, twoLists('[]'))], undefined, {}, 50)
  t.same([many.code, many.stderr], [2, 'the service needs more than 50 requests\n'])
})

test('a list of endless pages ends the run', async t => {
  const page = JSON.stringify({ count: 1, next: `${saddles}?page=`, previous: null, results: ['x'.repeat(2 ** 25 - 200)] })
  const origin = await serve(t, ({ url = '' }, response) => {
    const isPage = url.startsWith(saddles)
    response.writeHead(isPage || url.startsWith('/api/') ? 200 : 404)
    response.end(isPage ? page.replace('?page=', `?page=${Number(url.split('=')[1] ?? 1) + 1}`) : '[]')
  })
  const { code, stderr } = await run(origin)
  t.same([code, stderr], [2, `${saddles}: a list of more than 64 MB\n`])
})

test('http://user:password@host: Basic credentials are sent, and the password is not printed', async t => {
  const seen = new Set<string | undefined>()
  const { host } = new URL(await serve(t, ({ headers: { authorization } }, response) => {
    seen.add(authorization)
    response.end('[]')
  }))
  const basic = `Basic ${Buffer.from('me:s3cret').toString('base64')}`
  for (const reporter of ['human', 'json']) {
    const { stdout, stderr } = await run(`http://me:s3cret@${host}`, '--reporter', reporter)
    t.notMatch(stdout + stderr, /s3cret|bWU6czNjcmV0/)
    t.match(stdout, `http://me:***@${host}/`)
    t.match(stdout, `'http://me:***@${host}/api/v1/bikes/'`)
  }
  t.ok(seen.has(basic) && seen.has('Token t'))
  const refused = await run('http://me:s3cret@host?x')
  t.same([refused.code, refused.stdout], [2, ''])
  t.notMatch(refused.stderr, 's3cret')
  const closed = await run('http://me:s3cret@127.0.0.1:1')
  t.same(closed, { code: 2, stdout: '', stderr: 'GET http://me:***@127.0.0.1:1/api/v1/bikes/: ECONNREFUSED; is the server running?\n' })
})
