import { test } from 'tap'
import { build } from '../helper.ts'

const path = '/api/v1/bikes/'
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
