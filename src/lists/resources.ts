import type { TObject } from '@sinclair/typebox'
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
import type { Filter } from './filter.ts'
import type { Fields } from './table.ts'

/** One list of the contract: what differs from the other lists stands here and nowhere else. */
export type Resource = {
  /** The name that OPTIONS gives the list. */
  name: string
  path: string
  /** The schema of a record. */
  record: TObject
  /** Gives the records, in ascending id order. */
  records: (catalogue: Catalogue) => readonly object[]
  /** Gives a record as it is served; without it, the record itself is. */
  present?: (catalogue: Catalogue, record: never) => object
  /** How the fields that a query can name are found. */
  fields: (catalogue: Catalogue) => Fields<never>
  sortable: readonly string[]
  filters: Readonly<Record<string, Filter>>
  access: 'public' | 'token'
  /** How long a cache may keep an answer, in seconds; null where it has to ask each time. */
  maxAge: number | null
}

const twoMinutes = 120
const fiveMinutes = 300

function publicList<T extends object> (name: string, path: string, record: TObject, maxAge: number, records: (catalogue: Catalogue) => readonly T[], fields: Fields<T> = {}): Resource {
  return { name, path, record, records, fields: () => fields, sortable: Object.keys(fields), filters: {}, access: 'public', maxAge }
}

const byTitle: Fields<Bike> = { title: bike => bike.title }
const byBrand: Fields<{ brand_name: string }> = { brand_name: part => part.brand_name }

/** Every list, in the order of the specification's table. */
export const resources: readonly Resource[] = [
  publicList('Bike List', '/api/v1/bikes/', Bike, twoMinutes, ({ bikes }) => bikes, byTitle),
  publicList('Featured Bike List', '/api/v1/bikes/featured/', Bike, twoMinutes, ({ bikes }) => bikes.filter(bike => bike.is_featured)),
  publicList('Wheel List', '/api/v1/wheels/', Wheel, fiveMinutes, ({ wheels }) => wheels, byBrand),
  publicList('Tyre List', '/api/v1/tyres/', Tyre, fiveMinutes, ({ tyres }) => tyres, byBrand),
  publicList('Chain List', '/api/v1/chains/', Chain, fiveMinutes, ({ chains }) => chains, byBrand),
  publicList('Groupset List', '/api/v1/groupsets/', Groupset, fiveMinutes, ({ groupsets }) => groupsets, byBrand),
  publicList('Brake List', '/api/v1/brakes/', Brake, fiveMinutes, ({ brakes }) => brakes),
  publicList('Saddle List', '/api/v1/saddles/', Saddle, fiveMinutes, ({ saddles }) => saddles),
  publicList('Handlebar List', '/api/v1/handlebars/', Handlebar, fiveMinutes, ({ handlebars }) => handlebars),
  {
    name: 'Bike List',
    path: '/api/v2/bikes/',
    record: DetailedBike,
    records: ({ bikes }) => bikes,
    present: detailBike,
    fields: bikeFields,
    sortable: sortableBikeFields,
    filters: bikeFilters,
    access: 'token',
    maxAge: null
  }
]
