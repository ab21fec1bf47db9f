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

function publicList (path: string, name: string, shortName: string, about: string, age: Age, fields: Fields = {}): ListDefinition {
  return { path, name, shortName, about, ...age, fields, sortable: Object.keys(fields), filters: {}, access: 'public' }
}

const [byTitle, byBrand] = [{ title: plain('title') }, { brand_name: plain('brand_name') }]

const rows: Readonly<Record<ListKey, ListDefinition>> = {
  bikes: publicList('/api/v1/bikes/', 'Bike List', 'Bikes', 'Every bike, with its wheels, tyre and groupset in full.', stated(2), byTitle),
  featured: publicList('/api/v1/bikes/featured/', 'Featured Bike List', 'Featured', 'The featured bikes, in their own order.', chosen(2)),
  wheels: publicList('/api/v1/wheels/', 'Wheel List', 'Wheels', 'Wheels by the pair: rims, spokes, axles and weight.', stated(5), byBrand),
  tyres: publicList('/api/v1/tyres/', 'Tyre List', 'Tyres', 'Tyres with their widths, treads and protection.', stated(5), byBrand),
  chains: publicList('/api/v1/chains/', 'Chain List', 'Chains', 'Chains, and a belt that stands in for one.', stated(5), byBrand),
  groupsets: publicList('/api/v1/groupsets/', 'Groupset List', 'Groupsets', 'Groupsets, each with its chain.', stated(5), byBrand),
  brakes: publicList('/api/v1/brakes/', 'Brake List', 'Brakes', 'Brakes by brand and model.', chosen(5)),
  saddles: publicList('/api/v1/saddles/', 'Saddle List', 'Saddles', 'Saddles by brand and model.', chosen(5)),
  handlebars: publicList('/api/v1/handlebars/', 'Handlebar List', 'Handlebars', 'Handlebars by brand and model.', chosen(5)),
  bikesV2: {
    path: '/api/v2/bikes/', name: 'Bike List', shortName: 'Version 2.1',
    about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.',
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
