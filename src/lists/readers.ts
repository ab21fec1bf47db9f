import type { TSchema } from '@sinclair/typebox'
import { typeAt, type SchemaField } from '../catalogue/schema-fields.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { valueAt } from '../base/json.ts'
import { readDate, readDecimal } from './filter.ts'
import type { Value } from './table.ts'

/** Makes a function that reads the value at a path of a record, such as `category.slug`; null where it is absent or of another type. */
const reader = (read: (value: unknown) => Value) => (path: string) => {
  const steps = path.split('.')
  return (record: ServedRecord) => read(valueAt(record, steps))
}

const finite = (value: unknown) => Number.isFinite(value) ? value as number : null

/** Reads strings and booleans. */
export const textField = reader(value => typeof value === 'string' || typeof value === 'boolean' ? value : null)

/** Reads numbers, also those that are written as strings. */
export const numberField = reader(value => finite(typeof value === 'string' ? readDecimal(value) : value))

/** Reads ISO 8601 times as microseconds since 1970. */
const timeField = reader(value => finite(typeof value === 'string' ? readDate(value) : null))

const readers: { readonly [type in SchemaField['type']]?: typeof textField } =
  { integer: numberField, number: numberField, decimal: numberField, timestamp: timeField }

/** Returns a function that reads a field of records by its type in their schema. */
export const readerOf = (schema: TSchema, path: string) => (readers[typeAt(schema, path) as SchemaField['type']] ?? textField)(path)
