import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import fastJsonStringify from 'fast-json-stringify'
import { Page } from '../../schemas/answers.ts'
import type { Resource } from './resources.ts'
import { absolutePictures } from './absolute.ts'

// Pictures become absolute only afterwards.
const options = { ajv: { validateFormats: false } }

type Serialise<T> = (value: T) => string

/** Gives a function that compiles a serialiser for the schema of a record when it is first needed, which takes a while. */
function compiled<T> (schemaOf: (record: TObject) => TSchema): (record: TObject) => Serialise<T> {
  const known = new Map<TObject, Serialise<T>>()
  return record => {
    const serialise = known.get(record) ?? fastJsonStringify(inOneSchema(schemaOf(record)), options)
    known.set(record, serialise)
    return serialise
  }
}

/**
 * Writes each schema of a value that may be null as one schema instead of two, between which the serialiser could only
 * choose by validating the value.
 */
function inOneSchema (schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, part) => {
    const [value, none] = part?.anyOf ?? []
    return none?.type === 'null' ? { ...value, type: [value.type, 'null'] } : part
  })
}

const listSerialiser = compiled<readonly object[]>(record => Type.Array(record))
const pageSerialiser = compiled<Page>(Page)

/** Gives the JSON of a list, with pictures at an origin. */
export function serialiseList ({ record }: Resource, records: readonly object[], origin: string): string {
  return finish(listSerialiser(record)(records), origin)
}

/** Gives the JSON of a page in its envelope, with pictures at an origin. */
export function serialisePage ({ record }: Resource, page: Page, origin: string): string {
  return finish(pageSerialiser(record)(page), origin)
}

function finish (json: string, origin: string): string {
  return escapeSeparators(absolutePictures(json, origin))
}

/** Gives JSON laid out on lines that are indented by so many blanks. */
export function indentJson (json: string, indent: number): string {
  return escapeSeparators(JSON.stringify(JSON.parse(json), null, indent))
}

/** Writes the two line separators of Unicode as DRF's JSONRenderer does, so that JSON stays valid JavaScript. */
function escapeSeparators (json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
