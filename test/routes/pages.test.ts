import { t, test } from 'tap'
import { build, catalogue, shared } from '../helper.ts'

const { inject } = shared(t)

type Envelope = { count: number, next: string | null, previous: string | null, results: { id: number }[] }

const count = catalogue.bikes.length
const last = Math.ceil(count / 10)

/** Requests of /api/v1/bikes/ with the queries of the links and the number of records on the page. */
const pages: [query: string, next: string | null, previous: string | null, size: number][] = [
  ['page=1', '?page=2', null, 10],
  ['page=2', '?page=3', '', 10],
  ['page=3', '?page=4', '?page=2', 10],
  [`page=${last}`, null, `?page=${last - 1}`, count - 10 * (last - 1)],
  ['page=last', null, `?page=${last - 1}`, count - 10 * (last - 1)],
  ['page=%D9%A2', '?page=3', '', 10],
  ['page=2&page=1', '?page=2', null, 10],
  ['Page=2&page=1', '?Page=2&page=2', null, 10],
  ['ordering=-title&page=2', '?ordering=-title&page=3', '?ordering=-title', 10],
  ['format=json&page=1', '?format=json&page=2', null, 10],
  [
    'page=2&z=1&a=%20b+c&e=&u=%C3%A9&x=2&x=1&B=1', '?B=1&a=+b+c&e=&page=3&u=%C3%A9&x=2&x=1&z=1',
    '?B=1&a=+b+c&e=&u=%C3%A9&x=2&x=1&z=1', 10
  ],
  ['page_size=3&page=1', '?page=2&page_size=3', null, 3],
  ['page_size=3&page=2', '?page=3&page_size=3', '?page_size=3', 3],
  ['page_size=1000&page=1', null, null, count],
  ['page_size=abc&page=1', '?page=2&page_size=abc', null, 10],
  ['page_size=&page=1', '?page=2&page_size=', null, 10],
  ['page_size=0&page=1', '?page=2&page_size=0', null, 10],
  ['page_size=-1&page=1', '?page=2&page_size=-1', null, 10],
  ['page_size=%203&page=last', null, `?page=${Math.ceil(count / 3) - 1}&page_size=+3`, (count - 1) % 3 + 1],
  ['page_size=1&page=1_0', '?page=11&page_size=1', '?page=9&page_size=1', 1]
]

test('?page= gives the envelope with links as the reference writes them', async t => {
  const address = 'http://localhost:80/api/v1/bikes/'
  for (const [query, next, previous, size] of pages) {
    const { statusCode, body } = await inject(`/api/v1/bikes/?${query}`)
    const { results, ...links } = JSON.parse(body) as Envelope
    t.strictSame([statusCode, results.length], [200, size], query)
    t.strictSame(links, {
      count,
      next: next && address + next,
      previous: previous === null ? null : address + previous
    }, query)
    t.ok(body.startsWith(JSON.stringify(links).slice(0, -1)), 'the links come first, in this order')
  }
})

const invalid = [
  'page=0', 'page=-1', `page=${last + 1}`, 'page=abc', 'page=999999', 'page=', 'page', 'page=LAST',
  'page=1.0', 'page=1&page=abc', `page=${'9'.repeat(5000)}`
]

test('an invalid page is 404 "Invalid page."', async t => {
  for (const query of invalid) {
    const answer = await inject(`/api/v1/bikes/?${query}`)
    t.strictSame([answer.statusCode, answer.body], [404, '{"detail":"Invalid page."}'], query)
    t.match(answer.headers, {
      vary: 'Accept', allow: 'GET, HEAD, OPTIONS', 'cache-control': 'no-store',
      'content-type': /^application\/json$/
    }, query)
  }
})

test('paginate=always makes every list an envelope, page 1 by default', async t => {
  const app = await build(t, { paginate: 'always' })
  const first = (await app.inject('/api/v1/bikes/?ordering=-title')).json<Envelope>()
  t.match(first, { count, next: 'http://localhost:80/api/v1/bikes/?ordering=-title&page=2', previous: null })
  t.match((await app.inject('/api/v1/brakes/?page_size=100')).json<Envelope>(), { next: null, previous: null })
})

test('a catalogue without bikes has one empty page', async t => {
  const app = await build(t, {}, { ...catalogue, bikes: [] })
  t.equal((await app.inject('/api/v1/bikes/')).body, '[]')
  for (const page of ['1', 'last']) {
    const { body } = await app.inject(`/api/v1/bikes/?page=${page}`)
    t.equal(body, '{"count":0,"next":null,"previous":null,"results":[]}', page)
  }
  t.equal((await app.inject('/api/v1/bikes/?page=2')).statusCode, 404)
})
