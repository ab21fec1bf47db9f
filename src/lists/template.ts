import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { compileSerialiser, mark, type Marked, type Serialise } from './serialise.ts'

/** What can be told of the JSON of a record without having it: its length in bytes but for the origins, their number, its digest. */
export type Measure = { length: number, origins: number, digest: string }

/** The JSON of a record, once for all origins. */
export type Template = Measure & {
  /** The JSON with a mark for each origin and each part. */
  json: string
  /** The length of that in bytes. */
  size: number
  /** What stands where the marks are: the origin where undefined, otherwise a part that other records share. */
  inserts: readonly (Template | undefined)[]
}

/**
 * Compiles what makes the template of a record of a schema; parts, which have one of the schemas `parts` or are in an array that has
 * one, are made once.
 */
export function compileTemplate (schema: TSchema, parts: ReadonlySet<TSchema>): (record: object) => Template {
  const known = new WeakMap<object, Template>()
  let marked: Marked[] = []
  const serialise = compileSerialiser(schema, parts, what => { marked.push(what) })
  return record => make(serialise, record)

  function make (serialise: Serialise, value: object): Template {
    marked = []
    const json = serialise(value as never)
    return createTemplate(json, marked.map(what => what === 'origin' ? undefined : partOf(what)))
  }

  function partOf ({ serialise, value }: Exclude<Marked, 'origin'>): Template {
    const part = known.get(value) ?? make(serialise, value)
    known.set(value, part)
    return part
  }
}

function createTemplate (json: string, inserts: Template['inserts']): Template {
  const size = Buffer.byteLength(json)
  let [length, origins, identity] = [size - inserts.length, 0, json]
  for (const insert of inserts) {
    if (insert !== undefined) identity += insert.digest
    length += insert?.length ?? 0
    origins += insert?.origins ?? 1
  }
  return { json, size, inserts, length, origins, digest: hash('sha256', identity, 'base64url') }
}

/** Gives the JSON of a template for an origin. */
export function renderTemplate ({ json, inserts }: Template, origin: string): string {
  const insertAt = (index: number) => inserts[index] === undefined ? origin : renderTemplate(inserts[index], origin)
  return json.split(mark).reduce((text, next, index) => text + insertAt(index - 1) + next)
}
