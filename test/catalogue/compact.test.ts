import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { isCompact, separatorAt } from '../../src/catalogue/compact.ts'
import { nowhere, scan } from '../../src/catalogue/scan.ts'

const joined = (texts: readonly string[], blanks: number) => texts.map(text => ' '.repeat(blanks) + text).join()

test('what JSON.stringify writes is compact, and nothing that has a name twice', async () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1 })
  const put = fc.constantFrom('', ' ', '"":0,', '"a":1,', '\\u0061', '1e9', '0', '\\ud83d', '1E300')
  fc.assert(fc.property(values, fc.nat(3), put, fc.nat(), fc.nat(3), (values, blanks, put, at, cut) => {
    const text = joined(values.map(value => JSON.stringify(value)), blanks)
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
  const cases: ReadonlyArray<readonly [text: string, blanks: number, compact: boolean]> = [
    ['{"id":1,"texts":["",null,true,false],"none":{},"nothing":[]}', 0, true],
    ['\n{"id":-1},\n{"id":10}', 1, true],
    ['\n{"id":1},{"id":2}', 1, false],
    ['{"id": 1}', 0, false],
    ['{"text":"\\n\\"\\\\ud \\u00e9 \u00e9 \u{1f6b2}"}', 0, true],
    ['{"text":"\\ud83d\\udeb2"}', 0, false],
    ['{"text":"\\uD83D"}', 0, false],
    ['{"id":1,"id":1}', 0, false],
    ['{"a":0,"price":1e8,"a":0}', 0, false],
    ['{"a":0,"price":1e-9,"a":0,"b":0}', 0, false],
    ['{"":0,"":0,"price":1e7}', 0, false],
    ['{"ids":[1000,2000,30000]}', 0, true],
    ['{"ids":[1,9,10,99,100,101,9007199254740991]}', 0, true],
    ['{"id":-0}', 0, false]
  ]
  for (const [items, blanks, compact] of cases) {
    const text = `[${items}]`
    t.equal(isCompact(text, JSON.parse(text) as unknown[], blanks), compact, text)
  }
  t.end()
})

test('what stands between two items', t => {
  const cases: ReadonlyArray<readonly [text: string, separator: string | undefined, blanks?: number]> = [
    ['[{"id":[]},{"id":1}]', ']},{"id"', 0],
    ['[{"id":""},\r\n {"id":1}]', '"},\r\n {"id"', 3],
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
