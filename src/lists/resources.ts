import type { TObject } from '@sinclair/typebox'
import type { Metadata } from '../../schemas/responses.ts'
import { records, type ListKey } from '../../schemas/lists.ts'
import type { RecordedList } from '../../schemas/stored.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { bikeFields, bikeFilters, plain, sortableBikeFields } from './fields.ts'
import { formats } from '../http/negotiation.ts'
import type { Settings } from '../settings/settings.ts'
import type { Filters } from './filter.ts'
import { defaultPageSize } from './page.ts'
import type { Fields } from './table.ts'

/** The differences between lists but for their HTML, which `pages` has by key. */
type ListDefinition = {
  path: string
  /** The name in the response to OPTIONS. */
  name: string
  /** The name in navigation and titles. */
  shortName: string
  about: string
  /** The paths of the fields that a browsable page shows in its table, besides the id. */
  columns: readonly string[]
  /** The fields that a query can name. */
  fields: Fields
  sortable: readonly string[]
  filters: Filters
  access: 'public' | 'token'
  /** The `max-age` of a response, in seconds; null where caches must revalidate. */
  maxAge: number | null
  /** Whether the specification states it (contract S20, S21). */
  isAgeStated: boolean
}

/** The `max-age` of a list, in minutes, stated (contract S20, S21) or chosen (contract D17). */
const stated = (minutes: number) => ({ maxAge: 60 * minutes, isAgeStated: true })
const chosen = (minutes: number) => ({ maxAge: 60 * minutes, isAgeStated: false })

type Age = ReturnType<typeof stated>

type Texts = Pick<ListDefinition, 'path' | 'name' | 'shortName' | 'about' | 'columns'>

function publicList (texts: Texts, age: Age, fields: Fields = {}): ListDefinition {
  return { ...texts, ...age, fields, sortable: Object.keys(fields), filters: {}, access: 'public' }
}

const [byTitle, byBrand] = [{ title: plain('title') }, { brand_name: plain('brand_name') }]

const bikeColumns = [
  'title', 'brand', 'year', 'category.slug', 'frame_material', 'colour', 'wheels.id', 'tyre.id', 'groupset.id', 'saddle', 'handlebars'
]
const makeColumns = ['brand', 'model']

const rows: Readonly<Record<ListKey, ListDefinition>> = {
  bikes: publicList({
    path: '/api/v1/bikes/', name: 'Bike List', shortName: 'Bikes',
    about: 'Every bike, with its wheels, tyre and groupset in full.', columns: bikeColumns
  }, stated(2), byTitle),
  featured: publicList({
    path: '/api/v1/bikes/featured/', name: 'Featured Bike List', shortName: 'Featured',
    about: 'The featured bikes, in their own order.', columns: bikeColumns
  }, chosen(2)),
  wheels: publicList({
    path: '/api/v1/wheels/', name: 'Wheel List', shortName: 'Wheels', about: 'Wheels by the pair: rims, spokes, axles and weight.',
    columns: ['brand_name', 'model_name', 'brake_type', 'rimdepth', 'spokecount', 'axlesizeF', 'axlesizeR', 'weight_grams']
  }, stated(5), byBrand),
  tyres: publicList({
    path: '/api/v1/tyres/', name: 'Tyre List', shortName: 'Tyres', about: 'Tyres with their widths, treads and protection.',
    columns: ['brand_name', 'model_name', 'width', 'colour', 'tread_pattern', 'puncture_resistance', 'weight_grams']
  }, stated(5), byBrand),
  chains: publicList({
    path: '/api/v1/chains/', name: 'Chain List', shortName: 'Chains', about: 'Chains, and a belt that stands in for one.',
    columns: ['brand_name', 'model_name', 'speed_compatibility', 'links_count', 'colour']
  }, stated(5), byBrand),
  groupsets: publicList({
    path: '/api/v1/groupsets/', name: 'Groupset List', shortName: 'Groupsets', about: 'Groupsets, each with its chain.',
    columns: ['brand_name', 'model_name', 'speed', 'is_electronic', 'Chainring_sizes', 'rotor_size', 'chain.id', 'weight_grams']
  }, stated(5), byBrand),
  brakes: publicList({
    path: '/api/v1/brakes/', name: 'Brake List', shortName: 'Brakes', about: 'Brakes by brand and model.', columns: makeColumns
  }, chosen(5)),
  saddles: publicList({
    path: '/api/v1/saddles/', name: 'Saddle List', shortName: 'Saddles', about: 'Saddles by brand and model.', columns: makeColumns
  }, chosen(5)),
  handlebars: publicList({
    path: '/api/v1/handlebars/', name: 'Handlebar List', shortName: 'Handlebars', about: 'Handlebars by brand and model.',
    columns: makeColumns
  }, chosen(5)),
  bikesV2: {
    path: '/api/v2/bikes/', name: 'Bike List', shortName: 'Version 2.1',
    about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.',
    columns: ['title', 'brand', 'year', 'price', 'weight_kg', 'rating', 'review_count', 'category.slug', 'view_count', 'favorites_count',
      'date_added', 'date_updated'],
    fields: bikeFields, sortable: sortableBikeFields, filters: bikeFilters, access: 'token', maxAge: null, isAgeStated: false
  }
}

