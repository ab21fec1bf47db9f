import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A name of the package's own imports map is found from src/ and from dist/ alike.
const bikes = fileURLToPath(import.meta.resolve('#data/v1/bikes.json'))

/** The directory of the catalogue's own JSON files. */
export const dataDirectory = dirname(dirname(bikes))

/** The directory of what browsers get, and pages are made of. */
export const assetDirectory = join(dataDirectory, '../assets')

const { name, version, description } = JSON.parse(
  readFileSync(join(dataDirectory, '../package.json'), 'utf8')
) as { name: string, version: string, description: string }

export { name, version, description }
