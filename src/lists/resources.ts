import type { TObject } from '@sinclair/typebox'
import type { Metadata } from '../../schemas/answers.ts'
import { Bike } from '../../schemas/v1/bike.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { DetailedBike } from '../../schemas/v2/bike.ts'
import { bikeFields, bikeFilters, sortableBikeFields } from './fields.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { detailBike } from '../catalogue/detail.ts'
import { formats } from '../http/negotiation.ts'
import type { Filters } from './filter.ts'
import type { Fields } from './table.ts'

/** The differences between lists but for their HTML, which `pages` has by key. */
type Row = {
  /** The name in the response to OPTIONS. */
  name: string
  /** The name for navigation. */
  shortName: string
  /** One sentence of description. */
  about: string
  path: string
  /** The name of the schema of a record. */
  recordName: string
  /** The schema of a record. */
  record: TObject
  /** The records, in ascending id order. */
  records: (catalogue: Catalogue) => readonly object[]
  /** Returns a record as it is served. */
  present: (catalogue: Catalogue, record: never) => object
  /** Returns the fields that a query can name. */
  fields: (catalogue: Catalogue) => Fields<never>
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

type Description = Pick<Row, 'name' | 'shortName' | 'about' | 'path' | 'recordName' | 'record' | 'maxAge' | 'isAgeStated'>

function publicList<T extends object> (row: Description, records: (catalogue: Catalogue) => readonly T[], fields: Fields<T> = {}): Row {
  const sortable = Object.keys(fields)
  return { ...row, records, present: (_, record) => record, fields: () => fields, sortable, filters: {}, access: 'public' }
}

const byBrand: Fields<{ brand_name: string }> = { brand_name: part => part.brand_name }

const rows = {
  bikes: {
    ...publicList({
      name: 'Bike List', shortName: 'Bikes', about: 'Every bike, with its wheels, tyre and groupset in full.',
      path: '/api/v1/bikes/', recordName: 'Bike', record: Bike, ...stated(2)
    }, ({ bikes }) => bikes),
    fields: bikeFields,
    sortable: ['title']
  },
  featured: publicList({
    name: 'Featured Bike List', shortName: 'Featured', about: 'The bikes that the catalogue puts in its window, in its own order.',
    path: '/api/v1/bikes/featured/', recordName: 'Bike', record: Bike, ...chosen(2)
  }, ({ bikes }) => bikes.filter(bike => bike.is_featured)),
  wheels: publicList({
    name: 'Wheel List', shortName: 'Wheels', about: 'Wheels by the pair: rims, spokes, axles and weight.',
    path: '/api/v1/wheels/', recordName: 'Wheel', record: Wheel, ...stated(5)
  }, ({ wheels }) => wheels, byBrand),
  tyres: publicList({
    name: 'Tyre List', shortName: 'Tyres', about: 'Tyres with their widths, treads and protection.',
    path: '/api/v1/tyres/', recordName: 'Tyre', record: Tyre, ...stated(5)
  }, ({ tyres }) => tyres, byBrand),
  chains: publicList({
    name: 'Chain List', shortName: 'Chains', about: 'Chains, and a belt that stands in for one.',
    path: '/api/v1/chains/', recordName: 'Chain', record: Chain, ...stated(5)
  }, ({ chains }) => chains, byBrand),
  groupsets: publicList({
    name: 'Groupset List', shortName: 'Groupsets', about: 'Groupsets, each with its chain.',
    path: '/api/v1/groupsets/', recordName: 'Groupset', record: Groupset, ...stated(5)
  }, ({ groupsets }) => groupsets, byBrand),
  brakes: publicList({
    name: 'Brake List', shortName: 'Brakes', about: 'Brakes by their make.',
    path: '/api/v1/brakes/', recordName: 'Brake', record: Brake, ...chosen(5)
  }, ({ brakes }) => brakes),
  saddles: publicList({
    name: 'Saddle List', shortName: 'Saddles', about: 'Saddles by their make.',
    path: '/api/v1/saddles/', recordName: 'Saddle', record: Saddle, ...chosen(5)
  }, ({ saddles }) => saddles),
  handlebars: publicList({
    name: 'Handlebar List', shortName: 'Handlebars', about: 'Handlebars by their make.',
    path: '/api/v1/handlebars/', recordName: 'Handlebar', record: Handlebar, ...chosen(5)
  }, ({ handlebars }) => handlebars),
  bikesV2: {
    name: 'Bike List', shortName: 'Bikes 2.1',
    about: 'Every bike in comprehensive detail: prices, weights, reviews, measurements, related bikes.',
    path: '/api/v2/bikes/', recordName: 'DetailedBike', record: DetailedBike, maxAge: null, isAgeStated: false,
    records: ({ bikes }) => bikes,
    present: detailBike,
    fields: bikeFields,
    sortable: sortableBikeFields,
    filters: bikeFilters,
    access: 'token'
  }
} satisfies Record<string, Row>

/** The name of a list in the code, for tables of type `Record<ResourceKey, …>`. */
export type ResourceKey = keyof typeof rows

/** One list of the contract. */
export type Resource = Row & { key: ResourceKey }

/** Every list, in the order of the specification's table. */
export const resources: readonly Resource[] = (Object.keys(rows) as ResourceKey[]).map(key => ({ key, ...rows[key] }))

/** Returns a record as its list serves it. */
export function present (resource: Resource, catalogue: Catalogue, record: object): object {
  return resource.present(catalogue, record as never)
}

/** Returns the body of OPTIONS of a list: DRF's SimpleMetadata (contract F7). */
export function metadataOf ({ name }: Pick<Resource, 'name'>): Metadata {
  const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return { name, description: '', renders: Object.values(formats), parses }
}
