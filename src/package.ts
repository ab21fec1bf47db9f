import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The package's own imports map has the same names for src/ and dist/.
const bikes = fileURLToPath(import.meta.resolve('#data/v1/bikes.json'))

/** The directory of the catalogue's own JSON files. */
export const dataDirectory = dirname(dirname(bikes))

const root = dirname(dataDirectory)

/** Matches a clone of the repository in the working directory, where `npm start` runs. */
const isClone = process.cwd() === root && existsSync(join(root, 'src/cli.ts'))

/** The start of each command that is printed, so that it runs as printed. */
export const command = isClone ? 'npm start --' : 'npx bicycle-catalogue'

/** The directory of assets for browsers and pages. */
export const assetDirectory = join(dataDirectory, '../assets')

/** The directory of the OpenAPI document. */
export const schemaDirectory = join(dataDirectory, '../schemas')

export const { name, version, description } =
  JSON.parse(readFileSync(join(dataDirectory, '../package.json'), 'utf8')) as Record<'name' | 'version' | 'description', string>
