import { hash } from 'node:crypto'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../attempt.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import type { Catalogue, ListKey, ServedRecord } from './catalogue.ts'
import { below, complainOf, fileFault, label, shownPath, type Complaint, type Fault } from './fault.ts'
import { dataFileNames, emptyFile, faultsOf, isObject, type DataFile, type Directory, type RecordedFile } from './files.ts'
import { findFitnessName } from './fitness.ts'
import { mergePatch } from './merge.ts'
import { faultsOfKeys } from './overlay.ts'
import { nowhere, scan, type Flaw } from './scan.ts'
import { faultsOfText, readText } from './text.ts'

/** The file of each list in a recording, without its ending. */
export const recordedFiles: Readonly<Record<ListKey, string>> = {
  bikes: 'v1/bikes',
  featured: 'v1/featured',
  wheels: 'v1/wheels',
  tyres: 'v1/tyres',
  chains: 'v1/chains',
  groupsets: 'v1/groupsets',
  brakes: 'v1/brakes',
  saddles: 'v1/saddles',
  handlebars: 'v1/handlebars',
  bikesV2: 'v2/bikes'
}

/** The file that a pull writes beside the lists. */
export const recordingFile = 'recording.json'

const files = Object.values(recordedFiles)

/** The names of all files of a data directory, of either kind. */
export const knownFiles: readonly string[] = [...new Set([...dataFileNames, ...files].map(name => `${name}.json`)), recordingFile]

