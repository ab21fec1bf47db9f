import type { TSchema } from '@sinclair/typebox'
import type { Resource } from './resources.ts'
import { compileStringify } from './stringify.ts'

/** Serialises a record as compact JSON, with absolute addresses of pictures. */
export type Serialise = (record: object, origin: string) => string

const known = new Map<TSchema, Serialise>()

/** Returns the serialiser of a list's records, with the fields and order of the schema; compiles it when it is first needed. */
export function serialiserOf ({ record, recordName }: Pick<Resource, 'record' | 'recordName'>): Serialise {
  const serialise = known.get(record) ?? compileSerialiser(recordName, record)
  known.set(record, serialise)
  return serialise
}

function compileSerialiser (name: string, schema: TSchema): Serialise {
  const stringify = compileStringify(name, schema)
  const absolute = compileAddresses(schema as Schema) ?? (record => record)
  return (record, origin) => escapeSeparators(stringify(absolute(record as never, origin)))
}

type Schema = { anyOf?: readonly Schema[], format?: string, items?: Schema, properties?: Readonly<Record<string, Schema>> }

type Absolute = (value: never, origin: string) => unknown

/** Compiles a function that makes addresses absolute in a copy; undefined for a schema without addresses. */
function compileAddresses ({ anyOf: [either] = [], format, items, properties = {} }: Schema): Absolute | undefined {
  if (either !== undefined) return compileAddresses(either)
  if (format === 'uri') return (address: string, origin) => address.startsWith('/') ? origin + address : address
  if (items !== undefined) {
    const absolute = compileAddresses(items)
    return absolute && ((values: readonly never[], origin) => values.map(value => absolute(value, origin)))
  }
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const absolute = compileAddresses(field)
    return absolute === undefined ? [] : [{ name, absolute }]
  })
  if (fields.length === 0) return undefined
  return (record: Readonly<Record<string, never>>, origin) => {
    const copy: Record<string, unknown> = { ...record }
    for (const { name, absolute } of fields) if (copy[name] !== null) copy[name] = absolute(copy[name] as never, origin)
    return copy
  }
}

/** Indents JSON as JSON.stringify does. */
export function indentJson (json: string, indent: number): string {
  return escapeSeparators(JSON.stringify(JSON.parse(json), null, indent))
}

/** Escapes U+2028 and U+2029 as DRF's JSONRenderer does, so that JSON is valid JavaScript. */
function escapeSeparators (json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** The number of records to serialise at once, which takes some milliseconds. */
export const recordsAtOnce = 100

/** Serialises an array of `count` records lazily, in pieces of a hundred. */
export function * serialiseArray (count: number, recordAt: (index: number) => string, indent: number): Generator<Buffer> {
  const end = indent === 0 ? ']' : '\n]'
  let start = 0
  do {
    const length = Math.min(recordsAtOnce, count - start)
    const array = encodeArray('', Array.from({ length }, (_, index) => recordAt(start + index)), '', indent)
    const isLast = start + length === count
    const piece = array.subarray(start === 0 ? 0 : 1, isLast ? undefined : -end.length)
    yield start === 0 ? piece : Buffer.concat([comma, piece])
    start += length
  } while (start < count)
}

/** Serialises a page: its links, then its records. */
export function serialisePage (links: object, records: readonly string[], indent: number): Buffer {
  return encodeArray(`${JSON.stringify(links).slice(0, -1)},"results":`, records, '}', indent)
}

const comma = Buffer.from(',')

/** Encodes an array between two texts, record by record: one with a character outside Latin-1 would make all of them slow to encode. */
function encodeArray (before: string, records: readonly string[], after: string, indent: number): Buffer {
  if (indent > 0) return Buffer.from(indentJson(`${before}[${records.join()}]${after}`, indent))
  const parts = records.flatMap((record, index) => index === 0 ? [Buffer.from(record)] : [comma, Buffer.from(record)])
  return Buffer.concat([Buffer.from(`${before}[`), ...parts, Buffer.from(`]${after}`)])
}
