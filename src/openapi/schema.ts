import type { TSchema } from '@sinclair/typebox'

/** A JSON object of a document. */
export type Part = { [name: string]: unknown }

/** The mark of what the specification leaves open and this service decided for itself. */
export const provisional = { 'x-provisional': true }

/**
 * Gives a TypeBox schema as OpenAPI 3.1 writes it: a schema that has a name becomes a reference, and records
 * take the form that tools read best.
 */
export function toOpenApi (schema: TSchema, names: ReadonlyMap<TSchema, string>): Part {
  const name = names.get(schema)
  return name === undefined ? writeOut(schema, names) : { $ref: `#/components/schemas/${name}` }
}

/** Gives a schema written out, though it has a name itself. */
export function writeOut (schema: TSchema, names: ReadonlyMap<TSchema, string>): Part {
  const { anyOf, properties, items, patternProperties, ...rest } = schema as TSchema & { [keyword: string]: unknown }
  const part: Part = { ...rest }
  if (Array.isArray(anyOf)) return { ...rest, anyOf: anyOf.map(schema => toOpenApi(schema, names)) }
  if (properties !== undefined) {
    part['properties'] = Object.fromEntries(Object.entries(properties as Record<string, TSchema>).map(([field, value]) => [field, toOpenApi(value, names)]))
  }
  if (items !== undefined) part['items'] = toOpenApi(items as TSchema, names)
  if (patternProperties !== undefined) part['additionalProperties'] = toOpenApi(Object.values(patternProperties)[0] as TSchema, names)
  return part
}
