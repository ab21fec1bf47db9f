import { Type, type Static, type TSchema } from '@sinclair/typebox'

/** The schema of a value that may be null; of a plain value in one schema, which serialises faster than two. */
export function nullable<T extends TSchema> (schema: T) {
  const { type } = schema as { type?: string }
  const isPlain = type !== undefined && type !== 'object' && !('const' in schema)
  return Type.Unsafe<Static<T> | null>(isPlain ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, Type.Null()] })
}

/** The schema of the same value without null. */
export const unlessNull = (schema: TSchema) => (schema['anyOf'] as [TSchema])[0]

/** The number of a record, unique within its resource. */
export const Id = Type.Integer({ minimum: 1, description: 'Unique within its resource' })

/** A moment in UTC, ISO 8601 with a trailing Z; fractional seconds are optional. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: ':[0-5]\\d(\\.\\d+)?Z$', // no leap second, which is no Date
  description: 'ISO 8601 in UTC with a trailing Z, fractional seconds optional',
  examples: ['2025-04-18T07:12:45Z']
})

/** The absolute address of a picture. */
export const PictureUrl = Type.String({ format: 'uri', description: 'Absolute URL' })

/** A decimal number as text with two fraction digits, as Django writes a DecimalField. */
export const Decimal = Type.String({ pattern: '^\\d+\\.\\d{2}$', description: 'Decimal number with two fraction digits' })

const Pictures = {
  image_url: nullable(PictureUrl),
  images: nullable(PictureUrl)
}

/** The fields that every pictured part begins with, in the specification's order. */
export const partFields = { id: Id, ...Pictures }

/** The three fields of a record that is only known by its make. */
export const makeFields = {
  id: Id,
  brand: Type.String({ minLength: 1 }),
  model: Type.String({ minLength: 1 })
}

/** The form of where a picture is: a path of this server, made absolute when served, or a URL (RFC 3986) elsewhere. */
export const pictureForm = '^(/media/|https?://)([!#$&-;=?-[\\]_a-z~]|%[\\da-fA-F]{2})+$'

/** The version of the data files' form; a file of another version is refused. */
export const fileVersion = 1

/** A free text of the catalogue; may be empty. */
export const Text = Type.String()

/** A count of things; never negative. */
export const Count = Type.Integer({ minimum: 0 })
