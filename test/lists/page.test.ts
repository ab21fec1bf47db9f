import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { findPage, pageLinks, type ListPage } from '../../src/lists/page.ts'
import { readInteger } from '../../src/base/python.ts'
import { anyQuery } from '../texts.ts'

const integers: [text: string, value: number | undefined][] = [
  ['1', 1], ['01', 1], ['+1', 1], ['-1', -1], [' 1 ', 1], ['1_0', 10], ['\u0662', 2], ['\u0662\u0662', 22], ['\u096b\u096c', 56], ['𝟙𝟚', 12],
  ['', undefined], ['1.0', undefined], ['abc', undefined], ['_1', undefined], ['1__0', undefined], ['1_', undefined],
  ['\x851\u2003', 1], ['\x1c1', undefined], ['1\x1f', undefined], ['\ufeff1', undefined],
  ['0x1', undefined], ['1e3', undefined], ['+-1', undefined], ['²', undefined], ['9'.repeat(400), Infinity]
]

test('whole numbers are read as Python reads them', async t => {
  for (const [text, value] of integers) t.equal(readInteger(text), value, JSON.stringify(text))
})

test('the pages of a list, walked by their links, are the list', async t => {
  t.doesNotThrow(() => fc.assert(fc.property(fc.nat(60), fc.integer({ min: 1, max: 7 }), anyQuery, (count, size, extra) => {
    const records = Array.from({ length: count }, (_, id) => ({ id }))
    const query = new URLSearchParams(extra)
    query.set('page', '1')
    query.set('page_size', String(size))
    const walked: object[] = []
    let asked: URLSearchParams | undefined = query
    let before: string | null = null
    while (asked !== undefined) {
      const place = findPage(count, asked.get('page') as string, asked.get('page_size') as string, 10) as ListPage
      const page: ReturnType<typeof pageLinks> = pageLinks(place, 'http://x/', asked)
      walked.push(...records.slice(place.start, place.start + place.size))
      assert.equal(page.count, count)
      assert.equal(page.previous === null, before === null, 'only the first page has none before it')
      before = page.previous ?? ''
      asked = page.next === null ? undefined : new URL(page.next).searchParams
    }
    assert.deepEqual(walked, records)
  }), { numRuns: 50 }))
})
