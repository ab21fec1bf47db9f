import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredBike } from '../../schemas/stored.ts'
import type { Review, SpecificationGroup } from '../../schemas/v2/bike.ts'
import type { Span } from './moments.ts'

/** A record of data/v2/bikes.json. */
export type Addition = {
  id: number
  price: string | null
  weight_kg: string | null
  reviews: Review[]
  specifications: SpecificationGroup[]
}

/** A hand-written bike; only bikes with the same `kind`, which is their type and brakes, may exchange parts. */
export type Base = { bike: StoredBike, addition: Addition, kind: string }

/** The originals of generated bikes. */
export type Pool = {
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
