import type { StoredBike } from '../../schemas/stored.ts'
import type { Review } from '../../schemas/v2/bike.ts'
import type { Addition, Base, Pool } from './base.ts'
import { added, lately, later } from './moments.ts'
import { seeded, type Random } from '../../src/simulation/random.ts'
import { about, between, pick, sample } from './random.ts'

const variants = ['', '', ' SE', ' Pro', ' Comp', ' Evo', ' Team', ' LTD', ' II']

/** Of the bikes that are derived from a featured one, the first is featured, and then one in so many. */
const featuredEvery = 8

/** Gives `count` bikes in ascending id order, each with what v2.1 adds to it; the same ones for the same seed. */
export function * generateBikes (pool: Pool, count: number, seed: number): Generator<{ bike: StoredBike, addition: Addition }> {
  const { bases, span } = pool
  const random = seeded(seed)
  const ids = idsWithGaps(random, count)
  const baseOf = (index: number) => bases[index % bases.length] as Base
  const idsByType = grouped(ids, (_, index) => baseOf(index).bike.bike_type)
  const byType = grouped(bases, ({ bike }) => bike.bike_type)
  const byKind = grouped(bases, ({ kind }) => kind)
  const reviewsByType = new Map([...byType].map(([type, bases]) => [type, bases.flatMap(({ addition }) => addition.reviews)]))
  let reviewId = 1

  for (const [index, id] of ids.entries()) {
    const base = baseOf(index)
    const { bike_type: type, is_featured: isFeatured } = base.bike
    const sized = pick(random, byType.get(type) as Base[])
    const when = added(random, span, index / count)
    const reviews = sample(random, reviewsByType.get(type) as Review[], pick(random, bases).bike.review_count)
    const dates = later(random, when.moment, span, reviews.length)
    const similar = sample(random, idsByType.get(type) as number[], base.bike.similar_bikes.length + 1)
    yield {
      bike: {
        ...varyBike(random, base, byKind.get(base.kind) as Base[]),
        ...named(random, base, id, new Date(when.moment).getUTCFullYear()),
        id,
        review_count: reviews.length,
        colour: pick(random, bases).bike.colour,
        frame_size: sized.bike.frame_size,
        date_added: when.text,
        date_updated: random() < 0.1 ? when.text : later(random, when.moment, span, 1).join(),
        is_featured: isFeatured && Math.floor(index / bases.length) % featuredEvery === 0,
        fitness_gear_id: `b${10_000_000 + 5 * id + between(random, 0, 4)}`,
        fitness_last_synced: lately(random, span),
        similar_bikes: similar.filter(other => other !== id).slice(0, base.bike.similar_bikes.length)
      },
      addition: {
        ...base.addition,
        id,
        price: varyPrice(random, base.addition.price),
        weight_kg: base.addition.weight_kg && about(random, Number(base.addition.weight_kg), 0.04).toFixed(2),
        reviews: reviews.map((review, place) => ({ ...review, id: reviewId++, date_added: dates[place] as string })),
        specifications: withGeometry(base, sized)
      }
    }
  }
}

function grouped<T> (items: readonly T[], key: (item: T, index: number) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [index, item] of items.entries()) {
    const group = groups.get(key(item, index))
    if (group === undefined) groups.set(key(item, index), [item])
    else group.push(item)
  }
  return groups
}

/** Gives ascending ids of which, as in a real catalogue, some are missing. */
function idsWithGaps (random: Random, count: number): number[] {
  let id = 0
  return Array.from({ length: count }, () => (id += random() < 0.15 ? 2 : 1))
}

/** Gives a bike its own model, year, and the title and slug that follow from them. */
function named (random: Random, { bike }: Base, id: number, addedYear: number) {
  const model = bike.model_name + pick(random, variants)
  const year = Math.min(bike.year + between(random, -3, 1), addedYear)
  const title = `${bike.brand} ${model} ${year}`
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return { title, slug: `${plain}-${id}`, model_name: model, year }
}

/** Varies the counters, and takes wheels, tyre, saddle and handlebars from bikes that they fit as well. */
function varyBike (random: Random, { bike }: Base, sameKind: readonly Base[]): StoredBike {
  const part = (name: 'wheels' | 'tyre' | 'saddle' | 'handlebars') => bike[name] && (pick(random, sameKind).bike[name] ?? bike[name])
  return {
    ...bike,
    wheels: part('wheels'),
    tyre: part('tyre'),
    view_count: Math.round(about(random, bike.view_count, 0.5)),
    favorites_count: Math.round(about(random, bike.favorites_count, 0.5)),
    fitness_lifetime_distance: about(random, Number(bike.fitness_lifetime_distance), 0.3).toFixed(2),
    saddle: part('saddle'),
    handlebars: part('handlebars')
  }
}

/** Gives a price that ends, as prices do, in a nine, with the cents it had. */
function varyPrice (random: Random, price: string | null): string | null {
  if (price === null) return null
  const cents = price.slice(-2)
  return `${10 * Math.round(about(random, Number(price), 0.15) / 10) - 1}.${cents}`
}

const isGeometry = ({ name }: { name: string }) => name.startsWith('Geometry')

/** Gives a bike's specifications with the geometry of the bike that it has its frame size from. */
function withGeometry ({ addition }: Base, sized: Base) {
  const geometry = sized.addition.specifications.find(isGeometry)
  return addition.specifications.map(group => isGeometry(group) && geometry ? geometry : group)
}
