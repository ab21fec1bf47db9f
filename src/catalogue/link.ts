import { setImmediate } from 'node:timers/promises'
import type { Static, TObject } from '@sinclair/typebox'
import type { StoredBike, StoredBikeDetail, StoredCategory, StoredGroupset, StoredPartDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import type { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import type { DetailedPart, Details, Lists } from './catalogue.ts'
import type { FilesV1, FilesV2 } from './check.ts'
import type { DataFile } from './files.ts'
import { fullPictures, type Pictures } from './pictures.ts'

type Identified = { readonly id: number }
type Linked<Record> = ReadonlyMap<number | null, Record>

/** The lists of files without faults. */
export async function linkV1 (files: FilesV1): Promise<Lists> {
  const wheels = await sameRecords(files.wheels, Wheel)
  const tyres = await sameRecords(files.tyres, Tyre)
  const chains = await sameRecords(files.chains, Chain)
  const chainsById = byId(chains)
  const groupsets = await linkRecords(files.groupsets, (stored: StoredGroupset) => linkGroupset(stored, chainsById))
  const parts = { wheels: byId(wheels), tyres: byId(tyres), groupsets: byId(groupsets) }

  return {
    bikes: await linkRecords(files.bikes, (stored: StoredBike) => linkBike(stored, parts)),
    wheels,
    tyres,
    chains,
    groupsets,
    brakes: await sameRecords(files.brakes, Brake),
    saddles: await sameRecords(files.saddles, Saddle),
    handlebars: await sameRecords(files.handlebars, Handlebar),
    cranksets: await sameRecords(files.cranksets, Crankset)
  }
}

/** How many records are linked before requests have a turn. */
const linkedAtOnce = 10_000

/** The valid records of a file, each in its final form and frozen, in ascending id order. */
async function linkRecords<Stored, Final extends Identified> (file: DataFile, link: (stored: Stored) => Final): Promise<readonly Final[]> {
  const records: Readonly<Final>[] = []
  for (const stored of file.records as readonly Stored[]) {
    if (records.length % linkedAtOnce === 0) await setImmediate()
    records.push(Object.freeze(link(stored)))
  }
  return Object.freeze(records.sort((a, b) => a.id - b.id))
}

/** The records that are stored as they are served, but for the order of their fields. */
function sameRecords<Schema extends TObject> (file: DataFile, schema: Schema) {
  const fields = Object.keys(schema.properties)
  return linkRecords(file, (stored: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(fields.map(field => [field, stored[field]])) as Static<Schema> & Identified)
}

function byId<Record extends Identified> (records: readonly Record[]): Linked<Record> {
  return new Map(records.map(record => [record.id, record]))
}

function linkGroupset (stored: StoredGroupset, chains: Linked<Chain>): Groupset {
  return {
    id: stored.id,
    chain: chains.get(stored.chain) as Chain,
    image_url: stored.image_url,
    images: stored.images,
    model_name: stored.model_name,
    brand_name: stored.brand_name,
    rotor_size: stored.rotor_size,
    Chainring_sizes: stored.Chainring_sizes,
    other: stored.other,
    chainring_other: stored.chainring_other,
    speed: stored.speed,
    weight_grams: stored.weight_grams,
    is_electronic: stored.is_electronic,
    crankset_ref: stored.crankset_ref
  }
}

type Parts = {
  readonly wheels: Linked<Wheel>
  readonly tyres: Linked<Tyre>
  readonly groupsets: Linked<Groupset>
}

const noReviews: unknown[] = []
Object.freeze(noReviews)

/** Puts the wheels, tyre and groupset in place of their ids; a literal is by far the fastest way to 100,000 objects of one shape. */
function linkBike (stored: StoredBike, { wheels, tyres, groupsets }: Parts): Bike {
  Object.freeze(stored.similar_bikes)
  return {
    id: stored.id,
    category: Object.freeze({ slug: stored.category.slug, name: stored.category.name }),
    wheels: wheels.get(stored.wheels) ?? null,
    tyre: tyres.get(stored.tyre) ?? null,
    groupset: groupsets.get(stored.groupset) ?? null,
    rating: null,
    review_count: stored.review_count,
    image_url: stored.image_url,
    reviews: noReviews,
    title: stored.title,
    slug: stored.slug,
    description: stored.description,
    brand: stored.brand,
    model_name: stored.model_name,
    year: stored.year,
    featured_image: stored.featured_image,
    images: stored.images,
    colour: stored.colour,
    frame_material: stored.frame_material,
    frame_size: stored.frame_size,
    weight_kg: null,
    bike_type: stored.bike_type,
    chainring_sizes: stored.chainring_sizes,
    chainring_other: stored.chainring_other,
    status: stored.status,
    date_added: stored.date_added,
    date_updated: stored.date_updated,
    is_featured: stored.is_featured,
    view_count: stored.view_count,
    favorites_count: stored.favorites_count,
    meta_description: stored.meta_description,
    meta_keywords: stored.meta_keywords,
    fitness_gear_id: stored.fitness_gear_id,
    fitness_lifetime_distance: stored.fitness_lifetime_distance,
    fitness_last_synced: stored.fitness_last_synced,
    crankset_ref: stored.crankset_ref,
    saddle: stored.saddle,
    handlebars: stored.handlebars,
    added_by: stored.added_by,
    similar_bikes: stored.similar_bikes
  }
}

function deepFreeze<Value> (value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** The whole records of parts by id; all parts that are known by their make have the same fields. */
function linkParts (parts: readonly Crankset[], file: DataFile): ReadonlyMap<number | null, DetailedPart> {
  const stored = new Map((file.records as readonly StoredPartDetail[]).map(record => [record.id, record]))
  return new Map(parts.map(part => {
    const { weight_grams, measurements } = stored.get(part.id) as StoredPartDetail
    return [part.id, deepFreeze({ ...part, weight_grams, measurements })]
  }))
}

/** What files of v2 without faults add to the lists of v1. */
export function linkV2 (lists: Lists, files: FilesV2, { pictures }: Pictures): Details {
  const bikes = files.bikes.records as readonly StoredBikeDetail[]
  const categories = files.categories.records as readonly StoredCategory[]
  return Object.freeze({
    bikes: new Map(bikes.map(bike => [bike.id, bike])),
    cranksets: linkParts(lists.cranksets, files.cranksets),
    saddles: linkParts(lists.saddles, files.saddles),
    handlebars: linkParts(lists.handlebars, files.handlebars),
    brakes: linkParts(lists.brakes, files.brakes),
    categories: new Map(categories.map(({ slug, specifications }) => [slug, deepFreeze(specifications)])),
    pictures: fullPictures(pictures)
  })
}
