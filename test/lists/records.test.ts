import { test } from 'tap'
import { createMemory } from '../../src/lists/memory.ts'
import { aboutLength, createWriter, type WrittenRecords } from '../../src/lists/records.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { selectionOf } from '../../src/lists/selection.ts'
import { catalogue } from '../helper.ts'

const { recordAt, countOf } = selectionOf(catalogue)
const saddles = resources.find(({ key }) => key === 'saddles') as Resource
const origin = Buffer.from('http://a')

/** The records' JSON, and how many of them had to be written anew when they were copied once more. */
function writeTwice (maxBytes: number): { texts: string[], anew: number } {
  let asked = 0
  const counting: typeof recordAt = (resource, position) => { asked++; return recordAt(resource, position) }
  const records = createWriter(counting, countOf, createMemory(maxBytes))(saddles, { indent: 0, depth: 1 })
  const texts = written(records)
  asked = 0
  for (const position of catalogue.saddles.keys()) records.copy(position, origin, Buffer.alloc(500), 0)
  return { texts, anew: asked }
}

function written (records: WrittenRecords): string[] {
  return catalogue.saddles.map((_, position) => {
    records.measure(position)
    const target = Buffer.alloc(records.lengthOf(position, origin.length))
    return target.toString('utf8', 0, records.copy(position, origin, target, 0))
  })
}

test('records that have no room are written each time, and are the same', async t => {
  const texts = catalogue.saddles.map(saddle => JSON.stringify(saddle))
  t.same(writeTwice(0), { texts, anew: texts.length - 1 }, 'before the first is measured there seems to be room')
  t.same(writeTwice(2 ** 20), { texts, anew: 0 })
})

test('records are laid out the same whether they were written before or not', async t => {
  const [early, late] = [createWriter(recordAt, countOf), createWriter(recordAt, countOf)]
  const layout = { indent: 2, depth: 0 }
  written(late(saddles, { indent: 0, depth: 1 }))
  for (const write of [early, late]) t.same(written(write(saddles, layout)), catalogue.saddles.map(saddle => JSON.stringify(saddle, null, 2)))
})

test('each record counts for the digest of a list', async t => {
  const positions = Uint32Array.from(catalogue.saddles.keys())
  const digestOf = (changed?: number) => {
    const records = createWriter((resource, position) => ({ ...recordAt(resource, position), ...position === changed ? { model: 'Other' } : {} }), countOf)(saddles, { indent: 0, depth: 1 })
    written(records)
    return records.digest(positions)
  }
  t.equal(digestOf(), digestOf())
  t.equal(new Set([undefined, ...positions].map(digestOf)).size, positions.length + 1)
})

test('the length of a long list is told from records of all of it', async t => {
  const count = 1000
  const write = createWriter((_, position) => ({ id: 1, brand: 'a', model: 'm'.repeat(position) }), () => count)
  const length = Array.from({ length: count }, (_, position) => JSON.stringify({ id: 1, brand: 'a', model: 'm'.repeat(position) }).length).reduce((a, b) => a + b)
  t.ok(Math.abs(aboutLength(write(saddles, { indent: 0, depth: 1 }), count) / length - 1) < 0.06)
})
