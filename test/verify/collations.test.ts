import { test } from 'tap'
import { findOrder, misplacedBy, type Sorted } from '../../src/verify/collations.ts'

const ascending = (...values: Sorted['values']): Sorted => ({ values, isDescending: false })
const descending = (...values: Sorted['values']): Sorted => ({ values, isDescending: true })

test('numbers are compared as such, and nulls may be anywhere', async t => {
  const compare = () => 0
  t.same(misplacedBy(compare, ascending(null, 2, 10, null)), [])
  t.same(misplacedBy(compare, ascending(10, 2)), [[10, 2]])
  t.same(misplacedBy(compare, descending(10, 2)), [])
})

test('the values of a wrong order are those of the collation that has fewest of them', async t => {
  const cases: [values: string[], wrong: string[]][] = [
    [['a', 'c', 'b'], ['c', 'b']],
    // Code units put é after z, the collation of a language does not.
    [['a', 'é', 'f', 'z', 'b'], ['z', 'b']],
    [['a', 'z', 'é', 'b'], ['é', 'b']]
  ]
  for (const [values, wrong] of cases) {
    const { alphabetical, compare } = findOrder([ascending(...values)], false)
    t.equal(compare, alphabetical)
    t.same(misplacedBy(alphabetical, ascending(...values)), [wrong], values.join())
  }
})

test('an order of another language that all responses have is told from none', async t => {
  const swedish = ['Vb', 'Wa', 'Vc', 'Wd', 'Åsa', 'Öz']
  const byPrice = ['Wd', 'Ab', 'Ka', 'Ce', 'Ba', 'Aa']
  const cases: [all: Sorted[], isConsistent: boolean][] = [
    [[ascending(...swedish), descending(...swedish.toReversed())], true],
    [[ascending('Vb', 'Wa', 'Vc'), ascending(...swedish)], true],
    [[descending(...swedish.toReversed())], true],
    [[ascending(...swedish), descending(...swedish)], false],
    [[ascending(...swedish, 'Vb')], false],
    [[ascending(...byPrice), descending(...byPrice.toReversed())], false],
    [[ascending('Zipp', 'bontrager')], false]
  ]
  for (const [all, isConsistent] of cases) {
    const { compare, alphabetical } = findOrder(all, false)
    t.equal(compare !== alphabetical, isConsistent, all.map(({ values }) => values.join()).join(' / '))
  }
  const title = findOrder([ascending('Zipp', 'bontrager')], true)
  t.same(misplacedBy(title.alphabetical, ascending('Zipp', 'bontrager')), [])
})
