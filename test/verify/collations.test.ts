import { test } from 'tap'
import { judgeOrders, misplacedBy, type Sorted } from '../../src/verify/collations.ts'

const sorted = (...values: Sorted['values']): Sorted => ({ values, isDescending: false })

test('numbers are compared as such, and nulls may be anywhere', async t => {
  const compare = () => 0
  t.equal(misplacedBy({ name: 'any', compare }, sorted(null, 2, 10, null)), undefined)
  t.same(misplacedBy({ name: 'any', compare }, sorted(10, 2)), [10, 2])
  t.equal(misplacedBy({ name: 'any', compare }, { values: [10, 2], isDescending: true }), undefined)
})

test('the values of a wrong order are those of the usual collation that gets furthest', async t => {
  const cases: [values: string[], wrong: string[]][] = [
    [['a', 'c', 'b'], ['c', 'b']],
    // Code units put é after z, the collation of a language does not.
    [['a', 'é', 'f', 'z', 'b'], ['z', 'b']],
    [['a', 'z', 'é', 'b'], ['é', 'b']]
  ]
  for (const [values, wrong] of cases) {
    t.same(judgeOrders([sorted(...values)], false), { wrong: { index: 0, values: wrong } }, values.join())
  }
})
