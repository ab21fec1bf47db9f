import { existsSync } from 'node:fs'
import { access, constants, lstat, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import { recordingVersion, type RecordedList, type Recording } from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { isPlainObject } from '../base/json.ts'
import { isMissing, type Source } from '../catalogue/errors/source.ts'
import {
  dataKindOf, digestOf, readSources, recordedFiles, recordingFile, resolveLinks, withoutMark
} from '../catalogue/files.ts'
import { maxBases } from '../http/base-urls.ts'
import { readAbout } from '../recorded/about.ts'
import { readRecords } from '../recorded/texts.ts'
import { emptyList, listDocument, type ServiceRecording } from './record.ts'
import type { ListRecording } from './reduce.ts'
import type { Stage } from './stage.ts'

const listKeys = Object.keys(recordedFiles) as ListKey[]

/** @throws {Error} unless a directory is missing, or may have the files of a recording */
export async function assertWritable (directory: string, overwrites: boolean): Promise<void> {
  const parent = dirname(directory)
  const parentStats = await stat(parent).catch(() => undefined)
  if (parentStats?.isDirectory() !== true) throw new Error(`${parent} is not a directory: create it first`)
  const stats = await stat(directory).catch(() => undefined)
  if (stats === undefined) {
    const isLink = await lstat(directory).catch(() => undefined) !== undefined
    if (isLink) throw new Error(`${directory} is a link to a missing directory: create that first`)
    return await access(parent, constants.W_OK)
  }
  if (!overwrites) throw new Error(`${directory} already exists (--overwrite replaces the recording in it)`)
  if (!stats.isDirectory()) throw new Error(`${directory} is not a directory`)
  const sources = await readSources(resolveLinks(directory))
  const isAuthored = sources.some(({ start }) => start !== '') && !dataKindOf(sources).isRecorded
  if (isAuthored) throw new Error(`${directory} has data in the built-in format, which a recording does not replace`)
  await access(directory, constants.W_OK)
}

/** Reads the recording.json of a directory; undefined without one. @throws {Error} for an invalid one */
export async function readRecordingFile (directory: string): Promise<Recording | undefined> {
  if (!existsSync(join(directory, recordingFile))) return undefined
  const { source, content } = await readAbout(resolveLinks(directory))
  const [error] = source.errors
  if (error !== undefined) {
    throw new Error(`${source.file} is invalid, ${error.message}: pull all lists again with --overwrite`)
  }
  return content
}

/**
 * Reads a recording, which may be written by hand. @throws {Error} for a directory without recorded lists, and for a
 * file that is no list
 */
export async function readRecordingIn (directory: string): Promise<ServiceRecording & { url: string }> {
  const sources = await readSources(resolveLinks(directory))
  const { isRecorded } = dataKindOf(sources)
  const lists: Record<string, RecordedList> = {}
  for (const key of listKeys) {
    const source = sources.find(({ name }) => name === recordedFiles[key]) as Source
    if (isMissing(source)) continue
    const records = source.errors.length > 0 ? undefined : readRecords(source.bytes(), isPlainObject)
    if (records === undefined || records.values.includes(false)) {
      const { error = source.errors[0] } = attempt((): unknown => JSON.parse(source.text))
      if (error !== undefined) throw new Error(`${source.file} cannot be read: ${error.message}`)
      if (key !== 'bikesV2' && isRecorded) throw new Error(`${source.file} is no list of records`)
    }
    lists[key] = {}
  }
  if (Object.keys(lists).length === 0) throw new Error(`${directory} has no recorded list, such as v1/bikes.json`)
  if (!isRecorded) throw new Error(`${directory} has data in the built-in format, not a recording`)
  const about = await readRecordingFile(directory) ?? {}
  const recording = await readPulled(directory, { ...about, lists: { ...lists, ...about.lists } })
  return { ...recording, url: about.url ?? '' }
}

/** Reads a recording, which may be unfinished. A list that was edited since has its records, but no responses. */
export async function readPulled (directory: string, about: Recording): Promise<ServiceRecording> {
  const { bases, v2 = {}, unfinished } = about
  const recording: ServiceRecording = {
    lists: new Map(),
    bases: new Set(bases),
    v2,
    unfinished: new Set(unfinished as ListKey[])
  }
  for (const [key, { digest, ...stored }] of Object.entries({ ...about.lists }) as [ListKey, RecordedList][]) {
    const bytes = withoutMark(await readFile(join(directory, listPath(key))).catch(() => Buffer.from('[]')))
    const isPulled = digest === undefined || digest === listDigest(bytes)
    const list: ListRecording = isPulled ? { ...emptyList(), ...stored } : emptyList()
    const records = readRecords(bytes, isPlainObject)
    if (records === undefined) {
      const body = [bytes.toString()]
      list.responses[''] = { ...list.responses[''], body }
    } else list.texts = records.values.map((_, index) => records.bytesAt(index).toString())
    recording.lists.set(key, list)
  }
  return recording
}

const listPath = (key: ListKey) => `${recordedFiles[key]}.json`

/** Returns the digest of a list's file for recording.json. */
const listDigest = (content: Buffer) => digestOf(content).slice(0, 16)

/**
 * Stages the files of a recording. The files and responses of lists that it lacks stay if `kept`, the earlier
 * recording.json, is passed; otherwise they are deleted.
 */
export async function stageRecording (
  stage: Stage, { lists, bases, v2, unfinished }: ServiceRecording, about: Recording, kept?: Recording
): Promise<void> {
  const stored: Record<string, RecordedList> = { ...kept?.lists }
  for (const key of listKeys) {
    const list = lists.get(key)
    if (list === undefined) {
      if (kept === undefined) stage.remove(listPath(key))
      continue
    }
    stored[key] = toStored(list)
    if (list.responses['']?.status !== undefined) {
      stage.remove(listPath(key))
      continue
    }
    const content = contentOf(list)
    stored[key] = { digest: listDigest(content), ...stored[key] }
    await stage.write(listPath(key), content)
  }
  const allBases = new Set([...kept?.bases ?? [], ...bases])
  const formatAt = (recorded: string) => format({
    version: recordingVersion,
    ...about,
    recorded,
    unfinished: [...unfinished],
    bases: [...allBases].slice(0, maxBases),
    v2: { ...kept?.v2, ...v2 }
  }, stored)
  const current = await readFile(join(stage.directory, recordingFile), 'utf8').catch(() => '')
  const [, recorded = ''] = /^"recorded":"([^"]*)"/m.exec(current) ?? []
  const isSame = formatAt(recorded) === current // then only the time would change
  await stage.write(recordingFile, isSame ? current : formatAt(new Date().toISOString()))
}

