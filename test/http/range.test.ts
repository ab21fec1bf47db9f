import { test } from 'tap'
import { readRange } from '../../src/http/conditional.ts'

const cases: [header: string, range: ReturnType<typeof readRange>][] = [
  ['bytes=0-', { first: 0, last: 9 }], ['bytes=0-0', { first: 0, last: 0 }], ['bytes=4-99', { first: 4, last: 9 }], ['BYTES=9-9', { first: 9, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }], ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', null], ['bytes=10-20', null], ['bytes=-0', null], [`bytes=${'9'.repeat(400)}-`, null],
  ['', undefined], ['bytes=', undefined], ['bytes=-', undefined], ['bytes=3-2', undefined], ['bytes=0-1,4-5', undefined], ['lines=0-1', undefined], ['bytes=a-b', undefined]
]

test('a range of ten bytes', async t => {
  for (const [header, range] of cases) t.strictSame(readRange(header, 10), range, header.slice(0, 40))
  t.equal(readRange('bytes=0-', 0), null)
})
