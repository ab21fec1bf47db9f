import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { fileVersion } from '../../schemas/common.ts'
import { acceptors, type Accepts, type FileName, type Folder } from './acceptors.ts'
import { below, fileFault, label, shownPath, unreadable, type Complaint, type Fault } from './fault.ts'
import { readInPieces } from './pieces.ts'
import { lineColumn, type NotJson, nowhere, positions, scan } from './scan.ts'

/** One data file: its content as it stands, and what is wrong with it; the digest is empty when it could not be read. */
export type DataFile = {
  readonly path: string
  readonly resource: string
  readonly digest: string
  readonly content: unknown
  /** The records in their order, valid or not; null if there are none that can be relied on. */
  readonly records: readonly unknown[] | null
  readonly complaints: readonly Complaint[]
  /** What is wrong with the file or its text as such; there is no content then. */
  readonly faults: readonly Fault[]
  /** The file of an overlay, some of whose records are among these; its own complaints are not. */
  readonly over?: DataFile
  /** Where each record stands, if not at its own index in the list of this file. */
  readonly places?: readonly string[]
  /** Where the time of the content stands, if not in this file. */
  readonly updatedAt?: string
}

/** What the pointers into the file of an overlay begin with. */
export const overlayRoot = '/overlay'

export const isInOverlay = (pointer: string) => pointer.startsWith(`${overlayRoot}/`)

/** A record of which nothing is known, because its file may have faults. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** Reads and validates the data files of a folder; without it they all have its fault. */
export async function readDataFiles<In extends Folder> (directory: string, folder: In) {
  const faults = await directoryFaults(join(directory, folder))
  const files = Object.entries<Accepts>(acceptors[folder]).map(async ([resource, accepts]) => {
    const path = join(directory, folder, `${resource}.json`)
    const file = { path, resource, digest: '', content: null, records: null, complaints: [], faults }
    return [resource, faults.length > 0 ? file : { ...file, ...await readDataFile(path, folder, resource, accepts) }]
  })
  return Object.fromEntries(await Promise.all(files)) as Record<FileName<In>, DataFile>
}

/** What keeps a directory from being read; nothing when all is well. */
export async function directoryFaults (directory: string): Promise<Fault[]> {
  try {
    await readdir(directory)
    return []
  } catch (error) {
    return [unreadable(directory, error as NodeJS.ErrnoException)]
  }
}

async function readDataFile (path: string, folder: Folder, resource: string, accepts: Accepts): Promise<Partial<DataFile>> {
  return await opened<Partial<DataFile>>(path, async file => {
    const seen = createHash(digestAlgorithm)
    const pieces = await readInPieces(file, {
      bytes: bytes => seen.update(bytes),
      accepts: records => accepts({ ...emptyFile, [resource]: records })
    })
    if (pieces !== undefined && accepts(pieces.content)) {
      return { digest: seen.digest('hex'), content: pieces.content, records: pieces.items }
    }

    const bytes = await file.readFile()
    const text = textOf(path, bytes)
    if (typeof text !== 'string') return { faults: [text] }
    const faults = faultsOfText(path, text)
    if (faults.length > 0) return { faults }
    const content = JSON.parse(text) as unknown
    const complaints = accepts(content) ? [] : await explain(folder, resource, content)
    const digest = hash(digestAlgorithm, bytes)
    return { digest, content, records: recordsOf(content, resource, complaints), complaints }
  }, fault => ({ faults: [fault] }))
}

/** It takes a third of the time of SHA-512, on a processor that has instructions for it; nearly all of the last years have. */
const digestAlgorithm = 'sha256'

/** What is wrong with a content that is not accepted; what can tell is loaded only then. */
async function explain (folder: Folder, resource: string, content: unknown): Promise<Complaint[]> {
  const [{ stored }, { validate }] = await Promise.all([import('../../schemas/stored.ts'), import('./validate.ts')])
  const schemas: Readonly<Record<string, TSchema>> = stored[folder]
  return validate(schemas[resource] as TSchema, content)
}

/** Stands around records that are validated before the rest of their file is known. */
const emptyFile = { version: fileVersion, updated: '2000-01-01T00:00:00Z' }

