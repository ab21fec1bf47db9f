import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { below } from '../../src/catalogue/fault.ts'
import { lineColumn, NotJson, nowhere, positions, scan } from '../../src/catalogue/scan.ts'

const syntax: ReadonlyArray<readonly [text: string, offset: number, expected: string]> = [
  ['', 0, 'a value'],
  [' \n ', 3, 'a value'],
  ['}', 0, 'a value'],
  ['NaN', 0, 'a value'],
  ['tru', 0, 'a value'],
  ['\ufeff{}', 0, 'a value'],
  ['{} {}', 3, 'the end of the file'],
  ['{', 1, 'a property name in double quotes or }'],
  ['{a:1}', 1, 'a property name in double quotes or }'],
  ['{"a":1,}', 7, 'a property name in double quotes'],
  ['{"a" 1}', 5, 'a colon'],
  ['{"a":}', 5, 'a value'],
  ['{"a":1 "b":2}', 7, 'a comma or }'],
  ['{"a":01}', 6, 'a comma or }'],
  ['[', 1, 'a value or ]'],
  ['[,1]', 1, 'a value or ]'],
  ['[1,]', 3, 'a value'],
  ['[1 2]', 3, 'a comma or ]'],
  ['[1.]', 2, 'a comma or ]'],
  ['[1, // one\n2]', 4, 'a value'],
  ['["a', 3, 'a closing quote'],
  ['["a\n"]', 3, 'a closing quote'],
  ['["a\t"]', 3, 'a closing quote'],
  ['["\\x"]', 2, 'an escape such as \\n or \\u00e9'],
  ['["\\u12"]', 2, 'an escape such as \\n or \\u00e9'],
  ['['.repeat(1e6), 501, 'at most 500 levels']
]

function refusal (text: string): NotJson | undefined {
  try {
    scan(text, nowhere())
    return undefined
  } catch (error) {
    assert.ok(error instanceof NotJson)
    return error
  }
}

function isJson (text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Place = { readonly pointer: string, readonly atName: boolean, readonly begins: string }

/** Gives the places of all values and names below a value, with the line that each begins. */
function * places (value: unknown, indent: string, pointer = ''): Generator<Place> {
  yield { pointer, atName: false, begins: JSON.stringify(value, null, indent).replace(/\n.*/s, '') }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { pointer: below(pointer, name), atName: true, begins: `${JSON.stringify(name)}:` }
    yield * places(inner, indent, below(pointer, name))
  }
}

test('what is not JSON', async t => {
  for (const [text, offset, expected] of syntax) t.match(refusal(text), { offset, expected }, text.slice(0, 20))
})

test('JSON is what JSON.parse takes', async () => {
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.nat(2), fc.constantFrom('', ',', '"', '{', ']', '\\', '0', '.', 'e', '-', '\n', '\u00a0'))
    .map(([text, at, cut, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1) + cut))
  fc.assert(fc.property(fc.oneof(fc.json(), damaged, fc.string()), text => {
    assert.equal(refusal(text) === undefined, isJson(text))
  }), { numRuns: 2000 })
})

test('each value stands at its position, each name at its own', async () => {
  fc.assert(fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '  '), fc.constantFrom('\n', '\r\n', '\r'), (value, indent, lineEnd) => {
    const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd)
    const lines = text.split(lineEnd)
    for (const [{ begins }, { line, column }] of positions(text, [...places(JSON.parse(text), indent)])) {
      assert.ok(lines[line - 1]?.slice(column - 1).startsWith(begins), `${line}:${column} ${begins}`)
    }
  }))
})

test('lines end in LF, CRLF or CR', async t => {
  const position = lineColumn('a\nb\r\nc\rd')
  t.strictSame([0, 1, 2, 3, 5, 6, 7].map(position).map(({ line, column }) => `${line}:${column}`), ['1:1', '1:2', '2:1', '2:2', '3:1', '3:2', '4:1'])
})
