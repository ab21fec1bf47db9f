import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { command, dataDirectory } from '../package.ts'
import { pathWord } from '../settings/terminal.ts'

type Streams = Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'write'>>

export const usage = `Usage: ${command} init DIR

Copies the built-in data, with JSON Schemas for editors, into a new or empty directory.
${command} --data DIR --watch serves it and reloads what you change.
`

/** Copies the data and their schemas into a new or empty directory; returns the exit code. */
export async function init (args: string[], { stdout, stderr }: Streams): Promise<number> {
  const [directory] = args
  if (directory === undefined || args.length > 1 || directory.startsWith('-')) {
    stderr.write(`init takes one directory, such as my-data (${command} init --help)\n`)
    return 1
  }
  try {
    await makeDirectory(resolve(directory))
    if ((await readdir(directory)).length > 0) throw new Error('it is not empty; choose a new or empty directory')
    await copyInto(directory)
  } catch (error) {
    stderr.write(`nothing can be copied to ${directory}: ${(error as Error).message}\n`)
    return 1
  }
  const line = `${command} --data ${pathWord(directory)} --watch`
  stdout.write(`The data is in ${resolve(directory)}. Serve it and see your changes:\n\n  ${line}\n`)
  return 0
}

/** Makes a directory and its parents; mkdir's `recursive` never returns where a parent refuses with ENOENT, as /proc does. */
async function makeDirectory (path: string): Promise<void> {
  if (existsSync(path)) return
  await makeDirectory(dirname(path))
  await mkdir(path)
}

/** Copies everything into an empty directory, or leaves it empty. */
async function copyInto (directory: string): Promise<void> {
  try {
    await copy(dataDirectory, directory)
    await copy(join(dataDirectory, '../schemas/json'), join(directory, 'schemas'))
  } catch (error) {
    for (const entry of await readdir(directory)) await rm(join(directory, entry), { recursive: true, force: true })
    throw error
  }
}

/** Copies contents without modes, so that copies of read-only files are writable; skips the list of the pictures' drawings. */
async function copy (from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'manifest.json') continue
    const file = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, file))
    await mkdir(dirname(target), { recursive: true })
    const bytes = await readFile(file)
    await writeFile(target, entry.name.endsWith('.json') ? bytes.toString().replace('"../../schemas/json/', '"../schemas/') : bytes)
  }
}
