import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants, readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { records, type ListKey } from '../../schemas/lists.ts'
import { stored, type StoredName } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { isUtf16, realPathOf } from '../base/files.ts'
import { invalidByteAt } from '../base/text.ts'
import type { Lists } from './catalogue.ts'
import { fileError, readError, type DataError } from './errors/error.ts'
import { createSource, type List, type Source } from './errors/source.ts'

/** A path for messages, and the one without links. */
export type Location = { readonly path: string, readonly realPath: string }

/** Returns the location of a file or folder in a directory. */
export function locationIn ({ path, realPath }: Location, name: string): Location {
  return { path: join(path, name), realPath: join(realPath, name) }
}

type FolderName = 'v1' | 'v2' | 'media'

/** A directory and its folders with their links resolved once: a load reads one version even if a link is swapped. */
export type Directory = Location & Readonly<Record<FolderName, Location>>

/** Resolves the links of a directory; a missing path stays unresolved, and reading it fails. */
export function resolveLinks (path: string): Directory {
  const realPath = realPathOf(path) ?? path
  // Kubernetes mounts a ConfigMap as links into ..data, itself a link to the current version.
  const version = realPathOf(join(realPath, '..data')) ?? realPath
  const resolve = (name: FolderName): Location => {
    const folder = locationIn({ path, realPath }, name)
    const resolved = realPathOf(join(version, name)) ?? realPathOf(folder.realPath)
    return { ...folder, realPath: resolved ?? folder.realPath }
  }
  return { path, realPath, v1: resolve('v1'), v2: resolve('v2'), media: resolve('media') }
}

export function directoryErrors ({ path, realPath }: Location): DataError[] {
  const { error } = attempt(() => readdirSync(realPath))
  return error === undefined ? [] : [readError(path, error)]
}

export const storedNames = Object.keys(stored) as readonly StoredName[]

/** Returns the key that the records of a file in the built-in format stand under: `bikes` in `v1/bikes`. */
export const storedKeyOf = (name: string) => name.slice('v1/'.length)

/** The lists of v1 in authored data. */
export const storedLists = storedNames.filter(name => name.startsWith('v1/')).map(storedKeyOf) as StoredList[]

type StoredList = Exclude<keyof Lists, 'featured' | 'bikesV2'>

export type StoredLists = Readonly<Record<StoredName, List>>

/** Returns the field by which the records of a list are known. */
export const keyField = (name: StoredName) => name === 'v2/categories' ? 'slug' : 'id'

/** The file of each list in a recording, without its ending. */
export const recordedFiles = Object.fromEntries(Object.keys(records).map(key => {
  const name = key === 'bikesV2' ? 'v2/bikes' : `v1/${key}`
  return [key, name]
})) as Readonly<Record<ListKey, string>>

/** The file that a pull writes alongside the lists. */
export const recordingFile = 'recording.json'

/** Begins the name of recording.json while other files are renamed: a directory that has it has files of two pulls. */
export const commitName = '.commit-'

/** Returns the lists of a recording or of authored data, by their files without the ending. */
export function fileNamesOf (isRecorded: boolean): readonly string[] {
  return isRecorded ? Object.values(recordedFiles) : storedNames
}

const allNames = [...new Set([false, true].flatMap(fileNamesOf))]

/** The paths of all files of a data directory, of either kind. */
export const knownFiles: readonly string[] = [...allNames.map(name => `${name}.json`), recordingFile]

/** The sources of each list, that of an overlay second. */
export type Files = ReadonlyMap<string, readonly [Source, ...Source[]]>

/** Reads the lists of a directory, of either kind; those of a folder that cannot be read share its error. */
export async function readSources (directory: Directory): Promise<Source[]> {
  const folderErrors = { v1: directoryErrors(directory.v1), v2: directoryErrors(directory.v2) }
  const read = (name: string) => {
    const [version, file] = name.split('/') as ['v1' | 'v2', string]
    const folder = directory[version]
    const errors = folderErrors[version]
    if (errors.length > 0) return createSource(name, folder.path, '', { errors: [...errors] })
    return readSource(name, locationIn(folder, `${file}.json`))
  }
  return await Promise.all(allNames.map(read))
}

