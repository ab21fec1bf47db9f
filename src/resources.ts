import type { TObject } from '@sinclair/typebox'
import { Bike } from '../schemas/v1/bike.ts'
import { Chain } from '../schemas/v1/chain.ts'
import { Groupset } from '../schemas/v1/groupset.ts'
import { Brake, Handlebar, Saddle } from '../schemas/v1/make.ts'
import { Tyre } from '../schemas/v1/tyre.ts'
import { Wheel } from '../schemas/v1/wheel.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Fields } from './list/table.ts'

/** One list of the contract: what differs from the other lists stands here and nowhere else. */
export type Resource = {
  /** The name that OPTIONS gives the list. */
  name: string
  path: string
  /** The schema of a record. */
  record: TObject
  /** Gives the records, in ascending id order. */
  records: (catalogue: Catalogue) => readonly object[]
  /** How the fields that a query can name are found. */
  fields: Fields<never>
  sortable: readonly string[]
  /** How long a cache may keep an answer, in seconds. */
  maxAge: number
}

const twoMinutes = 120
const fiveMinutes = 300

function list<T extends object> (name: string, path: string, record: TObject, maxAge: number, records: (catalogue: Catalogue) => readonly T[], fields: Fields<T> = {}): Resource {
  return { name, path, record, maxAge, records, fields, sortable: Object.keys(fields) }
}

const byTitle: Fields<Bike> = { title: bike => bike.title }
const byBrand: Fields<{ brand_name: string }> = { brand_name: part => part.brand_name }

/** The public lists, in the order of the specification's table. */
export const resources: readonly Resource[] = [
  list('Bike List', '/api/v1/bikes/', Bike, twoMinutes, ({ bikes }) => bikes, byTitle),
  list('Featured Bike List', '/api/v1/bikes/featured/', Bike, twoMinutes, ({ bikes }) => bikes.filter(bike => bike.is_featured)),
  list('Wheel List', '/api/v1/wheels/', Wheel, fiveMinutes, ({ wheels }) => wheels, byBrand),
  list('Tyre List', '/api/v1/tyres/', Tyre, fiveMinutes, ({ tyres }) => tyres, byBrand),
  list('Chain List', '/api/v1/chains/', Chain, fiveMinutes, ({ chains }) => chains, byBrand),
  list('Groupset List', '/api/v1/groupsets/', Groupset, fiveMinutes, ({ groupsets }) => groupsets, byBrand),
  list('Brake List', '/api/v1/brakes/', Brake, fiveMinutes, ({ brakes }) => brakes),
  list('Saddle List', '/api/v1/saddles/', Saddle, fiveMinutes, ({ saddles }) => saddles),
  list('Handlebar List', '/api/v1/handlebars/', Handlebar, fiveMinutes, ({ handlebars }) => handlebars)
]
