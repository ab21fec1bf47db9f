import { test } from 'tap'
import { createPreparations } from '../../src/lists/prepare.ts'

test('before a server is ready it writes first records, laid out JSON and a page', async t => {
  for (const [count, records, size] of [[48, 48, 10], [1000, 1000, 10], [1001, 1000, 100]] as const) {
    const made: [records: number[], answers: string[]] = [[], []]
    await createPreparations({
      record: (_, position) => made[0].push(position),
      answer: ({ format, indent, query }) => made[1].push(`${format}${indent} ${query.get('page_size')}`),
      countOf: () => count
    }).prepareFirst()
    t.same(made, [[...Array(records).keys()], [`json4 ${size}`, `api0 ${size}`]], String(count))
  }
})
