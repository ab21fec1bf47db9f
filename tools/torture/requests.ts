import { METHODS } from 'node:http'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { type Random, between, pick } from '../../src/base/random.ts'
import { token, type Sent } from './converse.ts'

/** A request that Node can parse, and the expectations of its response. */
export type ListRequest = Sent & {
  /** The list, where the target has its path unescaped. */
  resource: Resource | undefined
  /** The base URL of links; empty for a request without a host. */
  origin: string
}

/** Text that no response may contain unescaped. */
export const mark = '<b7q">'

const anyMethod = METHODS.filter(method => method !== 'CONNECT')
const methods = ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'QUERY'] as const

const otherPaths = [
  '/', '/tokens/', '/docs/', '/docs/schemas/', '/openapi.json', '/openapi.yaml', '/robots.txt', '/favicon.ico',
  '/changelog/',
  '/livez', '/readyz', '/media/bikes/trek-emonda-slr-7-2023.jpg', '/media/brakes/1.jpg', '/media/manifest.json',
  '/media/../v1/bikes.json',
  '/media/%2e%2e/v1/bikes.json',
  '/media/bikes', '/media//', '/media/bikes/%00.jpg', `/media/${'a'.repeat(300)}.jpg`,
  '/nope', '/api', '/api/', '/api/v1/',
  '/api/v3/bikes/', '/api/v1/bikes/1/',
  '/api/v1/bikes', '//evil.example/x', '//', '/\\evil.example', '/%ZZ', '/%', '/%ff/', '/%F0%9F%9A%B2/', '*',
  '/__proto__/', '/constructor',
  '/toString/', '/%2f%2fevil.example%2f'
]

const names = [
  'page', 'page', 'page_size', 'format', 'format', 'ordering', 'ordering', 'search',
  'brand', 'year', 'year__gte', 'price', 'price__lte',
  'rating', 'weight_kg', 'date_added',
  'date_added__lte', 'is_featured', 'category', 'colour', 'unknown', '',
  '__proto__', 'constructor', 'toString', 'page[]', 'brand%5F',
  '__delay', '__code', 'limit'
]

const values = [
  '', '1', '2', '0', '-1', '+1', '%2B1', 'last', 'LAST', '1.0', '1e3', '99999999999999999999', '0x1',
  '%D9%A1', '%EF%BC%91', '1%00', 'NaN',
  'Infinity', 'null', 'undefined', 'true', 'False',
  'api', 'json', 'API', 'xml', 'html',
  'title', '-title', 'brand_name', '-brand_name', '--title', 'title,-title', ',,,', '-',
  'year,-price,id', '__proto__', 'constructor',
  'trek', 'Trek,canyon', '%00', '%', '%zz', '%ff', '%c3%28', '%ED%A0%80', '%F0%9F%9A%B2', '%3Cb7q%22%3E', "'%22--",
  '2024-02-31',
  '2024-02-30T25:00:00Z', '2024-01-01', '1.5', '1_000', '%D9%A3',
  '-0', '.5', '5.', '1e999', '%0d%0aSet-Cookie:%20a=b', '..%2f..%2f', '%20', '+', 'carbon+disc', '"',
  'a'.repeat(500), '9'.repeat(400),
  '%25%32%35'
]

const accepts = [
  '*/*', 'application/json', 'text/html', 'text/html, */*', 'text/*', '*/json', '*/html', 'application/json; indent=4',
  'application/json; indent=999999999', 'application/json;indent=-1', 'application/json; q=0',
  'text/html;q=0.9,application/json;q=0.1', 'image/png', 'undefined', 'null', ',', ',,,', ';', ';;q=',
  'application/json;charset=utf-8',
  '"', 'a/b;c="d,e";f', `${'text/plain,'.repeat(300)}*/*`,
  'application/json; indent="4"', 'APPLICATION/JSON', '*', '*/*;*/*', 'application/vnd.api+json',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '\xe9\xff', 'json'
]

const hosts = [
  'localhost:3000', '10.0.2.2:3000', '[::1]:3000', 'bike_catalogue', 'EXAMPLE.org.', 'a'.repeat(255),
  '127.0.0.1:99999', 'bad host', 'a/b',
  'a@b',
  '', mark, '[::1', ':80', 'a:b', 'undefined', '\xe9.test', 'a,b', 'bikes.test:', '[::ffff:1.2.3.4]', '..', '-',
  'xn--nxasmq6b'
]

