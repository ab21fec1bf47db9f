import type { TObject, TSchema } from '@sinclair/typebox'

/**
 * Stands in what is written for an origin or for a part that is written elsewhere; no JSON holds it otherwise, because
 * control characters within texts are escaped.
 */
export const mark = '\0'

/** Writes a value as compact JSON. */
export type Serialise = (value: never) => string

/** What is written as a {@link mark}, in the order of the marks: the origin of an address, or the serialiser and the value of a part. */
export type Marked = 'origin' | { serialise: Serialise, value: object }

/**
 * Compiles a serialiser from the schema of a record, which decides which fields there are and in which order; the values
 * are valid already. The origin of each address of this server is left out, and so is each value that `parts` has the
 * schema of, or the schema of the array of: a mark stands there, and `marked` is told.
 */
export function compileSerialiser (schema: TSchema, parts: ReadonlySet<TSchema>, marked: (what: Marked) => void): Serialise {
  const compile = (schema: TSchema) => compileSerialiser(schema, parts, marked)
  const { anyOf, type, properties, items, format } = schema as TSchema & { anyOf?: TSchema[] }
  if (anyOf !== undefined) return orNull(compile(anyOf[0] as TSchema))
  if (type === 'array') return arraySerialiser((parts.has(schema) ? part : compile)(items as TSchema))
  if (format === 'uri') return orNull(value => address(value, marked))
  if (properties === undefined) return plain
  return parts.has(schema) ? part(schema) : objectSerialiser(properties as TObject['properties'], compile)

  function part (schema: TSchema): Serialise {
    const serialise = compileSerialiser(schema, new Set(), marked)
    return value => {
      marked({ serialise, value })
      return mark
    }
  }
}

function orNull (serialise: Serialise): Serialise {
  return value => value === null ? 'null' : serialise(value)
}

function objectSerialiser (properties: TObject['properties'], compile: (schema: TSchema) => Serialise): Serialise {
  const fields = Object.entries(properties).map(([name, schema], index) => ({
    name,
    head: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    serialise: compile(schema)
  }))
  return (record: Readonly<Record<string, never>>) => {
    let json = ''
    for (const { name, head, serialise } of fields) json += head + serialise(record[name] as never)
    return `${json}}`
  }
}

function arraySerialiser (serialise: Serialise): Serialise {
  return (values: readonly never[]) => `[${values.map(serialise).join()}]`
}

function address (value: string, marked: (what: Marked) => void): string {
  if (!value.startsWith('/')) return quote(value)
  marked('origin')
  return `"${mark}${quote(value).slice(1)}`
}

function plain (value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return typeof value !== 'object' || value === null ? String(value) : escapeSeparators(JSON.stringify(value))
}

/** What JSON.stringify or we escape; of surrogates only the lone ones are, which it finds. */
const special = /[^ !#-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/

function quote (text: string): string {
  return special.test(text) ? escapeSeparators(JSON.stringify(text)) : `"${text}"`
}

/** Writes the two line separators of Unicode as DRF's JSONRenderer does, so that JSON stays valid JavaScript. */
function escapeSeparators (json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
