import type { Static } from '@sinclair/typebox'
import type { ListKey, records } from '../../../schemas/lists.ts'
import type { StoredBike, StoredBikeDetail, StoredGroupset, StoredPartDetail } from '../../../schemas/stored.ts'
import type { Bike } from '../../../schemas/v1/bike.ts'
import type { Chain } from '../../../schemas/v1/chain.ts'
import type { Groupset } from '../../../schemas/v1/groupset.ts'
import type { Crankset } from '../../../schemas/v1/make.ts'
import type { BikeSummary, DetailedBike, Review, SpecificationGroup } from '../../../schemas/v2/bike.ts'
import { storedLists, type StoredLists } from '../files.ts'
import { groupBy } from '../../base/group.ts'
import { fullImages, type Images } from '../images.ts'
import type { List } from '../errors/source.ts'

/** The records of the files of v1, with ids in place of the parts that records share. */
type Unlinked = { bikes: StoredBike[], groupsets: StoredGroupset[], cranksets: Crankset[] } & {
  [key in Exclude<ListKey, 'bikes' | 'featured' | 'groupsets' | 'bikesV2'>]: Static<typeof records[key]>[]
}

const maxSameBrand = 10

/** Returns lists in ascending id order. To save memory, they share the records of parts, and reuse those of files. */
export function linkLists (stored: StoredLists, images: Images['images']) {
  const entries = storedLists.map(name => {
    return [name, recordsOf(stored[`v1/${name}`])]
  })
  const lists = Object.fromEntries(entries) as Unlinked
  const chains = byId(lists.chains)
  const groupsets = lists.groupsets.map((record): Groupset => {
    const chain = chains.get(record.chain) as Chain
    return Object.assign(record, { chain })
  })
  const wheels = byId(lists.wheels)
  const tyres = byId(lists.tyres)
  const groupsetsById = byId(groupsets)
  const reviews: unknown[] = []
  const bikes = lists.bikes.map((record): Bike => Object.assign(record, {
    wheels: wheels.get(record.wheels) ?? null,
    tyre: tyres.get(record.tyre) ?? null,
    groupset: groupsetsById.get(record.groupset) ?? null,
    rating: null,
    reviews,
    weight_kg: null
  }))
  const bikesV2 = detailBikes(bikes, stored, lists, images)
  return { ...lists, bikes, featured: bikes.filter(bike => bike.is_featured), groupsets, bikesV2 }
}

/** Returns the records of a valid list in ascending id order, which a list of v2.1 shares with that of v1. */
function recordsOf<Stored extends { readonly id: number }> ({ rows }: List): Stored[] {
  return rows.map(({ record }) => record as Stored).sort((a, b) => a.id - b.id)
}

function byId<Record extends { readonly id: number }> (records: readonly Record[]): ReadonlyMap<number | null, Record> {
  return new Map(records.map(record => [record.id, record]))
}

type Makes = Readonly<Record<'cranksets' | 'saddles' | 'handlebars' | 'brakes', readonly Crankset[]>>

/** Returns bikes in comprehensive detail. To save memory, they share the records of parts and summaries of bikes. */
function detailBikes (
  bikes: readonly Bike[], stored: StoredLists, makes: Makes, images: Images['images']
): DetailedBike[] {
  const details = recordsOf<StoredBikeDetail>(stored['v2/bikes'])
  const partsOf = (name: keyof Makes) => {
    const additions = recordsOf<StoredPartDetail>(stored[`v2/${name}`]) // in ascending id order, as the parts are
    return byId(makes[name].map((part, index) => ({ ...part, ...additions[index] as StoredPartDetail })))
  }
  const cranksets = partsOf('cranksets')
  const saddles = partsOf('saddles')
  const handlebars = partsOf('handlebars')
  const brakes = partsOf('brakes')
  const specifications = new Map(stored['v2/categories'].rows.map(({ record }) => {
    return [record['slug'], record['specifications']]
  }))
  const formats = fullImages(images)
  const detailAt = (index: number) => details[index] as StoredBikeDetail
  const summaries = byId(bikes.map((bike, index): BikeSummary => {
    const { id, title: name, description, bike_type: type, image_url } = bike
    return { id, name, price: detailAt(index).price, description, type, image_url }
  }))
  const summariesOf = (ids: readonly number[]) => ids.map(id => summaries.get(id) as BikeSummary)
  const brands = groupBy(bikes, brandOf)

  return bikes.map((bike, index) => {
    const detail = detailAt(index)
    const components = {
      crankset: cranksets.get(bike.crankset_ref) ?? null,
      saddle: saddles.get(bike.saddle) ?? null,
      handlebars: handlebars.get(bike.handlebars) ?? null,
      brakes: brakes.get(detail.brakes) ?? null
    }
    let weight = 0
    const weighed = [...Object.values(components), bike.wheels, bike.tyre, bike.groupset]
    for (const part of weighed) weight += part?.weight_grams ?? 0
    const sameBrand = brands.get(brandOf(bike)) as Bike[]
    const otherIds = sameBrand.slice(0, maxSameBrand + 1).map(({ id }) => id).filter(id => id !== bike.id)
    const reviews = detail.reviews ?? []
    const { rating, counts } = ratingOf(reviews)
    const detailed = {
      price: detail.price,
      components: { ...components, total_weight_grams: weight },
      related: {
        similar_bikes: summariesOf(bike.similar_bikes),
        same_brand: summariesOf(otherIds.slice(0, maxSameBrand))
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
      rating_distribution: counts,
      image_formats: [...detail.image_formats ?? formats.get(bike.featured_image) ?? []],
      specifications: [...specifications.get(bike.category.slug) as SpecificationGroup[], ...detail.specifications],
      ...bike // at the end, because V8 would give each record a shape of its own for properties after a spread
    }
    return Object.assign(detailed, { rating, reviews, weight_kg: detail.weight_kg })
  })
}

const brandOf = ({ brand }: Bike) => brand.toLowerCase() // `RIBBLE` is the same brand as `Ribble`

/** Returns the mean of ratings to one decimal, or null without any, and their numbers. */
function ratingOf (reviews: readonly Review[]): { rating: number | null, counts: DetailedBike['rating_distribution'] } {
  const counts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  let sum = 0
  for (const { rating } of reviews) {
    counts[rating as 1]++
    sum += rating
  }
  return { rating: reviews.length === 0 ? null : Math.round(10 * sum / reviews.length) / 10, counts }
}
