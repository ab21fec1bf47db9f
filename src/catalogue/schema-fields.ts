import { Type, type TArray, type TObject, type TSchema } from '@sinclair/typebox'
import { Decimal, type Keywords } from '../../schemas/common.ts'
import { records, type ListKey } from '../../schemas/lists.ts'
import type { JsonObject } from '../base/json.ts'

/** A field of a record, at any depth. */
export type SchemaField = {
  /** Its names from the record on; `*` stands for the elements of an array, as in `reviews.*.date_added`. */
  path: string
  type: 'string' | 'boolean' | 'integer' | 'number' | 'null' | 'object' | 'array' |
    'decimal' | 'timestamp' | 'url' | 'map' | 'unknown'
  isNullable: boolean
  schema: Keywords
}

const fieldCache = new WeakMap<TSchema, readonly SchemaField[]>()

/** Returns the fields of a record's schema, each before those inside it, in the order of the schema. */
export function schemaFields (record: TSchema): readonly SchemaField[] {
  const fields = fieldCache.get(record) ?? fieldsIn(record as Keywords, '')
  fieldCache.set(record, fields)
  return fields
}

/** Returns the type of the field at a path; undefined for a path that the schema does not have. */
export const typeAt = (record: TSchema, path: string) => schemaFields(record).find(field => field.path === path)?.type

function fieldsIn ({ properties = {}, items }: Keywords, prefix: string): SchemaField[] {
  const parts = Object.entries(properties)
  if (items !== undefined) parts.push(['*', items])
  const fields: SchemaField[] = []
  for (const [name, schema] of parts) {
    const field = createField(prefix + name, schema)
    fields.push(field, ...fieldsIn(field.schema, `${field.path}.`))
  }
  return fields
}

/** Returns a field; its schema is the one of its values that are not null. */
function createField (path: string, schema: Keywords): SchemaField {
  const { type, anyOf } = schema
  const [alternative] = anyOf ?? []
  if (alternative !== undefined) return { ...createField(path, alternative), isNullable: true }
  if (Array.isArray(type)) {
    const [first] = type as [string]
    return { ...createField(path, { ...schema, type: first }), isNullable: true }
  }
  return { path, type: fieldType(schema), isNullable: type === 'null', schema }
}

function fieldType ({ type = 'unknown', format, pattern, patternProperties }: Keywords): SchemaField['type'] {
  if (format === 'date-time') return 'timestamp'
  if (format === 'uri') return 'url'
  if (pattern === Decimal['pattern']) return 'decimal'
  return patternProperties === undefined ? type as SchemaField['type'] : 'map'
}

/** The part of names that the specification puts in place of the external service's. */
export const neutralName = 'fitness'

const fitnessField = /^fitness(?=$|_gear_id$|_lifetime_distance$|_last_synced$)/

/** Renames the fields of the fitness-tracking service, at any depth of records, JSON Schemas and documents. */
export function nameFitness<Value> (value: Value, name: string): Value {
  return (name === neutralName ? value : renamed(value, '')) as Value

  function renamed (part: unknown, key: string): unknown {
    if (typeof part === 'string') return key === 'required' ? part.replace(fitnessField, name) : part
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(item => renamed(item, key))
    const entries = Object.entries(part).map(([field, inner]) => {
      return [field.replace(fitnessField, name), renamed(inner, field)]
    })
    return Object.fromEntries(entries)
  }
}

const contracts = new Map<string, TArray<TObject>>()

/** Returns the schema of a list with a name of the fitness fields: the same object each time, to be compiled once. */
export function contractOf (key: ListKey, name: string): TArray<TObject> {
  const id = `${key} ${name}`
  const contract = contracts.get(id) ?? Type.Array(nameFitness<TObject>(records[key], name))
  contracts.set(id, contract)
  return contract
}

/** Finds the name of the fitness-tracking service in the keys of bikes; undefined if no bike has its three fields. */
export function findFitnessName (bikes: readonly JsonObject[]): string | undefined {
  for (const bike of bikes) {
    for (const key of Object.keys(bike)) {
      const [, name] = /^([a-z]\w*)_gear_id$/i.exec(key) ?? []
      if (name === undefined) continue
      if (`${name}_lifetime_distance` in bike && `${name}_last_synced` in bike) return name
    }
  }
  return undefined
}