/** The beginning of an array or a page; authored data begin with another name. */
const recordedBegin = /^\s*(?:\[|\{\s*"(?:count|next|previous|results)")/

const beginLength = 512

/** Returns the beginning of a file, which tells its kind; empty for a file that cannot be read. */
function beginOf (file: string): string {
  const bytes = Buffer.alloc(beginLength)
  const { value } = attempt(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (value === undefined) return ''
  const { value: length = 0 } = attempt(() => readSync(value, bytes, 0, beginLength, 0))
  closeSync(value)
  return bytes.toString('utf8', 0, length)
}

/** Returns whether the data of directories are recorded, and a fault for each file of another kind than the first. */
export function kindOf (directories: readonly Directory[]): { isRecorded: boolean, faults: Fault[] } {
  const found = directories.flatMap(directory => knownFiles.flatMap(name => {
    const [folder = '', file = ''] = name.split('/')
    if (file === '') return []
    const begin = beginOf(join(directory[folder as 'v1'].realPath, file))
    return begin.trim() === '' ? [] : { path: join(directory.path, name), isRecorded: recordedBegin.test(begin) }
  }))
  const [first = { path: '', isRecorded: false }] = found
  const kindName = (isRecorded: boolean) => isRecorded ? 'a recorded list' : 'authored data'
  const others = found.filter(({ isRecorded }) => isRecorded !== first.isRecorded)
  return {
    isRecorded: first.isRecorded,
    faults: others.map(({ path, isRecorded }) => fileFault(path, 'kind',
      `is ${kindName(isRecorded)}, but ${shownPath(first.path)} is ${kindName(first.isRecorded)}: one kind can be served`))
  }
}

/** Reads a recorded list; undefined where it is missing. */
async function readList (source: Directory | OverlayRecords, name: string): Promise<RecordedFile | undefined> {
  if (!('realPath' in source)) {
    const records = source[name as 'v1/bikes']
    const given = { ...emptyFile('', '', ''), givenAs: `overlay["${name}"]` }
    return records === undefined ? undefined : parseList(given, JSON.stringify(records))
  }
  const [folder = '', file] = name.split('/')
  const { path, realPath } = source[folder as 'v1']
  const empty = emptyFile('', join(path, `${file}.json`), join(realPath, `${file}.json`))
  const text = await readText(empty)
  if (typeof text === 'string') return parseList(empty, text)
  return text.rule === 'missing' ? undefined : { ...empty, records: [], root: '', flaws: [], faults: [text] }
}

function parseList (file: DataFile, text: string): RecordedFile {
  const flaws: Flaw[] = []
  const { value: found, error } = attempt(() => scan(text, nowhere(), flaws))
  const none = { ...file, text, records: [], root: '', flaws: [] }
  if (error !== undefined || found === undefined) return { ...none, faults: faultsOfText(file.path, text) }
  const content = JSON.parse(text) as unknown
  const isPage = isObject(content) && Array.isArray(content['results'])
  const list: unknown = isPage ? content['results'] : content
  if (!Array.isArray(list)) {
    const must = 'must be an array of records, or a page with results'
    return { ...none, complaints: [{ pointer: '', rule: 'list', must }] }
  }
  const root = isPage ? '/results' : ''
  const complaints = isPage && content['count'] !== list.length
    ? [complainOf('/count', 'count', `must be ${list.length}: a recorded page has all records of its list`, content['count'])]
    : complainAboutIds(list, root)
  const records = complaints.length > 0 ? [] : list as readonly ServedRecord[]
  return { ...file, text, digest: hash('sha256', text), content, records, root, flaws: [...found, ...flaws], complaints }
}

const mustOfId = `must be a whole number up to ${Number.MAX_SAFE_INTEGER}`

/** Finds records that are no objects, and ids that are missing, repeated or cannot be told apart. */
function complainAboutIds (records: readonly unknown[], root: string): Complaint[] {
  const places = new Map<unknown, string>()
  return records.flatMap((record, index): Complaint | never[] => {
    const place = below(root, index)
    if (!isObject(record) || Array.isArray(record)) return complainOf(place, 'type', 'must be an object', record)
    if (!Object.hasOwn(record, 'id')) return { pointer: place, rule: 'required', must: 'must have the property id' }
    const { id } = record
    if (!Number.isSafeInteger(id)) return complainOf(below(place, 'id'), 'type', mustOfId, id)
    const earlier = places.get(id)
    if (earlier !== undefined) return complainOf(below(place, 'id'), 'unique', `must differ from ${label(below(earlier, 'id'))}`, id)
    places.set(id, place)
    return []
  })
}

/** Merges the records of an overlay into those with the same id, or adds them; undefined where both are missing. */
function merge (base: RecordedFile | undefined, over: RecordedFile | undefined, nullable: ReadonlySet<string>) {
  if (over === undefined) return base?.records
  const patches = new Map(over.records.map(record => [record.id, record]))
  const records = base?.records ?? []
  const known = new Set(records.map(({ id }) => id))
  return [
    ...records.map(record => patches.has(record.id) ? mergePatch(record, patches.get(record.id), nullable) as ServedRecord : record),
    ...over.records.filter(({ id }) => !known.has(id))
  ]
}

type Substitute = { means: string, records: (bikes: readonly ServedRecord[]) => readonly ServedRecord[] }

/** The bikes that stand in for a missing list. */
const substitutes: { readonly [key in ListKey]?: Substitute } = {
  featured: { means: 'the bikes with is_featured are featured', records: bikes => bikes.filter(bike => bike['is_featured'] === true) },
  bikesV2: { means: 'version 2.1 has the bikes of version 1', records: bikes => bikes }
}

/** A recording without its pictures. */
export type Recording = Pick<Catalogue, ListKey | 'fitnessName' | 'warnings' | 'remarks' | 'updated'> & {
  readonly digests: readonly string[]
  readonly faults: readonly Fault[]
}

/** Reads the lists of a recording, with those of an overlay merged into them. */
export async function loadRecording (
  base: Directory, over: Directory | OverlayRecords | undefined, fitnessName: string
): Promise<Recording> {
  const lists = await Promise.all((Object.keys(recordedFiles) as ListKey[]).map(async key => {
    const name = recordedFiles[key]
    return { key, name, own: await readList(base, name), patch: over && await readList(over, name) }
  }))
  const read = lists.flatMap(({ own, patch }) => [own ?? [], patch ?? []].flat())
  const about = await readAbout(base)
  const faults = [...read.flatMap(faultsOf), ...about.faults, ...over === undefined || 'realPath' in over ? [] : faultsOfKeys(over, files)]
  // Faults end the load, so that records need not be compared with the contract.
  const { nullableOf, remarksOf } = await import('./remarks.ts')
  const merged = new Map(lists.map(({ key, own, patch }) => [key, merge(own, patch, nullableOf(key))]))
  const bikes = merged.get('bikes') ?? []
  const served = (key: ListKey) => merged.get(key) ?? substitutes[key]?.records(bikes) ?? []
  const name = findFitnessName([...bikes, ...served('bikesV2')]) ?? fitnessName
  return {
    ...Object.fromEntries(lists.map(({ key }) => [key, served(key)])) as Pick<Recording, ListKey>,
    fitnessName: name,
    updated: new Date(about.recorded ?? Math.max(0, ...read.map(({ realPath }) => attempt(() => statSync(realPath).mtimeMs).value ?? 0))),
    digests: [...read.map(({ digest }) => digest), about.digest],
    faults,
    warnings: lists.filter(({ key }) => merged.get(key) === undefined).map(({ key, name }) =>
      `${shownPath(join(base.path, `${name}.json`))} is missing: ${substitutes[key]?.means ?? 'the list is empty'}`),
    remarks: faults.length > 0 ? [] : lists.flatMap(({ key, own, patch }) => remarksOf(key, name, own, patch))
  }
}

/** Reads recording.json: the time of the recording; the settings read their presets from it themselves. */
async function readAbout ({ path, realPath }: Directory): Promise<{ recorded?: string, digest: string, faults: readonly Fault[] }> {
  const file = emptyFile('', join(path, recordingFile), join(realPath, recordingFile))
  const text = await readText(file)
  if (typeof text !== 'string') return { digest: '', faults: text.rule === 'missing' ? [] : [text] }
  const faults = faultsOfText(file.path, text)
  if (faults.length > 0) return { digest: '', faults }
  const content = JSON.parse(text) as { recorded?: string }
  const [{ Recording }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
  const complaints = validate(Recording, content)
  return {
    ...complaints.length === 0 && content.recorded !== undefined && { recorded: content.recorded },
    digest: hash('sha256', text), faults: faultsOf({ ...file, text, complaints })
  }
}
