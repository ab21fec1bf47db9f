import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { meanRating } from '../catalogue/detail.ts'
import { microsecondsOf } from '../catalogue/timestamps.ts'
import type { Filter, Filters } from './filter.ts'
import { comparisons, type Comparison, type FilterKind } from './filter-kinds.ts'
import type { Fields } from './table.ts'

/** How the fields that a query of the v2 bikes can name are found; dates are in microseconds since 1970. */
export function bikeFields ({ details }: Catalogue) {
  const decimalOf = (text: string | null) => text === null ? null : Number(text)
  const detailOf = ({ id }: Bike) => details.bikes.get(id) as StoredBikeDetail // each bike has one
  return {
    id: bike => bike.id,
    title: bike => bike.title,
    brand: bike => bike.brand,
    model_name: bike => bike.model_name,
    description: bike => bike.description,
    category: bike => bike.category.slug,
    bike_type: bike => bike.bike_type,
    frame_material: bike => bike.frame_material,
    colour: bike => bike.colour,
    status: bike => bike.status,
    is_featured: bike => bike.is_featured,
    is_electronic: bike => bike.groupset?.is_electronic ?? null,
    brake_type: bike => bike.wheels?.brake_type ?? null,
    wheel_brand: bike => bike.wheels?.brand_name ?? null,
    tyre_brand: bike => bike.tyre?.brand_name ?? null,
    groupset_brand: bike => bike.groupset?.brand_name ?? null,
    year: bike => bike.year,
    price: bike => decimalOf(detailOf(bike).price),
    weight_kg: bike => decimalOf(detailOf(bike).weight_kg),
    rating: bike => meanRating(detailOf(bike).reviews),
    review_count: bike => bike.review_count,
    view_count: bike => bike.view_count,
    favorites_count: bike => bike.favorites_count,
    date_added: bike => microsecondsOf(bike.date_added),
    date_updated: bike => microsecondsOf(bike.date_updated)
  } satisfies Fields<Bike>
}

type BikeField = keyof ReturnType<typeof bikeFields>

/** The fields that the v2 bikes can be ordered by. */
export const sortableBikeFields: readonly BikeField[] = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating',
  'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated', 'id'
]

/** A filter of its own for each of some fields. */
function each (kind: FilterKind, ...fields: BikeField[]): Filters {
  return Object.fromEntries(fields.map((field): [string, Filter] => [field, { kind, comparison: '', fields: [field] }]))
}

/** Three filters for each of some fields that hold numbers: equality, `__gte` and `__lte`. */
function compared (kind: FilterKind, ...fields: BikeField[]): Filters {
  const suffixes = Object.keys(comparisons) as Comparison[]
  const three = (field: BikeField) => suffixes.map((comparison): [string, Filter] =>
    [field + comparison, { kind, comparison, fields: [field] }])
  return Object.fromEntries(fields.flatMap(three))
}

/** The filters of the v2 bikes by their parameter; several narrow together. */
export const bikeFilters: Filters = {
  search: { kind: 'search', comparison: '', fields: ['title', 'brand', 'model_name', 'description'] },
  ...each('anyOf', 'category', 'brand', 'bike_type', 'frame_material', 'colour', 'status'),
  ...each('boolean', 'is_featured', 'is_electronic'),
  ...each('anyOf', 'brake_type', 'wheel_brand', 'tyre_brand', 'groupset_brand'),
  ...compared('integer', 'year'),
  ...compared('decimal', 'price', 'weight_kg', 'rating'),
  ...compared('integer', 'review_count', 'view_count', 'favorites_count'),
  ...compared('date', 'date_added', 'date_updated')
}
