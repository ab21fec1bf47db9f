import { fileVersion } from '../../schemas/common.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import { acceptors, type FileName, type Folder } from './acceptors.ts'
import type { FilesV1, FilesV2, ResourceV2 } from './check.ts'
import { newestDate } from './contradictions.ts'
import { fileFault, parts, shown, type Complaint, type Fault } from './fault.ts'
import { hasPath, mergePatch, nullableNames } from './merge.ts'
import {
  dataFileNames, eachRecord, emptyFile, isInOverlay, isObject, named, overlayRoot, parseDataFile, readDataFiles, valuesOf, type At,
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

/** Merges the files of an overlay into those of a catalogue: their records are merged into those with the same key, or added. */
export async function layOver (
  overlay: Directory | OverlayRecords, { v1, v2 }: Files, mayBeEmpty: boolean
): Promise<Files & { faults: readonly Fault[] }> {
  const read = <In extends 'v1' | 'v2'>(folder: In) => isDirectory(overlay) ? readDataFiles(overlay, folder) : readRecords(overlay, folder)
  const [overV1, overV2] = [await read('v1'), await read('v2')]
  const { stored } = await import('../../schemas/stored.ts')
  const nullable = new Set([...Object.values(stored.v1), ...Object.values(stored.v2)].flatMap(schema => [...nullableNames(schema)]))
  return {
    v1: mapFiles(v1, resource => lay(v1[resource], overV1[resource], nullable)),
    v2: mapFiles(v2, resource => fill(lay(v2[resource], overV2[resource], nullable), neededOf(overV1, resource), blanks[resource])),
    faults: isDirectory(overlay)
      ? mayBeEmpty ? [] : faultsOfEmpty(overlay, [...Object.values(overV1), ...Object.values(overV2)])
      : faultsOfKeys(overlay, dataFileNames)
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

/** Returns the faults of names that no file has. */
export function faultsOfKeys (records: OverlayRecords, names: readonly string[]): Fault[] {
  return Object.keys(records).filter(key => !names.includes(key))
    .map(key => fileFault('', 'overlay', `overlay[${shown(key)}] must be one of ${names.join(', ')}`))
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

/** Merges each record of an overlay into the one with its key, or adds it. */
function lay (base: DataFile, over: DataFile, nullable: ReadonlySet<string>): DataFile {
  if (isMissing(over)) return base
  const known = new Set(keysOf(base))
  const own: { record: UncheckedRecord, at: At }[] = []
  eachRecord(over, (record, at) => own.push({ record, at: (...parts) => overlayRoot + at(...parts) }))
  const patches = new Map(own.map(patch => [patch.record[keyOf(base)], patch]))
  const all: typeof own = []
  eachRecord(base, (record, at) => {
    const patch = patches.get(record[keyOf(base)])
    all.push(patch === undefined
      ? { record, at }
      : {
          record: mergePatch(record, patch.record, nullable) as UncheckedRecord,
          at: (...parts) => hasPath(patch.record, parts) ? patch.at(...parts) : at(...parts)
        })
  })
  all.push(...own.filter(({ record }) => !known.has(record[keyOf(base)]) || patches.get(record[keyOf(base)])?.record !== record))
  return {
    ...base,
    ...laterOf(base, over),
    over: { ...over, complaints: over.complaints.filter(complaint => !isPartOfPatch(complaint, over, known)) },
    digest: `${base.digest} ${over.digest}`,
    records: base.records === null || over.records === null ? null : all.map(({ record }) => record),
    places: all.map(({ at }) => at)
  }
}

/** Returns whether a patch may lack this property, because the record that it is merged into has it. */
function isPartOfPatch ({ pointer, rule }: Complaint, over: DataFile, known: ReadonlySet<unknown>): boolean {
  const [, index, ...inner] = parts(pointer)
  const record = over.records?.[Number(index)]
  return rule === 'required' && isObject(record) && known.has(record[keyOf(over)]) && !inner.some(part => /^\d+$/.test(part))
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
