import { test } from 'tap'
import { readInteger } from '../../src/base/python.ts'

const integers: [text: string, value: number | undefined][] = [
  ['1', 1], ['01', 1], ['+1', 1], ['-1', -1], [' 1 ', 1], ['1_0', 10],
  ['\u0662', 2], ['\u0662\u0662', 22], ['\u096b\u096c', 56], ['𝟙𝟚', 12],
  ['', undefined], ['1.0', undefined], ['abc', undefined], ['_1', undefined], ['1__0', undefined], ['1_', undefined],
  ['\x851\u2003', 1], ['\x1c1', undefined], ['1\x1f', undefined], ['\ufeff1', undefined],
  ['0x1', undefined], ['1e3', undefined], ['+-1', undefined], ['²', undefined], ['9'.repeat(400), Infinity]
]

test('integers are read as Python reads them', async t => {
  for (const [text, value] of integers) t.equal(readInteger(text), value, JSON.stringify(text))
})
