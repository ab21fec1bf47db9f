import { test } from 'tap'
import { createPreparations } from '../../src/lists/prepare.ts'

test('before a server is ready it writes first records, laid out JSON and a page', async t => {
  for (const [count, records] of [[48, 48], [1000, 1000], [1001, 1000]] as const) {
    const made: [records: number[], answers: string[]] = [[], []]
    await createPreparations({
      record: (_, position) => made[0].push(position),
      answer: ({ format, indent }) => made[1].push(`${format}${indent}`),
      countOf: () => count
    }).prepareFirst()
    t.same(made, [[...Array(records).keys()], ['json4', 'api0']], String(count))
  }
})
