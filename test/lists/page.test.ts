import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { findPage, pageFields, type ListPage } from '../../src/lists/page.ts'
import { anyQuery } from '../texts.ts'

type Links = { count?: number, next?: string | null, previous?: string | null }

test('following the links of pages yields each record once, in order', async t => {
  const anySize = fc.integer({ min: 1, max: 7 })
  t.doesNotThrow(() => fc.assert(fc.property(fc.nat(60), anySize, anyQuery, (count, size, extra) => {
    const records = Array.from({ length: count }, (_, id) => ({ id }))
    const query = new URLSearchParams(extra)
    query.set('page', '1')
    query.set('page_size', String(size))
    const walked: object[] = []
    let asked: URLSearchParams | undefined = query
    let before: string | null = null
    while (asked !== undefined) {
      const place = findPage(count, asked.get('page') as string, asked.get('page_size') as string, 10) as ListPage
      const page: Links = pageFields(place, 'http://x/', asked)
      walked.push(...records.slice(place.start, place.start + place.size))
      assert.equal(page.count, count)
      assert.equal(page.previous === null, before === null, 'only the first page has none before it')
      before = page.previous ?? ''
      asked = page.next == null ? undefined : new URL(page.next).searchParams
    }
    assert.deepEqual(walked, records)
  }), { numRuns: 50 }))
})
