import { STATUS_CODES } from 'node:http'
import fc from 'fast-check'
import { t, test } from 'tap'
import { inOrder } from './in-order.ts'
import { brokenCatalogue, build, buildLogged, readRaw, shared } from '../helper.ts'

const headers = { accept: 'text/html' }
const { inject, send } = shared(t)

const requests: [method: 'GET' | 'POST' | 'OPTIONS', url: string, status: number, next: RegExp][] = [
  [
    'GET', '/nope/', 404,
    /There is nothing at this URL<[^]*lists only; single records have no URL\.[^]*href="\/#lists"/
  ],
  ['GET', '/api/v1/bikes/2/', 404, /There is nothing at this URL</],
  ['GET', '/docs/nope/', 404, /No such document<[^]*href="\/docs\/"/],
  ['GET', '/__simulate', 404, /The simulation is off<[^]*--simulate[^]*data-copy="the command">npm start -- dev</],
  ['GET', '/api/v1/bikes/?page=99', 404, /no such page[^]*href="\/api\/v1\/bikes\/\?format=api&amp;page=1"/],
  ['POST', '/api/v1/bikes/', 405, /accepts GET, HEAD, OPTIONS/],
  ['POST', '/api/v1/bikes/', 405, /<b>POST<\/b> \/api\/v1\/bikes\//],
  ['POST', '/api/v1/bikes/?a=1&format=api&b=2', 405, /<b>POST<\/b> \/api\/v1\/bikes\/\?a=1&#38;b=2<\/code>/],
  ['POST', '/docs/', 405, /<b>POST<\/b> \/docs\/<\/code>/],
  [
    'GET', '/api/v2/bikes/', 401,
    inOrder(
      /<form class="ask-token" data-token="\/api\/v2\/bikes\/" data-scripted>/,
      /<noscript>/,
      /the <a href="#code">command below/,
      /id="code"/
    )
  ],
  ['OPTIONS', '/api/v1/bikes/', 200, /"Bike List"/],
  ['GET', `/api/v1/bikes/?${'a&'.repeat(1001)}`, 400, /detail/]
]

test('an error is a page that says what to do next', async t => {
  for (const [method, url, status, next] of requests) {
    const answer = await inject({ method, url, headers })
    t.equal(answer.statusCode, status, url)
    t.match(answer.body, next, url)
    if (status >= 400) t.equal(answer.headers['cache-control'], 'no-store', url)
    t.equal(answer.headers['content-type'], status === 400 ? 'application/json' : 'text/html; charset=utf-8', url)
    if (status !== 400) {
      t.match(answer.body, `<title>${status < 400 ? 'Bikes' : `${status} ${STATUS_CODES[status]}`} · `, url)
    }
  }
})

test('a page of nothing has no request and response', async t => {
  for (const url of ['/nope/', '/api/v1/bikes/2/', '/docs/nope/', '/__simulate']) {
    t.notMatch((await inject({ url, headers })).body, /class="(?:request|response)"|curl/, url)
  }
  t.equal((await inject('/__simulate')).body, '{"detail":"Not found."}')
})

test('GET /__simulate of a server that others can reach says nothing about the simulation', async t => {
  const app = await build(t, { host: '0.0.0.0' })
  const { statusCode, body } = await app.inject({ url: '/__simulate', headers })
  t.equal(statusCode, 404)
  t.match(body, 'There is nothing at this URL')
  t.notMatch(body, /simulat/i)
})

const typed = [
  '<details open>', 'name="year__gte" type="text" aria-invalid="true" value="abc"',
  /<option value="Trek" selected>Trek \(\d+\)/,
  '<input type="hidden" name="page" value="1">'
]

test('a 400 names the parameters, a 429 the time, a 500 nothing of itself', async t => {
  const authorised = { ...headers, authorization: 'Token sekret' }
  const app = await build(t, { tokens: ['sekret'], rateLimit: true, rateLimitV1: 1 })
  t.match(await app.inject({ url: '/api/v2/bikes/?year__gte=abc&is_featured=perhaps', headers: authorised }), {
    statusCode: 400, body: /<code>year__gte<\/code>: Enter a whole number\.[^]*href="\/api\/v2\/bikes\/\?format=api"/
  })
  const page = await app.inject({ url: '/api/v2/bikes/?year__gte=abc&brand=Trek&page=1', headers: authorised })
  for (const text of typed) t.match(page.body, text, String(text))
  t.notMatch(page.body, 'name="colour"', 'the form has the parameters of the request')
  const strictly = { ...authorised, prefer: 'handling=strict' }
  const strict = await app.inject({ url: '/api/v2/bikes/?page=1&page_size=0', headers: strictly })
  t.match(strict, { statusCode: 400, body: /<form id="options"[^]*name="search"/ })
  t.notMatch(strict.body, '>Filters<')
  await app.inject({ url: '/api/v1/brakes/', headers })
  t.match(await app.inject({ url: '/api/v1/brakes/', headers }), { statusCode: 429, body: /Try again in \d+ s\./ })
  const { app: broken } = await buildLogged(t, { simulate: true }, brokenCatalogue('x'))
  t.match((await broken.inject({ url: '/api/v1/wheels/', headers })).body, 'Its log has the cause')
})

test('a page of an odd address is escaped', async t => {
  for (const [target, status, escaped] of [
    ['/api/"><script>x</script>/?a=<script>', 404, 'nothing at this URL'],
    ['/api/v1/brakes/?x="><script>x</script>', 200, '%3Cscript%3Ex']
  ] as const) {
    const page = readRaw(await send(
      `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`
    ))
    t.equal(page.status, status, target)
    t.match(page.body, escaped, target)
    t.notMatch(page.body, '<script>', target)
  }
})

/** Gives where every link, image, script and form of a page leads, as a browser reads it. */
function addressesOf (body: string, origin: string): URL[] {
  const decode = (text: string) => text.replace(
    /&#(\d+);|&amp;/g,
    (_, code: string | undefined) => code === undefined ? '&' : String.fromCodePoint(Number(code))
  )
  const found = [...body.matchAll(/\b(?:href|src|action|data-token)="([^"]*)"/g)]
  return found.map(([, address = '']) => new URL(decode(address), origin))
}

test('whatever is asked for, no address on the page leaves this server', async t => {
  const start = fc.constantFrom(
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'http://evil.example',
    'https://evil.example//evil.example',
    '/',
    '/api/v1/bikes/',
    '/api/v2/bikes/',
    '/api//evil.example/',
    '*'
  )
  const rest = fc.array(fc.constantFrom(
    '/',
    '//',
    '\\',
    '?',
    '&',
    'next=',
    'page=2',
    'format=api',
    'javascript:',
    '@',
    ':',
    '#',
    '%2F',
    '%5C',
    '"',
    '<',
    "'",
    '..',
    'evil.example',
    '%09',
    '\u00a0'
  )).map(parts => parts.join(''))
  const method = fc.constantFrom('GET', 'POST', 'OPTIONS')
  let pages = 0
  const outside: string[] = []
  await fc.assert(fc.asyncProperty(start, rest, method, async (start, rest, method) => {
    const lines = [
      `${method} ${start}${rest} HTTP/1.1`,
      'Host: h.test',
      'Accept: text/html',
      'Connection: close',
      'Content-Length: 0'
    ]
    const raw = await send(`${lines.join('\r\n')}\r\n\r\n`)
    const { headers, body } = readRaw(raw)
    if (headers.get('content-type') !== 'text/html; charset=utf-8') return
    pages++
    for (const { origin, href } of addressesOf(body, 'http://h.test')) {
      if (origin !== 'http://h.test') outside.push(`${start}${rest} leads to ${href}`)
    }
  }), { numRuns: 300 })
  t.same(outside, [])
  t.ok(pages > 100, `${pages} of 300 responses are pages`)
  t.match(
    (await inject({ url: '/api/v1/bikes/?page=99', headers })).body,
    'href="/api/v1/bikes/?page=99&#38;format=json"'
  )
})
