import type { TSchema } from '@sinclair/typebox'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { typeAt, type SchemaField } from '../catalogue/schema-fields.ts'
import { valueAt } from '../base/json.ts'
import { readDate } from '../base/timestamps.ts'

export type Value = string | number | boolean | null

/** Returns a field's value of a record. */
export type Reader<T = ServedRecord> = (record: T) => Value

/** Reads a decimal number without an exponent; NaN for another string. */
export const readDecimal = (text: string) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN

/**
 * Makes a function that reads the value at a path of a record, such as `category.slug`; null where it is absent or of
 * another type.
 */
const reader = (read: (value: unknown) => Value) => (path: string) => {
  const steps = path.split('.')
  return (record: ServedRecord) => read(valueAt(record, steps))
}

const finite = (value: unknown) => typeof value === 'number' && Number.isFinite(value) ? value : null

/** Reads strings and booleans. */
export const textField = reader(value => {
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
})

/** Reads numbers, also those that are written as strings. */
export const numberField = reader(value => {
  const number = typeof value === 'string' ? readDecimal(value) : value
  return finite(number)
})

/** Reads ISO 8601 times as microseconds since 1970. */
const timeField = reader(value => {
  return typeof value === 'string' ? finite(readDate(value)) : null
})

const readers = new Map<SchemaField['type'] | undefined, typeof textField>([
  ['integer', numberField],
  ['number', numberField],
  ['decimal', numberField],
  ['timestamp', timeField]
])

/** Returns a function that reads a field of records by its type in their schema. */
export function readerOf (schema: TSchema, path: string): Reader {
  const createReader = readers.get(typeAt(schema, path)) ?? textField
  return createReader(path)
}

export type Table<T = ServedRecord> = ReturnType<typeof createTable<T>>

/** The fields of a longer list are not summarised: this takes about 80 ms with 100,000 records. */
const maxSummarised = 50_000

/** The values of a field: how many records have each string or boolean, and the range of its numbers. */
export type Summary = { counts: Map<Value, number>, least: number, greatest: number }

function summariseValues (values: readonly Value[]): Summary {
  const summary: Summary = { counts: new Map(), least: Infinity, greatest: -Infinity }
  for (const value of values) {
    if (typeof value === 'number') {
      summary.least = Math.min(summary.least, value)
      summary.greatest = Math.max(summary.greatest, value)
    } else summary.counts.set(value, (summary.counts.get(value) ?? 0) + 1)
  }
  return summary
}

const lowered = (value: Value) => typeof value === 'string' ? value.toLowerCase() : value

/**
 * Returns the records of a list, in their default order, and their values by position; a field's values are computed
 * when first needed.
 */
export function createTable<T> (records: readonly T[], readerOf: (field: string) => Reader<T>) {
  /** The value of a field in each record, strings in lower case. */
  const values = memoise(field => read(field).map(lowered))
  /** The values of a field in short; undefined for a long list. */
  const summaryOf = memoise(summarised)
  /** The ranks of the records by a field; null for a record without a value. */
  const ranks = memoise(field => rank(values(field)))
  return { records, summaryOf, values, ranks }

  function read (field: string): readonly Value[] {
    return records.map(readerOf(field))
  }

  function summarised (field: string): Summary | undefined {
    return records.length > maxSummarised ? undefined : summariseValues(read(field))
  }
}

/** Returns a function that makes a value once for each key. */
export function memoise<Key extends string, Value> (make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return key => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}

/**
 * Ranks numbers and booleans by value, strings in an order, by default alphabetically; equal strings have the same
 * rank.
 */
export function rank (values: readonly Value[], order?: (a: string, b: string) => number): (number | null)[] {
  // The locale is fixed, so that every machine orders alike. The first collator of a process takes 8 ms, so a start
  // makes none.
  const compare = order ?? new Intl.Collator('en', { sensitivity: 'accent' }).compare
  const texts = [...new Set(values)].filter(value => typeof value === 'string')
  const ranks = new Map<Value, number>()
  let previous = ''
  let rank = 0
  for (const [index, text] of texts.sort(compare).entries()) {
    if (compare(previous, text) !== 0) rank = index
    ranks.set(text, rank)
    previous = text
  }
  return values.map(value => value === null ? null : ranks.get(value) ?? Number(value))
}
