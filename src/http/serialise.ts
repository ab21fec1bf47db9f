import { Type, type TObject } from '@sinclair/typebox'
import fastJsonStringify from 'fast-json-stringify'
import { Page } from '../../schemas/answers.ts'
import type { Resource } from '../resources.ts'
import { absolutePictures } from './absolute.ts'

type Serialiser = { list: (records: readonly object[]) => string, page: (page: Page) => string }

const serialisers = new Map<TObject, Serialiser>()

// Pictures become absolute only afterwards.
const options = { ajv: { validateFormats: false } }

/** Gives the serialiser that is compiled from the schema of a resource's record, when it is first needed. */
function serialiserOf ({ record }: Resource): Serialiser {
  let serialiser = serialisers.get(record)
  if (serialiser === undefined) {
    serialiser = { list: fastJsonStringify(Type.Array(record), options), page: fastJsonStringify(Page(record), options) }
    serialisers.set(record, serialiser)
  }
  return serialiser
}

/** Gives the JSON of a list, with pictures at an origin. */
export function serialiseList (resource: Resource, records: readonly object[], origin: string): string {
  return finish(serialiserOf(resource).list(records), origin)
}

/** Gives the JSON of a page in its envelope, with pictures at an origin. */
export function serialisePage (resource: Resource, page: Page, origin: string): string {
  return finish(serialiserOf(resource).page(page), origin)
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
