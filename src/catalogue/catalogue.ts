import type { StoredBike, StoredBikeDetail, StoredCategory, StoredGroupset, StoredPartDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import type { DetailedBike, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { PictureFile } from '../../schemas/v2/picture.ts'
import type { FilesV1, FilesV2 } from './check.ts'
import type { DataFile } from './files.ts'
import { fullPictures, type Picture, type Pictures } from './pictures.ts'

/** The records of v1, linked, deep frozen and in ascending id order. */
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

/** A crankset, saddle, handlebar or pair of brakes with its weight and measurements. */
export type DetailedPart = NonNullable<DetailedBike['components']['crankset']>

/** The fields that v2.1 adds to the records of v1; those of bikes are as stored, not frozen. */
export type Details = Readonly<Record<'cranksets' | 'saddles' | 'handlebars' | 'brakes', ReadonlyMap<number | null, DetailedPart>>> & {
  readonly bikes: ReadonlyMap<number | null, StoredBikeDetail>
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
  /** 12 hexadecimal digits that change with every data file. */
  readonly digest: string
  readonly bikesById: ReadonlyMap<number, Bike>
  /** The bikes of each brand in ascending id order, by its `brandKey`. */
  readonly bikesByBrand: ReadonlyMap<string, readonly Bike[]>
  readonly details: Details
  /** The data directory's own pictures, by their paths: `/media/bikes/<slug>.jpg`. */
  readonly pictures: ReadonlyMap<string, Picture>
  /** One line for each file of the data directory that is not served. */
  readonly warnings: readonly string[]
}

type Identified = { readonly id: number }

const noReviews: unknown[] = []

/** Returns the lists of files without faults. */
export function linkV1 (files: FilesV1): Lists {
  const wheels = recordsOf<Wheel>(files.wheels)
  const tyres = recordsOf<Tyre>(files.tyres)
  const chains = recordsOf<Chain>(files.chains)
  const chainsById = byId(chains)
  const groupsets = recordsOf<StoredGroupset>(files.groupsets)
    .map((stored): Groupset => link(stored, { chain: chainsById.get(stored.chain) as Chain }))
  const [wheelsById, tyresById, groupsetsById] = [byId(wheels), byId(tyres), byId(groupsets)]
  const bikes = recordsOf<StoredBike>(files.bikes).map((stored): Bike => link(stored, {
    wheels: wheelsById.get(stored.wheels) ?? null,
    tyre: tyresById.get(stored.tyre) ?? null,
    groupset: groupsetsById.get(stored.groupset) ?? null,
    rating: null,
    reviews: noReviews,
    weight_kg: null
  }))
  return deepFreeze({
    bikes,
    wheels,
    tyres,
    chains,
    groupsets,
    brakes: recordsOf<Brake>(files.brakes),
    saddles: recordsOf<Saddle>(files.saddles),
    handlebars: recordsOf<Handlebar>(files.handlebars),
    cranksets: recordsOf<Crankset>(files.cranksets)
  })
}

/** Puts parts in place of their ids; copies of all records would take twice the memory. */
function link<Stored extends object, Parts extends object> (stored: Stored, parts: Parts): Omit<Stored, keyof Parts> & Parts {
  return Object.assign(stored, parts)
}

/** Returns the records of a valid file in ascending id order. */
function recordsOf<Stored extends Identified> ({ records }: DataFile): Stored[] {
  return [...records as readonly Stored[]].sort((a, b) => a.id - b.id)
}

function byId<Record extends Identified> (records: readonly Record[]): ReadonlyMap<number | null, Record> {
  return new Map(records.map(record => [record.id, record]))
}

function deepFreeze<Value> (value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const name in value) deepFreeze(value[name])
  return Object.freeze(value)
}

/** Returns the details that valid files of v2 add to the lists of v1. */
export function linkV2 (lists: Lists, files: FilesV2, { pictures }: Pictures): Details {
  const categories = files.categories.records as readonly StoredCategory[]
  return Object.freeze({
    bikes: byId(files.bikes.records as readonly StoredBikeDetail[]),
    cranksets: linkParts(lists.cranksets, files.cranksets),
    saddles: linkParts(lists.saddles, files.saddles),
    handlebars: linkParts(lists.handlebars, files.handlebars),
    brakes: linkParts(lists.brakes, files.brakes),
    categories: new Map(categories.map(({ slug, specifications }) => [slug, deepFreeze(specifications)])),
    pictures: fullPictures(pictures)
  })
}

/** Adds weights and measurements to parts; returns them by id. */
function linkParts (parts: readonly Crankset[], { records }: DataFile): ReadonlyMap<number | null, DetailedPart> {
  const details = byId(records as readonly StoredPartDetail[])
  return byId(parts.map(part => deepFreeze({ ...part, ...details.get(part.id) as StoredPartDetail })))
}
