import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unescape } from 'node:querystring'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedList, Recording } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { dataKindOf, readSources, recordedFiles, recordingFile, resolveLinks } from '../catalogue/files.ts'
import { isImageOf } from '../catalogue/images.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import { Limited, Unreachable } from '../client/client.ts'
import type { ServiceRecording } from './record.ts'
import { documentOf, emptyList, type Get, type ListRecording } from './recorder.ts'

const image = /\.(?:jpe?g|webp|avif|png)$/

const keys = Object.keys(recordedFiles) as ListKey[]

/** @throws {Error} unless a directory is missing, or may have the files of a recording */
export async function assertWritable (directory: string, overwrites: boolean): Promise<void> {
  const parent = await stat(dirname(directory)).catch(() => undefined)
  if (parent?.isDirectory() !== true) throw new Error(`${dirname(directory)} is not a directory: create it first`)
  const own = await stat(directory).catch(() => undefined)
  if (own !== undefined) {
    if (!overwrites) throw new Error(`${directory} already exists (--overwrite replaces the recording in it)`)
    if (!own.isDirectory()) throw new Error(`${directory} is not a directory`)
    const sources = await readSources(resolveLinks(directory))
    const isAuthored = sources.some(({ text }) => text !== '') && !dataKindOf(sources).isRecorded
    if (isAuthored) throw new Error(`${directory} has data in the built-in format, which a recording does not replace`)
  }
  await access(own === undefined ? dirname(directory) : directory, constants.W_OK)
}

/** Reads the recording.json of a directory; undefined without one. */
export async function readAbout (directory: string): Promise<Recording | undefined> {
  const file = join(directory, recordingFile)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { value } = attempt(() => JSON.parse(text) as Recording)
  if (value === undefined) throw new Error(`${file} is no JSON: delete it to pull anew`)
  return value
}

/** Reads a recording, which may be unfinished. */
export async function readRecording (directory: string, { lists = {}, bases = [], v2 = {}, unfinished = [] }: Recording) {
  const recording: ServiceRecording = { lists: new Map(), bases: new Set(bases), v2, unfinished: new Set(unfinished as ListKey[]) }
  for (const [key, stored] of Object.entries(lists) as [ListKey, RecordedList][]) {
    const bytes = await readFile(fileOf(directory, key)).catch(() => Buffer.from('[]'))
    const records = readRecords(bytes)
    const list = { ...emptyList(), ...stored, texts: records?.values.map((_, index) => records.bytesAt(index).toString()) ?? [] }
    if (records === undefined) list.responses[''] = { ...list.responses[''], body: [bytes.toString()] }
    recording.lists.set(key, list)
  }
  return recording
}

const fileOf = (directory: string, key: ListKey) => join(directory, `${recordedFiles[key]}.json`)

/**
 * Writes the files of a recording one by one, each at once, and leaves all other files; deletes those of lists that it lacks, unless the
 * other lists are `kept`.
 */
export async function writeRecording (
  directory: string, { lists, bases, v2, unfinished }: ServiceRecording, about: Recording, kept?: Recording
): Promise<void> {
  const stored = {
    ...about,
    recorded: new Date().toISOString(),
    unfinished: [...unfinished],
    bases: [...new Set([...kept?.bases ?? [], ...bases])],
    lists: { ...kept?.lists },
    v2: { ...kept?.v2, ...v2 }
  }
  for (const key of keys) {
    const list = lists.get(key)
    const isFound = list !== undefined && list.responses['']?.status === undefined
    if (isFound) await replaceFile(fileOf(directory, key), documentOf(list) ?? `[\n${list.texts.join(',\n')}\n]\n`)
    else if (list !== undefined || kept === undefined) await rm(fileOf(directory, key), { force: true })
    if (list !== undefined) stored.lists[key] = toStored(list)
  }
  await replaceFile(join(directory, recordingFile), format(stored))
}

/** Returns a list for recording.json, without the records or the document of its file. */
function toStored ({ texts, ...list }: ListRecording): RecordedList {
  const { '': first, ...others } = list.responses
  if (first === undefined || documentOf(list) === undefined) return list
  const { body, ...rest } = first
  return { ...list, responses: { '': rest, ...others } }
}

/** Formats recording.json with one response a line. */
function format ({ lists = {}, ...about }: Recording): string {
  const block = (entries: readonly string[]) => `{\n${entries.join(',\n')}\n}`
  const entriesOf = (value: object) => Object.entries(value).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const shown = Object.entries(lists).map(([key, { responses = {}, ...list }]) =>
    `"${key}":${block([...entriesOf(list), `"responses":${block(entriesOf(responses))}`])}`)
  return `${block([...entriesOf(about), `"lists":${block(shown)}`])}\n`
}

async function replaceFile (file: string, content: string | Buffer): Promise<void> {
  const temporary = `${file}.${randomUUID()}`
  try {
    await createFile(temporary, content)
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Writes a file, and creates its directory. */
async function createFile (file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOSPC') error.message = `${file}: ${error.message}` // a failed write names no file
    throw error
  })
}

/** Downloads images, given by URLs below `media` or by paths, to the same paths below a directory, each path once; returns their number. */
export async function fetchImages (
  get: Get, media: URL, addresses: ReadonlySet<string>, folder: string, warn: (message: string) => void
): Promise<number> {
  let count = 0
  const paths = new Map([...addresses].map(address => [address.replace(media.href, '').replace(/^\/media\//, ''), address]))
  for (const [path, address] of paths) {
    const file = join(folder, ...path.split('/').map(unescape))
    try {
      const reason = isImagePath(path) ? await fetchImage(get, new URL(address, media), file) : 'it is not the path of an image'
      if (reason === undefined) count++
      else warn(`${address} keeps its URL: ${reason}`)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      warn(`${address} keeps its URL: ${error.message}`)
      if (error instanceof Limited) break
    }
  }
  return count
}

/** Downloads an image to a file; returns the reason for a failure. */
async function fetchImage (get: Get, address: URL, file: string): Promise<string | undefined> {
  const { status, headers: { 'content-type': type = 'no type' }, body } = await get(address)
  if (status !== 200 || !type.startsWith('image/')) return `it responds with ${status}, ${type}`
  if (!isImageOf(file, body)) return 'its content is not an image in the format of its name'
  const error = await createFile(file, body).catch((error: NodeJS.ErrnoException) => error)
  if (error?.code === 'ENOSPC') throw error
  return error?.code && `it cannot be written: ${error.code}`
}

/** Returns the strings in records that begin with a URL, or with the path of our images. */
export function addressesBelow (media: URL, lists: Iterable<ListRecording>): Set<string> {
  const found = new Set<string>()
  const visit = (_name: string, value: unknown) => {
    if (typeof value === 'string' && [media.href, '/media/'].some(begin => value.startsWith(begin))) found.add(value)
  }
  for (const { texts } of lists) for (const text of texts) JSON.parse(text, visit)
  return found
}

/** Returns whether a path is a valid image path that stays below its directory. */
function isImagePath (path: string): boolean {
  return image.test(path) && path.split('/').every(segment => {
    const name = unescape(segment)
    return encodeURIComponent(name) === segment && /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= 255
  })
}
