import { cp, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileVersion } from '../../schemas/common.ts'
import { shownPath } from '../catalogue/fault.ts'
import { makeEmptyDirectory } from '../command/init.ts'
import { command, dataDirectory } from '../package.ts'
import { readArguments, SettingsError } from '../settings/flags.ts'
import { wholeNumber } from '../settings/kinds.ts'
import { pathWord } from '../settings/terminal.ts'
import { generateBikes, readPool } from './bikes.ts'

export const usage = `
Writes data with any number of bikes, derived from the built-in records, to a new or empty directory; the same flags give the same files.

  --bikes N     the number of bikes (1000)
  --seed N      the seed of their variations (1)
  --pictures    copies the built-in pictures, which bikes share; otherwise records have none
`

const kinds = { bikes: wholeNumber(1, 1_000_000), seed: wholeNumber(0, 2 ** 32 - 1) }

type Streams = Record<'stdout' | 'stderr', { write: (text: string) => unknown }>

/**
 * Runs `generate` and returns the exit code.
 * @throws {SettingsError} for arguments that cannot be read
 */
export async function generate (args: string[], { stdout, stderr }: Streams): Promise<number> {
  const help = `${command} generate --help`
  const { values: { bikes = 1000, seed = 1 }, isOn, rest: [directory, stray] } = readArguments(args, kinds, ['pictures'], help)
  if (!directory || stray !== undefined) throw new SettingsError(`generate takes one directory, such as my-data (${help})`)
  try {
    await makeEmptyDirectory(directory)
    await writeCatalogue(dataDirectory, directory, { bikes, seed, pictures: isOn('pictures') })
  } catch (error) {
    stderr.write(`nothing can be written to ${directory}: ${(error as Error).message}\n`)
    return 1
  }
  const line = `${command} --data ${pathWord(shownPath(directory))} --paginate always`
  stdout.write(`${bikes} ${bikes === 1 ? 'bike is' : 'bikes are'} in ${directory}. Serve them:\n\n  ${line}\n`)
  return 0
}

/** The number of bikes to generate, the seed of their variations, and whether records keep their pictures. */
export type Wanted = { bikes: number, seed: number, pictures?: boolean }

/** The picture of every bike without one, because `featured_image` is not nullable. */
const noPicture = 'https://pictures.example/none.jpg'

/** Writes a valid data directory of generated bikes; the other files are copies. */
export async function writeCatalogue (source: string, target: string, { bikes, seed, pictures = true }: Wanted): Promise<void> {
  if (pictures) await cp(join(source, 'media'), join(target, 'media'), { recursive: true })
  for (const folder of ['v1', 'v2']) {
    await mkdir(join(target, folder), { recursive: true })
    for (const file of (await readdir(join(source, folder))).filter(file => file !== 'bikes.json')) {
      const text = await readFile(join(source, folder, file), 'utf8')
      await writeFile(join(target, folder, file), pictures ? text : text.replaceAll(/"\/media\/[^"]*"/g, 'null'))
    }
  }

  const none = pictures ? {} : { image_url: null, featured_image: noPicture, images: null }
  const pool = await readPool(source)
  const v1 = await createBikeFile(join(target, 'v1/bikes.json'), pool.updated)
  const v2 = await createBikeFile(join(target, 'v2/bikes.json'), pool.updated)
  for (const { bike, addition } of generateBikes(pool, bikes, seed)) {
    await v1.add({ ...bike, ...none })
    await v2.add(addition)
  }
  await v1.close()
  await v2.close()
}

/** Bounds the characters held in memory before they are written. */
const chunkCharacters = 2 ** 20

/** Creates a file of bikes, one record a line. */
async function createBikeFile (path: string, updated: string) {
  const file = await open(path, 'wx')
  let text = `{"version":${fileVersion},"updated":"${updated}","bikes":[`
  let separator = '\n'
  return {
    async add (record: object): Promise<void> {
      text += separator + JSON.stringify(record)
      separator = ',\n'
      if (text.length < chunkCharacters) return
      await file.write(text)
      text = ''
    },
    async close (): Promise<void> {
      await file.write(`${text}\n]}\n`)
      await file.close()
    }
  }
}
