import fc from 'fast-check'
import { test } from 'tap'
import { orderPositions } from '../../src/lists/ordering.ts'
import { createTable } from '../../src/lists/table.ts'

test('the values of a field are found once, when they are first needed', async t => {
  let found = 0
  const table = createTable(['B', 'a', 'A'], { text: text => ++found && text })
  t.equal(found, 0)
  for (let time = 0; time < 2; time++) {
    t.strictSame(table.values('text'), ['b', 'a', 'a'])
    t.strictSame(table.ranks('text'), [1, 0, 0])
  }
  t.equal(found, 3)
  t.strictSame(table.summaries('text'), new Map([['text', { counts: new Map([['B', 1], ['a', 1], ['A', 1]]), least: Infinity, greatest: -Infinity }]]))
})

test('numbers and booleans order records by size, and a record without one comes last', async t => {
  const value = fc.option(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0.5, max: 1, noNaN: true }), fc.boolean()))
  fc.assert(fc.property(fc.array(value, { maxLength: 50 }), fc.boolean(), (values, descending) => {
    const records = values.map((value, id) => ({ id, value }))
    const sign = descending ? -1 : 1
    const order = (a: typeof records[number], b: typeof records[number]) =>
      Number(a.value === null) - Number(b.value === null) || sign * (Number(a.value) - Number(b.value)) || a.id - b.id
    const positions = orderPositions(createTable(records, { value: ({ value }) => value }), [{ field: 'value', descending }])
    t.strictSame(positions, records.toSorted(order).map(({ id }) => id))
  }), { numRuns: 50 })
})
