import { test } from 'tap'
import { createProxy } from './proxy.ts'
import { buildFewer, failed, fewer, runBehind } from './results.ts'

for (const [before, after] of [[11, 12], [12, 11], [11, 10]] as const) {
  test(`${before} wheels that become ${after} at any time of a run are no failure`, async t => {
    const [old, now] = await Promise.all([before, after].map(async count => {
      const app = await buildFewer(t, { paginate: 'always' }, { ...fewer, wheels: fewer.wheels.slice(0, count) })
      return createProxy(app)(() => {})
    }))
    for (let turn = 1; turn < 100; turn += 4) {
      let turns = 0
      const results = await runBehind(request => (++turns > turn ? now : old)!(request), { lists: ['wheels'] })
      t.same(failed(results), [], `after ${turn} requests`)
    }
  })
}
