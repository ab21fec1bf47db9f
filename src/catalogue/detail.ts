import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { BikeSummary, DetailedBike, Review, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { PictureFile } from '../../schemas/v2/picture.ts'
import { groupBy } from './group.ts'

/** A crankset, saddle, handlebar or pair of brakes with its weight and measurements. */
export type DetailedPart = NonNullable<DetailedBike['components']['crankset']>

/** The fields that v2.1 adds to the records of v1, by their ids. */
export type Details = Readonly<Record<'cranksets' | 'saddles' | 'handlebars' | 'brakes', ReadonlyMap<number | null, DetailedPart>>> & {
  readonly bikes: ReadonlyMap<number | null, StoredBikeDetail>
  readonly categories: ReadonlyMap<string, readonly SpecificationGroup[]>
  /** The files of full resolution by the path of a featured image; their `url` is a path too. */
  readonly pictures: ReadonlyMap<string, readonly PictureFile[]>
}

/** The most bikes of the same brand that a bike names. */
const maxSameBrand = 10

/** Returns the mean of the ratings to one decimal, or null without reviews. */
export function meanRating (reviews: readonly Review[]): number | null {
  if (reviews.length === 0) return null
  const sum = reviews.reduce((sum, { rating }) => sum + rating, 0)
  return Math.round(10 * sum / reviews.length) / 10
}

/** Returns bikes in comprehensive detail; they share the records of parts and the summaries of bikes, which saves most of their memory. */
export function detailBikes (bikes: readonly Bike[], details: Details): DetailedBike[] {
  const summaries = new Map(bikes.map(bike => [bike.id, summaryOf(bike, details)]))
  const brands = groupBy(bikes, ({ brand }) => brandKey(brand))
  return bikes.map(bike => {
    const { price, weight_kg, reviews, image_formats: formats, specifications } = details.bikes.get(bike.id) as StoredBikeDetail
    const detailed = {
      price,
      components: componentsOf(details, bike),
      related: {
        similar_bikes: bike.similar_bikes.map(id => summaries.get(id) as BikeSummary),
        same_brand: (brands.get(brandKey(bike.brand)) as Bike[]).slice(0, maxSameBrand + 1)
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
      rating_distribution: distributionOf(reviews ?? []),
      image_formats: (formats ?? details.pictures.get(bike.featured_image) ?? []) as DetailedBike['image_formats'],
      specifications: [...details.categories.get(bike.category.slug) as readonly SpecificationGroup[], ...specifications],
      ...bike // at the end, because V8 would give each record a shape of its own for properties after a spread
    }
    return Object.assign(detailed, { rating: meanRating(reviews ?? []), reviews: reviews ?? [], weight_kg })
  })
}

/** Normalises a brand for comparison: `RIBBLE` is the same brand as `Ribble`. */
const brandKey = (brand: string) => brand.toLowerCase()

function componentsOf (details: Details, bike: Bike): DetailedBike['components'] {
  const crankset = details.cranksets.get(bike.crankset_ref) ?? null
  const saddle = details.saddles.get(bike.saddle) ?? null
  const handlebars = details.handlebars.get(bike.handlebars) ?? null
  const brakes = details.brakes.get(details.bikes.get(bike.id)?.brakes ?? null) ?? null
  const weights = [crankset, saddle, handlebars, brakes, bike.wheels, bike.tyre, bike.groupset].map(part => part?.weight_grams ?? 0)
  return { crankset, saddle, handlebars, brakes, total_weight_grams: weights.reduce((sum, weight) => sum + weight) }
}

function summaryOf (bike: Bike, details: Details): BikeSummary {
  return {
    id: bike.id,
    name: bike.title,
    price: details.bikes.get(bike.id)?.price ?? null,
    description: bike.description,
    type: bike.bike_type,
    image_url: bike.image_url
  }
}

function distributionOf (reviews: readonly Review[]): DetailedBike['rating_distribution'] {
  const counts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  for (const { rating } of reviews) counts[rating as 1]++
  return counts
}
