import { test } from 'tap'
import { createPreparations } from '../../src/lists/prepare.ts'

const lengths: [count: number, records: number, answers: string[]][] = [
  [48, 48, ['api0']],
  [1000, 1000, ['api0']],
  [1001, 1000, ['api0', 'json4']]
]

test('before a server is ready it writes first records and a page, and of a long list laid out JSON', async t => {
  for (const [count, records, answers] of lengths) {
    const made: [records: number[], answers: string[]] = [[], []]
    await createPreparations({
      record: (_, position) => made[0].push(position),
      answer: ({ format, indent }) => made[1].push(`${format}${indent}`),
      countOf: () => count
    }).prepareFirst()
    t.same(made, [Array.from({ length: records }).keys(), answers].map(list => [...list]), String(count))
  }
})
