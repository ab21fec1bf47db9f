import { existsSync, readFileSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { attempt } from './base/attempt.ts'
import { pathWord } from './base/text.ts'

export const dataDirectory = dataOf(import.meta.url)

/** Returns the directory of the built-in data for a file of the package. @throws {Error} for a file that a bundler has made */
export function dataOf (url: string): string {
  // The package's own imports map has the same names for src/ and dist/.
  const { value: bikes, error } = attempt(() => module.createRequire(url).resolve('#data/v1/bikes.json'))
  if (bikes !== undefined) return dirname(dirname(bikes))
  const reason = 'bicycle-catalogue cannot find its data. A bundler must leave the package out: mark it as external'
  throw new Error(`${reason} (esbuild: --external:bicycle-catalogue)`, { cause: error })
}

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
