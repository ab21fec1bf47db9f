import type { TSchema } from '@sinclair/typebox'
import { applyEdits, format } from 'jsonc-parser'
import type { Keywords } from '../../schemas/common.ts'
import type { Frame } from '../catalogue/catalogue.ts'
import { plainFrame } from '../catalogue/recorded/texts.ts'

/** Copies a record with the fields and order of its schema, and absolute addresses of images. */
type Copy = (record: object, origin: string) => object

const copies = new Map<TSchema, Copy>()

/** Returns the copy function of a schema, compiled when first needed. @throws {TypeError} for a schema with values that it cannot copy */
export function copyOf (record: TSchema): Copy {
  const copy = copies.get(record) ?? compileCopy(record as Keywords, 'the record') as Copy
  copies.set(record, copy)
  return copy
}

type CopyValue = (value: never, origin: string) => unknown

/** Compiles the copy function of values that are not null; undefined if they are the same in responses. */
function compileCopy (schema: Keywords, name: string): CopyValue | undefined {
  const { anyOf: [either, ...others] = [], type = 'any', format, items, maxItems, properties, patternProperties } = schema
  if (either !== undefined && others.length === 1 && others[0]?.type === 'null') return compileCopy(either, name)
  switch ([type].flat().filter(type => type !== 'null').join()) {
    case '': case 'boolean': case 'integer': case 'number':
      return undefined
    case 'string':
      return format === 'uri' ? toAbsolute : undefined
    case 'array': {
      if (maxItems === 0) return undefined
      if (items === undefined || Array.isArray(items)) break
      const copy = compileCopy(items, `an item of ${name}`)
      return copy && ((values: readonly never[], origin) => values.map(value => copy(value, origin)))
    }
    case 'object':
      if (properties !== undefined && patternProperties === undefined) return compileFields(properties, name)
      if (properties === undefined && isPlainRecord(patternProperties, name)) return undefined
  }
  throw new TypeError(`${name} cannot be copied by its schema: ${JSON.stringify(schema)}`)
}

/** Returns whether objects with names of their own are the same in responses. */
function isPlainRecord (values: Record<string, Keywords> = {}, name: string): boolean {
  const schemas = Object.values(values)
  return schemas.length > 0 && schemas.every(schema => compileCopy(schema, `a value of ${name}`) === undefined)
}

const toAbsolute = (address: string, origin: string) => address.startsWith('/') ? origin + address : address

function compileFields (properties: Record<string, Keywords>, name: string): CopyValue {
  const fields = Object.entries(properties).map(([field, schema]) => ({ field, copy: compileCopy(schema, `${field} of ${name}`) }))
  return (record: Readonly<Record<string, never>>, origin) => {
    const copied: Record<string, unknown> = {}
    for (const { field, copy } of fields) {
      const value = record[field] as never
      copied[field] = copy === undefined || value === null ? value : copy(value, origin)
    }
    return copied
  }
}

/** Serialises a value as DRF's JSONRenderer does: it escapes U+2028 and U+2029, so that JSON is valid JavaScript. */
export function toJson (value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** The number of records to serialise at once, which takes some milliseconds. */
const recordsAtOnce = 100

/** The number of records that are serialised to estimate the length of all. */
const sampleSize = 20

/** Estimates the length of an array of `count` records as JSON; 0 for a short one. */
export function estimateLength (count: number, recordAt: (index: number) => object): number {
  if (count <= recordsAtOnce) return 0
  const sample = Array.from({ length: sampleSize }, (_, index) => recordAt(Math.floor(index * count / sampleSize)))
  return Math.round(count / sampleSize * toJson(sample).length)
}

/** Returns the text of a record with an indent, below `levels` others; whitespace only, so that numbers and escapes stay. */
export function indented (text: string, indent: number, levels: number): string {
  if (indent === 0) return text
  const formatted = applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: indent, eol: '\n' }))
  return formatted.replaceAll('\n', `\n${' '.repeat(indent * levels)}`)
}

/** Returns the texts around the items of an array that is below `levels` others. */
export function frameOf (indent: number, levels = 0): Frame {
  if (indent === 0) return plainFrame
  const line = (levels: number) => `\n${' '.repeat(indent * levels)}`
  return { open: `[${line(levels + 1)}`, separator: `,${line(levels + 1)}`, close: `${line(levels)}]` }
}

/**
 * Serialises `count` records in a frame lazily, in pieces of a hundred. Each is encoded for itself: one with a character outside Latin-1
 * would make all of them slow to encode.
 */
export function * serialise ({ open, separator, close }: Frame, count: number, jsonAt: (index: number) => string): Generator<Buffer> {
  let parts = [Buffer.from(count === 0 ? open.trimEnd() : open)]
  for (let index = 0; index < count; index++) {
    parts.push(Buffer.from(index === 0 ? jsonAt(index) : separator + jsonAt(index)))
    if ((index + 1) % recordsAtOnce === 0) {
      yield Buffer.concat(parts)
      parts = []
    }
  }
  yield Buffer.concat([...parts, Buffer.from(count === 0 ? close.trimStart() : close)])
}
