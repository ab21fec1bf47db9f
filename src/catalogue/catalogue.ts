import type { Bike } from '../../schemas/v1/bike.ts'
import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'

/**
 * All records, linked, deep frozen and in ascending id order; fields stand in the order of the schemas.
 *
 * Pictures are as stored, a path or a URL; bikes and groupsets share the records of their parts.
 */
export type Catalogue = {
  /** The latest `updated` of the data files. */
  readonly updated: Date
  readonly bikes: readonly Bike[]
  readonly wheels: readonly Wheel[]
  readonly tyres: readonly Tyre[]
  readonly chains: readonly Chain[]
  readonly groupsets: readonly Groupset[]
  readonly brakes: readonly Brake[]
  readonly saddles: readonly Saddle[]
  readonly handlebars: readonly Handlebar[]
  readonly cranksets: readonly Crankset[]
}
