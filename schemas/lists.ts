import { Bike } from './v1/bike.ts'
import { Chain } from './v1/chain.ts'
import { Groupset } from './v1/groupset.ts'
import { Brake, Handlebar, Saddle } from './v1/make.ts'
import { Tyre } from './v1/tyre.ts'
import { Wheel } from './v1/wheel.ts'
import { DetailedBike } from './v2/bike.ts'

/** The schema of a record of each list; `bikesV2` is the list of version 2.1. */
export const records = {
  bikes: Bike,
  featured: Bike,
  wheels: Wheel,
  tyres: Tyre,
  chains: Chain,
  groupsets: Groupset,
  brakes: Brake,
  saddles: Saddle,
  handlebars: Handlebar,
  bikesV2: DetailedBike
}

export type ListKey = keyof typeof records
