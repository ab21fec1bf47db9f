import type { TObject, TSchema } from '@sinclair/typebox'

/**
 * Stands in what is written for an origin or for a part that is written elsewhere; no JSON holds it otherwise, because
 * control characters within texts are escaped.
 */
export const mark = '\0'

/** How JSON is laid out: blanks a level, 0 for compact JSON, and the level that it begins at. */
export type Layout = { indent: number, depth: number }

/** Writes a value as JSON. */
export type Serialise = (value: never) => string

/** What is written as a {@link mark}, in the order of the marks: the origin of an address, or the serialiser and the value of a part. */
export type Marked = 'origin' | { serialise: Serialise, value: object }

/**
 * Compiles a serialiser from the schema of a record, which decides which fields there are and in which order; the values
 * are valid already. The origin of each address of this server is left out, and so is each value that `parts` has the
 * schema of: a mark stands there, and `marked` is told.
 */
export function compileSerialiser (
  schema: TSchema, layout: Layout, parts: ReadonlySet<TSchema>, marked: (what: Marked) => void
): Serialise {
  const compile = (schema: TSchema, layout: Layout) => compileSerialiser(schema, layout, parts, marked)
  const { anyOf, type, properties, items, format } = schema as TSchema & { anyOf?: TSchema[] }
  if (anyOf !== undefined) return orNull(compile(anyOf[0] as TSchema, layout))
  if (type === 'array') return arraySerialiser(compile(items as TSchema, deeper(layout)), layout)
  if (format === 'uri') return orNull(value => address(value, marked))
  if (properties === undefined) return value => plain(value, layout)
  if (!parts.has(schema)) return objectSerialiser(properties as TObject['properties'], layout, compile)
  const serialise = compileSerialiser(schema, layout, new Set(), marked)
  return value => {
    marked({ serialise, value })
    return mark
  }
}

function deeper ({ indent, depth }: Layout): Layout {
  return { indent, depth: depth + 1 }
}

/** A line break with the indentation of its depth; empty in the compact layout. */
export function lineBreak ({ indent, depth }: Layout): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`
}

function orNull (serialise: Serialise): Serialise {
  return value => value === null ? 'null' : serialise(value)
}

type Compile = (schema: TSchema, layout: Layout) => Serialise

function objectSerialiser (properties: TObject['properties'], layout: Layout, compile: Compile): Serialise {
  const inner = deeper(layout)
  const colon = layout.indent === 0 ? ':' : ': '
  const fields = Object.entries(properties).map(([name, schema], index) => ({
    name,
    head: `${index === 0 ? '{' : ','}${lineBreak(inner)}${JSON.stringify(name)}${colon}`,
    serialise: compile(schema, inner)
  }))
  const end = `${lineBreak(layout)}}`
  return (record: Readonly<Record<string, never>>) => {
    let json = ''
    for (const { name, head, serialise } of fields) json += head + serialise(record[name] as never)
    return json + end
  }
}

function arraySerialiser (serialise: Serialise, layout: Layout): Serialise {
  const inner = lineBreak(deeper(layout))
  const end = `${lineBreak(layout)}]`
  return (values: readonly never[]) => values.length === 0 ? '[]' : `[${inner}${values.map(serialise).join(`,${inner}`)}${end}`
}

function address (value: string, marked: (what: Marked) => void): string {
  if (!value.startsWith('/')) return quote(value)
  marked('origin')
  return `"${mark}${quote(value).slice(1)}`
}

function plain (value: unknown, layout: Layout): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return escapeSeparators(JSON.stringify(value, null, layout.indent)).replaceAll('\n', lineBreak(layout))
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
