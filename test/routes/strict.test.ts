import { t, test } from 'tap'
import { readRaw, shared } from '../helper.ts'

const { inject, send } = shared(t, { tokens: ['ci'] })

const strict = { prefer: 'handling=strict' }
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
  t.match(await inject({ url: path, headers: { ...strict, 'if-none-match': String(headers.etag) } }), { statusCode: 304, headers: own })
  const after = await inject(path)
  t.same({ ...after.headers, date: '' }, { ...lenient.headers, date: '' }, 'nothing changes for others')
  t.equal(lenient.headers['preference-applied'], undefined)
})

test('GET with Prefer: handling=strict: ignored parameters are 400', async t => {
  const headers = { ...strict, authorization: 'Token ci' }
  t.match(await inject({ url: `${path}?format=api&limit=5`, headers }), { statusCode: 400, body: 'Unknown parameter.' })
  const { statusCode, headers: sent, body } = await inject({ url: '/api/v2/bikes/?year_gte=x&year__gte=x&ordering=colour&page_size=200', headers })
  t.equal(statusCode, 400)
  t.match(sent, { 'cache-control': 'no-store', 'preference-applied': 'handling=strict' })
  t.match(JSON.parse(body), {
    year_gte: ['Unknown parameter; did you mean year__gte?'], ordering: [/^Cannot be ordered by: colour\. /],
    page_size: ['Enter a whole number from 1 to 100.'], year__gte: ['Enter a whole number.']
  })
})

const lenient = ['handling=lenient', 'handling="strict ', 'strict', 'handling', 'handling=lenient, handling=strict', 'x; handling=strict', 'handling=STRICT']

test('any other Prefer changes nothing', async t => {
  for (const prefer of lenient) {
    const { statusCode, headers } = await inject({ url: `${path}?nonsense=1`, headers: { prefer } })
    t.strictSame([statusCode, headers['preference-applied'], headers['cache-control']], [200, undefined, 'public, max-age=120'], prefer)
  }
})

test('preferences may come in several headers; errors of earlier checks come first', async t => {
  const ask = async (target: string) => readRaw(await send(`GET ${target} HTTP/1.1\r\nHost: a\r\nPrefer: wait=1\r\nPrefer: Handling = "strict"; x\r\nConnection: close\r\n\r\n`))
  t.equal((await ask(`${path}?nonsense=1`)).status, 400)
  t.equal((await ask(`${path}?format=nonsense`)).status, 404, 'negotiation')
  t.equal((await ask('/api/v2/bikes/?nonsense=1')).status, 401, 'the token')
  t.equal((await ask(`${path}?page=99`)).status, 404, 'an invalid page')
})
