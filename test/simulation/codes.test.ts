import { STATUS_CODES } from 'node:http'
import { test } from 'tap'
import { outcomeOf, simulated } from './simulated.ts'
import { catalogue, build } from '../helper.ts'
import { inOrder } from '../site/in-order.ts'

const path = '/api/v1/bikes/'

const texts: Readonly<Record<string, string>> = {
  400: 'Bad request.', 401: 'Authentication credentials were not provided.',
  403: 'You do not have permission to perform this action.',
  404: 'Not found.', 405: 'Method "GET" not allowed.',
  406: 'Could not satisfy the request Accept header.', 408: 'Request timed out.',
  413: 'Request body too large.', 415: 'Unsupported media type "" in request.',
  429: 'Request was throttled. Expected available in 1 second.',
  500: 'Internal server error.', 502: 'Bad gateway.',
  503: 'Service temporarily unavailable, try again later.', 504: 'Gateway timeout.'
}

test('GET with Prefer: code=N: the error with its body and headers, as JSON and as a page', async t => {
  const { app } = await simulated(t)
  for (const [code, detail] of Object.entries(texts)) {
    const { statusCode, headers, body } = await app.inject({ url: path, headers: { prefer: `code=${code}` } })
    t.equal(statusCode, Number(code), String(STATUS_CODES[code]))
    t.equal(body, JSON.stringify({ detail }), code)
    t.match(headers, {
      'content-type': 'application/json', 'cache-control': 'no-store', 'preference-applied': `code=${code}`,
      vary: 'Accept, Prefer', allow: 'GET, HEAD, OPTIONS', 'access-control-allow-origin': '*'
    }, code)
    t.equal(headers['www-authenticate'], code === '401' ? 'Token' : undefined, code)
    t.equal(headers['retry-after'], code === '429' || code === '503' ? '1' : undefined, code)
    t.equal(headers['x-ratelimit-remaining'], code === '429' ? '0' : undefined, code)

    const page = await app.inject({ url: `${path}?__code=${code}`, headers: { accept: 'text/html' } })
    t.equal(page.statusCode, Number(code), code)
    t.match(
      page.headers,
      {
        'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store',
        'preference-applied': `code=${code}`, vary: /^Accept$/
      },
      code
    )
    t.match(page.body, `<p class="notice simulated">Simulated: <code>__code=${code}</code>.`, code)
    const head = await app.inject({ method: 'HEAD', url: `${path}?__code=${code}` })
    t.same([head.statusCode, head.body], [Number(code), ''], code)
  }
})

/** What pages say of responses that were not simulated. */
const unsimulated = /needs a token|ask-token|nothing at this URL|no such page|cannot parse|limit is exceeded|log has/

test('the page of a simulated error is headed by its status, without the advice of a real one', async t => {
  const { app } = await simulated(t)
  const authorization = 'Token ci'
  for (const path of ['/api/v1/bikes/', '/api/v1/bikes/?page=2', '/api/v2/bikes/']) {
    for (const code of Object.keys(texts)) {
      for (const others of [{}, { authorization }]) {
        const headers = { accept: 'text/html', prefer: `code=${code}`, ...others }
        const { body } = await app.inject({ url: path, headers })
        const about = `${path} ${code}`
        t.match(body, `<h1>${code} ${STATUS_CODES[code]}</h1>`, about)
        t.match(body, `Simulated: <code>Prefer: code=${code}</code>.`, about)
        t.match(body, 'aria-label="Response"', about)
        t.notMatch(body, unsimulated, about)
      }
    }
  }
})

test('GET ?__code=429&__retry-after=1: header and body agree; version 2.1 has the limit of tokens', async t => {
  const { app } = await simulated(t)
  t.match((await app.inject(`${path}?__code=429&__retry-after=1`)).headers, {
    'retry-after': '1', 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1',
    'preference-applied': 'code=429, retry-after=1'
  })
  const v2 = await app.inject('/api/v2/bikes/?__code=429')
  t.match(v2.headers, {
    'retry-after': '1', 'x-ratelimit-limit': '600', 'x-ratelimit-reset': '1',
    'preference-applied': /^code=429$/
  })
  const unavailable = await app.inject({ url: path, headers: { prefer: 'code=503, retry-after=3' } })
  t.match(unavailable.headers, { 'retry-after': '3', 'preference-applied': 'code=503, retry-after=3' })
  const other = await app.inject(`${path}?__code=500&__retry-after=3`)
  t.same([other.headers['retry-after'], other.headers['preference-applied']], [undefined, 'code=500'])
  const refused = await app.inject({ url: '/api/v2/bikes/?__code=401', headers: { authorization: 'Token ci' } })
  t.match(refused, { statusCode: 401, headers: { 'www-authenticate': 'Token' }, body: '{"detail":"Invalid token."}' })
})

