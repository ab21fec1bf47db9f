import { hash } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { attempt } from '../attempt.ts'
import { acceptors, type Accepts, type FileName, type Folder } from './acceptors.ts'
import { below, fileFault, label, sentence, shownPath, unreadable, type Complaint, type Fault } from './fault.ts'
import { positions } from './positions.ts'
import { mayHaveFlaws, type Flaw } from './scan.ts'
import { faultsOfText, readText } from './text.ts'

/** One data file with its content and its errors. */
export type DataFile = {
  /** The path for messages. */
  readonly path: string
  /** The path without links. */
  readonly realPath: string
  readonly resource: string
  /** Empty for a file that could not be read; kept until all faults are located. */
  readonly text: string
  /** Empty for a file that could not be read. */
  readonly digest: string
  readonly content: unknown
  /** The records in their order, valid or not; null if the file has no list. */
  readonly records: readonly unknown[] | null
  readonly complaints: readonly Complaint[]
  /** Errors of reading or parsing; the file has no content then. */
  readonly faults: readonly Fault[]
  /** Replaces the resource in messages about records passed by a program: `overlay["v1/bikes"]`. */
  readonly givenAs?: string
  /** The file of an overlay; its records are merged into these, its complaints are separate. */
  readonly over?: DataFile
  /** The places of the records, where they differ from their indexes in this list. */
  readonly places?: readonly At[]
  /** The pointer of the content's `updated`, where it is not in this file. */
  readonly updatedAt?: string
}

/** The root of pointers into the file of an overlay. */
export const overlayRoot = '/overlay'

export const isInOverlay = (pointer: string) => pointer.startsWith(`${overlayRoot}/`)

/** The paths of all data files without their ending. */
export const dataFileNames = Object.entries(acceptors).flatMap(([folder, files]) => Object.keys(files).map(name => `${folder}/${name}`))

/** A record that may be invalid. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** A file or directory: its path for messages, and the one without links. */
export type Place = { readonly path: string, readonly realPath: string }

/** A directory and its folders with their links resolved once, so that a load reads one version although a link is swapped meanwhile. */
export type Directory = Place & Readonly<Record<Folder | 'media', Place>>

/** Resolves the links of a directory; a missing path stays unresolved, and reading it fails. */
export function resolveLinks (path: string): Directory {
  const realPath = realPathOf(path) ?? path
  // Kubernetes mounts a ConfigMap as links into ..data, itself a link to the current version.
  const roots = [realPathOf(join(realPath, '..data')) ?? [], realPath].flat()
  const resolveFolder = (name: Folder | 'media') => {
    const [folder = join(realPath, name)] = roots.flatMap(root => realPathOf(join(root, name)) ?? [])
    return { path: join(path, name), realPath: folder }
  }
  return { path, realPath, v1: resolveFolder('v1'), v2: resolveFolder('v2'), media: resolveFolder('media') }
}

export const realPathOf = (path: string): string | undefined => attempt(() => realpathSync(path)).value

/** Reads and validates the data files of a folder; without the folder each has its fault. */
export async function readDataFiles<In extends Folder> (directory: Directory, folder: In) {
  const place = directory[folder]
  const faults = directoryFaults(place)
  const files = Object.keys(acceptors[folder]).map(async resource => {
    const name = `${resource}.json`
    const file = emptyFile(resource, join(place.path, name), join(place.realPath, name))
    if (faults.length > 0) return [resource, { ...file, faults }]
    const text = await readText(file)
    return [resource, typeof text === 'string' ? await parseDataFile(file, folder, text) : { ...file, faults: [text] }]
  })
  return Object.fromEntries(await Promise.all(files)) as Record<FileName<In>, DataFile>
}

export function emptyFile (resource: string, path: string, realPath: string): DataFile {
  return { path, realPath, resource, text: '', digest: '', content: null, records: null, complaints: [], faults: [] }
}

