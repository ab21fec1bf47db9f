import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { orderPositions, readOrdering, writeOrdering } from '../../src/lists/ordering.ts'
import { createTable } from '../../src/lists/table.ts'

const readings: { [meaning: string]: (string | undefined)[] } = {
  title: ['title', 'title,-id', ' title ', 'title\n', '\x1c\x85\u2003title\x1f'],
  '-title': ['-title', 'nonsense,-title', '-title,title', ' -title '],
  'year,-title': ['year,-title'],
  '': [
    undefined, '', '-', '--title', 'nonsense', '- title', 'title\0', '\ufefftitle', '\x1b-title', '+title',
    'TITLE', 'id', 'pk', '?', '-title;x=1', '__proto__'
  ]
}

test('an ordering is read as in the reference', async t => {
  for (const [meaning, values] of Object.entries(readings)) {
    for (const value of values) {
      t.equal(writeOrdering(readOrdering(value, ['title', 'year'])), meaning, JSON.stringify(value))
    }
  }
})

type Titled = { id: number, title: string | null }

const fields = { title: ({ title }: Titled) => title, id: ({ id }: Titled) => id }
const sortable = Object.keys(fields)

async function order<T extends Titled> (records: readonly T[], ordering: string): Promise<T[]> {
  const table = createTable(records, name => fields[name as keyof typeof fields])
  const positions = orderPositions(table, readOrdering(ordering, sortable))
  return Array.from(positions, position => records[position] as T)
}

const cases = ['b', 'A', 'a', 'Ä', '3T', 'B']
const accents = ['\u00e9', 'd', 'e\u0301']
const holes = [null, 'b', 'a', null, 'B']

const orders: [why: string, titles: (string | null)[], ordering: string, ids: number[]][] = [
  ['alphabetical whatever the case, equal ones by id', cases, 'title', [4, 1, 2, 3, 0, 5]],
  ['equal ones by id backwards too', cases, '-title', [0, 5, 3, 1, 2, 4]],
  ['numbers by size', cases, '-id', [5, 4, 3, 2, 1, 0]],
  ['canonically equivalent titles are equal', accents, 'title', [1, 0, 2]],
  ['canonically equivalent titles are equal backwards', accents, '-title', [0, 2, 1]],
  ['null last', holes, 'title', [2, 1, 4, 0, 3]],
  ['null last backwards too', holes, '-title', [1, 4, 2, 0, 3]],
  ['terms from left to right', holes, 'title,-id', [2, 4, 1, 3, 0]],
  ['nonsense changes nothing', holes, 'nonsense', [0, 1, 2, 3, 4]]
]

test('titles, numbers and null are ordered', async t => {
  for (const [why, titles, ordering, ids] of orders) {
    const ordered = await order(titles.map((title, id) => ({ id, title })), ordering)
    t.same(ordered.map(({ id }) => id), ids, why)
  }
})

/** Letters of few kinds, so that equal titles and titles that differ in case alone are common. */
const anyRecords = fc.array(fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', '1', ' '), maxLength: 3 }))
  .map(titles => titles.map((title, index) => ({ id: index + 1, title })))

const folded = new Intl.Collator('en', { sensitivity: 'accent' })

test('an ordering is a sorted permutation with ties in ascending id order', async t => {
  const anyOrdering = fc.constantFrom('title', '-title')
  await t.resolves(fc.assert(fc.asyncProperty(anyRecords, anyOrdering, async (records, ordering) => {
    const ordered = await order(records, ordering)
    assert.deepEqual(ordered.toSorted((a, b) => a.id - b.id), records)
    for (const [index, next] of ordered.slice(1).entries()) {
      const previous = ordered[index] as typeof next
      const sign = folded.compare(previous.title, next.title) * (ordering === 'title' ? 1 : -1)
      assert.ok(sign < 0 || (sign === 0 && previous.id < next.id), `${previous.title} before ${next.title}`)
    }
  })))
})
