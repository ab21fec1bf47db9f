import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { attempt } from '../../../src/base/attempt.ts'
import { below } from '../../../src/catalogue/errors/error.ts'
import { locate, repeatedNames, syntaxErrors } from '../../../src/catalogue/errors/positions.ts'
import { createSource, errorAt } from '../../../src/catalogue/errors/source.ts'

type SyntaxCase = readonly [text: string, line: number, column: number, got: string]

const syntax: Readonly<Record<string, readonly SyntaxCase[]>> = {
  'a value': [
    ['', 1, 1, 'the end of the file'],
    [' \n ', 2, 2, 'the end of the file'],
    ['}', 1, 1, '}'],
    ['NaN', 1, 1, 'NaN'],
    ['\ufeff{}', 1, 1, '\\ufeff'],
    ['{"a":}', 1, 6, '}'],
    ['[1,]', 1, 4, ']'],
    ['[1,', 1, 4, 'the end of the file'],
    ['[\u00a01]', 1, 2, '\\u00a0']
  ],
  'a value, a comma or a bracket': [['[1, // one\n2]', 1, 5, '/'], ['[1 /* one', 1, 4, '/']],
  'a property name in double quotes': [['{"a":1,}', 1, 8, '}']],
  'a colon': [['{"a" 1}', 1, 6, '1']],
  'a comma': [['{"a":1 "b":2}', 1, 8, '"b"'], ['{"a":01}', 1, 7, '1'], ['[1\n2]', 2, 1, '2']],
  'a comma or }': [['{"a":{}', 1, 8, 'the end of the file']],
  'a comma or ]': [['[1', 1, 3, 'the end of the file']],
  'a digit': [['[1.]', 1, 2, '1.']],
  'a closing quote': [['["a', 1, 2, '"a'], ['["a\n"]', 1, 2, '"a']],
  'an escape for each control character': [['["a\t"]', 1, 2, '"a\t"']],
  'only escapes such as \\n or \\u00e9': [['["\\"\\x"]', 1, 2, '"\\"']],
  'four hexadecimal digits after each \\u': [['["\\u12"]', 1, 2, '"\\u12"']],
  'the end of the file': [['{} {}', 1, 4, '{']]
}

const sourceOf = (text: string) => createSource('a', 'a.json', text)

test('invalid JSON', async t => {
  for (const [expected, texts] of Object.entries(syntax)) {
    for (const [text, line, column, got] of texts) {
      const error = { rule: 'syntax', message: `expected ${expected}, got ${got}`, line, column }
      t.match(syntaxErrors(sourceOf(text)), [error], JSON.stringify(text))
    }
  }
  t.match(syntaxErrors(sourceOf('['.repeat(1e5))), [{ message: 'is nested too deeply', line: null }])
})

test('the texts that JSON.parse accepts are valid, and no others', async t => {
  const damaged = ([text, at, cut, put]: [text: string, at: number, cut: number, put: string]) =>
    text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1) + cut)
  const piece = fc.constantFrom('', ',', '"', '{', ']', '\\', '0', '.', 'e', '-', '\n', '\u00a0')
  const changed = fc.tuple(fc.json(), fc.nat(), fc.nat(2), piece).map(damaged)
  t.doesNotThrow(() => fc.assert(fc.property(fc.oneof(fc.json(), changed, fc.string()), text => {
    const isJson = attempt(() => JSON.parse(text) as unknown).error === undefined
    const errors = syntaxErrors(sourceOf(text))
    assert.equal(errors.length, isJson ? 0 : 1)
    assert.ok(errors.every(({ message }) => {
      return /^expected [a-z].*, got ./s.test(message) && !message.includes('undefined')
    }))
  }), { numRuns: 2000 }))
})

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

test('each value stands at its position, each name at its own', async t => {
  const indents = fc.constantFrom('', ' ', '\t', '  ')
  const lineEnds = fc.constantFrom('\n', '\r\n', '\r')
  t.doesNotThrow(() => fc.assert(fc.property(fc.jsonValue(), indents, lineEnds, (value, indent, lineEnd) => {
    const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd)
    const lines = text.split(lineEnd)
    const all = [...places(JSON.parse(text), indent)]
    const source = sourceOf(text)
    const errors = all.map(({ pointer, atName }) => {
      return errorAt({ source, pointer }, atName ? 'additionalProperties' : 'type', '')
    })
    for (const [index, { line, column }] of locate(source, errors).entries()) {
      const { begins } = all[index]!
      assert.ok(lines[Number(line) - 1]?.slice(Number(column) - 1).startsWith(begins), `${line}:${column} ${begins}`)
    }
  })))
})

test('names that are repeated in their object', async t => {
  const text = '{"a":[{"id":1,"b":{"id":2},\n "i\\u0064":3}],"id":{},"__proto__":1}'
  const message = 'a[0].id must occur only once in its object'
  t.match(repeatedNames(sourceOf(text)), [{ rule: 'repeated', line: 2, column: 2, message }])
  t.same(repeatedNames(sourceOf('')), [])
})
