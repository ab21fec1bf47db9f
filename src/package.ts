import { existsSync, readFileSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { attempt } from './base/attempt.ts'
import { pathWord } from './base/text.ts'

// The package's own imports map has the same names for src/ and dist/.
const bikes = module.createRequire(import.meta.url).resolve('#data/v1/bikes.json')

export const dataDirectory = dirname(dirname(bikes))

const root = dirname(dataDirectory)

const runners: Readonly<Record<string, string>> = { pnpm: 'pnpm', yarn: 'yarn', bun: 'bunx' }

/** Returns how to call the command again in a working directory, as far as PATH and the variables of package managers tell. */
export function commandIn (directory: string, env: NodeJS.ProcessEnv, program = '', installed = root): string {
  const { npm_lifecycle_event: event, npm_config_user_agent: agent = '', PATH = '' } = env
  const realPathOf = (path: string) => attempt(() => realpathSync(path)).value
  const project = join(installed, '../../package.json')
  const { value } = attempt(() => JSON.parse(readFileSync(project, 'utf8')) as { _npx?: { packages: string[] } })
  const [spec] = value?._npx?.packages ?? [] // npx installs a package in a directory of its own
  if (spec !== undefined) return `npx --yes ${pathWord(spec)}`
  const file = realPathOf(program)
  if (event === undefined && file === join(installed, 'dist/cli.js')) {
    if (PATH.split(delimiter).some(path => realPathOf(join(path, name)) === file)) return name
    if (realPathOf(join(directory, 'node_modules', name)) !== installed) return `node ${pathWord(relative(directory, file))}`
  }
  if (realPathOf(directory) === installed && existsSync(join(installed, 'src/cli.ts'))) return 'npm start --'
  return `${runners[agent.split('/', 1)[0] as string] ?? 'npx'} ${name}`
}

export const assetDirectory = join(dataDirectory, '../assets')
export const schemaDirectory = join(dataDirectory, '../schemas')

export const { name, version, description } =
  JSON.parse(readFileSync(join(dataDirectory, '../package.json'), 'utf8')) as Record<'name' | 'version' | 'description', string>

/** The start of each command that is printed, so that it runs as printed. */
export const command = commandIn(process.cwd(), process.env, process.argv[1])