/** Returns the fault of a directory that cannot be read. */
export function directoryFaults ({ path, realPath }: Place): Fault[] {
  const { error } = attempt(() => readdirSync(realPath))
  return error === undefined ? [] : [unreadable(path, error)]
}

export async function parseDataFile (file: DataFile, folder: Folder, text: string): Promise<DataFile> {
  const { path, resource } = file
  const accepts: Accepts = acceptors[folder][resource as never]
  const { value: content } = attempt((): unknown => JSON.parse(text))
  const isValid = accepts(content)
  const faults = isValid && !mayHaveFlaws(text, content) ? [] : faultsOfText(path, text)
  if (faults.length > 0) return { ...file, text, faults }
  const complaints = isValid ? [] : await explain(folder, resource, content)
  const list = isObject(content) && !complaints.some(({ pointer }) => pointer === '/version') ? content[resource] : null
  return { ...file, text, digest: hash('sha256', text), content, records: Array.isArray(list) ? list : null, complaints }
}

/** Returns the errors of invalid content; only then loads Ajv and the schemas. */
async function explain (folder: Folder, resource: string, content: unknown): Promise<Complaint[]> {
  const [{ stored }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
  const schemas: Readonly<Record<string, TSchema>> = stored[folder]
  return validate(schemas[resource] as TSchema, content)
}

export const isObject = (value: unknown): value is UncheckedRecord => typeof value === 'object' && value !== null

/** The list of a file. */
export type Listed = Pick<DataFile, 'resource' | 'records' | 'places'>

/** Returns the JSON Pointer of a value, or of a part of it; called only for faults, because large catalogues have millions of values. */
export type At = (...parts: readonly (string | number)[]) => string

/** Visits each record of a file that is an object, with its place. */
export function eachRecord ({ resource, records, places }: Listed, visit: (record: UncheckedRecord, at: At) => void): void {
  records?.forEach((record, index) => {
    if (isObject(record)) visit(record, places?.[index] ?? ((...parts) => below('', resource, index, ...parts)))
  })
}

/** A value with its place. */
export type Placed = { readonly value: unknown, readonly at: At }

/** Returns the wanted values of a field in all records of a file. */
export function valuesOf (file: Listed, field: string, isWanted: (value: unknown) => boolean = () => true): Placed[] {
  const values: Placed[] = []
  eachRecord(file, ({ [field]: value }, at) => {
    if (isWanted(value)) values.push({ value, at: (...parts) => at(field, ...parts) })
  })
  return values
}

/** Returns the name of another place than `pointer`, with its file where that differs. */
export function otherPlace ({ path, over }: DataFile, other: string, pointer: string): string {
  if (isInOverlay(other)) return named(over, label(other.slice(overlayRoot.length)))
  return isInOverlay(pointer) ? `${label(other)} in ${shownPath(path)}` : label(other)
}

/** Names a file in a message. */
export const nameOf = ({ path, givenAs }: DataFile) => givenAs ?? shownPath(path)

/** Replaces the resource at the beginning of a text by the name of the program's option. */
export function named (file: DataFile | undefined, text: string): string {
  return file?.givenAs === undefined ? text : text.replace(file.resource, () => file.givenAs as string)
}

/** Returns the faults of a file in the order of its text. */
export function faultsOf (file: DataFile): readonly Fault[] {
  const { path, text, faults, complaints, givenAs } = file
  if (faults.length > 0 || complaints.length === 0) return faults
  if (givenAs !== undefined) {
    return complaints.map(complaint => ({ ...fileFault('', complaint.rule, named(file, sentence(complaint))), pointer: complaint.pointer }))
  }
  return positions(text, complaints)
    .map(([complaint, position]) => ({ ...fileFault(path, complaint.rule, sentence(complaint)), ...position, pointer: complaint.pointer }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** A recorded list, with the flaws of its text that JSON.parse accepts. */
export type RecordedFile = Omit<DataFile, 'records'> & {
  readonly records: readonly (UncheckedRecord & { readonly id: number })[]
  /** The pointer of the list. */
  readonly root: string
  readonly flaws: readonly Flaw[]
}