const credentials = [
  `Token ${token}`, `Token ${token}`, `Token ${token}`, `token ${token}`, `Token  ${token} `, `Token ${token} x`,
  'Token', 'Token \xff\xfe',
  'Token bct_', 'Token bct_00000000000000000000000000000000', `Bearer ${token}`,
  'Basic Og==', '', 'Token undefined', 'Token __proto__', `Token ${'t'.repeat(4000)}`, `Token\t${token}`,
  'Token \xc3\xa9', token
]

const tags = [
  '*', '""', 'W/"x"', '"x", "y"', '*, "x"', 'x', '"', '"undefined"', ','.repeat(2000), `${'"a",'.repeat(500)}"b"`
]

const others: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['If-None-Match', tags], ['If-Match', tags],
  ['If-Modified-Since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'x', 'Fri, 31 Dec 9999 23:59:59 GMT']],
  ['Range', [
    'bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0', 'bytes=5-1', 'bytes=999999999-', 'bytes=0-1,2-3',
    'items=0-1', 'bytes=', 'bytes=a-b',
    `bytes=${'9'.repeat(400)}-`
  ]],
  ['If-Range', ['"x"', 'W/"x"', 'x']],
  ['Prefer', [
    'handling=strict', 'handling=strict', 'handling="strict"', 'handling=lenient',
    'code=500', 'fault=reset', 'delay=60000', ',,,', '"',
    '\\', 'handling="', `${'a,'.repeat(1000)}handling=strict`
  ]],
  ['Origin', ['https://app.test', 'null', mark]],
  ['Access-Control-Request-Method', ['GET', 'DELETE', '']],
  ['X-Forwarded-For', ['1.2.3.4', '1.2.3.4:5', '[::1]:80', 'unknown', mark, ',,', '1.2.3.4, 5.6.7.8']],
  ['X-Forwarded-Proto', ['https', 'http', 'javascript', 'x","a":"', 'https, http', 'HTTPS', '']],
  ['X-Forwarded-Host', ['evil.example', mark, 'a b', '$(id)', 'evil.example, other', '']],
  ['Accept-Encoding', ['gzip, br', 'gzip', 'identity;q=0', 'identity;q=0, br;q=0.5', '*', 'gzip;q=0', mark]],
  ['Content-Type', [
    'application/json', 'text/plain', 'x', 'application/x-www-form-urlencoded', '', 'multipart/form-data',
    'application/json; charset=utf-7'
  ]],
  ['Cookie', ['a=b', '__proto__=x', 'sessionid=1']],
  ['Expect', ['x', '']],
  ['TE', ['trailers']],
  ['Upgrade', ['h2c', 'websocket']],
  ['Connection', ['keep-alive', 'upgrade']],
  ['X-Http-Method-Override', ['DELETE']],
  ['Forwarded', ['for=1.2.3.4;proto=https;host=evil.example']],
  ['Via', ['1.1 a']],
  ['Cache-Control', ['no-cache', 'only-if-cached']], ['User-Agent', ['', '\xff', mark]],
  ['X', ['y'.repeat(7000)]], ['__proto__', ['x']], ['constructor', ['x']]
]

const bodies = ['', 'label=torture', 'label=', '{"a":1}', 'label=%3Cb7q%22%3E', '\0\xff', 'a='.repeat(3000)]

/** Generates unusual but valid requests. */
export function anyRequest (random: Random): ListRequest {
  const resource = random() < 0.75 ? pick(random, resources) : undefined
  const isPlain = resource !== undefined && random() < 0.85
  const pathOf = ({ path }: { path: string }) => isPlain ? path : disguised(random, path)
  const path = resource === undefined ? pick(random, otherPaths) : pathOf(resource)
  const host = random() < 0.8 ? 'bikes.test' : pick(random, hosts)
  const method = random() < 0.06 ? pick(random, anyMethod) : pick(random, methods)
  const isOld = random() < 0.03
  const closes = isOld || random() < 0.03
  const namesHost = !isOld || random() < 0.5
  const body = method === 'POST' || random() < 0.05 ? pick(random, bodies) : undefined
  const authority = random() < 0.03 && path.startsWith('/') ? `http://${/^[\w.]+$/.test(host) ? host : 'x'}` : ''
  const target = authority + path + anyQuery(random)
  const sent = sample(random, others, random() < 0.5 ? 0 : between(random, 1, 4))
    .filter(([name]) => !(isOld && name === 'Expect') && !(closes && name === 'Connection'))
    .map(([name, values]) => `${name}: ${pick(random, values)}`)
  const lengthOf = (body: string) =>
    random() < 0.3 && !isOld ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const fields = [
    ...namesHost ? [`Host: ${host}`] : [],
    ...random() < 0.6 ? [`Accept: ${pick(random, accepts)}`] : [],
    ...random() < (resource?.access === 'token' ? 0.9 : 0.1) ? [`Authorization: ${pick(random, credentials)}`] : [],
    ...closes && !isOld ? ['Connection: close'] : [],
    ...sent,
    ...body === undefined ? [] : [lengthOf(body)]
  ]
  const isChunked = fields.includes('Transfer-Encoding: chunked')
  const written = body === undefined ? '' : isChunked ? chunked(body) : body
  const head = [`${method} ${latin1(target)} HTTP/1.${isOld ? 0 : 1}`, ...fields].join('\r\n')
  const text = `${head}\r\n\r\n${written}`
  // Bytes after a request to upgrade the protocol are lost.
  const changes = fields.includes('Connection: upgrade')
  return {
    method,
    target,
    text,
    closes: closes || changes,
    resource: isPlain ? resource : undefined,
    origin: namesHost ? `http://${host}` : ''
  }
}

