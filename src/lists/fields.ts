import type { ServedRecord } from '../catalogue/catalogue.ts'
import { valueAt } from '../base/json.ts'
import { comparisons, readDate, readDecimal, type Comparison, type Filter, type FilterKind, type Filters } from './filter.ts'
import type { Fields, Value } from './table.ts'

/** Makes a function that reads the value at a path of a record, such as `category.slug`; null where it is absent or of another type. */
const reader = (read: (value: unknown) => Value) => (path: string) => {
  const steps = path.split('.')
  return (record: ServedRecord) => read(valueAt(record, steps))
}

export const plain = reader(value => typeof value === 'string' || typeof value === 'boolean' ? value : null)

/** Reads numbers, also those that are written as text. */
export const number = reader(value => finite(typeof value === 'string' ? readDecimal(value) : value))

/** Reads ISO 8601 times as microseconds since 1970. */
const time = reader(value => finite(typeof value === 'string' ? readDate(value) : null))

const finite = (value: unknown) => Number.isFinite(value) ? value as number : null

/** Returns fields that have their own name in the record. */
function own<Name extends string> (read: typeof plain, ...names: Name[]) {
  return Object.fromEntries(names.map(name => [name, read(name)])) as Record<Name, ReturnType<typeof plain>>
}

export const bikeFields = {
  ...own(plain, 'title', 'brand', 'model_name', 'description', 'bike_type', 'frame_material', 'colour', 'status', 'is_featured'),
  ...own(number, 'id', 'year', 'review_count', 'view_count', 'favorites_count', 'price', 'weight_kg', 'rating'),
  ...own(time, 'date_added', 'date_updated'),
  category: plain('category.slug'),
  is_electronic: plain('groupset.is_electronic'),
  brake_type: plain('wheels.brake_type'),
  wheel_brand: plain('wheels.brand_name'),
  tyre_brand: plain('tyre.brand_name'),
  groupset_brand: plain('groupset.brand_name')
} satisfies Fields

type BikeField = keyof typeof bikeFields

export const sortableBikeFields: readonly BikeField[] = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating',
  'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated', 'id'
]

/** Returns the filters of fields: one a field and suffix, by default only equality. */
function each (kind: FilterKind, fields: readonly BikeField[], suffixes: readonly Comparison[] = ['']): Filters {
  return Object.fromEntries(fields.flatMap(field => suffixes.map((comparison): [string, Filter] =>
    [field + comparison, { kind, comparison, fields: [field] }])))
}

/** Returns three filters a field with numbers: equality, `__gte` and `__lte`. */
const compared = (kind: FilterKind, ...fields: BikeField[]) => each(kind, fields, Object.keys(comparisons) as Comparison[])

/** The filters of v2 bikes by parameter; several are combined with "and". */
export const bikeFilters: Filters = {
  search: { kind: 'search', comparison: '', fields: ['title', 'brand', 'model_name', 'description'] },
  ...each('anyOf', ['category', 'brand', 'bike_type', 'frame_material', 'colour', 'status']),
  ...each('boolean', ['is_featured', 'is_electronic']),
  ...each('anyOf', ['brake_type', 'wheel_brand', 'tyre_brand', 'groupset_brand']),
  ...compared('integer', 'year'),
  ...compared('decimal', 'price', 'weight_kg', 'rating'),
  ...compared('integer', 'review_count', 'view_count', 'favorites_count'),
  ...compared('date', 'date_added', 'date_updated')
}
