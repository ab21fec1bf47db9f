import type { LightMyRequestResponse as Page } from 'fastify'
import { t, test } from 'tap'
import { build, shared } from '../helper.ts'

const { inject } = shared(t, { tokenSecret: 'secret' })

const url = '/tokens/'
const form = (label: string) => new URLSearchParams({ label }).toString()
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('GET /tokens/ is a page with a form, and says how long tokens are valid', async t => {
  const [{ body, headers }, other] = await Promise.all([{ tokenSecret: 'secret' }, {}].map(async settings => (await build(t, settings)).inject(url))) as [Page, Page]
  t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': /^default-src 'none'; / })
  t.match(body, /<form[^>]+method="post"[^]+name="label"[^]+value="" placeholder="my phone"/)
  t.notMatch(body, 'It is invalid after a restart')
  t.match(other.body, 'It is invalid after a restart')
})

test('POST /tokens/ shows a token that is valid for v2, in JSON unless a page is preferred', async t => {
  const page = await inject({ method: 'POST', url, headers: { ...urlencoded, ...browser, host: 'bikes.test' }, payload: form('my <app>') })
  t.match(page, { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body: 'For <b>my &#60;app&#62;</b>' })
  const [token] = /bct_[\w-]{36}/.exec(page.body) ?? []
  t.match(page.body, 'http://bikes.test/api/v2/bikes/')
  t.equal((await inject({ url: '/api/v2/bikes/', headers: { authorization: `Token ${token}` } })).statusCode, 200)

  const answer = await inject({ method: 'POST', url, headers: urlencoded, payload: form('ci') })
  t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/json' } })
  const { token: issued, label, curl } = answer.json<Record<string, string>>()
  t.same({ label, curl }, { label: 'ci', curl: `curl -H 'Authorization: Token ${issued}' 'http://localhost:80/api/v2/bikes/?page=1'` })
})

const wrong: [payload: string, message: string][] = [
  ['', 'This field is required.'],
  [form('   '), 'This field is required.'],
  ['other=1', 'This field is required.'],
  [form('x'.repeat(101)), 'Ensure this field has no more than 100 characters.']
]

test('invalid input is 400: the form with the message, or the field in JSON', async t => {
  for (const [payload, message] of wrong) {
    const page = await inject({ method: 'POST', url, headers: { ...urlencoded, ...browser }, payload })
    t.equal(page.statusCode, 400, payload)
    for (const text of ['aria-invalid="true"', `<p class="error" id="label-error">${message}`]) t.match(page.body, text, text)
    const json = await inject({ method: 'POST', url, headers: urlencoded, payload })
    t.strictSame([json.statusCode, json.body], [400, JSON.stringify({ label: [message] })], payload)
  }
  t.equal((await inject({ method: 'POST', url })).statusCode, 400, 'no body at all')
})

test('other bodies are errors', async t => {
  for (const [headers, payload, status, detail] of [
    [urlencoded, form('x'.repeat(5000)), 413, 'Request body too large.'],
    [{ 'content-type': 'application/json' }, '{"label":"x"}', 415, 'Unsupported media type "application/json" in request.'],
    [{ ...urlencoded, accept: 'application/xml' }, form('x'), 406, 'Could not satisfy the request Accept header.'],
    [{}, form('x'), 415, 'Unsupported media type "" in request.'],
    [{ ...urlencoded, 'content-length': '3' }, form('x'), 400, 'Bad request.']
  ] as const) {
    const { statusCode, body } = await inject({ method: 'POST', url, headers, payload })
    t.strictSame([statusCode, body], [status, JSON.stringify({ detail })], detail)
  }
  t.match((await inject('/tokens')).headers, { location: '/tokens/' })
})

test('the form has its own limit for each address', async t => {
  const app = await build(t, { rateLimit: true })
  for (let times = 0; times < 10; times++) await app.inject({ method: 'POST', url, headers: urlencoded, payload: form('x') })
  t.match(await app.inject({ method: 'POST', url, headers: urlencoded, payload: form('x') }), {
    statusCode: 429, body: /^\{"detail":"Request was throttled\. Expected available in \d+ seconds?\."\}$/
  })
  t.equal((await app.inject(url)).statusCode, 200, 'the page itself is not counted')
  t.match((await app.inject('/api/v1/brakes/')).headers, { 'x-ratelimit-remaining': '59' })
})
