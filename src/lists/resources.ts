import type { TObject } from '@sinclair/typebox'
import type { Metadata } from '../../schemas/answers.ts'
import { records, type ListKey } from '../../schemas/lists.ts'
import { bikeFields, bikeFilters, plain, sortableBikeFields } from './fields.ts'
import { formats } from '../http/negotiation.ts'
import type { Settings } from '../settings/settings.ts'
import type { Filters } from './filter.ts'
import type { Fields } from './table.ts'

/** The differences between lists but for their HTML, which `pages` has by key. */
type Row = {
  /** The name in the response to OPTIONS. */
  name: string
  /** The name in navigation and titles. */
  shortName: string
  about: string
  path: string
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

type Description = Pick<Row, 'name' | 'shortName' | 'about' | 'path' | 'maxAge' | 'isAgeStated'>

function publicList (row: Description, fields: Fields = {}): Row {
  return { ...row, fields, sortable: Object.keys(fields), filters: {}, access: 'public' }
}

const byBrand = { brand_name: plain('brand_name') }

const rows = {
  bikes: publicList({
    name: 'Bike List', shortName: 'Bikes', about: 'Every bike, with its wheels, tyre and groupset in full.',
    path: '/api/v1/bikes/', ...stated(2)
  }, { title: plain('title') }),
  featured: publicList({
    name: 'Featured Bike List', shortName: 'Featured', about: 'The featured bikes, in their own order.',
    path: '/api/v1/bikes/featured/', ...chosen(2)
  }),
  wheels: publicList({
    name: 'Wheel List', shortName: 'Wheels', about: 'Wheels by the pair: rims, spokes, axles and weight.',
    path: '/api/v1/wheels/', ...stated(5)
  }, byBrand),
  tyres: publicList({
    name: 'Tyre List', shortName: 'Tyres', about: 'Tyres with their widths, treads and protection.',
    path: '/api/v1/tyres/', ...stated(5)
  }, byBrand),
  chains: publicList({
    name: 'Chain List', shortName: 'Chains', about: 'Chains, and a belt that stands in for one.',
    path: '/api/v1/chains/', ...stated(5)
  }, byBrand),
  groupsets: publicList({
    name: 'Groupset List', shortName: 'Groupsets', about: 'Groupsets, each with its chain.',
    path: '/api/v1/groupsets/', ...stated(5)
  }, byBrand),
  brakes: publicList({
    name: 'Brake List', shortName: 'Brakes', about: 'Brakes by brand and model.',
    path: '/api/v1/brakes/', ...chosen(5)
  }),
  saddles: publicList({
    name: 'Saddle List', shortName: 'Saddles', about: 'Saddles by brand and model.',
    path: '/api/v1/saddles/', ...chosen(5)
  }),
  handlebars: publicList({
    name: 'Handlebar List', shortName: 'Handlebars', about: 'Handlebars by brand and model.',
    path: '/api/v1/handlebars/', ...chosen(5)
  }),
  bikesV2: {
    name: 'Bike List', shortName: 'Version 2.1',
    about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.',
    path: '/api/v2/bikes/', maxAge: null, isAgeStated: false,
    fields: bikeFields,
    sortable: sortableBikeFields,
    filters: bikeFilters,
    access: 'token'
  }
} satisfies Record<ListKey, Row>

/** One list of the contract; `key` is its name in the catalogue, `record` the schema of its records. */
export type Resource = Row & { key: ListKey, record: TObject }

/** Every list, in the order of the specification's table. */
export const resources: readonly Resource[] = (Object.keys(rows) as ListKey[]).map(key => ({ key, record: records[key], ...rows[key] }))

/** Returns the `max-age` of a list in seconds; null where caches must revalidate, as they must while data are watched. */
export function maxAgeOf ({ maxAge }: Resource, { watch }: Pick<Settings, 'watch'>): number | null {
  return watch ? null : maxAge
}

/** Returns the body of OPTIONS of a list: DRF's SimpleMetadata (contract F7). */
export function metadataOf ({ name }: Pick<Resource, 'name'>): Metadata {
  const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return { name, description: '', renders: Object.values(formats), parses }
}
