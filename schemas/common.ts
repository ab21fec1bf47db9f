import { Type, type Static, type TSchema } from '@sinclair/typebox'

export type Keywords = TSchema & {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Keywords[]
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  items?: Keywords
  maxItems?: number
  properties?: Record<string, Keywords>
  patternProperties?: Record<string, Keywords>
}

/** The option of an object whose properties are all known. */
export const closed = { additionalProperties: false }

/** Makes a schema nullable: null is a second type of a plain value, otherwise an alternative. */
export function nullable<T extends TSchema> (schema: T) {
  const { type } = schema as { type?: string }
  const isPlain = type !== undefined && type !== 'object' && !('const' in schema)
  type Nullable = Static<T> | null
  if (isPlain) return Type.Unsafe<Nullable>({ ...schema, type: [type, 'null'] })
  return Type.Unsafe<Nullable>({ anyOf: [schema, Type.Null()] })
}

/** The number of a record, unique within its resource. */
export const Id = Type.Integer({ minimum: 1, description: 'Unique within its resource' })

/** A moment in UTC, ISO 8601 with a trailing Z; fractional seconds are optional. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: ':[0-5]\\d(\\.\\d+)?Z$', // no leap second, because Date has none
  description: 'ISO 8601 in UTC with a trailing Z, fractional seconds optional',
  examples: ['2025-04-18T07:12:45Z']
})

/** The absolute URL of an image. */
export const ImageUrl = Type.String({ format: 'uri', description: 'An absolute URL' })

/** A decimal number as a string with two fraction digits, like Django's DecimalField. */
export const Decimal = Type.String({
  pattern: '^\\d+\\.\\d{2}$',
  description: 'Decimal number with two fraction digits'
})

const Images = {
  image_url: nullable(ImageUrl),
  images: nullable(ImageUrl)
}

/** The first fields of every component with an image, in the specification's order. */
export const partFields = { id: Id, ...Images }

/** The fields of a component without details. */
export const makeFields = {
  id: Id,
  brand: Type.String({ minLength: 1 }),
  model: Type.String({ minLength: 1 })
}

/** Matches an image: a path on this server (absolute in responses), or a URL (RFC 3986) elsewhere. */
export const imageForm = '^(/media/|https?://)([!#$&-;=?-[\\]_a-z~]|%[\\da-fA-F]{2})+$'

/** The version of the data files' format; files of another version are invalid. */
export const fileVersion = 1

/** A string; may be empty. */
export const Text = Type.String()

export const Count = Type.Integer({ minimum: 0 })
