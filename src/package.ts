import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { attempt } from './base/attempt.ts'
import { realPathOf } from './base/files.ts'
import { pathWord } from './base/text.ts'

export const dataDirectory = dataOf(import.meta.url)

/**
 * Returns the directory of the built-in data for a file of the package.
 *
 * @throws {Error} for a file that a bundler has made
 */
export function dataOf (url: string): string {
  // The package's own imports map has the same names for src/ and dist/.
  const { value: bikes, error } = attempt(() => module.createRequire(url).resolve('#data/v1/bikes.json'))
  if (bikes !== undefined) return dirname(dirname(bikes))
  const reason = 'bicycle-catalogue cannot find its data. A bundler must leave the package out: mark it as external'
  throw new Error(`${reason} (esbuild: --external:bicycle-catalogue)`, { cause: error })
}

const root = dirname(dataDirectory)

const runners: Readonly<Record<string, string>> = { pnpm: 'pnpm', yarn: 'yarn', bun: 'bunx' }

/** Returns how to call the command again in a directory, as far as PATH and the variables of package managers tell. */
export function commandIn (directory: string, env: NodeJS.ProcessEnv, program = '', installed = root): string {
  const spec = npxSpecOf(installed)
  if (spec !== undefined) return `npx --yes ${pathWord(spec)}`
  const file = realPathOf(program)
  const isCalledDirectly = env['npm_lifecycle_event'] === undefined && file === join(installed, 'dist/cli.js')
  const { PATH = '', npm_config_user_agent: agent = '' } = env
  const isOnPath = () => PATH.split(delimiter).some(path => realPathOf(join(path, name)) === file)
  if (isCalledDirectly && isOnPath()) return name
  const dependency = realPathOf(join(directory, 'node_modules', name))
  if (isCalledDirectly && dependency !== installed) return `node ${pathWord(relative(directory, file))}`
  const isClone = realPathOf(directory) === installed && existsSync(join(installed, 'src/cli.ts'))
  if (isClone) return 'npm start --'
  const [manager = ''] = agent.split('/', 1)
  return `${runners[manager] ?? 'npx'} ${name}`
}

type NpxProject = { _npx?: { packages: string[] } }

/** Returns the package that `npx` was called with, from the package.json of the directory that npx installs it in. */
function npxSpecOf (installed: string): string | undefined {
  const project = join(installed, '../../package.json')
  const { value } = attempt(() => JSON.parse(readFileSync(project, 'utf8')) as NpxProject)
  return value?._npx?.packages[0]
}

export const assetDirectory = join(root, 'assets')
export const schemaDirectory = join(root, 'schemas')

type Package = Record<'name' | 'version' | 'description', string>

const packageText = readFileSync(join(root, 'package.json'), 'utf8')
export const { name, version, description } = JSON.parse(packageText) as Package

/** The start of each command that is printed, so that it runs as printed. */
export const command = commandIn(process.cwd(), process.env, process.argv[1])
