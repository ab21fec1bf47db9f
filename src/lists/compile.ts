import type { TSchema } from '@sinclair/typebox'
import fastJsonStringify from 'fast-json-stringify'

/** Returns the JSON of a record: the fields of its schema, in its order. */
export type RecordSerialiser = (record: object) => string

/** Compiles the serialiser of a record. */
export const compile = (schema: TSchema): RecordSerialiser => fastJsonStringify(withNullable(schema))

/** Returns a schema with `nullable` in place of a union with null, for which fast-json-stringify would ask Ajv. */
export function withNullable (schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema), (_, value: TSchema | null) => {
    const [alternative] = value?.['anyOf'] ?? []
    return alternative === undefined ? value : { ...alternative, nullable: true }
  }) as object
}
