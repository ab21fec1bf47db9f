import fc from 'fast-check'
import { test } from 'tap'
import { build, catalogue } from '../helper.ts'

const paths = ['/api/v1/brakes/', '/api/v1/saddles/', '/api/v1/wheels/', '/api/v2/bikes/']

const parameter = fc.oneof(
  fc.constantFrom(
    'page=', 'page=1', 'page=2', 'page=last', 'page=undefined', 'page=0', 'page_size=', 'page_size=1', 'page_size=x',
    'format=', 'format=api', 'format=json', 'format=undefined', 'x=', 'x=1', 'x', '', '#page=1'
  ),
  fc.constantFrom(
    'ordering=', 'ordering=brand_name', 'ordering=-title', 'ordering=title,-year', 'brand=', 'brand=trek', 'brand=trek,canyon', 'brand=Trek',
    'year=2021', 'year=', 'year__gte=2020', 'year__gte=x', 'search=carbon', 'search=+', 'is_featured=1', 'is_featured=true'
  )
)

const anyRequest = fc.record({
  url: fc.tuple(fc.constantFrom(...paths), fc.constantFrom('?', '?', ''), fc.array(parameter, { maxLength: 4 }))
    .map(([path, mark, parameters]) => path + mark + (mark === '' ? '' : parameters.join('&'))),
  headers: fc.tuple(
    fc.constantFrom(undefined, undefined, '*/*', 'undefined', '', 'text/html', 'application/json; indent=2', 'application/json', 'null'),
    fc.constantFrom('localhost', 'other.test', '10.0.2.2:3000'),
    fc.constantFrom('', 'br', 'gzip, br;q=0.5')
  ).map(([accept, host, coding]) => ({ host, authorization: 'Token ci', 'accept-encoding': coding, ...accept === undefined ? {} : { accept } })),
  method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'HEAD' as const, 'OPTIONS' as const)
})

const asked = fc.sample(anyRequest, { numRuns: 1000, seed: 20 })

test('a thousand requests get the same bytes in any order, compressed or not', async t => {
  const settings = { tokens: ['ci'], compress: true }
  const [forwards, backwards] = [await build(t, settings, catalogue), await build(t, settings, catalogue)]
  const answersOf = async (app: typeof forwards, requests: typeof asked) => {
    const answers = new Map<object, string>()
    for (const request of requests) {
      const { statusCode, headers: { date, ...headers }, rawPayload } = await app.inject(request)
      answers.set(request, `${statusCode} ${JSON.stringify(headers)} ${rawPayload.toString('latin1')}`)
    }
    return answers
  }
  const [first, second] = [await answersOf(forwards, asked), await answersOf(backwards, asked.toReversed())]
  t.same(asked.filter(request => first.get(request) !== second.get(request)), [])
})
