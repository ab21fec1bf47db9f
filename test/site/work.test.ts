import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { build, catalogue } from '../helper.ts'

/** Returns a list whose reads of records are counted. */
function countReads<Item extends object> (items: readonly Item[], count: () => void): readonly Item[] {
  return new Proxy(items, {
    get (target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) count()
      return Reflect.get(target, name, receiver) as unknown
    }
  })
}

test('a browsable page reads the records that it shows, and the first ones each list a few times', async t => {
  let reads = 0
  const lists = Object.fromEntries([...resources.map(({ key }) => key), 'cranksets' as const].map(key => [key, countReads<object>(catalogue[key], () => { reads++ })]))
  const app = await build(t, { paginate: 'always', tokens: ['one'], simulate: true }, { ...catalogue, ...lists })
  const ask = async (query: string) => {
    reads = 0
    for (const { path } of resources) {
      const url = `${path}?format=api&page_size=2&${query}`
      t.equal((await app.inject({ url, headers: { authorization: 'Token one' } })).statusCode, 200, url)
    }
    return reads
  }
  const records = Object.values(lists).reduce((sum, { length }) => sum + length, 0)
  const first = await ask('page=1&ordering=-title,-brand_name')
  t.ok(first < 10 * records, `the first pages read ${first} times, of ${records} records`)
  for (const query of ['page=2', 'page=last&ordering=-title,-brand_name']) {
    const later = await ask(query)
    t.ok(later < 20 * resources.length, `later ones read only the records that they show: ${later}`)
  }
})

test('a list too long to search for the values of its filters has text fields for them', async t => {
  const [bike] = catalogue.bikesV2
  const app = await build(t, { paginate: 'always', tokens: ['one'] }, { ...catalogue, bikesV2: Array(50_001).fill(bike) as typeof catalogue.bikesV2 })
  const { body } = await app.inject({ url: '/api/v2/bikes/?format=api&page_size=2', headers: { authorization: 'Token one' } })
  t.match(body, /<input id="category" name="category"/)
})
