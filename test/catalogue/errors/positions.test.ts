import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { attempt } from '../../../src/base/attempt.ts'
import { below } from '../../../src/catalogue/errors/error.ts'
import { scanForErrors, locate, needsScan } from '../../../src/catalogue/errors/positions.ts'
import { createSource, errorAt } from '../../../src/catalogue/errors/source.ts'

const syntax: Readonly<Record<string, readonly (readonly [text: string, offset: number])[]>> = {
  'a value': [
    ['', 0], [' \n ', 3], ['}', 0], ['NaN', 0], ['tru', 0], ['nullx', 0], ['\ufeff{}', 0], ['{"a":}', 5], ['[1,]', 3], ['[1,', 3], ['[1, // one\n2]', 4]
  ],
  'a value or ]': [['[', 1], ['[,1]', 1], ['[1.]', 1]],
  'a property name in double quotes or }': [['{', 1], ['{a:1}', 1]],
  'a property name in double quotes': [['{"a":1,}', 7]],
  'a colon': [['{"a" 1}', 5]],
  'a comma or }': [['{"a":1 "b":2}', 7], ['{"a":01}', 6], ['{"a":{}', 7]],
  'a comma or ]': [['[1 2]', 3], ['[1', 2]],
  'a closing quote': [['["a', 3], ['["a\n"]', 3], ['["a\t"]', 3], ['["a", "b', 8]],
  'an escape such as \\n or \\u00e9': [['["\\"\\x"]', 4], ['["\\u12"]', 2]],
  'at most 500 levels': [['['.repeat(1e6), 501]],
  'the end of the file': [['{} {}', 3]]
}

type Damage = [text: string, at: number, cut: number, put: string]

const damaged = ([text, at, cut, put]: Damage) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1) + cut)

const read = (text: string) => scanForErrors(createSource('a', 'a.json', text))

const isJson = (text: string) => attempt(() => JSON.parse(text) as unknown).error === undefined

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

test('invalid JSON', async t => {
  const cases = Object.entries(syntax).flatMap(([expected, texts]) => texts.map(each => [expected, ...each] as const))
  for (const [expected, text, offset] of cases) {
    const { error, errors } = read(text)
    t.equal(error?.message, `expected ${expected} at offset ${offset}`, text.slice(0, 20))
    t.match(errors, [{ rule: 'syntax', message: `expected ${expected}, got ` }])
  }
})

test('the texts that JSON.parse accepts are valid, and no others', async t => {
  const changed = fc.tuple(fc.json(), fc.nat(), fc.nat(2), fc.constantFrom('', ',', '"', '{', ']', '\\', '0', '.', 'e', '-', '\n', '\u00a0')).map(damaged)
  t.doesNotThrow(() => fc.assert(fc.property(fc.oneof(fc.json(), changed, fc.string()), text => {
    assert.equal(read(text).error === undefined, isJson(text))
  }), { numRuns: 2000 }))
})

test('each value stands at its position, each name at its own', async t => {
  t.doesNotThrow(() => fc.assert(fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '  '), fc.constantFrom('\n', '\r\n', '\r'), (value, indent, lineEnd) => {
    const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd)
    const lines = text.split(lineEnd)
    const all = [...places(JSON.parse(text), indent)]
    const source = createSource('a', 'a.json', text)
    const errors = all.map(({ pointer, atName }) => errorAt({ source, pointer }, atName ? 'additionalProperties' : 'type', ''))
    for (const [index, { line, column }] of locate(source, errors).entries()) {
      const { begins } = all[index]!
      assert.ok(lines[Number(line) - 1]?.slice(Number(column) - 1).startsWith(begins), `${line}:${column} ${begins}`)
    }
  })))
})

const indents = fc.constantFrom('', ' ', '\t', '\n')

test('a text that looks flawless has no error', async t => {
  const names = fc.constantFrom('a', 'b', '', ':', '":', '__proto__')
  const value = fc.letrec(tie => ({
    any: fc.oneof({ maxDepth: 3 }, fc.constantFrom('', ':', '":', '\\', '\\ud800', 'é', 1, null), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(names, tie('any'), { maxKeys: 4 })
  })).any
  const texts = fc.tuple(value, indents).map(([value, indent]) => JSON.stringify(value, null, indent))
  const puts = fc.constantFrom('', ' ', ' : ', '"":0,', '"a":1,', '"\\u0061":[],', ',"b" :{}', '\\ud83d', '\\uDEB2', '"\\":"')
  t.doesNotThrow(() => fc.assert(fc.property(fc.tuple(texts, fc.nat(), fc.nat(2), puts).map(damaged), text => {
    if (isJson(text) && !needsScan(text, JSON.parse(text))) assert.deepEqual(read(text).errors, [])
  }), { numRuns: 5000 }))
})

test('a name that is repeated is found wherever it stands', async t => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 }), { minLength: 1 })
  t.doesNotThrow(() => fc.assert(fc.property(objects, indents, fc.nat(), fc.constantFrom('', ' ', '\r\n\t'), (records, indent, at, space) => {
    const text = JSON.stringify({ records }, null, indent)
    const braces = [...text.matchAll(/"(?:[^"\\]|\\.)*"|\{(?=\s*")/g)].filter(([lexeme]) => lexeme === '{') // none of those in strings
    const place = Number(braces[at % braces.length]?.index) + 1
    const [name = ''] = /"(?:[^"\\]|\\.)*"/.exec(text.slice(place)) ?? []
    const repeated = `${text.slice(0, place)}${name}${space}:null,${text.slice(place)}`
    assert.ok(needsScan(repeated, JSON.parse(repeated)))
    assert.ok(read(repeated).errors.some(({ rule }) => rule === 'repeated'))
  }), { numRuns: 1000 }))
})

test('half of a surrogate pair is found, and ordinary text looks flawless', async t => {
  const cases: ReadonlyArray<readonly [text: string, needsScan: boolean, errors: number]> = [
    ['{"id":1,"texts":["", "a: b", null, -1.5e3, {}],"none":{}}', false, 0],
    ['{ "id" : 1, "at": "2025-01-01T00:00:00Z", "url": "https://example.com" }', false, 0],
    ['{"text":"\\n\\"\\u00e9 \u{1f6b2}"}', false, 0],
    ['{"__proto__":{"a":1}}', false, 0],
    ['{"text":"\\ud83d\\udeb2"}', true, 0],
    ['{"text":"\\\\ud83d"}', true, 0],
    ['{"text":":\\":"}', true, 0],
    ['{"text":"\\uD83D"}', true, 1],
    ['{"\\udeb2":1}', true, 1],
    ['{"id":1,"id":1}', true, 1],
    ['{"id":1,"i\\u0064"\n:1}', true, 1]
  ]
  for (const [text, suspect, errors] of cases) {
    t.strictSame([needsScan(text, JSON.parse(text)), read(text).errors.length], [suspect, errors], text)
  }
})
