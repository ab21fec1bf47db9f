import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileVersion } from '../../schemas/common.ts'
import { shownPath } from '../catalogue/errors/error.ts'
import { copy, fillDirectory } from '../command/init.ts'
import { command, dataDirectory } from '../package.ts'
import { exitCodes, readArguments, SettingsError } from '../settings/flags.ts'
import { wholeNumber } from '../settings/kinds.ts'
import { pathWord } from '../base/terminal.ts'
import { generateBikes, type Bike } from './bikes.ts'

export const usage = `
Writes data with any number of bikes, derived from the built-in records, to a new or empty directory. The same flags write the same files.

  --bikes N     the number of bikes (1000)
  --seed N      the seed of their variations (1)
  --no-images   leaves out the built-in images, which the bikes share
`

const kinds = { bikes: wholeNumber(1, 1_000_000), seed: wholeNumber(0, 2 ** 32 - 1) }

/** Returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run (args: string[], { stdout, stderr }: Record<'stdout' | 'stderr', { write: (text: string) => unknown }>) {
  const help = `${command} generate --help`
  const { values: { bikes = 1000, seed = 1 }, isOn, rest: [directory, stray] } = readArguments(args, kinds, ['no-images'], help)
  if (!directory || stray !== undefined) throw new SettingsError(`generate takes one directory, such as my-data (${help})`)
  try {
    await fillDirectory(directory, async () => writeCatalogue(dataDirectory, directory, { bikes, seed, images: !isOn('no-images') }))
  } catch (error) {
    stderr.write(`cannot write to ${directory}: ${(error as Error).message}\n`)
    return exitCodes.unusable
  }
  const line = `${command} --data ${pathWord(shownPath(directory))} --paginate always`
  stdout.write(`${bikes} ${bikes === 1 ? 'bike is' : 'bikes are'} in ${directory}. Serve them:\n\n  ${line}\n`)
  return 0
}

/** `images`: whether records keep them. */
export type Wanted = { bikes: number, seed: number, images?: boolean }

type BikeFile<Folder extends keyof Bike> = { updated: string, bikes: Bike[Folder][] }

/** Writes a valid data directory of generated bikes; the other files are copies. */
export async function writeCatalogue (source: string, target: string, { bikes, seed, images = true }: Wanted): Promise<void> {
  if (images) await copy(join(source, 'media'), join(target, 'media'))
  const read = async (...path: string[]) => {
    const text = await readFile(join(source, ...path), 'utf8')
    return images ? text : text.replaceAll(/"\/media\/[^"]*"/g, 'null')
  }
  const readBikes = async (folder: keyof Bike) => JSON.parse(await read(folder, 'bikes.json')) as unknown
  const own = { v1: await readBikes('v1') as BikeFile<'v1'>, v2: await readBikes('v2') as BikeFile<'v2'> }
  const details = new Map(own.v2.bikes.map(bike => [bike.id, bike]))
  const originals = own.v1.bikes.map(bike => ({ v1: bike, v2: details.get(bike.id) }) as Bike)
  for (const folder of ['v1', 'v2'] as const) {
    await mkdir(join(target, folder), { recursive: true })
    for (const name of (await readdir(join(source, folder))).filter(name => name !== 'bikes.json')) {
      await writeFile(join(target, folder, name), await read(folder, name))
    }
    const text = fileText(own[folder].updated, folder, generateBikes(originals, bikes, seed))
    await pipeline(text, createWriteStream(join(target, folder, 'bikes.json'), { flags: 'wx' }))
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
