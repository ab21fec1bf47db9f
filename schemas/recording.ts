import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { closed, nullable, Timestamp } from './common.ts'
import { records, type ListKey } from './lists.ts'

const HeaderValue = Type.Optional(nullable(Type.String({
  pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
  description: 'A header value: Latin-1 without line breaks'
})))

/** The headers of a response that belong to the contract; null for an absent one. */
export const recordedHeaders = [
  'content-type', 'vary', 'allow', 'cache-control', 'expires', 'link', 'www-authenticate', 'location'
] as const

/** Returns the properties of an object that have the same schema. */
function properties<Name extends string, Schema extends TSchema> (
  names: readonly Name[], schema: Schema
): Record<Name, Schema> {
  const entries = names.map(name => [name, schema] as const)
  return Object.fromEntries(entries) as Record<Name, Schema>
}

/** A record that was sent differently: `text` in place of the characters of its text between two indexes. */
const Variant = Type.Object({
  position: Type.Integer({ minimum: 0 }),
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
  text: Type.String()
}, closed)

export type Variant = Static<typeof Variant>

/** A literal, the position of a record, the first and last position of several with separators between; a variant. */
const Piece = Type.Unsafe<string | number | readonly [first: number, last: number] | Variant>({
  ...Variant,
  type: ['string', 'integer', 'array', 'object'],
  minimum: 0,
  minItems: 2,
  maxItems: 2,
  items: { type: 'integer', minimum: 0 }
})

/** A response as it was received. */
const RecordedResponse = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, description: '200 by default' })),
  headers: Type.Optional(Type.Object(properties(recordedHeaders, HeaderValue), {
    ...closed, description: 'Where they differ from those of the first response of the list, or from the contract'
  })),
  body: Type.Optional(Type.Array(Piece, { description: 'The content of the file by default' })),
  encoding: Type.Optional(Type.Literal('latin1', { description: 'Of a body that is not UTF-8' })),
  shift: Type.Optional(Type.Integer({ description: 'Spaces or tabs to add to each line of the records, or to remove' }))
}, closed)

export type RecordedResponse = Static<typeof RecordedResponse>

/** What the responses of a list have in common; all of it may be written by hand. */
const RecordedForm = Type.Object({
  paginate: Type.Optional(Type.Unsafe<'always' | 'on-request' | 'never'>({ enum: ['always', 'on-request', 'never'] })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1 })),
  pageSizeParameter: Type.Optional(Type.Boolean({ description: 'Whether page_size is obeyed' })),
  maxPageSize: Type.Optional(Type.Integer({ minimum: 1, description: 'The largest page_size; 100 by default' }))
}, closed)

const RecordedList = Type.Object({
  digest: Type.Optional(Type.String({
    pattern: '^[0-9a-f]{16}$', description: 'The first 16 hex digits of the SHA-256 of the file, as the pull wrote it'
  })),
  separator: Type.Optional(Type.String({
    pattern: '^\\s*,\\s*$', description: 'The text between two records: a comma and white space'
  })),
  form: Type.Optional(RecordedForm),
  head: Type.Optional(RecordedResponse),
  allowOrigin: Type.Optional(nullable(Type.String({
    description: 'Access-Control-Allow-Origin for a script of another origin: compared, never served'
  }))),
  responses: Type.Optional(Type.Unsafe<Record<string, RecordedResponse>>(Type.Object({}, {
    additionalProperties: RecordedResponse, description: 'By sorted query'
  })))
}, closed)

export type Piece = Static<typeof Piece>
export type RecordedList = Static<typeof RecordedList>

/** The version of recording.json; one that is written by hand needs none. */
export const recordingVersion = 1

const listKeys = Object.keys(records) as ListKey[]

/** The schema of recording.json: the source and time of a recording, and its responses. */
export const Recording = Type.Object({
  version: Type.Optional(Type.Literal(recordingVersion)),
  $schema: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  recorded: Type.Optional(Timestamp),
  unfinished: Type.Optional(Type.Array(Type.String(), {
    description: 'The lists that a pull could not read completely'
  })),
  bases: Type.Optional(Type.Array(Type.String(), {
    description: 'Further base URLs of the service, as its links have them'
  })),
  media: Type.Optional(Type.String({ description: 'The base URL of downloaded images' })),
  lists: Type.Optional(Type.Object(properties(listKeys, Type.Optional(RecordedList)), closed)),
  v2: Type.Optional(Type.Object({
    missing: Type.Optional(RecordedResponse), invalid: Type.Optional(RecordedResponse)
  }, { ...closed, description: 'The responses to a missing and to an invalid token' }))
}, closed)

export type Recording = Static<typeof Recording>
