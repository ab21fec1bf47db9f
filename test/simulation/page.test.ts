import { test } from 'tap'
import { build, catalogue, exchange } from '../helper.ts'
import { addRule, get, rulesPath as address, simulated, stateOf } from './simulated.ts'

const path = '/api/v1/saddles/'
const [image = ''] = catalogue.images.keys()
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const textOf = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

test('GET /__simulate is a page for browsers and JSON for others', async t => {
  const { app } = await simulated(t)
  const page = await app.inject({ url: address, headers: html })
  t.match(page, { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
  t.match(page.headers['content-security-policy'], "default-src 'none'")
  t.notMatch(Object.keys(page.headers).join(), 'access-control')
  t.match(textOf(page.body), 'No requests yet.')
  t.match(page.body, 'aria-current="page">Simulation</a>')
  for (const accept of ['*/*', 'application/json', 'image/png', '']) {
    t.same((await app.inject({ url: address, headers: { accept } })).json(), { rules: [], unused: [], requests: [] }, accept)
  }
  t.match((await app.inject({ url: `${address}?format=json`, headers: html })).headers, { 'content-type': 'application/json' })
  t.match(await app.inject({ method: 'HEAD', url: address, headers: html }), { statusCode: 200, body: '', headers: { 'content-type': /html/ } })
  t.notMatch((await (await build(t)).inject('/')).body, address)
})

test('the page shows requests and rules, newest first, and escapes them', async t => {
  const { app } = await simulated(t, { rateLimit: false })
  const add = (rule: object) => addRule(app, { path, ...rule })
  const show = async (query = '') => (await app.inject({ url: address + query, headers: html })).body
  await add({ method: 'GET', query: { x: '</code>' }, code: 503, times: 1 })
  await add({ times: 1 })
  await app.inject(path)
  await exchange(app, get(`${path}?q=%22<b>&x=</code>`))
  for (const url of [`${path}?__fault=truncate`, `${path}?__delay=1`, `${path}?__delay=1&__code=429`, image]) await app.inject(url)
  await app.inject({ url: path, headers: html })
  await exchange(app, get(`${path}?__fault=reset`))
  const body = await show()
  const lines = [...body.matchAll(/<li[^>]*><(?:time|span class="muted")[^]*?<\/li>/g)].map(([line]) =>
    textOf(line.replace(/<select[^]*?<\/select>/, '')).replace(/\b\d+ ms +next time|Copy as .*/, '').trim())
  t.match(lines, [
    /^\d\d:\d\d:\d\d reset GET \/api\/v1\/saddles\/ __fault=reset retry-after repeated/,
    /429 after 1 ms GET \/api\/v1\/saddles\/ __code=429&__delay=1$/,
    /200 after 1 ms GET/, /200 truncated GET .* __fault=truncate$/,
    /503 GET \/api\/v1\/saddles\/\?q=%22<b> &x=<\/code> rule 1: code=503$/,
    /200 GET \/api\/v1\/saddles\/$/,
    'Rule 2 used 1 of 1 /api/v1/saddles/ lets requests pass',
    'Rule 1 used 1 of 1 GET /api/v1/saddles/?x=%3C%2Fcode%3E code=503'
  ])
  t.notMatch(body, /undefined|>null<|<b>&/)
  t.match(await show('?images'), image)
  for (let count = 0; count < 100; count++) await app.inject({ url: path, headers: { 'x-count': String(count) } })
  t.match(await show(), /<option value="">any headers<\/option>\s+<option value="\{&#34;x-count&#34;:&#34;99&#34;\}">x-count: 99<\/option><\/select>/)
  await add({ code: 404, probability: 0.5 })
  const waiting = app.inject(`${path}?__delay=60000`)
  await app.inject('/livez')
  t.match(textOf(await show()), /no response · 1 rule active · Simulation .* Rule 3 used 0 \S+ code=404, probability 0.5 .* no response GET \/api\/v1\/saddles\/ __delay=60000 .* 57 more are older\. .* 2 used up/)
  await app.close()
  await waiting
})

test('browsable pages and their thumbnails are not recorded and use up no rules', async t => {
  const { app } = await simulated(t, { rateLimit: false, failureRate: 1 })
  await addRule(app, { path: '*', code: 503 })
  for (const url of [path, '/', '/docs/', image.replace('/media/', '/thumbnails/')]) {
    t.equal((await app.inject({ url, headers: html })).statusCode, 200, url)
  }
  const { rules, requests } = await stateOf(app)
  t.same([rules[0]?.used, requests], [0, []])
})

test('the page of a simulated error says first that it is simulated', async t => {
  const { app } = await simulated(t)
  const shown = async (url: string, headers = {}) => textOf(/<main[^>]*>([^]*)<\/main>/.exec((await app.inject({ url, headers: { ...html, ...headers } })).body)?.[1] ?? '').trim()
  t.match(await shown(`${path}?__code=429`), /^Request was throttled.* Simulated: __code=429 ?\. Simulation/)
  t.match(await shown(path, { prefer: 'code=503' }), / Simulated: Prefer: code=503/)
  t.notMatch(await shown('/api/v1/bikes/?page=99&__delay=1'), 'Simulated')
})
