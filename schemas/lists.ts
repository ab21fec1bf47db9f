import * as schemas from './index.ts'

/** The schema of a record of each list; `bikesV2` is the list of version 2.1. */
export const records = {
  bikes: schemas.Bike,
  featured: schemas.Bike,
  wheels: schemas.Wheel,
  tyres: schemas.Tyre,
  chains: schemas.Chain,
  groupsets: schemas.Groupset,
  brakes: schemas.Brake,
  saddles: schemas.Saddle,
  handlebars: schemas.Handlebar,
  bikesV2: schemas.DetailedBike
}

export type ListKey = keyof typeof records
