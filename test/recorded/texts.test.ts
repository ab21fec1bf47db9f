import { test } from 'tap'
import { readRecords } from '../../src/recorded/texts.ts'

test('a document that breaks off is no list', async t => {
  for (const text of ['{"count', '{"count":{', '{"results":[1', '[1', '[{']) {
    t.equal(readRecords(Buffer.from(text)), undefined, text)
  }
})
