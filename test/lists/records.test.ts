import { test } from 'tap'
import { createWriter } from '../../src/lists/records.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { selectionOf } from '../../src/lists/selection.ts'
import { catalogue } from '../helper.ts'

const { recordAt, countOf } = selectionOf(catalogue)
const saddles = resources.find(({ key }) => key === 'saddles') as Resource
const origin = Buffer.from('http://a')

function texts (maxBytes: number): string[] {
  const records = createWriter(recordAt, countOf, maxBytes)(saddles, { indent: 0, depth: 1 })
  return catalogue.saddles.map((_, position) => {
    records.measure(position)
    const target = Buffer.alloc(records.lengthOf(position, origin.length))
    return target.toString('utf8', 0, records.copy(position, origin, target, 0))
  })
}

test('records that have no room are written each time, and are the same', async t => {
  t.same(texts(0), catalogue.saddles.map(saddle => JSON.stringify(saddle)))
  t.same(texts(2 ** 20), texts(0))
})