/** One list of the contract; `key` is its name in the catalogue, `record` the schema of its records. */
export type Resource = ListDefinition & { key: ListKey, record: TObject }

/** Every list, in the order of the specification's table. */
export const resources: readonly Resource[] = (Object.keys(rows) as ListKey[]).map(key => ({ key, record: records[key], ...rows[key] }))

/** A resource as a server serves it: a recording's form, unless settings have another. */
export type ServedResource = Resource & {
  paginate: 'always' | 'on-request' | 'never'
  pageSize: number
  /** Whether page_size is obeyed. */
  pageSizeParameter: boolean
  /** Whether any query may have a recorded envelope. */
  hasEnvelopes: boolean
  /** Headers that differ from the contract's; null for an absent one. */
  recordedHeaders: NonNullable<RecordedList['headers']>
}

/** Returns a resource as it is served from a catalogue. */
export function servedResource (
  resource: Resource, settings: Partial<Pick<Settings, 'paginate' | 'pageSize'>>, { recorded }: Partial<Pick<Catalogue, 'recorded'>> = {}
): ServedResource {
  const form: RecordedList = recorded?.[resource.key] ?? {}
  return {
    ...resource,
    sortable: form.sortable ?? resource.sortable,
    paginate: settings.paginate ?? form.paginate ?? 'on-request',
    pageSize: settings.pageSize ?? form.pageSize ?? defaultPageSize,
    pageSizeParameter: form.pageSizeParameter ?? true,
    hasEnvelopes: form.envelopes !== undefined && settings.paginate === undefined && settings.pageSize === undefined,
    recordedHeaders: form.headers ?? {}
  }
}

/** Returns the `max-age` of a list in seconds; null where caches must revalidate, as they must while data is watched. */
export const maxAgeOf = ({ maxAge }: Resource, { watch }: Pick<Settings, 'watch'>) => watch ? null : maxAge

export const cacheControlOf = (maxAge: number | null) => maxAge === null ? 'private, no-cache' : `public, max-age=${maxAge}`

/** Returns the headers of a list that a recording repeats only where they differ. */
export const contractHeaders = ({ maxAge }: Resource) => ({ 'cache-control': cacheControlOf(maxAge), vary: 'Accept' })

/** Returns the body of OPTIONS of a list: DRF's SimpleMetadata (contract F7). */
export function metadataOf ({ name }: Pick<Resource, 'name'>): Metadata {
  const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return { name, description: '', renders: Object.values(formats), parses }
}
