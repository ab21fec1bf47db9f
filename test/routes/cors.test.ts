import { test } from 'tap'
import { build } from '../helper.ts'

const path = '/api/v1/brakes/'
const origin = 'https://app.example'

test('--cors credentials: responses of every kind are for the origin of the request, with credentials', async t => {
  const app = await build(t, { cors: 'credentials' })
  const { etag } = (await app.inject(path)).headers
  for (const [url, status, headers, vary] of [
    [path, 200, {}, 'Accept, Origin'], [path, 304, { 'if-none-match': etag }, 'Accept, Origin'], [`${path}?page=9`, 404, {}, 'Accept, Origin'], ['/api/v2/bikes/', 401, {}, 'Accept, Origin'],
    ['/nope/', 404, {}, 'Origin'], ['/', 200, {}, 'Origin'], ['/api/v1/brakes', 301, {}, 'Origin']
  ] as const) {
    const { statusCode, headers: sent } = await app.inject({ url, headers: { ...headers, origin } })
    t.match([statusCode, sent], [status, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary }], `${status} ${url}`)
  }
  const { headers } = await app.inject(path)
  t.match(headers, { 'access-control-allow-origin': '*', vary: 'Accept, Origin' }, 'a request without an origin')
  t.notOk(headers['access-control-allow-credentials'])
})

test('--cors credentials: a preflight allows the requested headers by name, because * has no meaning there', async t => {
  const app = await build(t, { cors: 'credentials' })
  for (const requested of ['x-app, authorization', undefined]) {
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: path, headers: { origin, 'access-control-request-method': 'GET', ...requested && { 'access-control-request-headers': requested } } })
    t.match([statusCode, headers], [204, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', 'access-control-allow-headers': requested ?? '' }], String(requested))
  }
})

test('a preflight to a path without its slash is answered, because browsers refuse a redirect', async t => {
  const app = await build(t)
  const headers = { origin, 'access-control-request-method': 'GET' }
  const [list, other] = await Promise.all([path, path.slice(0, -1)].map(url => app.inject({ method: 'OPTIONS', url, headers })))
  t.equal(other?.statusCode, 204)
  t.same({ ...other?.headers, date: '' }, { ...list?.headers, date: '' })
  t.equal((await app.inject({ method: 'OPTIONS', url: path.slice(0, -1) })).statusCode, 301)
})
