import fc from 'fast-check'
import { test } from 'tap'
import { indentJson, readExactly, writeExactly } from '../../src/base/json-text.ts'

test('a recorded text is indented as JSON.stringify does, with its own digits and escapes', async t => {
  const anyOwn = fc.integer({ min: 0, max: 3 })
  const anyIndent = fc.integer({ min: 1, max: 8 })
  fc.assert(fc.property(fc.jsonValue(), anyOwn, anyIndent, (value, own, indent) =>
    indentJson(JSON.stringify(value, null, own), indent) === JSON.stringify(value, null, indent)))
  const recorded = '{"a\\"": [8.0, 1E-05 ,12345678901234567890],"\\u00fc":{ }}'
  const lines = ['{', ' "a\\"": [', '  8.0,', '  1E-05,', '  12345678901234567890', ' ],', ' "\\u00fc": {}', '}']
  t.equal(indentJson(recorded, 1), lines.join('\n'))
})

test('the time to indent grows with the length', async t => {
  const long = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({
    id, sizes: [[[[id]]]], name: 'a "quoted" name'
  })))
  const { user: before } = process.cpuUsage()
  t.equal(indentJson(long, 8), JSON.stringify(JSON.parse(long), null, 8))
  const seconds = (process.cpuUsage().user - before) / 1e6
  t.ok(seconds < 10, `${seconds} s for ${long.length} characters, minutes in quadratic time`)
})

test('numbers are read and written as they are, and no string is taken for one', async t => {
  const text = String.raw`{"id":12345678901234567890,"a":[8.0,-1E-05,0,"7","a\"1"],"b":{"c":null,"d":true}}`
  t.equal(writeExactly(readExactly(text)), text)
})
