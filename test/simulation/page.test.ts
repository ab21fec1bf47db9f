import { test } from 'tap'
import { build, catalogue, exchange } from '../helper.ts'
import { addRule, get, rulesPath as address, simulated } from './simulated.ts'

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
    t.same((await app.inject({ url: address, headers: { accept } })).json(), { rules: [], requests: [] }, accept)
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
  const lines = [...body.matchAll(/<li[^>]*><(?:time|span class="muted")[^]*?<\/li>/g)].map(([line]) => textOf(line).replace(/\b\d+ ms Fail it next time|Copy as .*/, '').trim())
  t.match(lines, [
    'Rule 2 used 1 of 1 /api/v1/saddles/ lets requests pass',
    'Rule 1 used 1 of 1 GET /api/v1/saddles/?x=%3C%2Fcode%3E code=503',
    /^\d\d:\d\d:\d\d reset GET \/api\/v1\/saddles\/ __fault=reset$/,
    /429 after 1 ms GET \/api\/v1\/saddles\/ __code=429&__delay=1$/,
    /200 after 1 ms GET/, /200 truncated GET .* __fault=truncate$/,
    /503 GET \/api\/v1\/saddles\/\?q=%22<b>&x=<\/code> rule 1: code=503$/,
    /200 GET \/api\/v1\/saddles\/$/
  ])
  t.notMatch(body, /undefined|>null|<b>&/)
  t.match(await show('?images'), image)
  for (let count = 0; count < 100; count++) await app.inject({ url: path, headers: { 'x-count': String(count) } })
  await add({ code: 404, probability: 0.5 })
  const waiting = app.inject(`${path}?__delay=60000`)
  await app.inject('/livez')
  t.match(textOf(await show()), /no response · 1 rule active · Simulation .* Rule 3 used 0 \S+ code=404, probability 0.5 .* Rule 2 .* no response GET \/api\/v1\/saddles\/ __delay=60000 .* 57 more are older\./)
  await app.close()
  await waiting
})

const origin = 'https://bikes.test'

test('images of own pages are not recorded and use up no rules; those of an app are and do', async t => {
  for (const base of ['', '/catalogue']) {
    const { app } = await simulated(t, base === '' ? {} : { publicUrl: origin + base })
    const own = [`${origin + base}${path}?format=api`, `${origin}${path}`]
    const homes = [`${origin}/`, `${origin + base}/`, origin + base]
    const others = ['not a URL', `${origin}/app/`, `${origin}/cataloguex/`, `${origin}/other${path}`]
    const areRecorded = async (referers: string[], isRecorded: boolean) => {
      for (const referer of referers) {
        await app.inject({ method: 'DELETE', url: address })
        await addRule(app, { path: '/media/*', code: 503 })
        const { statusCode } = await app.inject({ url: image, headers: { host: 'bikes.test', referer } })
        const { requests } = (await app.inject(address)).json<{ requests: object[] }>()
        t.same([statusCode, requests.length], isRecorded ? [503, 1] : [200, 0], base + referer)
      }
    }
    await areRecorded([...others, ...homes], true) // an app behind a development proxy
    await areRecorded(own, false)
    await app.inject({ url: `${base}/`, headers: { host: 'bikes.test' } })
    await areRecorded([...own, ...homes], false)
    await areRecorded(others, true)
  }
})

test('a browsable page uses up no rules: it tells what the next request gets, and every page how many rules are active', async t => {
  const { app } = await simulated(t, { rateLimit: false, failureRate: 1 })
  const show = async (url: string, headers = {}) => app.inject({ url, headers: { ...html, ...headers } })
  for (const [rule, announced] of [
    [{ code: 503, times: 1 }, 'Rule 1 answers the next request with 503.'],
    [{ fault: 'reset', times: 2 }, 'Rule 2 answers the next 2 requests with fault=reset.'],
    [{ delay: 5, probability: 0.5 }, 'Rule 3 answers every request with delay=5 with a probability of 0.5.'],
    [{ times: 1 }, undefined]
  ] as const) {
    await addRule(app, { path, ...rule })
    const { statusCode, body, headers } = await show(path)
    t.same([statusCode, /Rule \d.*?\.(?= This page and its links show the plain list\. <a)/.exec(body)?.[0].replaceAll('&#61;', '='), headers['cache-control'], headers.etag], [200, announced, 'no-store', undefined])
  }
  for (const url of ['/', '/docs/', '/tokens/', '/nowhere', '/api/v2/bikes/']) t.match((await show(url)).body, '<a href="/__simulate">4<span> rules active</span></a>', url)
  t.match(await show(`${path}?__code=429`), { statusCode: 429, body: /Simulated: <code>code&#61;429/ })
  t.equal((await app.inject({ url: path, headers: { referer: `http://localhost${path}?format=api` } })).statusCode, 200, 'its scripts')
  const state = (await app.inject(address)).json<{ rules: { used: number }[], requests: object[] }>()
  t.same([state.rules.map(({ used }) => used), state.requests], [[0, 0, 0, 0], []])
  await app.inject({ method: 'DELETE', url: address })
  t.match((await show('/')).body, ' hidden>0<')
})

test('a compressing server sends HTML pages uncompressed while rules are active, so that they show the number of rules', async t => {
  const { app } = await simulated(t, { rateLimit: false, compress: true })
  const codingsOf = async () => Promise.all(['/', `${path}?format=api`, '/api/v1/wheels/?format=json', '/openapi.json'].map(async url => {
    const { headers, body } = await app.inject({ url, headers: { ...html, 'accept-encoding': 'gzip', ...url === '/openapi.json' ? { accept: '*/*' } : {} } })
    return [headers['content-encoding'], body.includes('1<span> rule active')]
  }))
  const [encoded, plain] = [['gzip', false], [undefined, true]]
  t.same(await codingsOf(), [encoded, encoded, encoded, encoded])
  await addRule(app, { path: '/api/v1/bikes/', code: 503 })
  t.same(await codingsOf(), [plain, plain, encoded, encoded])
})