/** How data files name their JSON Schemas: the built-in ones, and those of a copy, which has the same digest. */
export const schemaPaths = { builtIn: '"../../schemas/json/', copied: '"../schemas/' } as const

export const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Reads a regular file as UTF-8; rejects pipes, which could block forever. */
export async function readSource (name: string, { path, realPath }: Location): Promise<Source> {
  const refuse = (error: DataError) => createSource(name, path, '', { errors: [error] })
  try {
    const stats = await stat(realPath)
    if (!stats.isFile()) {
      const kind = stats.isDirectory() ? 'directory' : 'pipe or device'
      return refuse(fileError(path, 'file', `is a ${kind}, not a file`))
    }
    const bytes = withoutMark(await readFile(realPath, { flag: constants.O_RDONLY | constants.O_NONBLOCK }))
    const errors = isUtf8(bytes) ? [] : [encodingError(path, bytes)]
    // Authored data needs only its text; a recording is served from its bytes.
    const isRecorded = recordedBegin.test(bytes.toString('latin1', 0, 1000))
    const content = isRecorded || errors.length > 0 ? bytes : bytes.toString()
    const isText = typeof content === 'string'
    const digest = digestOf(isText ? content.replace(schemaPaths.copied, schemaPaths.builtIn) : bytes)
    return createSource(name, path, content, { errors, digest, modified: stats.mtimeMs })
  } catch (error) {
    return refuse(readError(path, error as NodeJS.ErrnoException))
  }
}

function encodingError (path: string, bytes: Buffer): DataError {
  if (isUtf16(bytes)) {
    const must = 'must be UTF-8, got UTF-16 (PowerShell\'s > writes it; save with curl -o)'
    return { ...fileError(path, 'encoding', must), line: 1, column: 1 }
  }
  const at = invalidByteAt(bytes)
  const lines = bytes.toString('utf8', 0, at).split(/\r\n?|\n/)
  const must = `must be UTF-8, got the byte 0x${bytes.toString('hex', at, at + 1)}`
  return { ...fileError(path, 'encoding', must), line: lines.length, column: String(lines.at(-1)).length + 1 }
}

const byteOrderMark = Buffer.from('\ufeff')

export const withoutMark = (bytes: Buffer) => bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes

/** Matches the beginning of a list or a page. */
const recordedBegin = /^\s*(?:\[|\{\s*"(?:count|next|previous|results)")/

/** Matches the beginning of a file in the built-in format. */
const storedBegin = new RegExp(`^\\s*\\{\\s*"(?:\\$schema|version|updated|${storedNames.map(storedKeyOf).join('|')})"`)

/**
 * Returns whether files are recorded, and an error for each file whose kind differs from the first file's. A file of
 * neither kind, such as a saved error, counts as the first file's kind, or as recorded.
 */
export function dataKindOf (sources: readonly Source[]): { isRecorded: boolean, errors: DataError[] } {
  const ofKind = sources.filter(source => fileKindOf(source) !== undefined)
  const [first, ...others] = ofKind
  if (first === undefined) {
    const isRecorded = sources.some(({ errors: [error] }) => error === undefined || error.rule === 'encoding')
    return { isRecorded, errors: [] }
  }
  const kind = fileKindOf(first)
  const errors: DataError[] = []
  for (const source of others) {
    const own = fileKindOf(source)
    const must = `is ${own}, but ${first.file} is ${kind}: a directory has one format`
    if (own !== kind) errors.push(fileError(source.file, 'kind', must))
  }
  return { isRecorded: kind === 'a recorded list', errors }
}

/** Returns the kind of a file by its beginning; undefined for a document that may be of either. */
function fileKindOf ({ name, start }: Source): 'a recorded list' | 'in the built-in format' | undefined {
  const isAnyDocument = name === recordedFiles.bikesV2 && !/^\s*\[|"version":\s*1(?![\d.])/.test(start)
  if (isAnyDocument) return undefined // any document may be recorded
  if (recordedBegin.test(start)) return 'a recorded list'
  return storedBegin.test(start) ? 'in the built-in format' : undefined
}
