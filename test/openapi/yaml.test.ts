import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import { parse } from 'yaml'
import { writeYaml } from '../../src/openapi/yaml.ts'
import { anyText } from '../texts.ts'

test('YAML says what JSON says', async t => {
  const piece = fc.constantFrom('a', 'é', 'word', ' ', '  ', '\n', '\r\n', '\t', ': ', ':', ' #', '- ', '-', '?', '"', "'", '|', '>', '%', '@', '`', '$',
    '\\', '{}', '[', ',', '&', '*', '!', '0', '1e3', '.5', '~', 'null', 'true', 'no', '---', '...', '\u0085', '\u2028', '\ufeff', '\ud800', '🚲')
  const text = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join('')),
    fc.array(fc.constantFrom('a', 'long', 'sentence', 'of:', '#words', '-'), { maxLength: 60 }).map(words => words.join(' ')),
    anyText
  )
  const { value } = fc.letrec(tie => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    map: fc.dictionary(text, tie('value'), { maxKeys: 5 })
  }))
  t.doesNotThrow(() => fc.assert(fc.property(fc.dictionary(text, value, { maxKeys: 5 }), object =>
    isDeepStrictEqual(parse(writeYaml(object)), JSON.parse(JSON.stringify(object)))), { numRuns: 200 }))
})

test('YAML is written as a person would', async t => {
  const sentence = 'One sentence after another, none of them long. '.repeat(4).trim()
  t.equal(writeYaml({
    openapi: '3.1.0',
    info: { title: 'Bicycles, wheels & more', description: 'Two\n\nparagraphs', long: sentence },
    yes: ['no', '-title', 'Version 1: lists', 'a #b', '1', 1, true, null, '', [], {}],
    paths: { '/api/v1/bikes/': [{ $ref: '#/a', in: 'query' }, ['a', 'b']], 200: 'é\u0085' }
  }), `openapi: "3.1.0"
info:
  title: Bicycles, wheels & more
  description: |-
    Two

    paragraphs
  long: >-
    One sentence after another, none of them long. One sentence after another, none of them long. One
    sentence after another, none of them long. One sentence after another, none of them long.
"yes":
  - "no"
  - -title
  - "Version 1: lists"
  - "a #b"
  - "1"
  - 1
  - true
  - null
  - ""
  - []
  - {}
paths:
  "200": "é\\u0085"
  /api/v1/bikes/:
    - $ref: "#/a"
      in: query
    - - a
      - b
`)
})
