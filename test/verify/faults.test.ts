import { test } from 'tap'
import { every, faithful, faults, liberties } from './faults.ts'
import { createProxy, type Exchange } from './proxy.ts'
import { buildFewer, failed, listsOf, namesOf, runBehind, warned } from './results.ts'
import '../limit.ts'

test('each fault is noticed by the checks that should notice it, and by no other', async t => {
  const proxy = createProxy(await buildFewer(t))
  t.ok(faults.length >= 150)
  for (const [title, alter, noticed, pass] of faults) {
    const results = await runBehind(proxy(alter, pass), { lists: listsOf(noticed) })
    t.same(failed(results).sort(), [...noticed].sort(), title)
  }
})

/** What an honest Django REST framework site does its own way, because the contract is silent (reference-behaviour). */
function honest (exchange: Exchange): void {
  const { headers, path, status, sent } = exchange
  for (const name of Object.keys(headers)) {
    if (/^(etag|last-modified|access-control-|x-ratelimit-)/.test(name)) delete headers[name]
  }
  if (status !== 200 || path.startsWith('/api/v2/') || /featured|brakes|saddles|handlebars/.test(path)) {
    delete headers['cache-control']
  }
  if (String(headers['content-type']).startsWith('text/html')) {
    Object.assign(headers, { vary: 'Accept, Cookie', 'set-cookie': 'csrftoken=x' })
  }
  if (sent['if-none-match'] !== undefined) exchange.status = 200
  if (status === 404 && path.includes('icycle')) {
    exchange.body = '<!doctype html>'
    headers['content-type'] = 'text/html'
  }
}

/** Lists of each kind: with a stated age and an ordering, with pages, and of version 2.1. */
const ofEachKind = ['bikes', 'wheels', 'saddles', 'bikesV2']
const general = ['featured', 'negotiation', 'paths', 'limits', 'token']

for (const [paginate, lists] of [['on-request', [...ofEachKind, ...general]], ['always', ofEachKind]] as const) {
  test(`services that do something their own way pass with at most 16 warnings: --paginate ${paginate}`, async t => {
    const proxy = createProxy(await buildFewer(t, { paginate }))
    const results = await runBehind(proxy(honest))
    t.same(failed(results), [])
    const missing = [...every('cors'), ...every('etag'), 'bikesV2/preflight']
    t.same(warned(results).filter(id => !id.endsWith('/cache')).sort(), missing.sort())
    t.ok(faithful.length >= 49)
    for (const [title, alter, pass] of faithful) {
      const results = await runBehind(proxy(exchange => { honest(exchange); alter(exchange) }, pass), { lists })
      t.same(failed(results), [], title)
      t.ok(namesOf(warned(results)).length <= 16, `${title}: ${namesOf(warned(results)).join()}`)
    }
  })
}

test('where the specification is silent, another way is a warning and no failure', async t => {
  const proxy = createProxy(await buildFewer(t))
  for (const [title, alter, expected, pass] of liberties) {
    const results = await runBehind(proxy(alter, pass), { lists: listsOf(expected) })
    t.same(failed(results), [], title)
    t.same(warned(results).sort(), [...expected].sort(), title)
  }
})
