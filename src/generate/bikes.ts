import type { StoredBike, StoredBikeDetail } from '../../schemas/stored.ts'
import type { Review } from '../../schemas/v2/bike.ts'
import { between, pick, createRandom } from '../base/random.ts'

export type Bike = { v1: StoredBike, v2: Pick<StoredBikeDetail, 'id' | 'price'> & { reviews: Review[] } }

/** A copy is up to so many days older than its original. */
const mostDays = 1000

const variants = ['', '', ' SE', ' Pro', ' Comp', ' Evo', ' Team', ' LTD', ' II']

/** The image of every bike without one, because `featured_image` is not nullable. */
const noImage = 'https://images.example/none.jpg'

/**
 * Yields `count` bikes in ascending id order: copies of the originals in rounds, each with its own name, dates, price and counters.
 * The same seed gives the same bikes.
 */
export function * generateBikes (originals: readonly Bike[], count: number, seed: number): Generator<Bike> {
  const random = createRandom(seed)
  const idsOfRound = Math.max(...originals.map(({ v1 }) => v1.id))
  const reviewIdsOfRound = Math.max(...originals.flatMap(({ v2 }) => v2.reviews.map(({ id }) => id)))
  const originalOf = (index: number) => originals[index % originals.length] as Bike
  const roundOf = (index: number) => Math.floor(index / originals.length)
  const lastId = originalOf(count - 1).v1.id + roundOf(count - 1) * idsOfRound

  for (let index = 0; index < count; index++) {
    const { v1: bike, v2: addition } = originalOf(index)
    const round = roundOf(index)
    const id = bike.id + round * idsOfRound
    const days = between(random, 0, mostDays)
    const model = bike.model_name + pick(random, variants)
    const year = bike.year - Math.floor(days / 365)
    const title = `${bike.brand} ${model} ${year}`
    const varied = (value: number) => Math.round(value * between(random, 70, 130) / 100)
    yield {
      v1: {
        ...bike,
        id,
        title,
        slug: slugOf(`${title} ${id}`),
        model_name: model,
        year,
        featured_image: bike.featured_image ?? noImage,
        colour: pick(random, originals).v1.colour,
        date_added: earlier(bike.date_added, days),
        date_updated: earlier(bike.date_updated, days),
        is_featured: bike.is_featured && round % 8 === 0,
        view_count: varied(bike.view_count),
        favorites_count: varied(bike.favorites_count),
        fitness_gear_id: `b${10_000_000 + id}`,
        fitness_lifetime_distance: varied(Number(bike.fitness_lifetime_distance)).toFixed(2),
        similar_bikes: bike.similar_bikes.map(similar => similar + round * idsOfRound).filter(similar => similar <= lastId)
      },
      v2: {
        ...addition,
        id,
        price: addition.price && varied(Number(addition.price)).toFixed(2),
        reviews: addition.reviews.map(review =>
          ({ ...review, id: review.id + round * reviewIdsOfRound, date_added: earlier(review.date_added, days) }))
      }
    }
  }
}

function slugOf (title: string): string {
  return title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

/** Returns a timestamp of the same time some days before. */
function earlier (timestamp: string, days: number): string {
  const date = new Date(timestamp.slice(0, 10))
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10) + timestamp.slice(10)
}
