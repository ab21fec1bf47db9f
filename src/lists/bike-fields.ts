import { equal, range, search, type FilterRow } from './filter.ts'

/** The columns of the tables of bikes. */
export const bikeColumns = [
  'title', 'brand', 'year', 'category.slug', 'frame_material', 'colour', 'wheels.id', 'tyre.id', 'groupset.id', 'saddle', 'handlebars'
]

/** The fields by which version 2.1 sorts bikes. */
export const sortableBikeFields = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating',
  'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated', 'id'
]

/** The columns of the table of bikes of version 2.1. */
export const detailedBikeColumns = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating', 'review_count', 'category.slug', 'view_count', 'favorites_count',
  'date_added', 'date_updated'
]

/** The filters of version 2.1; several are combined with "and". */
export const bikeFilters: readonly FilterRow[] = [
  search('title', 'brand', 'model_name', 'description'),
  equal('category', 'category.slug'),
  ...['brand', 'bike_type', 'frame_material', 'colour', 'status', 'is_featured'].map(field => equal(field)),
  equal('is_electronic', 'groupset.is_electronic'),
  equal('brake_type', 'wheels.brake_type'),
  equal('wheel_brand', 'wheels.brand_name'),
  equal('tyre_brand', 'tyre.brand_name'),
  equal('groupset_brand', 'groupset.brand_name'),
  ...['year', 'price', 'weight_kg', 'rating', 'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated'].flatMap(range)
]
