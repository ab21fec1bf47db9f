import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { nullable, PictureUrl } from '../../schemas/common.ts'
import { compileTemplate, renderTemplate } from '../../src/lists/template.ts'
import { anyText } from '../texts.ts'

const Part = Type.Object({ id: Type.Integer(), image_url: nullable(PictureUrl), note: Type.String() })
const Record = Type.Object({
  title: Type.String(),
  part: nullable(Part),
  same: Part,
  weight: nullable(Type.Number()),
  is_new: Type.Boolean(),
  url: PictureUrl,
  status: Type.Literal('published'),
  sizes: Type.Record(Type.String(), Type.Number()),
  files: Type.Array(Type.Object({ url: PictureUrl, words: Type.Array(Type.String()) })),
  unknown: Type.Array(Type.Unknown())
})

const text = fc.oneof(
  anyText,
  fc.string({ unit: fc.constantFrom('\u2028', '\u2029', '\0', '\ud800', '\udc00', '\u007f', '\\', '"', '/', 'é', '🚲') }),
  fc.constantFrom('"url":"/', '\\"url":"/x"', '/media/a', '\\u0000')
)
const address = fc.oneof(text.map(text => `/${text}`), text, fc.constantFrom('/media/a.jpg', 'https://elsewhere.test/b.jpg', '//c'))
const part = fc.record({ id: fc.integer(), image_url: fc.option(address), note: text })
const record = part.chain(same => fc.record({
  title: text,
  part: fc.option(fc.oneof(part, fc.constant(same))),
  same: fc.constant(same),
  weight: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  is_new: fc.boolean(),
  url: address,
  status: fc.constant('published'),
  sizes: fc.dictionary(text, fc.integer()),
  files: fc.array(fc.record({ url: address, words: fc.array(text) })),
  unknown: fc.array(fc.jsonValue())
}))

const make = compileTemplate(Record, new Set([Part]))

test('a record is written as JSON.stringify writes it, in the order of the schema, with pictures at any origin', async () => {
  fc.assert(fc.property(record, fc.constantFrom('http://a', 'https://bikes.example:8443'), (record, origin) => {
    const at = <T extends string | null>(address: T) => address?.startsWith('/') ? origin + address : address
    const partAt = (part: { image_url: string | null }) => ({ ...part, image_url: at(part.image_url) })
    const served = {
      ...record,
      part: record.part && partAt(record.part),
      same: partAt(record.same),
      url: at(record.url),
      files: record.files.map(file => ({ ...file, url: at(file.url) }))
    }
    const shuffled = Object.fromEntries(Object.entries({ ...record, other: 1 }).reverse())
    const template = make(shuffled)
    const json = renderTemplate(template, origin)
    const expected = JSON.stringify(served).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    return json === expected && Buffer.byteLength(json) === template.length + template.origins * origin.length
  }))
})

test('a digest tells apart what differs, in a part too, and is the same for what is equal', async t => {
  const make = compileTemplate(Type.Object({ part: Part }), new Set([Part]))
  const [a, b] = [{ id: 1, image_url: '/a', note: '' }, { id: 1, image_url: '/b', note: '' }]
  t.equal(make({ part: a }).digest, make({ part: { ...a } }).digest)
  t.not(make({ part: a }).digest, make({ part: b }).digest)
})
