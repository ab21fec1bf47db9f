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

const StoredWheel = Type.Object({ ...Wheel.properties, ...storedImages, weight_grams: Grams }, closed)
const StoredTyre = Type.Object({ ...Tyre.properties, ...storedImages, weight_grams: Grams }, closed)
const StoredChain = Type.Object({ ...Chain.properties, ...storedImages }, closed)
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
const StoredCategory = Type.Object({
  slug: Category.properties.slug,
  specifications: DetailedBike.properties.specifications
}, closed)

export type StoredBikeDetail = Static<typeof StoredBikeDetail>
export type StoredPartDetail = Static<typeof StoredPartDetail>

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
