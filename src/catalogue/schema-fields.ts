import type { TSchema } from '@sinclair/typebox'
import { Decimal, type Keywords } from '../../schemas/common.ts'

/** A field of a record, at any depth. */
export type SchemaField = {
  /** Its names from the record on; `*` stands for the elements of an array, as in `reviews.*.date_added`. */
  path: string
  type: 'string' | 'boolean' | 'integer' | 'number' | 'decimal' | 'timestamp' | 'url' | 'null' | 'object' | 'map' | 'array' | 'unknown'
  isNullable: boolean
  schema: Keywords
}

const cache = new WeakMap<TSchema, readonly SchemaField[]>()

/** Returns the fields of a record's schema, each before those inside it, in the order of the schema. */
export function schemaFields (record: TSchema): readonly SchemaField[] {
  const fields = cache.get(record) ?? fieldsIn(record as Keywords, '')
  cache.set(record, fields)
  return fields
}

/** Returns the type of the field at a path; undefined for a path that the schema does not have. */
export const typeAt = (record: TSchema, path: string) => schemaFields(record).find(field => field.path === path)?.type

function fieldsIn ({ properties = {}, items }: Keywords, prefix: string): SchemaField[] {
  const parts = Object.entries({ ...properties, ...items && { '*': items } })
  return parts.flatMap(([name, schema]) => {
    const field = fieldOf(prefix + name, schema)
    return [field, ...fieldsIn(field.schema, `${field.path}.`)]
  })
}

/** Returns a field; its schema is the one of its values that are not null. */
function fieldOf (path: string, schema: Keywords): SchemaField {
  const { type, anyOf } = schema
  if (anyOf !== undefined) return { ...fieldOf(path, anyOf[0] as Keywords), isNullable: true }
  if (Array.isArray(type)) return { ...fieldOf(path, { ...schema, type: type[0] as string }), isNullable: true }
  return { path, type: typeOf(schema), isNullable: type === 'null', schema }
}

function typeOf ({ type = 'unknown', format, pattern, patternProperties }: Keywords): SchemaField['type'] {
  if (format === 'date-time') return 'timestamp'
  if (format === 'uri') return 'url'
  if (pattern === Decimal['pattern']) return 'decimal'
  return patternProperties === undefined ? type as SchemaField['type'] : 'map'
}
