import type { LightMyRequestResponse as Page } from 'fastify'
import { t, test } from 'tap'
import { developmentTokens } from '../../src/settings/settings.ts'
import { build, shared } from '../helper.ts'

const { inject } = shared(t, { tokenSecret: 'secret' })

const url = '/tokens/'
const form = (label: string) => new URLSearchParams({ label }).toString()
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('GET /tokens/ is a page with one button, and says how long tokens are valid', async t => {
  const apps = await Promise.all([{ tokenSecret: 'secret' }, {}].map(settings => build(t, settings)))
  const [{ body, headers }, other] = await Promise.all(apps.map(app => app.inject(url))) as [Page, Page]
  t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': /^default-src 'none'; / })
  t.match(body, /<form method="post" action="\/tokens\/">\s<button[^>]*>Get a token</)
  t.notMatch(body, /<input|<label/)
  t.notMatch(body, 'Restarting the server')
  t.match(other.body, /Restarting the server invalidates it\.\sStart with <code>--token-secret<\/code>/)
})

test('POST /tokens/ shows a token that is valid for v2, in JSON unless a page is preferred', async t => {
  const page = await inject({ method: 'POST', url, headers: { ...urlencoded, ...browser, host: 'bikes.test' } })
  t.match(page, {
    statusCode: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: '<h1>Your token'
  })
  const [token] = /bct_[\w-]{36}/.exec(page.body) ?? []
  t.match(page.body, 'http://bikes.test/api/v2/bikes/')
  t.equal((await inject({ url: '/api/v2/bikes/', headers: { authorization: `Token ${token}` } })).statusCode, 200)

  for (const [payload, label] of [[form(' ci '), 'ci'], [form('  '), ''], ['other=1', ''], ['', '']] as const) {
    const answer = await inject({ method: 'POST', url, headers: urlencoded, payload })
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/json' } })
    const { token: issued, ...others } = answer.json<Record<string, string>>()
    const curl = `curl -H 'Authorization: Token ${issued}' 'http://localhost:80/api/v2/bikes/?page=1'`
    t.same(others, { label, curl }, payload)
  }
  t.equal((await inject({ method: 'POST', url })).statusCode, 200, 'no body at all')
})

test('a label that is too long is 400: the page with the message, or the field in JSON', async t => {
  const message = 'Ensure this field has no more than 100 characters.'
  const payload = form('x'.repeat(101))
  const page = await inject({ method: 'POST', url, headers: { ...urlencoded, ...browser }, payload })
  t.match(page, { statusCode: 400, body: `<p class="error">label: ${message}` })
  const json = await inject({ method: 'POST', url, headers: urlencoded, payload })
  t.match(json, { statusCode: 400, body: JSON.stringify({ label: [message] }) })
})

test('other bodies are errors', async t => {
  for (const [headers, payload, status, detail] of [
    [urlencoded, form('x'.repeat(5000)), 413, 'Request body too large.'],
    [
      { 'content-type': 'application/json' },
      '{"label":"x"}',
      415,
      'Unsupported media type "application/json" in request.'
    ],
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
  const issue = () => app.inject({ method: 'POST', url, headers: urlencoded, payload: form('x') })
  for (let times = 0; times < 10; times++) await issue()
  t.match(await issue(), {
    statusCode: 429, body: /^\{"detail":"Request was throttled\. Expected available in \d+ seconds?\."\}$/
  })
  t.equal((await app.inject(url)).statusCode, 200, 'the page itself is not counted')
  t.match((await app.inject('/api/v1/brakes/')).headers, { 'x-ratelimit-remaining': '59' })
})

const bikes = '/api/v2/bikes/'
const dev = { authorization: 'Token dev' }

test('dev on a loopback address has the token dev, which its pages offer', async t => {
  for (const host of ['localhost', '127.0.0.1', '::1']) {
    const app = await build(t, { tokens: developmentTokens, host })
    t.equal((await app.inject({ url: bikes, headers: dev })).statusCode, 200, host)
    t.match((await app.inject(url)).body, /The token is <code>dev<[^]*always accepts[^]*name="token" value="dev"/, host)
    t.match((await app.inject('/')).body, "/api/v2/bikes/?page=1'", host)
    t.notMatch((await app.inject(url)).body, 'Restarting', host)
    const refused = await app.inject({ url: bikes, headers: browser })
    t.match(refused.body, />Use the token dev<\/button>/, host)
    const missing = await app.inject({ url: `${bikes}?search=dev&page=9`, headers: { ...dev, ...browser } })
    t.match(missing.body, 'search=dev', 'it is no secret')
  }
})

const otherwise = [
  { host: '0.0.0.0' },
  { host: '192.168.1.20' },
  { tokens: undefined },
  { tokens: ['mine'] },
  { tokenSecret: 'a secret' },
  { tokenSecretFile: 'a secret' }, { tokensFile: ['theirs'] }
]

test('no other server accepts the token dev', async t => {
  for (const settings of otherwise) {
    const label = JSON.stringify(settings)
    const app = await build(t, { tokens: developmentTokens, ...settings })
    t.equal((await app.inject({ url: bikes, headers: dev })).statusCode, 401, label)
    for (const path of [url, '/', bikes]) {
      t.notMatch((await app.inject({ url: path, headers: browser })).body, /[^\w-]dev</, `${label} ${path}`)
    }
    const [own] = settings.tokens ?? settings.tokensFile ?? []
    if (own === undefined) continue
    t.equal((await app.inject({ url: bikes, headers: { authorization: `Token ${own}` } })).statusCode, 200, label)
  }
})
