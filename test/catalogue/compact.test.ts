import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { isCompact, separatorAt } from '../../src/catalogue/compact.ts'
import { nowhere, scan } from '../../src/catalogue/scan.ts'

const joined = (texts: readonly string[], blanks: readonly string[]) => texts.map((text, index) => `${blanks[index]}${text}`).join()

test('what JSON.stringify writes is compact, and nothing that has a name twice', async () => {
  const record = fc.dictionary(fc.constantFrom('a', 'b', ''), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })
  const values = fc.array(fc.oneof(record, fc.jsonValue({ maxDepth: 3 })), { minLength: 1 })
  const put = fc.constantFrom('', ' ', '"":0,', '"a":1,', '\\u0061', '1e9', '0', '\\ud83d', '1E300')
  fc.assert(fc.property(values, fc.constantFrom('', ' ', '\n', ' '.repeat(5)), fc.func(fc.boolean()), put, fc.nat(), fc.nat(3), (values, blanks, isSetOff, put, at, cut) => {
    const text = joined(values.map(value => JSON.stringify(value)), values.map((_, index) => isSetOff(index) ? blanks : ''))
    const place = at % (text.length + 1)
    const changed = text.slice(0, place) + put + text.slice(place + cut)
    let parsed: unknown[]
    try {
      parsed = JSON.parse(`[${changed}]`) as unknown[]
    } catch {
      return
    }
    if (isCompact(`[${changed}]`, parsed, blanks)) assert.deepEqual(scan(`[${changed}]`, nowhere()), [])
  }), { numRuns: 3000 })
})

test('which texts are compact', t => {
  const cases: ReadonlyArray<readonly [text: string, blanks: string, compact: boolean]> = [
    ['{"id":1,"texts":["",null,true,false],"none":{},"nothing":[]}', '', true],
    ['\n{"id":-1},\n{"id":10}', '\n', true],
    ['\n{"id":1},{"id":2}', '\n', false],
    ['{"id":1},      {"id":1,"id":2}', '   ', false],
    ['   {"id":1},{"":0,"id":2}', '   ', false],
    ['     {"id":1},{"":0,"":0,"id":2}', '     ', false],
    ['     {"id":1},{"":0,"":0,"id":"{"}', '     ', false],
    ['     {"id":1},{"a":0,"a":"     {"}', '     ', false],
    ['{"id": 1}', '', false],
    ['{"text":"\\n\\"\\\\ud \\u00e9 \u00e9 \u{1f6b2}"}', '', true],
    ['{"text":"\\ud83d\\udeb2"}', '', false],
    ['{"text":"\\uD83D"}', '', false],
    ['{"id":1,"id":1}', '', false],
    ['{"a":0,"price":1e8,"a":0}', '', false],
    ['{"a":0,"price":1e-9,"a":0,"b":0}', '', false],
    ['{"":0,"":0,"price":1e7}', '', false],
    ['{"ids":[1000,2000,30000]}', '', true],
    ['{"ids":[1,9,10,99,100,101,9007199254740991]}', '', true],
    ['{"id":-0}', '', false]
  ]
  for (const [items, blanks, compact] of cases) {
    const text = `[${items}]`
    t.equal(isCompact(text, JSON.parse(text) as unknown[], blanks), compact, text)
  }
  t.end()
})

test('what stands between two items', t => {
  const cases: ReadonlyArray<readonly [text: string, separator: string | undefined, blanks?: string]> = [
    ['[{"id":[]},{"id":1}]', ']},{"id"', ''],
    ['[{"id":""},\r\n {"id":1}]', '"},\r\n {"id"', '\r\n '],
    ['[{"id":1},{\n"id":1}]', undefined],
    ['[{"id":1},', undefined],
    ['[1,2]', undefined]
  ]
  for (const [text, separator, blanks] of cases) {
    const found = separatorAt(Buffer.from(text), text.indexOf(','))
    t.strictSame([found?.bytes.toString(), found?.blanks], [separator, blanks], text)
  }
  t.end()
})
