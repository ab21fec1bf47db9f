import { test, type Test } from 'tap'
import { pullFrom, serve, serveData } from './pulled.ts'

type Paging = { count: number, pageSize: number, largest?: number, results?: string, status?: number }

/** Serves a list of saddles in pages; `page_size` is ignored without a largest one. */
function servePages (t: Test, { count, pageSize, largest, results = '"results"', status = 200 }: Paging) {
  return serve(t, ({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    const sent = Number(searchParams.get('page_size') ?? pageSize)
    const size = largest === undefined ? pageSize : Math.min(sent, largest)
    const page = Number(searchParams.get('page') ?? 1)
    const last = Math.max(1, Math.ceil(count / size))
    const json = { 'content-type': 'application/json' }
    const isRefused = status !== 200 && searchParams.has('page_size')
    if (isRefused) return !!response.writeHead(status, json).end('{"detail":"No size."}')
    if (page > last) return !!response.writeHead(404, json).end('{"detail":"No such page."}')
    const records = Array.from({ length: count }, (_, id) => ({ id })).slice((page - 1) * size, page * size)
    const query = searchParams.has('page_size') ? `&page_size=${sent}` : ''
    const next = page < last ? `"/api/v1/saddles/?page=${page + 1}${query}"` : 'null'
    return !!response.writeHead(200, json)
      .end(`{"count":${count},"next":${next},${results}:${JSON.stringify(records)}}`)
  })
}

const cases: readonly (readonly [title: string, Paging, query: string, expected: object])[] = [
  [
    'the largest page', { count: 250, pageSize: 10, largest: 120 }, '?page=2&page_size=500',
    { results: { length: 120 } }
  ],
  ['a small page', { count: 250, pageSize: 10, largest: 120 }, '?page=2&page_size=7', { results: { length: 7 } }],
  ['all in a page', { count: 250, pageSize: 10, largest: 2000 }, '?page=1&page_size=999', { results: { length: 250 } }],
  ['fixed pages of two', { count: 9, pageSize: 2 }, '?page=2&page_size=3', { results: { length: 2 } }],
  ['fixed pages of ten', { count: 25, pageSize: 10 }, '?page=2&page_size=3', { results: { length: 10 } }],
  ['a refused size', { count: 25, pageSize: 10, status: 422 }, '?page=2&page_size=3', { results: { length: 10 } }],
  ['an escaped name', { count: 9, pageSize: 4, results: '"\\u0072esults"' }, '?page=3', { results: [{ id: 8 }] }],
  ['an empty list', { count: 0, pageSize: 4, largest: 9 }, '?page=2', { detail: 'No such page.' }],
  ['an empty list', { count: 0, pageSize: 4, largest: 9 }, '?page=1', { count: 0, results: [] }],
  ['a short list', { count: 2, pageSize: 2, largest: 9 }, '?page=1&page_size=1', { results: { length: 1 } }]
]

for (const [title, paging, query, expected] of cases) {
  test(`the recording of a service with ${title} responds to ${query} as the service does`, async t => {
    const { url } = await servePages(t, paging)
    const { code, stderr, directory } = await pullFrom(t, url, ['--lists', 'saddles'])
    t.equal(code, 0, stderr)
    const { app } = await serveData(t, directory)
    t.match((await app.inject(`/api/v1/saddles/${query}`)).json(), expected)
  })
}
