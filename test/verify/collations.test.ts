import { test } from 'tap'
import { findMisplaced, misplacedBy, type Sorted } from '../../src/verify/collations.ts'

const sorted = (...values: Sorted['values']): Sorted => ({ values, isDescending: false })

test('numbers are compared as such, and nulls may be anywhere', async t => {
  const compare = () => 0
  t.equal(misplacedBy(compare, sorted(null, 2, 10, null)), undefined)
  t.same(misplacedBy(compare, sorted(10, 2)), [10, 2])
  t.equal(misplacedBy(compare, { values: [10, 2], isDescending: true }), undefined)
})

test('the values of a wrong order are those of the collation that gets furthest', async t => {
  const cases: [values: string[], wrong: string[]][] = [
    [['a', 'c', 'b'], ['c', 'b']],
    // Code units put é after z, the collation of a language does not.
    [['a', 'é', 'f', 'z', 'b'], ['z', 'b']],
    [['a', 'z', 'é', 'b'], ['é', 'b']]
  ]
  for (const [values, wrong] of cases) {
    t.match(findMisplaced([sorted(...values)], false), { index: 0, values: wrong }, values.join())
  }
})

const descending = (...values: Sorted['values']): Sorted => ({ values, isDescending: true })

test('an order of another language that all responses have is told from none', async t => {
  const swedish = ['Vb', 'Wa', 'Vc', 'Wd', 'Åsa', 'Öz']
  const byPrice = ['Wd', 'Ab', 'Ka', 'Ce', 'Ba', 'Aa']
  const cases: [all: Sorted[], isConsistent: boolean][] = [
    [[sorted(...swedish), descending(...swedish.toReversed())], true],
    [[sorted('Vb', 'Wa', 'Vc'), sorted(...swedish)], true],
    [[sorted(...swedish), descending(...swedish)], false],
    [[sorted(...swedish, 'Vb')], false],
    [[sorted(...byPrice), descending(...byPrice.toReversed())], false],
    [[sorted('Zipp', 'bontrager')], false]
  ]
  for (const [all, isConsistent] of cases) {
    t.match(findMisplaced(all, false), { isConsistent }, all.map(({ values }) => values.join()).join(' / '))
  }
  t.equal(findMisplaced([sorted('Zipp', 'bontrager')], true), undefined)
})
