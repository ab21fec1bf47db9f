import fc from 'fast-check'
import { test } from 'tap'
import { layOut, lineBreak } from '../../src/lists/layout.ts'

const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', '\n', 'é', '🚲', 'a') })
const value = fc.oneof(fc.jsonValue(), fc.dictionary(text, fc.oneof(text, fc.array(text), fc.constantFrom({}, [], null, -1.5e-7, true))))

/** What JSON.stringify has for a value in an array at a depth. */
function expected (value: unknown, indent: number, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', lineBreak({ indent, depth }))
}

test('JSON is laid out as JSON.stringify does it, and as long as its lines and levels say', async () => {
  fc.assert(fc.property(value, fc.integer({ min: 1, max: 8 }), fc.nat(3), fc.nat(5), (value, indent, depth, start) => {
    const json = Buffer.from(JSON.stringify(value))
    const target = Buffer.alloc(60 * json.length + start, ' ')
    const { end } = layOut(json, { indent, depth }, target, start)
    const margin = layOut(json, { indent: 0, depth: 0 }, Buffer.alloc(2 * json.length), 0)
    return target.toString('utf8', start, end) === expected(value, indent, depth) &&
      end - start === margin.end + indent * (margin.levels + depth * margin.lines)
  }))
})

test('what is not laid out has no line breaks', async t => {
  t.equal(lineBreak({ indent: 0, depth: 3 }), '')
  t.equal(lineBreak({ indent: 2, depth: 3 }), '\n      ')
})
