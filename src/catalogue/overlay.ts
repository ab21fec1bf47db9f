import type { FilesV1, FilesV2, ResourceV2 } from './check.ts'
import { below, fileFault } from './fault.ts'
import { isInOverlay, overlayRoot, readDataFiles, type DataFile, type UncheckedRecord } from './files.ts'
import { isBefore, isTimestamp } from './timestamps.ts'

type Files = { v1: FilesV1, v2: FilesV2 }

const blankPart = (id: unknown): UncheckedRecord => ({ id, weight_grams: 0, measurements: {} })

/** What v2.1 needs of a record that an overlay has in v1 only. */
const blanks: Readonly<Record<ResourceV2, (key: unknown) => UncheckedRecord>> = {
  bikes: id => ({ id, price: null, weight_kg: null, brakes: null, reviews: [], specifications: [] }),
  cranksets: blankPart,
  saddles: blankPart,
  handlebars: blankPart,
  brakes: blankPart,
  categories: slug => ({ slug, specifications: [] })
}

/** Lays the files of a directory over those of a catalogue: their records take the place of those with the same key, or join the others. */
export async function layOver (directory: string, { v1, v2 }: Files): Promise<Files> {
  const overV1 = await readDataFiles(directory, 'v1')
  const overV2 = await readDataFiles(directory, 'v2')
  const isEmpty = [...Object.values(overV1), ...Object.values(overV2)].every(isMissing)
  const faults = isEmpty ? [fileFault(directory, 'missing', 'has no data file, such as v1/bikes.json')] : []
  const laidV1 = mapFiles(v1, resource => lay(v1[resource], overV1[resource]))
  const laidV2 = mapFiles(v2, resource => fill(lay(v2[resource], overV2[resource]), neededOf(overV1, resource), blanks[resource]))
  return { v1: { ...laidV1, bikes: { ...laidV1.bikes, faults: [...laidV1.bikes.faults, ...faults] } }, v2: laidV2 }
}

function mapFiles<Resource extends string> (files: Readonly<Record<Resource, DataFile>>, map: (resource: Resource) => DataFile) {
  const resources = Object.keys(files) as Resource[]
  return Object.fromEntries(resources.map(resource => [resource, map(resource)])) as Record<Resource, DataFile>
}

const isMissing = ({ faults }: DataFile) => faults[0]?.rule === 'missing'

/** What the records of a file are known by. */
const keyOf = ({ resource }: DataFile) => resource === 'categories' ? 'slug' : 'id'

const keysOf = (file: DataFile): unknown[] => recordsOf(file).map(record => record[keyOf(file)])

/** The records of a file that are objects, in their order; what is none is the schema's affair. */
const recordsOf = ({ records }: DataFile): UncheckedRecord[] =>
  (records ?? []).map(record => typeof record === 'object' && record !== null ? record as UncheckedRecord : {})

/** The keys that a file of v2 needs because of what an overlay has in v1. */
function neededOf ({ bikes, ...others }: FilesV1, resource: ResourceV2): unknown[] {
  if (resource === 'bikes') return keysOf(bikes)
  if (resource !== 'categories') return keysOf(others[resource])
  return recordsOf(bikes).map(({ category }) => (category as UncheckedRecord | null | undefined)?.['slug'])
}

const updatedOf = ({ content }: DataFile) => (content as UncheckedRecord | null)?.['updated']

/** The later time of two files, and where it stands; what is none is the schema's affair, and counts so that it is all that is told. */
function laterOf (base: DataFile, over: DataFile): Pick<DataFile, 'content' | 'updatedAt'> {
  const [updated, other] = [updatedOf(base), updatedOf(over)]
  const isTime = typeof other === 'string' && isTimestamp(other)
  if (isTime && !isBefore(updated, other)) return { content: { updated } }
  return { content: { updated: other }, updatedAt: `${overlayRoot}/updated` }
}

function lay (base: DataFile, over: DataFile): DataFile {
  if (isMissing(over)) return base
  const keys = new Set(keysOf(over))
  const placed = (file: DataFile, root: string) =>
    recordsOf(file).map((record, index) => ({ record, place: below(below(root, file.resource), index) }))
  const all = [...placed(base, '').filter(({ record }) => !keys.has(record[keyOf(base)])), ...placed(over, overlayRoot)]
  return {
    ...base,
    ...laterOf(base, over),
    over,
    digest: `${base.digest} ${over.digest}`,
    records: base.records === null || over.records === null ? null : all.map(({ record }) => record),
    places: all.map(({ place }) => place)
  }
}

/** Adds what is needed and not there. */
function fill (file: DataFile, needed: readonly unknown[], blank: (key: unknown) => UncheckedRecord): DataFile {
  const known = new Set(keysOf(file))
  const added = [...new Set(needed)].filter(key => !known.has(key)).map(blank)
  return file.records === null ? file : { ...file, records: [...file.records, ...added] }
}

/** A file and the one that lies over it, each with the complaints about it. */
export function apart (file: DataFile): DataFile[] {
  const { over, complaints } = file
  if (over === undefined) return [file]
  const own = complaints.filter(({ pointer }) => isInOverlay(pointer)).map(({ pointer, message, ...rest }) =>
    ({ ...rest, pointer: pointer.slice(overlayRoot.length), message: message.replace(/^overlay\./, '') }))
  const others = complaints.filter(({ pointer }) => !isInOverlay(pointer))
  return [{ ...file, complaints: others }, { ...over, complaints: [...over.complaints, ...own] }]
}
