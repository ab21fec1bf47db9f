import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { below, fileFault, shownPath, type Complaint, type Fault } from './fault.ts'
import { lineColumn, nowhere, positions, scan, type NotJson } from './scan.ts'
import { validate } from './validate.ts'

/** One data file: its content as it stands, and what is wrong with it; the digest is empty when it could not be read. */
export type DataFile = {
  readonly path: string
  readonly resource: string
  readonly digest: string
  readonly content: unknown
  readonly complaints: readonly Complaint[]
  readonly fault: Fault | null
}

/** A record of which nothing is known, because its file may have faults. */
export type UncheckedRecord = Readonly<Record<string, unknown>>

/** Reads and validates the data file of each schema; without a directory they all have its fault. */
export async function readDataFiles<Resource extends string> (directory: string, schemas: Readonly<Record<Resource, TSchema>>) {
  const fault = await directoryFault(directory)
  const files = Object.entries<TSchema>(schemas).map(async ([resource, schema]) =>
    [resource, fault === null ? await readDataFile(directory, resource, schema) : unread(directory, resource, fault)])
  return Object.fromEntries(await Promise.all(files)) as Record<Resource, DataFile>
}

async function directoryFault (directory: string): Promise<Fault | null> {
  try {
    await readdir(directory)
    return null
  } catch (error) {
    return unreadable(directory, error as NodeJS.ErrnoException)
  }
}

function unread (directory: string, resource: string, fault: Fault | null): DataFile {
  return { path: join(directory, `${resource}.json`), resource, digest: '', content: null, complaints: [], fault }
}

async function readDataFile (directory: string, resource: string, schema: TSchema): Promise<DataFile> {
  const file = unread(directory, resource, null)
  const read = await readJson(file.path)
  if ('fault' in read) return { ...file, fault: read.fault }
  return { ...file, digest: read.digest, content: read.value, complaints: validate(schema, read.value) }
}

/** The records of a file as they stand in it, valid or not; null if it has none that can be relied on. */
export function recordsOf ({ content, complaints, resource }: DataFile): readonly unknown[] | null {
  if (complaints.some(({ pointer }) => pointer === '/version')) return null
  const records = (content as UncheckedRecord | null)?.[resource]
  return Array.isArray(records) ? records : null
}

/** Visits each record of a file that is an object, with its place in the list. */
export function eachRecord (file: DataFile, visit: (record: UncheckedRecord, index: number) => void): void {
  recordsOf(file)?.forEach((record, index) => {
    if (typeof record === 'object' && record !== null) visit(record as UncheckedRecord, index)
  })
}

/** The JSON Pointer of a field of a record, or of an item of that field. */
export function fieldPointer ({ resource }: DataFile, index: number, field: string, item?: number): string {
  const pointer = below(below(below('', resource), index), field)
  return item === undefined ? pointer : below(pointer, item)
}

/** The faults of a file in the order of its text, which is read once more for the positions of the complaints. */
export async function faultsOf ({ path, fault, complaints }: DataFile): Promise<Fault[]> {
  if (fault !== null) return [fault]
  if (complaints.length === 0) return []
  const text = await readText(path)
  if ('fault' in text) return [text.fault]
  const file = shownPath(path)
  return positions(text.value, complaints)
    .map(([{ pointer, rule, message }, { line, column }]) => ({ file, line, column, pointer, rule, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** What a file held, with a digest of its bytes, or why it could not be read. */
type Read<T> = { readonly value: T, readonly digest: string } | { readonly fault: Fault }

async function readJson (file: string): Promise<Read<unknown>> {
  const text = await readText(file)
  if ('fault' in text) return text
  try {
    return { value: JSON.parse(text.value), digest: text.digest }
  } catch {
    return notJson(file, text.value)
  }
}

// Where the processor has no instructions for SHA-256, this is by far the faster one.
const digestOf = (bytes: Buffer) => createHash('sha512-256').update(bytes).digest('hex')

async function readText (file: string): Promise<Read<string>> {
  try {
    const bytes = await readFile(file)
    if (!isUtf8(bytes)) return notUtf8(file, bytes)
    const text = bytes.toString()
    if (text.startsWith('\ufeff')) return textFault(file, text, 0, 'encoding', 'must be UTF-8 without a byte order mark')
    return { value: text, digest: digestOf(bytes) }
  } catch (error) {
    return { fault: unreadable(file, error as NodeJS.ErrnoException) }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  ENOTDIR: 'is not a directory',
  EISDIR: 'is a directory, not a file',
  EACCES: 'cannot be read: permission denied',
  ERR_STRING_TOO_LONG: 'is too large to be read as one text'
}

function unreadable (file: string, { code = '', message }: NodeJS.ErrnoException): Fault {
  return fileFault(file, code === 'ENOENT' ? 'missing' : 'file', reasons[code] ?? `cannot be read: ${message}`)
}

function textFault (file: string, text: string, offset: number, rule: string, message: string): { fault: Fault } {
  return { fault: { ...fileFault(file, rule, message), ...lineColumn(text)(offset) } }
}

const replacement = '\ufffd'

function notUtf8 (file: string, bytes: Buffer): { fault: Fault } {
  const text = bytes.toString()
  let [offset, byte] = [-1, 0]
  // A replacement character that stands in the file as such is good UTF-8.
  do {
    offset = text.indexOf(replacement, offset + 1)
    byte = Buffer.byteLength(text.slice(0, offset))
  } while (bytes.subarray(byte, byte + 3).equals(Buffer.from(replacement)))
  return textFault(file, text, offset, 'encoding', `must be UTF-8, got the byte 0x${bytes.toString('hex', byte, byte + 1)}`)
}

function notJson (file: string, text: string): { fault: Fault } {
  let [offset, expected] = [0, 'JSON']
  try {
    scan(text, nowhere())
  } catch (error) {
    ({ offset, expected } = error as NotJson)
  }
  return textFault(file, text, offset, 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(String.fromCodePoint(Number(text.codePointAt(offset)))).slice(1, -1)
}