/** Returns the content of a list's file, with each record on lines of its own. */
function contentOf (list: ListRecording): Buffer {
  const document = listDocument(list)
  if (document !== undefined) return Buffer.from(document)
  const last = list.texts.length - 1
  const lines = list.texts.map((text, index) => Buffer.from(index === last ? `${text}\n` : `${text},\n`))
  return Buffer.concat([Buffer.from('[\n'), ...lines, Buffer.from(']\n')])
}

/** Returns a list for recording.json, without the records or the document of its file. */
function toStored ({ texts, ...list }: ListRecording): RecordedList {
  const { '': first, ...others } = list.responses
  if (first === undefined || listDocument(list) === undefined) return list
  const { body, ...rest } = first
  return { ...list, responses: { '': rest, ...others } }
}

/** Formats recording.json with one response a line. */
function format (about: Recording, lists: Readonly<Record<string, RecordedList>>): string {
  const written: string[] = []
  for (const [key, { responses = {}, ...list }] of Object.entries(lists)) {
    const properties = [...linesOf(list), `"responses":${block(linesOf(responses))}`]
    written.push(`"${key}":${block(properties)}`)
  }
  return `${block([...linesOf(about), `"lists":${block(written)}`])}\n`
}

const block = (lines: readonly string[]) => `{\n${lines.join(',\n')}\n}`

/** Returns a line of JSON for each property that is there. */
function linesOf (object: object): string[] {
  const lines: string[] = []
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) lines.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }
  return lines
}
