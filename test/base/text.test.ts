import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { test } from 'tap'
import { invalidByteAt } from '../../src/base/text.ts'

const valid = ['a', 'é', '\ufffd', '😀'].map(text => Buffer.from(text))
const invalid = ['ff', 'ef', 'efbf', 'f09f', 'c3', 'eda080'].map(hex => Buffer.from(hex, 'hex'))

test('bytes are UTF-8 before the first invalid one, and in no part that begins with it', async t => {
  fc.assert(fc.property(fc.array(fc.constantFrom(...valid, ...invalid)), parts => {
    const bytes = Buffer.concat(parts)
    const at = invalidByteAt(bytes)
    t.ok(isUtf8(bytes.subarray(0, at)))
    t.equal(at === bytes.length, isUtf8(bytes))
    for (let end = at + 1; end <= Math.min(at + 4, bytes.length); end++) t.notOk(isUtf8(bytes.subarray(at, end)))
  }))
})
