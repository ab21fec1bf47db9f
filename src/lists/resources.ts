import type { TObject } from '@sinclair/typebox'
import type { Metadata } from '../../schemas/responses.ts'
import { records, type ListKey } from '../../schemas/lists.ts'
import type { Catalogue, ListSource } from '../catalogue/catalogue.ts'
import { formats } from '../http/negotiation.ts'
import { equal, filtersOf, range, search, type FilterRow, type Filters } from './filter.ts'
import { defaultPageSize, maxPageSize } from './page.ts'

const bikeColumns = [
  'title', 'brand', 'year', 'category.slug', 'frame_material', 'colour',
  'wheels.id', 'tyre.id', 'groupset.id', 'saddle', 'handlebars'
]

/** The fields by which version 2.1 sorts bikes. */
export const sortableBikeFields = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating',
  'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated', 'id'
]

const detailedBikeColumns = [
  'title', 'brand', 'year', 'price', 'weight_kg', 'rating', 'review_count', 'category.slug',
  'view_count', 'favorites_count', 'date_added', 'date_updated'
]

const rangeFilterFields = [
  'year', 'price', 'weight_kg', 'rating', 'review_count', 'view_count', 'favorites_count', 'date_added', 'date_updated'
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
  ...rangeFilterFields.flatMap(range)
]

/** Everything that is true of one list alone. What follows from the schema of its records is derived from it. */
type ListRow = {
  path: string
  /** The name in the response to OPTIONS. */
  name: string
  /** The name in navigation and titles. */
  shortName: string
  /** The name of one record. */
  noun: string
  about: string
  /** The clauses of docs/contract.md that state the fields of its records. */
  clause: string
  /** Whether the specification shows only some of the fields. */
  isPartlyStated?: true
  /** The paths of the fields that a browsable page shows in its table, besides the id. */
  columns: readonly string[]
  sortable: readonly string[]
  filters: readonly FilterRow[]
  access: 'public' | 'token'
  /** The `max-age` of a response, in seconds; null where caches must revalidate. */
  maxAge: number | null
  /** Whether the specification states it (contract S20, S21). */
  isAgeStated: boolean
}

/** The `max-age` of a list, in minutes, stated (contract S20, S21) or chosen (contract D17). */
const stated = (minutes: number) => ({ maxAge: 60 * minutes, isAgeStated: true })
const chosen = (minutes: number) => ({ maxAge: 60 * minutes, isAgeStated: false })

type Texts = Omit<ListRow, 'maxAge' | 'isAgeStated' | 'sortable' | 'filters' | 'access'>

const publicList = (texts: Texts, age: ReturnType<typeof stated>, ...sortable: string[]): ListRow =>
  ({ ...texts, ...age, sortable, filters: [], access: 'public' })

/** A list of components of which the specification shows nothing but brand and model. */
const makes = (noun: string, singular: string): ListRow => publicList({
  path: `/api/v1/${noun}s/`,
  name: `${singular} List`,
  shortName: `${singular}s`,
  noun,
  about: `${singular}s by brand and model.`,
  clause: 'S26, S33', isPartlyStated: true, columns: ['brand', 'model']
}, chosen(5))

