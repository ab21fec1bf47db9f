import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { dataDirectory, name } from '../package.ts'

type Streams = { stdout: Pick<NodeJS.WriteStream, 'write'>, stderr: Pick<NodeJS.WriteStream, 'write'> }

const usage = `Usage: ${name} init DIR

Copies the data, with schemas by which an editor completes names, into a directory that is empty or not yet there.
${name} --data DIR --watch serves them, and shows at once what is changed.
`

/**
 * Copies the data with their schemas, by which an editor completes names, into a directory that is empty or not yet there; the exit
 * code.
 */
export async function init (args: string[], { stdout, stderr }: Streams): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(usage)
    return 0
  }
  const [directory] = args
  if (directory === undefined || args.length > 1 || directory.startsWith('-')) {
    stderr.write(`init takes one directory, such as my-data (${name} init --help)\n`)
    return 1
  }
  try {
    await makeDirectory(resolve(directory))
    if ((await readdir(directory)).length > 0) throw new Error('it is not empty')
    await copyData(directory)
  } catch (error) {
    stderr.write(`nothing can be copied to ${directory}: ${(error as Error).message}\n`)
    return 1
  }
  stdout.write(`The data are in ${resolve(directory)}. Serve them, and see what you change:\n\n  ${name} --data ${directory} --watch\n`)
  return 0
}

/** Makes a directory and those missing above it; Node's own way never ends where one that is there refuses with ENOENT, as /proc does. */
async function makeDirectory (path: string): Promise<void> {
  if (existsSync(path)) return
  await makeDirectory(dirname(path))
  await mkdir(path).catch(({ message }: Error) => { throw new Error(`it cannot be made: ${message}`) })
}

async function copyData (directory: string): Promise<void> {
  // A manifest would have to name each picture that is added.
  await cp(dataDirectory, directory, { recursive: true, filter: file => basename(file) !== 'manifest.json' })
  await cp(join(dataDirectory, '../schemas/json'), join(directory, 'schemas'), { recursive: true })
  for (const folder of ['v1', 'v2']) {
    for (const file of await readdir(join(directory, 'schemas', folder))) await pointToSchema(join(directory, folder, file))
  }
}

async function pointToSchema (file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"../../schemas/json/', '"../schemas/'))
}
