import { test } from 'tap'
import { listBody } from '../../src/pages/body.ts'

for (const { length, isCut } of [{ length: 2000, isCut: false }, { length: 2001, isCut: true }]) {
  test(`a link of ${length} characters in an envelope is ${isCut ? 'cut' : 'shown whole'}`, async t => {
    const envelope = { count: 0, next: 'x'.repeat(length), previous: null }
    const body = listBody({ texts: [], total: 0, envelope, address: undefined })
    t.equal(/x{9,}/.exec(body)?.[0].length, 2000)
    t.equal(body.includes('x …'), isCut)
  })
}
