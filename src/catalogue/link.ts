import type { StoredBike, StoredBikeDetail, StoredCategory, StoredGroupset, StoredPartDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import type { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import type { Tyre } from '../../schemas/v1/tyre.ts'
import type { Wheel } from '../../schemas/v1/wheel.ts'
import { detailBikes, type DetailedPart, type Details } from './detail.ts'
import type { StoredLists } from './files.ts'
import { fullPictures, type Pictures } from './pictures.ts'
import type { List } from './source.ts'

/** The lists of authored data, in ascending id order. */
export type AuthoredLists = ReturnType<typeof linkLists>

type Identified = { readonly id: number }

const noReviews: unknown[] = []

/** Returns the lists of data without faults; bikes and groupsets share the records of their parts. */
export function linkLists (stored: StoredLists, pictures: Pictures['pictures']) {
  const wheels = recordsOf<Wheel>(stored['v1/wheels'])
  const tyres = recordsOf<Tyre>(stored['v1/tyres'])
  const chains = recordsOf<Chain>(stored['v1/chains'])
  const chainsById = byId(chains)
  const groupsets = recordsOf<StoredGroupset>(stored['v1/groupsets'])
    .map((stored): Groupset => link(stored, { chain: chainsById.get(stored.chain) as Chain }))
  const [wheelsById, tyresById, groupsetsById] = [byId(wheels), byId(tyres), byId(groupsets)]
  const bikes = recordsOf<StoredBike>(stored['v1/bikes']).map((stored): Bike => link(stored, {
    wheels: wheelsById.get(stored.wheels) ?? null,
    tyre: tyresById.get(stored.tyre) ?? null,
    groupset: groupsetsById.get(stored.groupset) ?? null,
    rating: null,
    reviews: noReviews,
    weight_kg: null
  }))
  const brakes = recordsOf<Brake>(stored['v1/brakes'])
  const saddles = recordsOf<Saddle>(stored['v1/saddles'])
  const handlebars = recordsOf<Handlebar>(stored['v1/handlebars'])
  const cranksets = recordsOf<Crankset>(stored['v1/cranksets'])
  const categories = stored['v2/categories'].rows.map(({ record }) => record as StoredCategory)
  const details: Details = {
    bikes: byId(recordsOf<StoredBikeDetail>(stored['v2/bikes'])),
    cranksets: linkParts(cranksets, stored['v2/cranksets']),
    saddles: linkParts(saddles, stored['v2/saddles']),
    handlebars: linkParts(handlebars, stored['v2/handlebars']),
    brakes: linkParts(brakes, stored['v2/brakes']),
    categories: new Map(categories.map(({ slug, specifications }) => [slug, specifications])),
    pictures: fullPictures(pictures)
  }
  return {
    bikes,
    featured: bikes.filter(bike => bike.is_featured),
    wheels,
    tyres,
    chains,
    groupsets,
    brakes,
    saddles,
    handlebars,
    cranksets,
    bikesV2: detailBikes(bikes, details)
  }
}

/** Puts parts in place of their ids; copies of all records would take twice the memory. */
function link<Stored extends object, Parts extends object> (stored: Stored, parts: Parts): Omit<Stored, keyof Parts> & Parts {
  return Object.assign(stored, parts)
}

/** Returns the records of a valid list in ascending id order. */
function recordsOf<Stored extends Identified> ({ rows }: List): Stored[] {
  return rows.map(({ record }) => record as Stored).sort((a, b) => a.id - b.id)
}

function byId<Record extends Identified> (records: readonly Record[]): ReadonlyMap<number | null, Record> {
  return new Map(records.map(record => [record.id, record]))
}

/** Adds weights and measurements to parts; returns them by id. */
function linkParts (parts: readonly Crankset[], list: List): ReadonlyMap<number | null, DetailedPart> {
  const details = byId(recordsOf<StoredPartDetail>(list))
  return byId(parts.map(part => ({ ...part, ...details.get(part.id) as StoredPartDetail })))
}
