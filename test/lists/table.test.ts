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
  await Promise.all([table.prepare([], ['title']), table.prepare(['title'], ['title'])])
  clearInterval(counting)
  t.ok(turns > 20, `${turns} turns`)
  t.equal(looked, records.length, 'once for both')
  t.equal(table.prepare(['title'], ['title']), undefined, 'nothing is left to make')
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

test('of few records all is made when it is needed', t => {
  t.equal(createTable(records.slice(0, 5_000), { id: ({ id }) => id }).prepare(['id'], ['id']), undefined)
  t.type(createTable(records.slice(0, 5_001), { id: ({ id }) => id }).prepare(['id'], ['id']), Promise)
  t.end()
})
