import { t, test } from 'tap'
import type { FilterErrors } from '../../src/lists/filter.ts'
import { sortableBikeFields } from '../../src/lists/resources.ts'
import { build, readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t, { tokens: ['ci'] })

const strict = { prefer: 'handling=strict', authorization: 'Token ci' }
const path = '/api/v1/bikes/'

test('GET with Prefer: handling=strict: a valid request gets a private response', async t => {
  const lenient = await inject(path)
  const { date, ...common } = lenient.headers
  t.match(common['access-control-expose-headers'], /\bPreference-Applied\b/)
  const own = { 'preference-applied': 'handling=strict', 'cache-control': 'private, no-cache' }
  const { statusCode, headers, body } = await inject({ url: path, headers: strict })
  t.equal(statusCode, 200)
  t.equal(body, lenient.body)
  t.same({ ...headers, date }, { ...common, ...own, date })
  const known = await inject({ url: path, headers: { ...strict, 'if-none-match': String(headers.etag) } })
  t.match(known, { statusCode: 304, headers: own })
  const after = await inject(path)
  t.same({ ...after.headers, date: '' }, { ...lenient.headers, date: '' }, 'nothing changes for others')
  t.equal(lenient.headers['preference-applied'], undefined)
})

const fine: [list: string, query: string][] = [
  ['/api/v1/brakes/', ''], ['/api/v1/brakes/', '&&'], ['/api/v1/brakes/', 'page=1&page_size=100&ordering='],
  ['/api/v1/brakes/', 'page_size='], ['/api/v1/bikes/', 'ordering=%20-title,title,'],
  ['/api/v2/bikes/', 'search=a&brand=trek&year__gte=2020&ordering=price,-id&page=last&page_size=+1_0']
]

test('GET with Prefer: handling=strict: valid parameters are fine', async t => {
  for (const [list, query] of fine) {
    t.equal((await inject({ url: `${list}?${query}`, headers: strict })).statusCode, 200, `${list}?${query}`)
  }
  const always = await build(t, { paginate: 'always' })
  const alone = await always.inject({ url: '/api/v1/brakes/?page_size=5', headers: strict })
  t.equal(alone.statusCode, 200, 'a page size counts on its own where every list comes as pages')
})

const size = ['Enter a whole number from 1 to 100.']
const alone = ['Has an effect only with page.']
const unknown = ['Unknown parameter.']
const near = (name: string) => [`Unknown parameter; did you mean ${name}?`]

const wrong: [list: string, query: string, errors: FilterErrors][] = [
  ['/api/v1/brakes/', 'limit=5', { limit: unknown }],
  ['/api/v1/brakes/', 'detail=5', { detail: unknown }], // a list, where other errors have a string
  [
    '/api/v1/brakes/',
    'pagesize=5&Page=2&sort=title&=x',
    { pagesize: near('page_size'), Page: near('page'), sort: unknown }
  ],
  ['/api/v1/brakes/', 'brand=trek', { brand: unknown }],
  ['/api/v1/brakes/', '__proto__=1&x', { ['__proto__']: unknown, x: unknown }],
  [
    '/api/v2/bikes/',
    'year_gte=1&color=red&brands=trek',
    { year_gte: near('year__gte'), color: near('colour'), brands: near('brand') }
  ],
  ['/api/v2/bikes/', 'yaer=1&brnad=x&pgae=1', { yaer: near('year'), brnad: near('brand'), pgae: near('page') }],
  ['/api/v1/brakes/', 'ordering=brand', { ordering: ['Cannot be ordered by: brand. This list cannot be ordered.'] }],
  [
    '/api/v1/bikes/',
    'ordering=price,title,-year,price',
    { ordering: ['Cannot be ordered by: price, -year. It can be ordered by: title.'] }
  ],
  ['/api/v1/brakes/', 'page_size=101&page=1', { page_size: size }],
  ['/api/v1/brakes/', 'page_size=0&page=1', { page_size: size }],
  ['/api/v1/brakes/', 'page_size=x', { page_size: size }],
  ['/api/v1/brakes/', 'page_size=5', { page_size: alone }],
  ['/api/v2/bikes/', 'year=x&foo=1&page_size=5&ordering=-', {
    foo: unknown,
    ordering: [`Cannot be ordered by: -. It can be ordered by: ${sortableBikeFields.join(', ')}.`],
    page_size: alone,
    year: ['Enter a whole number.']
  }]
]

test('GET with Prefer: handling=strict: each ignored or invalid parameter has a message', async t => {
  for (const [list, query, errors] of wrong) {
    const { statusCode, headers, body } = await inject({ url: `${list}?${query}`, headers: strict })
    t.equal(statusCode, 400, `${list}?${query}`)
    t.match(headers, { 'cache-control': 'no-store', 'preference-applied': 'handling=strict' })
    t.same(Object.entries(JSON.parse(body) as object), Object.entries(errors), `${list}?${query}`)
  }
  t.match(await inject({ url: `${path}?format=api&limit=5`, headers: strict }), {
    statusCode: 400, body: 'Unknown parameter.'
  })
})

test('only the first twenty unknown parameters have a suggestion', async t => {
  const query = [...'abcdefghijklmnopqrstuv'].map(letter => `page${letter}=`).join('&')
  const { body } = await inject({ url: `/api/v1/brakes/?${query}`, headers: strict })
  t.strictSame(Object.values(JSON.parse(body) as object), [...Array<string[]>(20).fill(near('page')), unknown, unknown])
})

const lenient = [
  'handling=lenient', 'handling="strict ', 'strict', 'handling', 'handling=lenient, handling=strict',
  'x; handling=strict', 'handling=STRICT'
]

test('any other Prefer changes nothing', async t => {
  for (const prefer of lenient) {
    const { statusCode, headers } = await inject({ url: `${path}?nonsense=1`, headers: { prefer } })
    const { 'preference-applied': applied, 'cache-control': cacheControl } = headers
    t.strictSame([statusCode, applied, cacheControl], [200, undefined, 'public, max-age=120'], prefer)
  }
})

test('preferences may come in several headers; errors of earlier checks come first', async t => {
  const ask = async (target: string) => {
    const head = [
      `GET ${target} HTTP/1.1`, 'Host: a', 'Prefer: wait=1', 'Prefer: Handling = "strict"; x', 'Connection: close'
    ]
    return readRaw(await send(`${head.join('\r\n')}\r\n\r\n`))
  }
  t.equal((await ask(`${path}?nonsense=1`)).status, 400)
  t.equal((await ask(`${path}?format=nonsense`)).status, 404, 'negotiation')
  t.equal((await ask('/api/v2/bikes/?nonsense=1')).status, 401, 'the token')
  t.equal((await ask(`${path}?page=99`)).status, 404, 'an invalid page')
})
