import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { keyOf, program, type Choice } from '../../src/service/plan.ts'
import type { Reading, Series } from '../../src/verify/exchange.ts'
import { relations, type Related } from '../../src/verify/relations.ts'

type More = Partial<Reading> & { isWhole?: boolean }

function seriesOf (choice: Choice, ids: readonly string[], more: More = {}): Series {
  const { isWhole = true, ...others } = more
  const request = { method: 'GET', target: '/', headers: {} }
  const first: Reading = {
    choice, form: 'array', ids, request, status: 200, headers: {}, size: ids.length,
    values: {}, page: undefined, ...others
  }
  return { choice, first, pages: [first], isWhole }
}

/** Judges a relation of a list with these series, the plain one first. */
function relate (id: string, [plain, ...others]: [Series, ...Series[]], more: object = {}) {
  const seriesByChoice = new Map([plain, ...others].map(series => [keyOf(series.choice), series]))
  const facts = { pages: ['1'], isWhole: true, pageSize: 2, record: undefined }
  const related = { resource: resources[0], plain, seriesByChoice, facts, sample: new Map(), ...more }
  return relations.find(relation => relation.id === id)?.relate(related as unknown as Related)
}

const plain = seriesOf({}, ['1', '2', '3'])
const form = 'page'

test('a plain query has the same form in every way', async t => {
  const found = relate('again', [plain, seriesOf({ accept: program.accept }, ['1', '2', '3'], { form })])
  t.match(found, [{ expected: 'the form "array"', got: '"page"' }])
})

test('a page_size that is obeyed only by a program has the first records', async t => {
  const sized = (...ids: string[]) =>
    relate('page-size', [plain, seriesOf({ size: '2', accept: program.accept }, ids, { form })])
  t.strictSame(sized('1', '2'), [])
  t.match(sized('2', '3'), [{ expected: /^page 1 of/, got: '2 records, "2,3"' }])
})

test('what was not read is not judged', async t => {
  const partial = seriesOf({}, ['1'], { form, page: {}, isWhole: false })
  t.strictSame(relate('walk', [partial, seriesOf({ repetition: '1' }, ['1', '2'], { form, page: {} })]), [])
  const beyond = seriesOf({ page: '2' }, [], { status: 404, form: 'refused' })
  t.match(await relate('numbers', [partial, beyond]), /^needs every page/)
  t.equal(relate('filters', [plain]), 'needs a list')
  const bikes = { seriesByChoice: new Map([[keyOf({}), plain]]), sample: new Map() }
  t.match(relate('complete', [plain], { bikes }), /^needs every page/)
})
