import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { BikeSummary, DetailedBike, Review, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { Catalogue, Details } from './catalogue.ts'

/** The most bikes of the same brand that a bike names. */
const maxSameBrand = 10

/** Returns the mean of the ratings to one decimal, or null without reviews. */
export function meanRating (reviews: readonly Review[] | null): number | null {
  if (reviews === null || reviews.length === 0) return null
  const sum = reviews.reduce((sum, { rating }) => sum + rating, 0)
  return Math.round(10 * sum / reviews.length) / 10
}

/** Returns a bike in comprehensive detail: the fields of v1, then those of v2.1. */
export function detailBike (catalogue: Catalogue, bike: Bike): DetailedBike {
  const { bikes, categories, pictures } = catalogue.details
  const { price, weight_kg, reviews, image_formats: formats, specifications } = bikes.get(bike.id) as StoredBikeDetail
  return {
    ...bike,
    rating: meanRating(reviews),
    reviews: reviews ?? [],
    weight_kg,
    price,
    components: componentsOf(catalogue, bike),
    related: relatedTo(catalogue, bike),
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
    image_formats: [...formats ?? pictures.get(bike.featured_image) ?? []],
    specifications: [...categories.get(bike.category.slug) as readonly SpecificationGroup[], ...specifications]
  }
}

function componentsOf ({ details }: Catalogue, bike: Bike): DetailedBike['components'] {
  const parts = {
    crankset: details.cranksets.get(bike.crankset_ref) ?? null,
    saddle: details.saddles.get(bike.saddle) ?? null,
    handlebars: details.handlebars.get(bike.handlebars) ?? null,
    brakes: details.brakes.get(details.bikes.get(bike.id)?.brakes ?? null) ?? null
  }
  const weights = [...Object.values(parts), bike.wheels, bike.tyre, bike.groupset].map(part => part?.weight_grams ?? 0)
  return { ...parts, total_weight_grams: weights.reduce((sum, weight) => sum + weight) }
}

function relatedTo ({ bikesById, bikesByBrand, details }: Catalogue, bike: Bike): DetailedBike['related'] {
  const sameBrand = bikesByBrand.get(brandKey(bike.brand)) as readonly Bike[]
  return {
    similar_bikes: bike.similar_bikes.map(id => summaryOf(bikesById.get(id) as Bike, details)),
    same_brand: sameBrand.slice(0, maxSameBrand + 1).filter(({ id }) => id !== bike.id).slice(0, maxSameBrand)
      .map(other => summaryOf(other, details))
  }
}

/** Normalises a brand for comparison: `RIBBLE` is the same brand as `Ribble`. */
const brandKey = (brand: string) => brand.toLowerCase()

/** Groups bikes by the `brandKey` of their brands. */
export function groupByBrand (bikes: readonly Bike[]): Catalogue['bikesByBrand'] {
  const brands = new Map<string, Bike[]>()
  for (const bike of bikes) {
    const key = brandKey(bike.brand)
    const group = brands.get(key)
    if (group === undefined) brands.set(key, [bike])
    else group.push(bike)
  }
  for (const group of brands.values()) Object.freeze(group)
  return brands
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
