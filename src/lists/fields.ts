import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { meanRating } from '../catalogue/detail.ts'
import { microsecondsOf } from '../catalogue/timestamps.ts'
import type { Filter, Filters } from './filter.ts'
import { comparisons, type Comparison, type FilterKind } from './filter-kinds.ts'
import type { Fields } from './table.ts'

/** Returns the fields of v2 bikes that queries can name; dates are in microseconds since 1970. */
export function bikeFields ({ details }: Catalogue) {
  const decimalOf = (text: string | null) => text === null ? null : Number(text)
  const detailOf = ({ id }: Bike) => details.bikes.get(id) as StoredBikeDetail // each bike has one
  return {
    ...own('id', 'title', 'brand', 'model_name', 'description', 'bike_type', 'frame_material', 'colour', 'status', 'is_featured', 'year'),
    ...own('review_count', 'view_count', 'favorites_count'),
    category: bike => bike.category.slug,
    is_electronic: bike => bike.groupset?.is_electronic ?? null,
    brake_type: bike => bike.wheels?.brake_type ?? null,
    wheel_brand: bike => bike.wheels?.brand_name ?? null,
    tyre_brand: bike => bike.tyre?.brand_name ?? null,
    groupset_brand: bike => bike.groupset?.brand_name ?? null,
    price: bike => decimalOf(detailOf(bike).price),
    weight_kg: bike => decimalOf(detailOf(bike).weight_kg),
    rating: bike => meanRating(detailOf(bike).reviews),
    date_added: bike => microsecondsOf(bike.date_added),
    date_updated: bike => microsecondsOf(bike.date_updated)
  } satisfies Fields<Bike>
}

/** Returns fields that are the bike's own. */
function own<Name extends keyof Bike> (...names: Name[]) {
  return Object.fromEntries(names.map(name => [name, (bike: Bike) => bike[name]])) as Record<Name, (bike: Bike) => Bike[Name]>
}

type BikeField = keyof ReturnType<typeof bikeFields>

/** The sortable fields of v2 bikes. */
export const sortableBikeFields: readonly BikeField[] = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating',
  'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated', 'id'
]

/** One filter a field. */
function each (kind: FilterKind, ...fields: BikeField[]): Filters {
  return Object.fromEntries(fields.map((field): [string, Filter] => [field, { kind, comparison: '', fields: [field] }]))
}

/** Three filters a field with numbers: equality, `__gte` and `__lte`. */
function compared (kind: FilterKind, ...fields: BikeField[]): Filters {
  const suffixes = Object.keys(comparisons) as Comparison[]
  return Object.fromEntries(fields.flatMap(field => suffixes.map((comparison): [string, Filter] =>
    [field + comparison, { kind, comparison, fields: [field] }])))
}

/** The filters of v2 bikes by parameter; several are combined with "and". */
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
