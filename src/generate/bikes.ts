import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredBike, StoredBikeDetail } from '../../schemas/stored.ts'
import type { Review, SpecificationGroup } from '../../schemas/v2/bike.ts'
import { groupBy } from '../catalogue/group.ts'
import { type Random, type Span, about, added, between, lately, later, pick, sample, seeded } from './random.ts'

/** A record of data/v2/bikes.json. */
type Addition = Pick<StoredBikeDetail, 'id' | 'price' | 'weight_kg'> & { reviews: Review[], specifications: SpecificationGroup[] }

/** A hand-written bike; only bikes with the same `kind`, which is their type and brakes, may exchange parts. */
type Base = { bike: StoredBike, addition: Addition, kind: string }

/** The originals of generated bikes. */
type Pool = {
  bases: readonly Base[]
  /** The `updated` of both bike files. */
  updated: string
  span: Span
}

type WheelFile = { wheels: { id: number, weight_grams: number, brake_type: string }[] }
type BikeFile<T> = { updated: string, bikes: T[] }

/** Reads the hand-written bikes of a data directory. */
export async function readPool (directory: string): Promise<Pool> {
  const read = async <T>(file: string) => JSON.parse(await readFile(join(directory, file), 'utf8')) as T
  const { wheels } = await read<WheelFile>('v1/wheels.json')
  const { updated, bikes } = await read<BikeFile<StoredBike>>('v1/bikes.json')
  const additions = new Map((await read<BikeFile<Addition>>('v2/bikes.json')).bikes.map(addition => [addition.id, addition]))

  const bases = bikes.map(bike => {
    const wheel = wheels.find(({ id }) => id === bike.wheels)
    // A placeholder has no weight; it and a bike without wheels are exchanged only with their own kind.
    const brakes = wheel?.weight_grams ? wheel.brake_type : 'none'
    return { bike, addition: additions.get(bike.id) as Addition, kind: `${bike.bike_type} ${brakes}` }
  })
  const start = Math.min(...bikes.map(bike => Date.parse(bike.date_added)))
  return { bases, updated, span: { start, end: Date.parse(updated) } }
}

const variants = ['', '', ' SE', ' Pro', ' Comp', ' Evo', ' Team', ' LTD', ' II']

/** Of the bikes derived from a featured one, the first is featured, and then one in this number. */
const featuredEvery = 8

/** Returns `count` bikes in ascending id order, with their details of v2.1; the same seed returns the same bikes. */
export function * generateBikes (pool: Pool, count: number, seed: number): Generator<{ bike: StoredBike, addition: Addition }> {
  const { bases, span } = pool
  const random = seeded(seed)
  const ids = idsWithGaps(random, count)
  const baseOf = (index: number) => bases[index % bases.length] as Base
  const idsByType = groupBy(ids, (_, index) => baseOf(index).bike.bike_type)
  const byType = groupBy(bases, ({ bike }) => bike.bike_type)
  const byKind = groupBy(bases, ({ kind }) => kind)
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

/** Returns ascending ids with gaps, as in a real catalogue. */
function idsWithGaps (random: Random, count: number): number[] {
  let id = 0
  return Array.from({ length: count }, () => (id += random() < 0.15 ? 2 : 1))
}

/** Returns a bike its own model and year, and the title and slug derived from them. */
function named (random: Random, { bike }: Base, id: number, addedYear: number) {
  const model = bike.model_name + pick(random, variants)
  const year = Math.min(bike.year + between(random, -3, 1), addedYear)
  const title = `${bike.brand} ${model} ${year}`
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return { title, slug: `${plain}-${id}`, model_name: model, year }
}

/** Varies the counters, and takes wheels, tyre, saddle and handlebars from other bikes of the same kind. */
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

/** Returns a price that ends in a nine, as prices do, with the same cents. */
function varyPrice (random: Random, price: string | null): string | null {
  if (price === null) return null
  const cents = price.slice(-2)
  return `${10 * Math.round(about(random, Number(price), 0.15) / 10) - 1}.${cents}`
}

const isGeometry = ({ name }: { name: string }) => name.startsWith('Geometry')

/** Returns a bike's specifications with the geometry of another bike of its frame size. */
function withGeometry ({ addition }: Base, sized: Base) {
  const geometry = sized.addition.specifications.find(isGeometry)
  return addition.specifications.map(group => isGeometry(group) && geometry ? geometry : group)
}
