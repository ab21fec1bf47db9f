import { once } from 'node:events'
import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { catalogue, exchange, open, started } from '../helper.ts'
import { get, rulesPath, simulated, stateOf } from './simulated.ts'

const [image = ''] = catalogue.images.keys()
const lists = `the lists are ${resources.map(({ path }) => path).join(', ')}`

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of a client that does something wrong; the status and the advice of its entry. */
const wrongClients: readonly [method: Method, url: string, status: number, ...advice: string[]][] = [
  ['GET', '/api/v1/bike/', 404, 'path: no list has this path; did you mean /api/v1/bikes/?'],
  [
    'GET', '/api/v1/bikes/1/', 404,
    'path: a single record has no path of its own; get /api/v1/bikes/ and filter the list by id in the client'
  ],
  ['GET', '/api/v2/wheels/', 404, 'path: version 2.1 has bikes only: /api/v2/bikes/; use /api/v1/wheels/ of version 1'],
  ['POST', '/api/v1/bikes/', 405, 'method: the service is read-only: it knows GET, HEAD and OPTIONS'],
  ['DELETE', '/api/v1/wheels/3/', 404,
    'path: a single record has no path of its own; get /api/v1/wheels/ and filter the list by id in the client',
    'method: the service is read-only: it knows GET, HEAD and OPTIONS'],
  ['GET', '/bikes/', 404, 'path: no list has this path; did you mean /api/v1/bikes/?'],
  ['GET', '/v1/bikes', 404, 'path: no list has this path; did you mean /api/v1/bikes/?'],
  [
    'GET', '/api/v1/bikes', 301,
    'slash: the path ends with a slash: /api/v1/bikes/; without it, each request costs a redirect'
  ],
  ['GET', '/api/v1/bikes/?brnad=trek', 200, 'parameter: brnad: Unknown parameter.'],
  ['GET', '/api/v1/bikes/?page=99', 404, 'page: page: there is no page 99; follow next until it is null'],
  ['GET', '/api/v2.1/bikes.json', 404, 'path: no list has this path; did you mean /api/v2/bikes/?'],
  [
    'GET', '/api/v2/bikes/7', 404,
    'path: a single record has no path of its own; get /api/v2/bikes/ and filter the list by id in the client'
  ],
  ['GET', '/api/v1/Saddles/', 404, 'path: no list has this path; did you mean /api/v1/saddles/?'],
  ['GET', '/api/v1/featured/', 404, 'path: no list has this path; did you mean /api/v1/bikes/featured/?'],
  ['GET', '/api/v1//wheels/', 404, 'path: no list has this path; did you mean /api/v1/wheels/?'],
  ['GET', '/api/v1/', 404, `path: no list has this path; ${lists}`],
  ['GET', '/api/v1/frames/%F0%9F%9A%B2?q=%', 404, `path: no list has this path; ${lists}`],
  ['GET', `/api/${'a/'.repeat(1000)}bikes/`, 404, `path: no list has this path; ${lists}`],
  ['GET', '/api/%E0%A4%A', 404, `path: no list has this path; ${lists}`],
  ['GET', '/media/bikes/missing.jpg', 404, 'path: no image has this path; use the URLs in image_url and images'],
  ['PUT', image, 405, 'method: the service is read-only: it knows GET, HEAD and OPTIONS']
]

test('requests() has every mistake of a client, with what was meant', async t => {
  const server = await started(t, { simulate: true, tokens: ['ci'] })
  for (const [method, url] of wrongClients) await server.app.inject({ method, url })
  const seen = server.requests().map(({ method, status, advice }) => [
    method, status, ...advice.map(({ id, text }) => `${id}: ${text}`)
  ])
  t.same(seen, wrongClients.map(([method, , status, ...advice]) => [method, status, ...advice]))
  t.match(server.requests()[0], { path: '/api/v1/bike/', query: {}, simulated: null, facts: [] })
})

test('pages, documents, assets and preflights are not recorded, whatever is in their path', async t => {
  const { app, log } = await simulated(t, { tokenForm: true, logRequests: true })
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const url of [
    '/', '/docs/', '/docs/bikes/', '/openapi.json', '/favicon.ico', '/livez', '/tokens/', '/nothing/',
    rulesPath, '/bikesx/'
  ]) {
    await app.inject(url)
  }
  for (const url of ['/api/v1/bikes/', '/api/v1/bike/', '/v1/bikes']) {
    await app.inject({ method: 'OPTIONS', url, headers: preflight })
  }
  await app.inject({ url: '/api/v1/bikes/', headers: { accept: 'text/html' } })
  t.same((await stateOf(app)).requests, [])
  t.ok(log.some(({ url, simulated, advice }) => url === '/docs/' && simulated === undefined && advice === undefined))
  await app.inject({ method: 'POST', url: '/api/v1/bikes/', headers: { accept: 'text/html' } })
  t.match((await stateOf(app)).requests, [{ method: 'POST', status: 405 }], 'a form of an app is no page')
})

/** What Node or Fastify refuses before any hook runs. */
const refused: readonly [text: string, status: number, path: string, advice: object[]][] = [
  [
    'GET /api/v1/bikes/?search=a b HTTP/1.1\r\nHost: a\r\n\r\n', 400, '/api/v1/bikes/',
    [{ id: 'syntax', text: /^the request is not valid HTTP: \w/ }]
  ],
  [get('/api/v1/wheels/', `X-Long: ${'x'.repeat(20_000)}`), 431, '/api/v1/wheels/', [{ id: 'syntax' }]],
  ['GET /api/v1/tyres/ HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, '/api/v1/tyres/', []],
  ['GET /api/%zz x HTTP/1.1\r\nHost: a\r\n\r\n', 400, '/api/%zz', [{ id: 'syntax' }]],
  [
    'POST /api/v1/chains/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, x\r\n\r\n', 400,
    '/api/v1/chains/', [{ id: 'syntax' }]
  ]
]

test('requests that Node or Fastify refuses are recorded too, each once', async t => {
  const { app } = await simulated(t, { publicUrl: 'https://bikes.example/base' })
  for (const [text, status] of refused) {
    t.match((await exchange(app, text)).answer, `HTTP/1.1 ${status} `, text.slice(0, 30))
  }
  await exchange(app, 'POST /base/api/v1/brakes/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
  await exchange(app, 'GET /nothing here HTTP/1.1\r\nHost: a\r\n\r\n')
  await exchange(app, '\x16\x03\x01')
  const lost = once(app.server, 'clientError')
  const [socket] = await open(app.server, 'GET /api/v1/bikes/ HTTP/1.1\r\n')
  socket.resetAndDestroy()
  await lost
  const { requests } = await stateOf(app)
  t.match(requests, [
    ...refused.map(([, status, path, advice]) => ({ status, path, advice })),
    { path: '/api/v1/brakes/', status: 405 }
  ])
  t.equal(requests.length, refused.length + 1)
})
