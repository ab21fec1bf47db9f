import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { toJson } from '../../src/base/json-text.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { schemaFields } from '../../src/catalogue/schema-fields.ts'
import { absoluteJson, arrayFrame, pageFrame, serialise } from '../../src/lists/serialise.ts'
import { serialisers } from '../../src/lists/serialisers.ts'
import { resources } from '../../src/lists/resources.ts'
import { anyText } from '../texts.ts'

const origin = 'https://bikes.example:8443'

/** A value as it is stored, its fields in reverse order, and as it is served. */
type Pair = readonly [stored: unknown, served: unknown]

const odd = fc.constantFrom('\u2028', '\u2029', '\0', '\ud800', '\udc00', '\u007f', '\\', '"', '/', 'é', '🚲')
const text = fc.oneof(anyText, fc.string({ unit: odd }))
const addresses: Pair[] = [
  ['/media/a.jpg', `${origin}/media/a.jpg`],
  ['https://elsewhere.test/b.jpg', 'https://elsewhere.test/b.jpg']
]
const same = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Pair> => values.map(value => [value, value])

function anyOf (schema: TSchema): fc.Arbitrary<Pair> {
  const { anyOf: either, type, items, properties, format } = schema as TSchema & {
    anyOf?: TSchema[], properties?: Record<string, TSchema>
  }
  if (either !== undefined) return fc.oneof(...either.map(anyOf))
  if (Array.isArray(type)) return fc.oneof(...type.map(type => anyOf({ ...schema, type } as TSchema)))
  if ('const' in schema) return same(fc.constant(schema['const']))
  if (type === 'null') return same(fc.constant(null))
  if (type === 'boolean') return same(fc.boolean())
  if (type === 'integer') return same(fc.maxSafeInteger())
  if (type === 'number') return same(fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (format === 'uri') return fc.constantFrom(...addresses)
  if (type === 'string') return same(text)
  if (type === 'array') {
    return fc.array(anyOf(items as TSchema), { maxLength: 3 }).map(pairs => [
      pairs.map(([stored]) => stored), pairs.map(([, served]) => served)
    ])
  }
  if (properties === undefined) {
    if (type === undefined) return same(fc.jsonValue())
    const keys = text.filter(name => /^.*$/.test(name))
    return same(fc.dictionary(keys, fc.double({ noNaN: true, noDefaultInfinity: true })))
  }
  const names = Object.keys(properties)
  return fc.tuple(...Object.values(properties).map(anyOf)).map(pairs => {
    const fields = (side: 0 | 1) => names.map((name, index) => [name, pairs[index]?.[side]] as const)
    return [Object.fromEntries(fields(0).toReversed()), Object.fromEntries(fields(1))]
  })
}

const escaped = (json: string) => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

for (const { key, record } of resources) {
  test(`a record is serialised in the order of its schema, with images at the origin: ${key}`, async t => {
    const serialise = serialisers.get(record) as (value: object) => string
    t.doesNotThrow(() => fc.assert(fc.property(anyOf(record), ([stored, served]) => {
      return absoluteJson(serialise(stored as object), origin) === escaped(JSON.stringify(served))
    })))
  })
}

test('fields with an image have the same names in all records', async t => {
  const nameOf = (path: string) => path.split('.').at(-1)
  const fields = resources.flatMap(({ record }) => schemaFields(record))
  const names = new Set(fields.filter(({ type }) => type === 'url').map(({ path }) => nameOf(path)))
  t.same([...names].sort(), ['featured_image', 'image_url', 'images', 'url'])
  t.same(fields.filter(({ path, type }) => names.has(nameOf(path)) && type !== 'url'), [])
})

test('the pieces of an array are its JSON', async t => {
  const anyJson = fc.record({ id: fc.nat(), texts: fc.array(text, { maxLength: 2 }) })
  const anyCount = fc.integer({ min: 0, max: 301 })
  const anyIndent = fc.integer({ min: 0, max: 3 })
  t.doesNotThrow(() => fc.assert(fc.property(anyCount, anyJson, anyIndent, (count, value, indent) => {
    const values = Array.from({ length: count }, (_, id) => ({ ...value, id }))
    const line = `\n${' '.repeat(indent)}`
    const jsonAt = (index: number) => Buffer.from(toJson(values[index], indent).replaceAll('\n', line))
    const pieces = [...serialise(arrayFrame(indent), count, jsonAt)]
    return Buffer.concat(pieces).toString() === escaped(JSON.stringify(values, null, indent))
  }), { numRuns: 50 }))
})

test('a page has its records in the place of its results', async t => {
  const pages: [fields: JsonObject, indent: number, text: string][] = [
    [{ count: 1, results: [], next: null }, 0, '{"count":1,"results":[8],"next":null}'],
    [{ results: [] }, 0, '{"results":[8]}'],
    [{ results: [], count: 1 }, 2, JSON.stringify({ results: [8], count: 1 }, null, 2)]
  ]
  for (const [fields, indent, text] of pages) {
    const { open, close } = pageFrame(fields, indent)
    t.equal(`${open}8${close}`, text)
  }
})
