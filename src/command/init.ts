import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { schemaPaths } from '../catalogue/files.ts'
import { command, dataDirectory } from '../package.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { pathWord } from '../base/text.ts'

export const usage = `
Copies the built-in data, with JSON Schemas for editors, into a new or empty directory. This command serves it, and
reloads it after every change:

  ${command} --data DIR --watch
`

/** Copies the data and its schemas into a new or empty directory. @throws {SettingsError} when they cannot be copied */
export async function run (args: string[], { stdout }: { stdout: Pick<NodeJS.WriteStream, 'write'> }): Promise<number> {
  const [directory] = args
  if (directory === undefined || args.length > 1 || directory.startsWith('-')) {
    throw new SettingsError(`init takes one directory, such as my-data (${command} init --help)`)
  }
  try {
    await fillDirectory(directory, async () => {
      await copy(dataDirectory, directory)
      await copy(join(dataDirectory, '../schemas/json'), join(directory, 'schemas'))
    })
  } catch (error) {
    throw new SettingsError(`cannot copy the data to ${directory}: ${(error as Error).message}`)
  }
  const line = `${command} --data ${pathWord(directory)} --watch`
  stdout.write(`The data is in ${resolve(directory)}. Serve it and see your changes:\n\n  ${line}\n`)
  return exitCodes.done
}

/**
 * Creates a directory with its parents and fills it, or leaves it empty.
 *
 * @throws {Error} when it cannot be filled, or is not empty
 */
export async function fillDirectory (path: string, fill: () => Promise<void>): Promise<void> {
  const missing: string[] = []
  for (let parent = resolve(path); !existsSync(parent); parent = dirname(parent)) missing.unshift(parent)
  // One by one, because `recursive` never returns where a parent refuses with ENOENT, as /proc does.
  for (const directory of missing) await mkdir(directory)
  if ((await readdir(path)).length > 0) throw new Error('it is not empty; choose a new or empty directory')
  try {
    await fill()
  } catch (error) {
    for (const entry of await readdir(path)) await rm(join(path, entry), { recursive: true, force: true })
    throw error
  }
}

/** Copies contents without modes, so that copies of read-only files are writable. */
export async function copy (from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, file))
    await mkdir(dirname(target), { recursive: true })
    const content = await readFile(file)
    const isData = entry.name.endsWith('.json') // which names its schema
    await writeFile(target, isData ? content.toString().replace(schemaPaths.builtIn, schemaPaths.copied) : content)
  }
}
