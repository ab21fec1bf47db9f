import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { BikeSummary, DetailedBike, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { PictureFile } from '../../schemas/v2/picture.ts'

/** The records of v1, linked, deep frozen and in ascending id order; fields stand in the order of the schemas. */
export type Lists = {
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

/** What is true of a picture's file. */
export type Picture = Readonly<Omit<PictureFile, 'url'>>

/** A crankset, saddle, handlebar or pair of brakes with its weight and measurements. */
export type DetailedPart = NonNullable<DetailedBike['components']['crankset']>

/** What v2.1 adds to the records of v1; the bikes' are as stored, not frozen. */
export type Details = {
  readonly bikes: ReadonlyMap<number, StoredBikeDetail>
  readonly cranksets: ReadonlyMap<number | null, DetailedPart>
  readonly saddles: ReadonlyMap<number | null, DetailedPart>
  readonly handlebars: ReadonlyMap<number | null, DetailedPart>
  readonly brakes: ReadonlyMap<number | null, DetailedPart>
  /** What is true of all bikes of a category, by its slug. */
  readonly categories: ReadonlyMap<string, readonly SpecificationGroup[]>
  /** The files of full resolution by the path of a featured image; their `url` is a path too. */
  readonly pictures: ReadonlyMap<string, readonly PictureFile[]>
}

/**
 * All records, linked.
 *
 * Pictures are as stored, a path or a URL; bikes and groupsets share the records of their parts.
 */
export type Catalogue = Lists & {
  /** The latest `updated` of the data files. */
  readonly updated: Date
  /** 12 hexadecimal digits that any change of a data file changes. */
  readonly digest: string
  readonly bikesById: ReadonlyMap<number, Bike>
  /** The bikes of a brand that others of it name, in ascending id order, by its `brandKey`. */
  readonly namedByBrand: ReadonlyMap<string, readonly BikeSummary[]>
  readonly details: Details
  /** The data directory's own pictures, by their paths: `/media/bikes/<slug>.jpg`. */
  readonly pictures: ReadonlyMap<string, Picture>
  /** One line for each file of the data directory that is not served. */
  readonly warnings: readonly string[]
}