test('a code comes after negotiation and before token and allowance, of which it uses nothing', async t => {
  const { app } = await simulated(t)
  const left = async () => (await app.inject(path)).headers['x-ratelimit-remaining']
  t.equal(await left(), '59')
  t.equal((await app.inject({ url: '/api/v2/bikes/?__code=503' })).statusCode, 503)
  for (const [url, accept, status] of [
    [`${path}?__code=503&format=xml`, '*/*', 404],
    [`${path}?__code=503`, 'image/png', 406],
    [`${path}?${'a&'.repeat(1001)}__code=503`, '*/*', 400],
    ['/api/v1/bikes?__code=503', '*/*', 301],
    ['/api/v1/nowhere/?__code=503', '*/*', 404]
  ] as const) {
    t.same(await outcomeOf(app, url, { accept }), [status, undefined], url.slice(0, 60))
  }
  t.same(await outcomeOf(app, `${path}?${'a&'.repeat(1001)}`, { prefer: 'code=503' }), [400, undefined])
  t.equal((await app.inject({ method: 'POST', url: `${path}?__code=503` })).statusCode, 503)
  const put = await app.inject({ method: 'PUT', url: path, headers: { prefer: 'delay=1' } })
  t.match(put, { statusCode: 405, headers: { 'preference-applied': 'delay=1', allow: 'GET, HEAD, OPTIONS' } })
  t.equal(await left(), '57')
})

test('images obey; pages, documents and preflights know nothing of it', async t => {
  const { app } = await simulated(t)
  const [image = ''] = catalogue.images.keys()
  const gone = await app.inject({ url: `${image}?__code=404`, headers: { accept: 'image/*' } })
  t.match(gone, { statusCode: 404, headers: { 'preference-applied': 'code=404' }, body: '{"detail":"Not found."}' })
  t.equal((await app.inject({ url: `${image}?__example=odd` })).headers['preference-applied'], undefined)
  for (const url of ['/', '/docs/', '/openapi.json', '/livez', '/readyz', '/tokens/']) {
    t.same(await outcomeOf(app, `${url}?__code=500`, { prefer: 'code=500' }), [200, undefined], url)
  }
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET', prefer: 'code=500' }
  t.match(await app.inject({ method: 'OPTIONS', url: `${path}?__code=500`, headers }), {
    statusCode: 204, headers: {
      'access-control-allow-headers': /Prefer/, 'access-control-expose-headers': /Preference-Applied/
    }
  })
})

test('what cannot be read is ignored, and named in one line of the log', async t => {
  const { app, log } = await simulated(t)
  const plain = await app.inject(path)
  const { statusCode, headers, body } = await app.inject({
    url: path, headers: { prefer: 'code=200, delay=1h, fault=ci, wait=1' }
  })
  t.same([statusCode, body], [200, plain.body])
  const changing = { date: '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' }
  t.same({ ...headers, ...changing }, { ...plain.headers, ...changing })
  t.equal(log.length, 1)
  t.match(
    log[0]?.['msg'],
    inOrder(
      /^GET \/api\/v1\/bikes\/: ignored preferences: code must be 400, /,
      /, got "200"\. delay must be /,
      /, got "1h"\. fault must be /,
      /, got "\*"\.$/
    )
  )
})

const words = Object.entries({ code: 400, 'retry-after': 5, delay: 2000, example: 'empty', seed: 7, fault: 'reset' })

test('a server that does not simulate knows none of the words', async t => {
  const app = await build(t, { delay: 50, failureRate: 1 })
  const ask = async (url: string, headers = {}, method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET') => {
    const { statusCode, headers: own, body } = await app.inject({ method, url, headers })
    return { statusCode, headers: { ...own, date: undefined }, body }
  }
  const prefer = words.map(([name, value]) => `${name}=${value}`).join(', ')
  const query = words.map(([name, value]) => `__${name}=${value}`).join('&')
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    const plain = await ask(path, {}, method)
    t.same(await ask(path, { prefer }, method), plain, `${method} with Prefer`)
    t.same(await ask(`${path}?${query}`, {}, method), plain, `${method} with a query`)
  }
  t.same(await ask(`${path}?${query}`, { ...preflight, prefer }, 'OPTIONS'), await ask(path, preflight, 'OPTIONS'))
  const strict = await app.inject({ url: `${path}?__code=404`, headers: { prefer: 'handling=strict' } })
  t.same([strict.statusCode, strict.json()], [400, { __code: ['Unknown parameter.'] }])
  t.match((await app.inject(`${path}?page=1&__code=404`)).json<{ next: string }>().next, '__code=404')
})
