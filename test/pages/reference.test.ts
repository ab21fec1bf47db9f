import { test } from 'tap'
import { build, catalogue } from '../helper.ts'

test('GET /docs/ shows no example of a list without records', async t => {
  const [whole, lacking] = [await build(t), await build(t, {}, { ...catalogue, brakes: [] })]
  const count = async (app: typeof whole) => (await app.inject('/docs/')).body.split('<summary>Example</summary>').length - 1
  t.equal(await count(lacking), await count(whole) - 1)
})
