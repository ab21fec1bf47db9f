import fc from 'fast-check'
import { test } from 'tap'
import { orderPositions } from '../../src/lists/ordering.ts'
import { createTable } from '../../src/lists/table.ts'

/** Records that are many, and so are looked at in turns with requests. */
const records = Array.from({ length: 50_000 }, (_, id) => ({ id, title: `Bike ${(id * 7919) % 50_000}` }))

test('what is made of many records is made once, in turns with requests', async t => {
  let looked = 0
  const fields = {
    title: ({ title }: typeof records[number]) => {
      looked++
      return title
    }
  }
  const table = createTable(records, fields)
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  await table.prepare(['title'], ['title'])
  clearInterval(counting)
  t.ok(turns > 20, `${turns} turns`)
  t.equal(looked, records.length, 'once for column and ranks')
  const terms = [{ field: 'title', descending: true }]
  const { compare } = new Intl.Collator('en')
  const inOrder = [...records].sort((a, b) => compare(b.title, a.title)).map(({ id }) => id)
  t.strictSame([...orderPositions(table, terms)], inOrder)
})

test('a column alone is made in turns too', async t => {
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await createTable(records, { title: ({ title }) => title }).prepare(['title'], [])
  clearImmediate(next)
  t.ok(turns >= records.length / 5_000, `${turns} turns`)
})

test('of few records all is made when it is needed', async t => {
  for (const [count, looked] of [[5_000, 0], [5_001, 5_001]] as const) {
    let ids = 0
    await createTable(records.slice(0, count), { id: ({ id }) => ids++ && id }).prepare(['id'], ['id'])
    t.equal(ids, looked)
  }
})

test('numbers that differ or do not, and some that are missing, order records and are what they were', async t => {
  const number = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 9 }), fc.double({ min: 0.5, max: 1, noNaN: true }))
  const many = Array.from({ length: 5_500 }, (_, index) => (index * 7919) % 5_501 / 7)
  const cases = fc.tuple(fc.constantFrom([], many), fc.array(number, { minLength: 1, maxLength: 50 }), fc.boolean())
  fc.assert(fc.property(cases, ([before, after, descending]) => {
    const records = [...before, ...after].map((number, id) => ({ id, number }))
    const table = createTable(records, { number: ({ number }) => number })
    const { codes, values, written } = table.column('number')
    t.strictSame([...codes].map(code => values[code]), records.map(({ number }) => number))
    t.strictSame(written, values)
    const sign = descending ? -1 : 1
    const order = (a: typeof records[number], b: typeof records[number]) =>
      Number(a.number === null) - Number(b.number === null) || sign * (Number(a.number) - Number(b.number)) || a.id - b.id
    t.strictSame([...orderPositions(table, [{ field: 'number', descending }])], records.sort(order).map(({ id }) => id))
  }), { numRuns: 50 })
})
