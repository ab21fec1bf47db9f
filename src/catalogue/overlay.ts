import { fileVersion } from '../../schemas/common.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import { acceptors, type FileName, type Folder } from './acceptors.ts'
import type { FilesV1, FilesV2, ResourceV2 } from './check.ts'
import { newestDate } from './contradictions.ts'
import { fileFault, shown, type Fault } from './fault.ts'
import {
  dataFileNames, eachRecord, emptyFile, isInOverlay, isObject, named, overlayRoot, parseDataFile, readDataFiles, valuesOf,
  type DataFile, type Directory, type UncheckedRecord
} from './files.ts'
import { isBefore, isTimestamp } from './timestamps.ts'

type Files = { v1: FilesV1, v2: FilesV2 }

const blankPart = (id: unknown): UncheckedRecord => ({ id, weight_grams: 0, measurements: {} })

/** Blank v2 records for records that only v1 has. */
export const blanks: Readonly<Record<ResourceV2, (key: unknown) => UncheckedRecord>> = {
  bikes: id => ({ id, price: null, weight_kg: null, brakes: null, reviews: [], specifications: [] }),
  cranksets: blankPart,
  saddles: blankPart,
  handlebars: blankPart,
  brakes: blankPart,
  categories: slug => ({ slug, specifications: [] })
}

/** Merges the files of an overlay into those of a catalogue: their records replace those with the same key, or are added. */
export async function layOver (overlay: Directory | OverlayRecords, { v1, v2 }: Files): Promise<Files & { faults: readonly Fault[] }> {
  const read = <In extends 'v1' | 'v2'>(folder: In) => isDirectory(overlay) ? readDataFiles(overlay, folder) : readRecords(overlay, folder)
  const [overV1, overV2] = [await read('v1'), await read('v2')]
  return {
    v1: mapFiles(v1, resource => lay(v1[resource], overV1[resource])),
    v2: mapFiles(v2, resource => fill(lay(v2[resource], overV2[resource]), neededOf(overV1, resource), blanks[resource])),
    faults: isDirectory(overlay) ? faultsOfEmpty(overlay, [...Object.values(overV1), ...Object.values(overV2)]) : faultsOfKeys(overlay)
  }
}

export const isDirectory = (overlay: Directory | OverlayRecords): overlay is Directory => 'realPath' in overlay

function faultsOfEmpty ({ path }: Directory, files: readonly DataFile[]): Fault[] {
  return files.every(isMissing) ? [fileFault(path, 'missing', 'has no data file, such as v1/bikes.json')] : []
}

/** Validates records passed by a program in place of files; a file without records is missing. */
async function readRecords<In extends Folder> (given: OverlayRecords, folder: In) {
  const files = Object.keys(acceptors[folder]).map(async resource => {
    const records = given[`${folder}/${resource}` as keyof OverlayRecords]
    const file = { ...emptyFile(resource, '', ''), givenAs: `overlay["${folder}/${resource}"]` }
    if (records === undefined) return [resource, { ...file, faults: [fileFault('', 'missing', '')] }]
    const text = JSON.stringify({ version: fileVersion, updated: '1970-01-01T00:00:00Z', [resource]: records })
    const read = await parseDataFile(file, folder, text)
    const faults = read.faults.map(fault => ({ ...fault, line: null, column: null, message: named(file, fault.message) }))
    return [resource, { ...read, content: { updated: newestDate(read) }, faults }]
  })
  return Object.fromEntries(await Promise.all(files)) as Record<FileName<In>, DataFile>
}

function faultsOfKeys (records: OverlayRecords): Fault[] {
  return Object.keys(records).filter(key => !dataFileNames.includes(key))
    .map(key => fileFault('', 'overlay', `overlay[${shown(key)}] must be one of ${dataFileNames.join(', ')}`))
}

function mapFiles<Resource extends string> (files: Readonly<Record<Resource, DataFile>>, map: (resource: Resource) => DataFile) {
  const resources = Object.keys(files) as Resource[]
  return Object.fromEntries(resources.map(resource => [resource, map(resource)])) as Record<Resource, DataFile>
}

const isMissing = ({ faults }: DataFile) => faults[0]?.rule === 'missing'

/** Returns the field that identifies the records of a file. */
const keyOf = ({ resource }: DataFile) => resource === 'categories' ? 'slug' : 'id'

const keysOf = (file: DataFile): unknown[] => valuesOf(file, keyOf(file)).map(({ value }) => value)

/** Returns the keys that a file of v2 needs for the records of an overlay in v1. */
function neededOf ({ bikes, ...others }: FilesV1, resource: ResourceV2): unknown[] {
  if (resource === 'bikes') return keysOf(bikes)
  if (resource !== 'categories') return keysOf(others[resource])
  return valuesOf(bikes, 'category').map(({ value }) => isObject(value) ? value['slug'] : undefined)
}

const updatedOf = ({ content }: DataFile) => (content as UncheckedRecord | null)?.['updated']

/** Returns the later `updated` of two files and its place; ignores invalid ones, which the schema rejects. */
function laterOf (base: DataFile, over: DataFile): Pick<DataFile, 'content' | 'updatedAt'> {
  const [updated, other] = [updatedOf(base), updatedOf(over)]
  const isTime = typeof other === 'string' && isTimestamp(other)
  if (isTime && !isBefore(updated, other)) return { content: { updated } }
  return { content: { updated: other }, updatedAt: `${overlayRoot}/updated` }
}

function lay (base: DataFile, over: DataFile): DataFile {
  if (isMissing(over)) return base
  const keys = new Set(keysOf(over))
  const all: { record: UncheckedRecord, place: string }[] = []
  eachRecord(base, (record, at) => { if (!keys.has(record[keyOf(base)])) all.push({ record, place: at() }) })
  eachRecord(over, (record, at) => all.push({ record, place: overlayRoot + at() }))
  return {
    ...base,
    ...laterOf(base, over),
    over,
    digest: `${base.digest} ${over.digest}`,
    records: base.records === null || over.records === null ? null : all.map(({ record }) => record),
    places: all.map(({ place }) => place)
  }
}

/** Adds blank records for the needed keys that a file lacks. */
function fill (file: DataFile, needed: readonly unknown[], blank: (key: unknown) => UncheckedRecord): DataFile {
  const known = new Set(keysOf(file))
  const added = [...new Set(needed)].filter(key => !known.has(key)).map(blank)
  return file.records === null ? file : { ...file, records: [...file.records, ...added] }
}

/** Splits a merged file into its two files, each with its own complaints. */
export function apart (file: DataFile): DataFile[] {
  const { over, complaints } = file
  if (over === undefined) return [file]
  const own = complaints.filter(({ pointer }) => isInOverlay(pointer))
    .map(complaint => ({ ...complaint, pointer: complaint.pointer.slice(overlayRoot.length) }))
  const others = complaints.filter(({ pointer }) => !isInOverlay(pointer))
  return [{ ...file, complaints: others }, { ...over, complaints: [...over.complaints, ...own] }]
}
