import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { closed, fileVersion, Id, nullable, imageForm, Timestamp, type Keywords } from './common.ts'
import { records, type ListKey } from './lists.ts'
import { Bike, Category } from './v1/bike.ts'
import { Chain } from './v1/chain.ts'
import { Groupset } from './v1/groupset.ts'
import { Crankset } from './v1/make.ts'
import { Tyre } from './v1/tyre.ts'
import { Wheel } from './v1/wheel.ts'
import { DetailedBike, partDetail, Review } from './v2/bike.ts'
import { ImageFile } from './v2/image.ts'

const Image = Type.String({
  pattern: imageForm,
  description: 'A path such as /media/wheels/1.jpg, or an absolute URL'
})

/** The weight of a component. */
const Grams = Type.Integer({ minimum: 0, maximum: 100_000 })

/** A decimal with a limited number of integer digits, as sums of longer ones can become infinite. */
const decimal = (digits: number) => Type.String({
  pattern: `^\\d{1,${digits}}\\.\\d{2}$`,
  description: `Decimal number with two fraction digits and at most ${digits} before the point`
})

/** Returns a schema whose integers have a maximum, as JSON.parse rounds larger ones. */
function exact<Schema extends TSchema> (schema: Schema): Schema {
  const copy: Schema & Keywords = { ...schema }
  const { type, properties, items } = copy
  if ([type].flat().includes('integer')) copy.maximum ??= Number.MAX_SAFE_INTEGER
  if (items !== undefined) copy.items = exact(items)
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([name, property]) => [name, exact(property)])
    copy.properties = Object.fromEntries(entries)
  }
  return copy
}

const storedImages = { image_url: nullable(Image), images: nullable(Image) }

export const StoredWheel = Type.Object({ ...Wheel.properties, ...storedImages, weight_grams: Grams }, closed)
export const StoredTyre = Type.Object({ ...Tyre.properties, ...storedImages, weight_grams: Grams }, closed)
export const StoredChain = Type.Object({ ...Chain.properties, ...storedImages }, closed)
export const StoredGroupset = Type.Object({
  ...Groupset.properties,
  ...storedImages,
  chain: Id,
  weight_grams: Grams
}, closed)

const { rating, reviews, weight_kg: weight, ...storedBikeFields } = Bike.properties

export const StoredBike = Type.Object({
  ...storedBikeFields,
  ...storedImages,
  featured_image: Image,
  wheels: nullable(Id),
  tyre: nullable(Id),
  groupset: nullable(Id),
  fitness_lifetime_distance: decimal(7)
}, closed)

export type StoredBike = Static<typeof StoredBike>
export type StoredGroupset = Static<typeof StoredGroupset>

/** The schema of a data file that contains its records under the resource's name. */
const file = (name: string, record: TObject): TObject => Type.Object({
  $schema: Type.Optional(Type.String()),
  version: Type.Literal(fileVersion),
  updated: Timestamp,
  [name]: Type.Array(exact(record))
}, closed)

/** The fields that v2.1 adds to a bike, by the bike's id. */
export const StoredBikeDetail = Type.Object({
  id: Id,
  price: nullable(decimal(6)),
  weight_kg: nullable(decimal(3)),
  brakes: nullable(Id),
  reviews: nullable(Type.Array(Review, { description: 'null if only their number is known' })),
  image_formats: Type.Optional(Type.Array(Type.Object({ ...ImageFile.properties, url: Image }, closed), {
    description: 'Replaces the files below media/full/'
  })),
  specifications: DetailedBike.properties.specifications
}, closed)

const Measurement = Type.Number({ minimum: 0, maximum: 10_000 })

/** The fields that v2.1 adds to a crankset, saddle, handlebar or pair of brakes, by its id. */
export const StoredPartDetail = Type.Object({
  id: Id,
  weight_grams: Grams,
  measurements: Type.Record(Type.String(), Measurement, {
    ...closed, description: String(partDetail.measurements.description)
  })
}, closed)

/** The fields that v2.1 adds to a category, by its slug. */
export const StoredCategory = Type.Object({
  slug: Category.properties.slug,
  specifications: DetailedBike.properties.specifications
}, closed)

export type StoredBikeDetail = Static<typeof StoredBikeDetail>
export type StoredPartDetail = Static<typeof StoredPartDetail>
export type StoredCategory = Static<typeof StoredCategory>

/** The schemas of records whose files have other fields than their lists. */
const storedRecords: Partial<Record<ListKey, TObject>> = {
  bikes: StoredBike, wheels: StoredWheel, tyres: StoredTyre, chains: StoredChain, groupsets: StoredGroupset
}

/** The lists of version 1 that have files: featured bikes are bikes. */
type StoredList = Exclude<ListKey, 'featured' | 'bikesV2'>

const { featured, bikesV2, ...storedLists } = records
const filesOfLists = Object.entries<TObject>(storedLists)
  .map(([name, record]) => [`v1/${name}`, file(name, storedRecords[name as StoredList] ?? record)])

/** The schema of each data file, by its path. */
export const stored = {
  ...Object.fromEntries(filesOfLists) as Record<`v1/${StoredList}`, TObject>,
  'v1/cranksets': file('cranksets', Crankset),
  'v2/bikes': file('bikes', StoredBikeDetail),
  'v2/cranksets': file('cranksets', StoredPartDetail),
  'v2/saddles': file('saddles', StoredPartDetail),
  'v2/handlebars': file('handlebars', StoredPartDetail),
  'v2/brakes': file('brakes', StoredPartDetail),
  'v2/categories': file('categories', StoredCategory)
}

/** A data file without its ending: `v1/bikes`. */
export type StoredName = keyof typeof stored

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
  responses: Type.Optional(Type.Record(Type.String(), RecordedResponse, { description: 'By sorted query' }))
}, closed)

export type Piece = Static<typeof Piece>
export type RecordedResponse = Static<typeof RecordedResponse>
export type RecordedForm = Static<typeof RecordedForm>
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
