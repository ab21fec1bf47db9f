import { Type, type TArray, type TObject, type TSchema } from '@sinclair/typebox'
import { Decimal, type Keywords } from '../../schemas/common.ts'
import { records, type ListKey } from '../../schemas/lists.ts'
import type { JsonObject } from '../base/json.ts'

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
  const parts = Object.entries(properties)
  if (items !== undefined) parts.push(['*', items])
  return parts.flatMap(([name, schema]) => {
    const field = createField(prefix + name, schema)
    return [field, ...fieldsIn(field.schema, `${field.path}.`)]
  })
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

/** Renames the fields of the fitness-tracking service in their places, at any depth of records, JSON Schemas and documents. */
export function nameFitness<Value> (value: Value, name: string, key?: string): Value {
  if (name === neutralName) return value
  if (typeof value === 'string') return (key === 'required' ? value.replace(fitnessField, name) : value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => nameFitness(item, name, key)) as Value
  const entries = Object.entries(value as JsonObject).map(([key, inner]) => {
    return [key.replace(fitnessField, name), nameFitness(inner, name, key)]
  })
  return Object.fromEntries(entries) as Value
}

const contracts = new Map<string, TArray<TObject>>()

/** Returns the schema of a list with a name of the fitness fields: the same object each time, because schemas are compiled. */
export function contractOf (key: ListKey, name: string): TArray<TObject> {
  const id = `${key} ${name}`
  const contract = contracts.get(id) ?? Type.Array(nameFitness<TObject>(records[key], name))
  contracts.set(id, contract)
  return contract
}

/** Finds the name of the fitness-tracking service in the keys of bikes; undefined where none has its three fields. */
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
