import { test } from 'tap'
import type { Send } from '../../src/client/client.ts'
import { catalogue } from '../helper.ts'
import { faithful } from './faults.ts'
import { createProxy, injector } from './proxy.ts'
import { buildFewer, failed, fewer, runBehind, warned } from './results.ts'

const pageSize = 10
const lastPage = 95

/** Saddles for 95 pages of ten. */
const saddles = Array.from({ length: pageSize * lastPage }, (_, index) => {
  const saddle = catalogue.saddles[index % catalogue.saddles.length]!
  return { ...saddle, id: index + 1 }
})

test('verify walks all 95 pages of a list without a failure', async t => {
  const app = await buildFewer(t, { paginate: 'always', pageSize }, { ...fewer, saddles })
  const inject = injector(app)
  const targets = new Set<string>()
  const send: Send = request => {
    targets.add(request.target)
    return inject(request)
  }
  const results = await runBehind(send, { lists: ['saddles'] })
  t.same(failed(results), [])
  t.same(warned(results), [])
  for (const id of ['saddles/walk', 'saddles/numbers']) {
    t.match(results.find(result => result.id === id), { ok: true, skipped: undefined })
  }
  for (let page = 1; page <= lastPage + 1; page++) {
    t.ok(targets.has(`/api/v1/saddles/?page=${page}`), `page ${page} was requested`)
  }
})

test('pages that begin with 0 are no failure: two of them, and links to the first one without its number', async t => {
  const [, fromZero, pass] = faithful.find(([title]) => title === 'pages that begin with 0')!
  for (const amount of [6, 12]) {
    const records = { ...fewer, wheels: fewer.wheels.slice(0, amount) }
    const send = createProxy(await buildFewer(t, { paginate: 'always' }, records))(exchange => {
      fromZero(exchange)
      exchange.body = exchange.body.toString().replace(/[?&]page=0(?=")/g, '')
    }, pass)
    t.same(failed(await runBehind(send, { lists: ['wheels'] })), [], `${amount} wheels`)
  }
})

test('a list of one page, whose number is refused, is no failure', async t => {
  const [, refuse] = faithful.find(([title]) => title === 'page=1 refused')!
  const send = createProxy(await buildFewer(t, { paginate: 'always' }))(refuse)
  t.same(failed(await runBehind(send, { lists: ['bikes', 'featured'] })), [])
})
