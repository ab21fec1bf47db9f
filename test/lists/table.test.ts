import { test } from 'tap'
import { createTable } from '../../src/lists/table.ts'

test('the values of a field are found once, when they are first needed', async t => {
  let found = 0
  const table = createTable(['B', 'a', 'A'], () => text => ++found && text)
  t.equal(found, 0)
  for (let time = 0; time < 2; time++) {
    t.strictSame(table.values('text'), ['b', 'a', 'a'])
    t.strictSame(table.ranks('text'), [1, 0, 0])
  }
  t.equal(found, 3)
  t.strictSame(table.summaryOf('text'), {
    counts: new Map([['B', 1], ['a', 1], ['A', 1]]),
    least: Infinity,
    greatest: -Infinity
  })
})
