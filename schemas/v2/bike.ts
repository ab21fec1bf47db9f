import { Type, type Static } from '@sinclair/typebox'
import { closed, Count, Decimal, Id, nullable, ImageUrl, Text, Timestamp } from '../common.ts'
import { Bike } from '../v1/bike.ts'
import { Brake, Crankset, Handlebar, Saddle } from '../v1/make.ts'
import { ImageFile } from './image.ts'

export const Review = Type.Object({
  id: Id,
  author: Type.String({ minLength: 1 }),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  title: Text,
  body: Text,
  date_added: Timestamp
}, closed)

/** The fields that v2.1 adds to a component. */
export const partDetail = {
  weight_grams: Count,
  measurements: Type.Record(Type.String(), Type.Number(), {
    ...closed, description: 'Millimetres, by the name of the measurement'
  })
}

export const Components = Type.Object({
  crankset: nullable(Type.Object({ ...Crankset.properties, ...partDetail }, closed)),
  saddle: nullable(Type.Object({ ...Saddle.properties, ...partDetail }, closed)),
  handlebars: nullable(Type.Object({ ...Handlebar.properties, ...partDetail }, closed)),
  brakes: nullable(Type.Object({ ...Brake.properties, ...partDetail }, closed)),
  total_weight_grams: Type.Integer({
    minimum: 0, description: 'The sum of these components and the wheels, tyre and groupset'
  })
}, closed)

export const BikeSummary = Type.Object({
  id: Id,
  name: Text,
  price: nullable(Decimal),
  description: Text,
  type: Text,
  image_url: nullable(ImageUrl)
}, { ...closed, description: 'A bike as the overview depicts it' })

export const Usage = Type.Object({
  view_count: Count,
  favorites_count: Count,
  fitness: Type.Object({ gear_id: Text, lifetime_distance: Decimal, last_synced: Timestamp }, closed)
}, closed)

export const RatingDistribution = Type.Object({ 1: Count, 2: Count, 3: Count, 4: Count, 5: Count }, {
  ...closed, description: 'Number of reviews by rating'
})

export const SpecificationGroup = Type.Object({
  name: Type.String({ minLength: 1 }),
  items: Type.Array(Type.Object({ label: Text, value: Text, unit: nullable(Text) }, closed))
}, closed)

/** A bike in comprehensive detail: the fields of v1 in their order, then those of v2.1. */
export const DetailedBike = Type.Object({
  ...Bike.properties,
  rating: nullable(Type.Number({ minimum: 0, maximum: 5, description: 'Mean of the reviews, one decimal' })),
  reviews: Type.Array(Review),
  weight_kg: nullable(Decimal),
  price: nullable(Decimal),
  components: Components,
  related: Type.Object({ similar_bikes: Type.Array(BikeSummary), same_brand: Type.Array(BikeSummary) }, closed),
  usage: Usage,
  rating_distribution: RatingDistribution,
  image_formats: Type.Array(ImageFile, { description: 'The image in full resolution, one file a format' }),
  specifications: Type.Array(SpecificationGroup, { description: 'The groups of the category first' })
}, { ...closed, description: 'A bike in comprehensive detail' })

export type Review = Static<typeof Review>
export type Components = Static<typeof Components>
export type Usage = Static<typeof Usage>
export type RatingDistribution = Static<typeof RatingDistribution>
export type BikeSummary = Static<typeof BikeSummary>
export type SpecificationGroup = Static<typeof SpecificationGroup>
export type DetailedBike = Static<typeof DetailedBike>
