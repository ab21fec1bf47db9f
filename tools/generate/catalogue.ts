import { existsSync } from 'node:fs'
import { cp, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileVersion } from '../../schemas/common.ts'
import { readPool } from './base.ts'
import { generateBikes } from './bikes.ts'

/** The number of bikes to generate, and the seed of their variations. */
export type Wanted = { bikes: number, seed: number }

/** Writes a valid data directory of generated bikes; parts and pictures are copies. */
export async function writeCatalogue (source: string, target: string, { bikes, seed }: Wanted): Promise<void> {
  for (const folder of ['v1', 'v2', 'media'].filter(folder => existsSync(join(source, folder)))) {
    await cp(join(source, folder), join(target, folder), { recursive: true, filter: file => basename(file) !== 'bikes.json' })
  }

  const pool = await readPool(source)
  const v1 = await createBikeFile(join(target, 'v1/bikes.json'), pool.updated)
  const v2 = await createBikeFile(join(target, 'v2/bikes.json'), pool.updated)
  for (const { bike, addition } of generateBikes(pool, bikes, seed)) {
    await v1.add(bike)
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
