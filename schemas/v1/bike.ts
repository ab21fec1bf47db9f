import { Type, type Static } from '@sinclair/typebox'
import { Count, Decimal, Id, nullable, ImageUrl, Text, Timestamp } from '../common.ts'
import { Groupset } from './groupset.ts'
import { Tyre } from './tyre.ts'
import { Wheel } from './wheel.ts'

export const Category = Type.Object({
  slug: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 })
}, { additionalProperties: false })

export type Category = Static<typeof Category>

export const Bike = Type.Object({
  id: Id,
  category: Category,
  wheels: nullable(Wheel),
  tyre: nullable(Tyre),
  groupset: nullable(Groupset),
  rating: Type.Null({ description: 'Always null in v1' }),
  review_count: Count,
  image_url: nullable(ImageUrl),
  reviews: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Always empty in v1' }),
  title: Type.String({ minLength: 1 }),
  slug: Type.String({ pattern: '^[-a-zA-Z0-9_]+$' }),
  description: Type.String({ description: 'May contain CRLF' }),
  brand: Text,
  model_name: Text,
  year: Type.Integer({ minimum: 1800, maximum: 2200 }),
  featured_image: ImageUrl,
  images: nullable(ImageUrl),
  colour: Type.String({ description: 'May be empty' }),
  frame_material: Type.String({ description: 'May be empty' }),
  frame_size: Type.String({ description: 'Free text; may be empty' }),
  weight_kg: Type.Null({ description: 'Always null in v1' }),
  bike_type: Type.String({
    description: 'Observed: turbo, road, gravel, fixed-gear, Time Trial; the same as category.slug'
  }),
  chainring_sizes: Text,
  chainring_other: Type.String({ description: 'May be empty' }),
  status: Type.Literal('published'),
  date_added: Timestamp,
  date_updated: Timestamp,
  is_featured: Type.Boolean(),
  view_count: Count,
  favorites_count: Count,
  meta_description: Type.String({ description: 'May be empty' }),
  meta_keywords: Type.String({ description: 'May be empty' }),
  fitness_gear_id: Type.String({ description: 'Gear identifier at the fitness-tracking service' }),
  fitness_lifetime_distance: Decimal,
  fitness_last_synced: Timestamp,
  crankset_ref: nullable(Id),
  saddle: nullable(Id),
  handlebars: nullable(Id),
  added_by: Type.Integer({ minimum: 1, description: 'Id of the user who added the bike' }),
  similar_bikes: Type.Array(Id, { uniqueItems: true, description: 'Ids of other bikes' })
}, { additionalProperties: false, description: 'A bike with its wheels, tyre and groupset' })

export type Bike = Static<typeof Bike>
