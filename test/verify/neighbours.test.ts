import { test } from 'tap'
import { records, says, when } from './faults.ts'
import { createProxy, type Alter, type Exchange } from './proxy.ts'
import { buildFewer, failed, listsOf, runBehind, warned } from './results.ts'

type Sent = Parameters<Parameters<typeof records>[1]>[0]

const brakes = '/api/v1/brakes/'
const wheels = '/api/v1/wheels/'
const v2 = '/api/v2/bikes/'

const isQuery = (query: string) => (exchange: Exchange) => exchange.query === query

/** Gives the first record an id that the list does not have. */
const renumbered = ([first, ...others]: Sent) => [{ ...first, id: 9999 }, ...others]

const isOfBrowser = ({ accept = '' }: Exchange['sent']) => accept.startsWith('text/html,application/xhtml')

const isLastOrdered = /ordering=-brand_name&page=3/

const isRefused = ({ path, status }: Exchange) => path === v2 && status === 401

const isOfHead = ({ method, path, sent }: Exchange) =>
  method === 'HEAD' && path === brakes && sent['origin'] !== undefined

/** Single changes that a random search found, each in one kind of response, and the checks that warn of them. */
const cases: readonly [title: string, alter: Alter, noticed: readonly string[]][] = [
  [
    'an unpaged list loses a record for page_size',
    records(brakes, own => own.slice(1), isQuery('page_size=2')),
    ['brakes/page-size']
  ],
  [
    'a page of two records is empty',
    records(wheels, () => [], isQuery('page=1&page_size=2')),
    ['wheels/page-size']
  ],
  [
    'page 3 of an invalid ordering has a record of no other response',
    records(wheels, renumbered, ({ query }) => /ordering=nonsense&page=3/.test(query)),
    ['wheels/ordering/unknown']
  ],
  [
    'an invalid ordering has another order for format=json',
    records(brakes, own => own.toReversed(), ({ query }) => /ordering=nonsense.*format=json/.test(query)),
    ['brakes/ordering/unknown']
  ],
  [
    'an ordering of version 2.1 is a document',
    when(({ path, query, status }) => path === v2 && query === 'ordering=-price' && status === 200, says(200, {})),
    ['bikesV2/ordering', 'bikesV2/status']
  ],
  [
    'a refusal of a page has no challenge',
    when(exchange => isRefused(exchange) && exchange.query === 'page=1', ({ headers }) => {
      delete headers['www-authenticate']
    }),
    ['token/refused']
  ],
  [
    'a refusal of a filter may be cached',
    when(exchange => isRefused(exchange) && exchange.query.startsWith('brand='), ({ headers }) => {
      headers['cache-control'] = 'max-age=300'
    }),
    ['token/refused']
  ],
  [
    'a refusal of a compressed response is an error of the server',
    when(exchange => isRefused(exchange) && exchange.sent['accept-encoding'] !== undefined, says(500, {})),
    ['token/refused']
  ],
  [
    'a page in HTML for browsers does not vary by Accept',
    when(({ path, sent, query }) => path === brakes && isOfBrowser(sent) && query.includes('page='), ({ headers }) => {
      headers['vary'] = 'Origin'
    }),
    ['brakes/format-api/headers']
  ],
  [
    'HEAD of the last page of an ordering has another type',
    when(({ method, path, query }) => method === 'HEAD' && path === wheels && isLastOrdered.test(query), exchange => {
      exchange.headers['content-type'] = 'text/plain'
    }),
    ['wheels/head']
  ],
  [
    'HEAD of a page with a token is forbidden',
    when(({ method, path, sent, query }) =>
      method === 'HEAD' && path === brakes && sent['authorization'] !== undefined && query.includes('page='),
    exchange => { exchange.status = 403 }),
    ['brakes/head']
  ],
  [
    'HEAD with an origin varies by cookie alone',
    when(isOfHead, ({ headers }) => { headers['vary'] = 'Cookie, Origin' }),
    ['brakes/head']
  ]
]

test('verify warns of single changes that a random search found', async t => {
  const proxy = createProxy(await buildFewer(t))
  for (const [title, alter, noticed] of cases) {
    const results = await runBehind(proxy(alter), { lists: listsOf(noticed) })
    t.same(failed(results), [], title)
    t.same(warned(results).sort(), noticed, title)
  }
})
