import type { Static } from '@sinclair/typebox'
import type { records } from '../../../schemas/lists.ts'
import {
  storedV1, type StoredBike, type StoredBikeDetail, type StoredCategory, type StoredGroupset, type StoredPartDetail
} from '../../../schemas/stored.ts'
import type { Bike } from '../../../schemas/v1/bike.ts'
import type { Chain } from '../../../schemas/v1/chain.ts'
import type { Groupset } from '../../../schemas/v1/groupset.ts'
import type { Crankset } from '../../../schemas/v1/make.ts'
import type { BikeSummary, DetailedBike, SpecificationGroup } from '../../../schemas/v2/bike.ts'
import type { StoredLists } from '../files.ts'
import { groupBy } from '../../base/group.ts'
import { fullImages, type Images } from '../images.ts'
import type { List } from '../errors/source.ts'

/** The records of the files of v1, with ids in place of the parts that records share. */
type Unlinked = { [key in Exclude<keyof typeof storedV1 & keyof typeof records, 'bikes' | 'groupsets'>]: Static<typeof records[key]>[] } &
  { bikes: StoredBike[], groupsets: StoredGroupset[], cranksets: Crankset[] }

/** The lists of authored data, in ascending id order. */
export type AuthoredLists = ReturnType<typeof linkLists>

type ById<Record> = ReadonlyMap<number | null, Record>

/** The fields that v2.1 adds to the records of v1, by their ids. */
type Details = ReturnType<typeof detailsOf>

/** The most bikes of the same brand that a bike names. */
const maxSameBrand = 10

const noReviews: unknown[] = []

/** Returns the lists of data without errors; bikes and groupsets share the records of their parts. */
export function linkLists (stored: StoredLists, images: Images['images']) {
  const names = Object.keys(storedV1) as (keyof typeof storedV1)[]
  const lists = Object.fromEntries(names.map(name => [name, recordsOf(stored[`v1/${name}`])])) as Unlinked
  const chainsById = byId(lists.chains)
  const groupsets = lists.groupsets.map((stored): Groupset => link(stored, { chain: chainsById.get(stored.chain) as Chain }))
  const [wheelsById, tyresById, groupsetsById] = [byId(lists.wheels), byId(lists.tyres), byId(groupsets)]
  const bikes = lists.bikes.map((stored): Bike => link(stored, {
    wheels: wheelsById.get(stored.wheels) ?? null,
    tyre: tyresById.get(stored.tyre) ?? null,
    groupset: groupsetsById.get(stored.groupset) ?? null,
    rating: null,
    reviews: noReviews,
    weight_kg: null
  }))
  const bikesV2 = detailBikes(bikes, detailsOf(stored, lists, images))
  return { ...lists, bikes, featured: bikes.filter(bike => bike.is_featured), groupsets, bikesV2 }
}

/** Puts parts in place of their ids; copies of all records would take twice the memory. */
function link<Stored extends object, Parts extends object> (stored: Stored, parts: Parts): Omit<Stored, keyof Parts> & Parts {
  return Object.assign(stored, parts)
}

/** Returns the records of a valid list in ascending id order. */
function recordsOf<Stored extends { readonly id: number }> ({ rows }: List): Stored[] {
  return rows.map(({ record }) => record as Stored).sort((a, b) => a.id - b.id)
}

function byId<Record extends { readonly id: number }> (records: readonly Record[]): ById<Record> {
  return new Map(records.map(record => [record.id, record]))
}

type Makes = Readonly<Record<'cranksets' | 'saddles' | 'handlebars' | 'brakes', readonly Crankset[]>>

function detailsOf (stored: StoredLists, makes: Makes, images: Images['images']) {
  const linkParts = (name: keyof Makes) => {
    const details = byId(recordsOf<StoredPartDetail>(stored[`v2/${name}`]))
    return byId(makes[name].map(part => ({ ...part, ...details.get(part.id) as StoredPartDetail })))
  }
  const categories = stored['v2/categories'].rows.map(({ record }) => record as StoredCategory)
  return {
    bikes: byId(recordsOf<StoredBikeDetail>(stored['v2/bikes'])),
    cranksets: linkParts('cranksets'),
    saddles: linkParts('saddles'),
    handlebars: linkParts('handlebars'),
    brakes: linkParts('brakes'),
    categories: new Map(categories.map(({ slug, specifications }) => [slug, specifications])),
    images: fullImages(images)
  }
}

/** Returns bikes in comprehensive detail; they share the records of parts and the summaries of bikes, which saves most of their memory. */
function detailBikes (bikes: readonly Bike[], details: Details): DetailedBike[] {
  const summaries = new Map(bikes.map(bike => [bike.id, summaryOf(bike, details)]))
  const keyOf = ({ brand }: Bike) => brand.toLowerCase() // `RIBBLE` is the same brand as `Ribble`
  const brands = groupBy(bikes, keyOf)
  return bikes.map(bike => {
    const { price, weight_kg, reviews, image_formats: formats, specifications } = details.bikes.get(bike.id) as StoredBikeDetail
    const ratings = (reviews ?? []).map(({ rating }) => rating)
    const detailed = {
      price,
      components: componentsOf(details, bike),
      related: {
        similar_bikes: bike.similar_bikes.map(id => summaries.get(id) as BikeSummary),
        same_brand: (brands.get(keyOf(bike)) as Bike[]).slice(0, maxSameBrand + 1)
          .filter(({ id }) => id !== bike.id).slice(0, maxSameBrand).map(({ id }) => summaries.get(id) as BikeSummary)
      },
      usage: {
        view_count: bike.view_count,
        favorites_count: bike.favorites_count,
        fitness: {
          gear_id: bike.fitness_gear_id,
          lifetime_distance: bike.fitness_lifetime_distance,
          last_synced: bike.fitness_last_synced
        }
      },
      rating_distribution: distributionOf(ratings),
      image_formats: (formats ?? details.images.get(bike.featured_image) ?? []) as DetailedBike['image_formats'],
      specifications: [...details.categories.get(bike.category.slug) as readonly SpecificationGroup[], ...specifications],
      ...bike // at the end, because V8 would give each record a shape of its own for properties after a spread
    }
    return Object.assign(detailed, { rating: meanOf(ratings), reviews: reviews ?? [], weight_kg })
  })
}

function componentsOf (details: Details, bike: Bike): DetailedBike['components'] {
  const crankset = details.cranksets.get(bike.crankset_ref) ?? null
  const saddle = details.saddles.get(bike.saddle) ?? null
  const handlebars = details.handlebars.get(bike.handlebars) ?? null
  const brakes = details.brakes.get(details.bikes.get(bike.id)?.brakes ?? null) ?? null
  const weights = [crankset, saddle, handlebars, brakes, bike.wheels, bike.tyre, bike.groupset].map(part => part?.weight_grams ?? 0)
  return { crankset, saddle, handlebars, brakes, total_weight_grams: weights.reduce((sum, weight) => sum + weight) }
}

function summaryOf ({ id, title, description, bike_type: type, image_url }: Bike, details: Details): BikeSummary {
  return { id, name: title, price: details.bikes.get(id)?.price ?? null, description, type, image_url }
}

/** Returns the mean of ratings to one decimal, or null without any. */
function meanOf (ratings: readonly number[]): number | null {
  return ratings.length === 0 ? null : Math.round(10 * ratings.reduce((sum, rating) => sum + rating) / ratings.length) / 10
}

function distributionOf (ratings: readonly number[]): DetailedBike['rating_distribution'] {
  const counts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  for (const rating of ratings) counts[rating as 1]++
  return counts
}