/** Returns the UTF-8 bytes of a text as characters. */
const latin1 = (text: string) => Buffer.from(text).toString('latin1')

/** Returns up to `count` different items in random order. */
function sample<T> (random: Random, items: readonly T[], count: number): T[] {
  return [...new Set(Array.from({ length: count }, () => pick(random, items)))]
}

function chunked (body: string): string {
  return body === '' ? '0\r\n\r\n' : `${body.length.toString(16)};a="b"\r\n${body}\r\n0\r\n\r\n`
}

function anyQuery (random: Random): string {
  if (random() < 0.3) return ''
  if (random() < 0.01) return `?${'a&'.repeat(between(random, 990, 1010))}`
  const parameters = Array.from(
    { length: between(random, 0, 5) },
    () => random() < 0.1 ? pick(random, names) : `${pick(random, names)}=${pick(random, values)}`
  )
  const start = random() < 0.97 ? '?' : '??'
  const separator = random() < 0.97 ? '&' : ';'
  const fragment = random() < 0.03 ? '#page=1' : ''
  return `${start}${parameters.join(separator)}${fragment}`
}

const disguises: readonly ((path: string, random: Random) => string)[] = [
  path => path.slice(0, -1),
  path => `/${path}`,
  path => `${path}/`,
  path => path.toUpperCase(),
  path => path.replace('/api', '/./api'),
  path => path.replace('/v1/', '/v1/../v1/'),
  path => path.replaceAll('/', '%2F').replace('%2F', '/'),
  (path, random) => path.replace(/[a-z]/g, letter => random() < 0.5 ? `%${letter.charCodeAt(0).toString(16)}` : letter),
  path => `${path}%00`,
  path => path.replace(/\/$/, '%20/'),
  path => path.replace(/\/$/, ';a=b/'),
  path => path.replace('b', '%C1%A2'),
  path => path.replace('/api', '/%61pi')
]

function disguised (random: Random, path: string): string {
  return pick(random, disguises)(path, random)
}

const plain = 'GET /api/v1/brakes/ HTTP/1.1\r\nHost: bikes.test\r\n'

/** Bytes that Node's parser rejects; test/routes/hostile.test.ts has more. */
const unreadable: readonly (readonly [method: string, text: string])[] = [
  ['GET', `${plain}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['GET', `${plain}Content-Length: -1\r\n\r\n`],
  ['GET', `${plain}Content-Length: 99999999999999999999\r\n\r\n`],
  ['GET', `${plain}Transfer-Encoding: chunked\r\n\r\nZ\r\n`],
  ['GET', `${plain}X\0: 1\r\n\r\n`],
  ['GET', `${plain}: 1\r\n\r\n`],
  ['GET', `${plain} folded\r\n\r\n`],
  ['GET', 'GET\r\n\r\n'],
  ['get', 'get / HTTP/1.1\r\nHost: bikes.test\r\n\r\n'], ['GET', 'GET /a b HTTP/1.1\r\nHost: bikes.test\r\n\r\n'],
  ['', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['GET', `${plain}X: a\rb\r\n\r\n`],
  ['', '\r\n\r\n\r\nX\r\n\r\n'],
  ['GET', `${plain}Transfer-Encoding: chunked\r\n\r\n${'1;'.padEnd(20_000, 'a')}\r\na\r\n0\r\n\r\n`],
  ['GET', `${plain}Transfer-Encoding: chunked, identity\r\n\r\n`]
]

/** Generates bytes that are no request. */
export function anyNonsense (random: Random): Sent {
  const [method, text] = pick(random, unreadable)
  return { method, target: '', text, closes: true }
}
