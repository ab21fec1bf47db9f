import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileVersion } from '../../schemas/common.ts'
import type { StoredBike, StoredBikeDetail } from '../../schemas/stored.ts'
import type { Review } from '../../schemas/v2/bike.ts'
import { between, createRandom } from '../base/random.ts'
import { counted, pathWord, type Output } from '../base/text.ts'
import { shownPath } from '../catalogue/errors/error.ts'
import { command, dataDirectory } from '../package.ts'
import { readArguments } from '../settings/arguments.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { wholeNumber } from '../settings/kinds.ts'
import { copy, fillDirectory } from './init.ts'

export const usage = `
Writes data with any number of bikes, derived from the built-in records, to a new or empty directory. The same flags
write the same files.

  --bikes N     the number of bikes (1000)
  --seed N      the seed of their variations (1)
  --no-images   leaves out the built-in images, which the bikes share
`

const generateFlags = { bikes: wholeNumber(1, 1_000_000), seed: wholeNumber(0, 2 ** 32 - 1) }

/** Returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run (args: string[], { stdout, stderr }: { stdout: Output, stderr: Output }): Promise<number> {
  const help = `${command} generate --help`
  const { values, isOn, rest } = readArguments(args, generateFlags, ['no-images'], help)
  const { bikes = 1000, seed = 1 } = values
  const [directory, stray] = rest
  if (!directory || stray !== undefined) {
    throw new SettingsError(`generate takes one directory, such as my-data (${help})`)
  }
  const images = !isOn('no-images')
  try {
    await fillDirectory(directory, async () => writeCatalogue(dataDirectory, directory, { bikes, seed, images }))
  } catch (error) {
    stderr.write(`cannot write to ${directory}: ${(error as Error).message}\n`)
    return exitCodes.unusable
  }
  const line = `${command} --data ${pathWord(shownPath(directory))} --paginate always`
  stdout.write(`Wrote ${counted(bikes, 'bike')} to ${directory}. Serve them:\n\n  ${line}\n`)
  return exitCodes.done
}

/** `images`: whether records keep them. */
type GeneratedData = { bikes: number, seed: number, images?: boolean }

type BikeFile<Folder extends keyof Bike> = { updated: string, bikes: Bike[Folder][] }

/** Writes a valid data directory of generated bikes; the other files are copies. */
export async function writeCatalogue (source: string, target: string, data: GeneratedData): Promise<void> {
  const { bikes, seed, images = true } = data
  if (images) await copy(join(source, 'media'), join(target, 'media'))
  const v1 = JSON.parse(await read('v1', 'bikes.json')) as BikeFile<'v1'>
  const v2 = JSON.parse(await read('v2', 'bikes.json')) as BikeFile<'v2'>
  const additions = new Map(v2.bikes.map(bike => [bike.id, bike]))
  const originals = v1.bikes.map(bike => ({ v1: bike, v2: additions.get(bike.id) }) as Bike)
  for (const folder of ['v1', 'v2'] as const) {
    await mkdir(join(target, folder), { recursive: true })
    const names = await readdir(join(source, folder))
    for (const name of names) {
      if (name === 'bikes.json') continue
      const text = await read(folder, name)
      await writeFile(join(target, folder, name), text)
    }
    const { updated } = folder === 'v1' ? v1 : v2
    const text = fileText(updated, folder, generateBikes(originals, bikes, seed))
    const file = createWriteStream(join(target, folder, 'bikes.json'), { flags: 'wx' })
    await pipeline(text, file)
  }

  async function read (folder: string, name: string): Promise<string> {
    const text = await readFile(join(source, folder, name), 'utf8')
    return images ? text : text.replaceAll(/"\/media\/[^"]*"/g, 'null')
  }
}

/** Yields the text of a file of bikes, one record a line. */
function * fileText (updated: string, folder: keyof Bike, bikes: Iterable<Bike>): Generator<string> {
  yield `{"version":${fileVersion},"updated":"${updated}","bikes":[`
  let separator = '\n'
  for (const bike of bikes) {
    yield separator + JSON.stringify(bike[folder])
    separator = ',\n'
  }
  yield '\n]}\n'
}

export type Bike = { v1: StoredBike, v2: Pick<StoredBikeDetail, 'id' | 'price'> & { reviews: Review[] } }

/** A copy is up to so many days older than its original. */
const mostDays = 1000

/** The image of every bike without one, because `featured_image` is not nullable. */
const noImage = 'https://images.example/none.jpg'

/**
 * Yields `count` bikes in ascending id order: copies of the originals in rounds, each with its own year, dates, price
 * and counters. The same seed gives the same bikes.
 */
function * generateBikes (originals: readonly Bike[], count: number, seed: number): Generator<Bike> {
  const random = createRandom(seed)
  const reviews = originals.flatMap(({ v2 }) => v2.reviews)
  const idsOfRound = greatestId(originals.map(({ v1 }) => v1))
  const reviewIdsOfRound = greatestId(reviews)
  const originalOf = (index: number) => originals[index % originals.length] as Bike
  const roundOf = (index: number) => Math.floor(index / originals.length)
  const lastId = originalOf(count - 1).v1.id + roundOf(count - 1) * idsOfRound

  for (let index = 0; index < count; index++) {
    const { v1: bike, v2: addition } = originalOf(index)
    const firstId = roundOf(index) * idsOfRound
    const firstReviewId = roundOf(index) * reviewIdsOfRound
    const id = bike.id + firstId
    const days = between(random, 0, mostDays)
    const year = bike.year - Math.floor(days / 365)
    const title = `${bike.brand} ${bike.model_name} ${year}`
    const letters = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    const varied = (value: number) => Math.round(value * between(random, 70, 130) / 100)
    const similarBikes = bike.similar_bikes.map(similar => similar + firstId)
    yield {
      v1: {
        ...bike,
        id,
        title,
        slug: `${letters} ${id}`.replace(/[^a-z0-9]+/g, '-'),
        year,
        featured_image: bike.featured_image ?? noImage,
        date_added: earlier(bike.date_added, days),
        date_updated: earlier(bike.date_updated, days),
        view_count: varied(bike.view_count),
        favorites_count: varied(bike.favorites_count),
        fitness_gear_id: `b${10_000_000 + id}`,
        similar_bikes: similarBikes.filter(similar => similar <= lastId)
      },
      v2: {
        ...addition,
        id,
        price: addition.price && varied(Number(addition.price)).toFixed(2),
        reviews: addition.reviews.map(review => {
          return { ...review, id: review.id + firstReviewId, date_added: earlier(review.date_added, days) }
        })
      }
    }
  }
}

function greatestId (records: readonly { id: number }[]): number {
  return Math.max(...records.map(({ id }) => id))
}

function earlier (timestamp: string, days: number): string {
  const date = new Date(timestamp.slice(0, 10))
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10) + timestamp.slice(10)
}