function recordsOf (content: unknown, resource: string, complaints: readonly Complaint[]): readonly unknown[] | null {
  if (complaints.some(({ pointer }) => pointer === '/version')) return null
  const records = (content as UncheckedRecord | null)?.[resource]
  return Array.isArray(records) ? records : null
}

/** Visits each record of a file that is an object, with its place in the list. */
export function eachRecord (file: DataFile, visit: (record: UncheckedRecord, index: number) => void): void {
  file.records?.forEach((record, index) => {
    if (typeof record === 'object' && record !== null) visit(record as UncheckedRecord, index)
  })
}

/** The JSON Pointer of a field of a record, or of an item of that field. */
export function fieldPointer ({ resource, places }: DataFile, index: number, field: string, item?: number): string {
  const pointer = below(places?.[index] ?? below(below('', resource), index), field)
  return item === undefined ? pointer : below(pointer, item)
}

/** What a complaint about one place calls another: that of an overlay's base is in another file. */
export function otherPlace ({ path }: DataFile, other: string, pointer: string): string {
  if (isInOverlay(other)) return label(other.slice(overlayRoot.length))
  return isInOverlay(pointer) ? `${label(other)} in ${shownPath(path)}` : label(other)
}

/** The faults of a file in the order of its text, which is read once more for the positions of the complaints. */
export async function faultsOf ({ path, faults, complaints }: DataFile): Promise<readonly Fault[]> {
  if (faults.length > 0 || complaints.length === 0) return faults
  const text = await opened(path, async file => textOf(path, await file.readFile()), fault => fault)
  if (typeof text !== 'string') return [text]
  const file = shownPath(path)
  return positions(text, complaints)
    .map(([{ pointer, rule, message }, { line, column }]) => ({ file, line, column, pointer, rule, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Opens a file and closes it after use; what is no file, such as a pipe that nobody writes to, is a fault and not waited for. */
async function opened<T> (path: string, use: (file: FileHandle) => Promise<T>, otherwise: (fault: Fault) => T): Promise<T> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (stats.isFile()) return await use(file)
      return otherwise(fileFault(path, 'file', `is a ${stats.isDirectory() ? 'directory' : 'pipe or device'}, not a file`))
    } finally {
      await file.close()
    }
  } catch (error) {
    return otherwise(unreadable(path, error as NodeJS.ErrnoException))
  }
}

function textFault (path: string, text: string, offset: number, rule: string, message: string): Fault {
  return { ...fileFault(path, rule, message), ...lineColumn(text)(offset) }
}

/** The text of a file; the fault of one that is not UTF-8. */
function textOf (path: string, bytes: Buffer): string | Fault {
  const text = bytes.toString()
  if (text.startsWith('\ufeff')) return textFault(path, text, 0, 'encoding', 'must be UTF-8 without a byte order mark')
  return isUtf8(bytes) ? text : notUtf8(path, text, bytes)
}

const replacement = '\ufffd'

function notUtf8 (path: string, text: string, bytes: Buffer): Fault {
  let [offset, byte] = [text.indexOf(replacement), 0]
  byte = Buffer.byteLength(text.slice(0, offset))
  // A replacement character that stands in the file as such is good UTF-8.
  while (bytes.subarray(byte, byte + 3).equals(Buffer.from(replacement))) {
    const next = text.indexOf(replacement, offset + 1)
    byte += Buffer.byteLength(text.slice(offset, next))
    offset = next
  }
  return textFault(path, text, offset, 'encoding', `must be UTF-8, got the byte 0x${bytes.toString('hex', byte, byte + 1)}`)
}

/** What is wrong with a text before anything is said about its values. */
function faultsOfText (path: string, text: string): Fault[] {
  try {
    const position = lineColumn(text)
    return scan(text, nowhere()).map(({ offset, pointer, rule, message }) =>
      ({ ...fileFault(path, rule, message), ...position(offset), pointer }))
  } catch (error) {
    const { offset, expected } = error as NotJson
    return [textFault(path, text, offset, 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)]
  }
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(String.fromCodePoint(Number(text.codePointAt(offset)))).slice(1, -1)
}
