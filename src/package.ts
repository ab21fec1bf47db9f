import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'

// The package's own imports map has the same names for src/ and dist/.
const bikes = module.createRequire(import.meta.url).resolve('#data/v1/bikes.json')

export const dataDirectory = dirname(dirname(bikes))

const root = dirname(dataDirectory)

/** Returns the start of a command for a working directory: a clone has `npm start`, and npx finds nothing that Yarn has installed. */
export function commandIn (directory: string, agent = ''): string {
  if (directory === root && existsSync(join(root, 'src/cli.ts'))) return 'npm start --'
  return `${/^(?:pnpm|yarn)(?=\/)/.exec(agent)?.[0] ?? 'npx'} bicycle-catalogue`
}

/** The start of each command that is printed, so that it runs as printed. */
export const command = commandIn(process.cwd(), process.env['npm_config_user_agent'])

export const assetDirectory = join(dataDirectory, '../assets')
export const schemaDirectory = join(dataDirectory, '../schemas')

export const { name, version, description } =
  JSON.parse(readFileSync(join(dataDirectory, '../package.json'), 'utf8')) as Record<'name' | 'version' | 'description', string>