const listRows: Readonly<Record<ListKey, ListRow>> = {
  bikes: publicList({
    path: '/api/v1/bikes/', name: 'Bike List', shortName: 'Bikes', noun: 'bike',
    about: 'Every bike, with its wheels, tyre and groupset in full.', clause: 'S26, S27, S28', columns: bikeColumns
  }, stated(2), 'title'),
  featured: publicList({
    path: '/api/v1/bikes/featured/', name: 'Featured Bike List', shortName: 'Featured', noun: 'bike',
    about: 'The bikes whose is_featured is true.', clause: 'S26, S27, S28', columns: bikeColumns
  }, chosen(2)),
  wheels: publicList({
    path: '/api/v1/wheels/', name: 'Wheel List', shortName: 'Wheels', noun: 'wheel',
    about: 'Wheels by the pair: rims, spokes, axles and weight.', clause: 'S26, S29',
    columns: [
      'brand_name', 'model_name', 'brake_type', 'rimdepth', 'spokecount', 'axlesizeF', 'axlesizeR', 'weight_grams'
    ]
  }, stated(5), 'brand_name'),
  tyres: publicList({
    path: '/api/v1/tyres/', name: 'Tyre List', shortName: 'Tyres', noun: 'tyre',
    about: 'Tyres with their widths, treads and protection.', clause: 'S26, S30',
    columns: ['brand_name', 'model_name', 'width', 'colour', 'tread_pattern', 'puncture_resistance', 'weight_grams']
  }, stated(5), 'brand_name'),
  chains: publicList({
    path: '/api/v1/chains/', name: 'Chain List', shortName: 'Chains', noun: 'chain',
    about: 'Chains, and a belt that stands in for one.', clause: 'S26, S31',
    columns: ['brand_name', 'model_name', 'speed_compatibility', 'links_count', 'colour']
  }, stated(5), 'brand_name'),
  groupsets: publicList({
    path: '/api/v1/groupsets/', name: 'Groupset List', shortName: 'Groupsets', noun: 'groupset',
    about: 'Groupsets, each with its chain.', clause: 'S26, S32',
    columns: [
      'brand_name', 'model_name', 'speed', 'is_electronic', 'Chainring_sizes', 'rotor_size', 'chain.id', 'weight_grams'
    ]
  }, stated(5), 'brand_name'),
  brakes: makes('brake', 'Brake'),
  saddles: makes('saddle', 'Saddle'),
  handlebars: makes('handlebar', 'Handlebar'),
  bikesV2: {
    path: '/api/v2/bikes/', name: 'Bike List', shortName: 'Bikes (v2.1)', noun: 'bike',
    about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.', clause: 'D34',
    columns: detailedBikeColumns,
    sortable: sortableBikeFields,
    filters: bikeFilters,
    access: 'token',
    maxAge: null,
    isAgeStated: false
  }
}

export type Resource = Omit<ListRow, 'filters'> & {
  /** Its name in the catalogue. */
  key: ListKey
  /** The schema of its records. */
  record: TObject
  filters: Filters
}

function createResource (key: ListKey): Resource {
  const row = listRows[key]
  const record = records[key]
  return { ...row, key, record, filters: filtersOf(row.filters, record) }
}

/** Every list, in the order of the specification's table. */
export const resources: readonly Resource[] = (Object.keys(listRows) as ListKey[]).map(createResource)

export const accessOf = new Map(resources.map(({ path, access }) => [path, access]))

/** A resource as a server serves it: in the form of its catalogue, unless settings have another. */
export type ServedResource = Resource & {
  paginate: 'always' | 'on-request' | 'never'
  pageSize: number
  /** Whether page_size is obeyed. */
  pageSizeParameter: boolean
  /** The largest page_size. */
  maxPageSize: number
  source: ListSource
  /** Whether settings leave the form of pages to the source. */
  hasOwnForm: boolean
}

/** Settings that override the form of a source. */
export type PageSettings = { paginate?: ServedResource['paginate'] | undefined, pageSize?: number | undefined }

/** Settings for which caches must revalidate. */
export type CacheSettings = { watch: boolean, simulate: boolean }

/** The source of lists in the contract's form. */
const contractSource: ListSource = { form: {} }

export function servedResource (
  resource: Resource,
  settings: PageSettings,
  { sources }: Pick<Catalogue, 'sources'>
): ServedResource {
  const { key, sortable } = resource
  const source = sources?.[key] ?? contractSource
  const { form } = source
  const own = new Set(sortable)
  for (const [field, isSorted] of form.sorts ?? []) {
    if (isSorted) own.add(field)
    else own.delete(field)
  }
  return {
    ...resource,
    sortable: [...own],
    paginate: settings.paginate ?? form.paginate ?? 'on-request',
    pageSize: settings.pageSize ?? form.pageSize ?? defaultPageSize,
    pageSizeParameter: form.pageSizeParameter ?? true,
    maxPageSize: form.maxPageSize ?? maxPageSize,
    source,
    hasOwnForm: settings.paginate === undefined && settings.pageSize === undefined
  }
}

/**
 * Returns the `max-age` of a list in seconds; null where caches must revalidate, as they must for data that is watched
 * or simulated.
 */
export function maxAgeOf (
  { maxAge }: Resource, { watch, simulate }: CacheSettings
): number | null {
  return watch || simulate ? null : maxAge
}

export const cacheControlOf = (maxAge: number | null) =>
  maxAge === null ? 'private, no-cache' : `public, max-age=${maxAge}`

/** Returns the body of OPTIONS of a list: DRF's SimpleMetadata (contract F7). */
export function metadataOf ({ name }: Pick<Resource, 'name'>): Metadata {
  const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return { name, description: '', renders: Object.values(formats), parses }
}
