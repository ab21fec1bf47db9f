import type { StoredBikeDetail } from '../../schemas/stored.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import type { BikeSummary, DetailedBike, Review, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { Catalogue, Details } from './catalogue.ts'

/** How many bikes of the same brand a bike names; a catalogue may hold thousands. */
const maxSameBrand = 10

/** The mean of the ratings to one decimal, or null without reviews. */
export function meanRating (reviews: readonly Review[]): number | null {
  if (reviews.length === 0) return null
  const sum = reviews.reduce((sum, { rating }) => sum + rating, 0)
  return Math.round(10 * sum / reviews.length) / 10
}

/** A bike in comprehensive detail: the fields of v1 in their order, then what v2.1 adds (decisions B1 to B9). */
export function detailBike (catalogue: Catalogue, bike: Bike): DetailedBike {
  const { bikes, categories, pictures } = catalogue.details
  const { price, weight_kg, reviews, specifications } = bikes.get(bike.id) as StoredBikeDetail
  return {
    ...bike,
    rating: meanRating(reviews),
    reviews,
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
    rating_distribution: distributionOf(reviews),
    image_formats: [...pictures.get(bike.featured_image) ?? []],
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

function relatedTo (catalogue: Catalogue, bike: Bike): DetailedBike['related'] {
  const { bikesById, namedByBrand, details } = catalogue
  const ofBrand = namedByBrand.get(brandKey(bike.brand)) as readonly BikeSummary[]
  return {
    similar_bikes: bike.similar_bikes.map(id => summaryOf(bikesById.get(id) as Bike, details)),
    same_brand: ofBrand.filter(({ id }) => id !== bike.id).slice(0, maxSameBrand)
  }
}

/** What the brands of bikes are compared by: `RIBBLE` is the same brand as `Ribble`. */
export function brandKey (brand: string): string {
  return brand.toLowerCase()
}

/** The first bikes of each brand, one more than a bike names, because it does not name itself. */
export function nameByBrand (bikes: readonly Bike[], details: Details): Catalogue['namedByBrand'] {
  const brands = new Map<string, BikeSummary[]>()
  for (const bike of bikes) {
    const key = brandKey(bike.brand)
    const named = brands.get(key) ?? []
    brands.set(key, named)
    if (named.length <= maxSameBrand) named.push(Object.freeze(summaryOf(bike, details)))
  }
  for (const named of brands.values()) Object.freeze(named)
  return brands
}

/** What other bikes say of a bike. */
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
