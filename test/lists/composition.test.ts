import { test } from 'tap'
import { bodyOf, type Composition } from '../../src/lists/composition.ts'
import type { WrittenRecords } from '../../src/lists/records.ts'

test('a body of up to 1 MiB is made at once, a longer one in pieces when it is sent', async t => {
  const empty: Composition = { before: '[', separator: ',', after: ']', positions: new Uint32Array(0), records: {} as WrittenRecords }
  t.strictSame(bodyOf(empty, 'http://a', 2), Buffer.from('[]'))
  t.type(bodyOf(empty, 'http://a', 2 ** 20), Buffer)
  t.type(bodyOf(empty, 'http://a', 2 ** 20 + 1), 'function')
})
