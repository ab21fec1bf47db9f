import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'

// The package's own imports map has the same names for src/ and dist/.
const bikes = module.createRequire(import.meta.url).resolve('#data/v1/bikes.json')

export const dataDirectory = dirname(dirname(bikes))

const root = dirname(dataDirectory)

/** Returns the start of a command that runs in a working directory; a clone of the repository has `npm start`. */
export function commandIn (directory: string): string {
  return directory === root && existsSync(join(root, 'src/cli.ts')) ? 'npm start --' : 'npx bicycle-catalogue'
}

/** The start of each command that is printed, so that it runs as printed. */
export const command = commandIn(process.cwd())

export const assetDirectory = join(dataDirectory, '../assets')
export const schemaDirectory = join(dataDirectory, '../schemas')

export const { name, version, description } =
  JSON.parse(readFileSync(join(dataDirectory, '../package.json'), 'utf8')) as Record<'name' | 'version' | 'description', string>
