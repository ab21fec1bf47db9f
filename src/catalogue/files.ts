import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import type { Complaint } from './complaint.ts'
import { shownPath, type Fault } from './fault.ts'
import { positions } from './position.ts'
import { readJson, readText, unreadable } from './read.ts'
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

function unread (directory: string, resource: string, fault: Fault | null): DataFile {
  return { path: join(directory, `${resource}.json`), resource, digest: '', content: null, complaints: [], fault }
}

async function readDataFile (directory: string, resource: string, schema: TSchema): Promise<DataFile> {
  const file = unread(directory, resource, null)
  const read = await readJson(file.path)
  if ('fault' in read) return { ...file, fault: read.fault }
  return { ...file, digest: read.digest, content: read.value, complaints: validate(schema, read.value) }
}

async function directoryFault (directory: string): Promise<Fault | null> {
  try {
    await readdir(directory)
    return null
  } catch (error) {
    return unreadable(directory, error as NodeJS.ErrnoException)
  }
}

/** Reads and validates the data file of each schema; without a directory they all have its fault. */
export async function readDataFiles<Resource extends string> (directory: string, schemas: Readonly<Record<Resource, TSchema>>) {
  const fault = await directoryFault(directory)
  const files = Object.entries<TSchema>(schemas).map(async ([resource, schema]) =>
    [resource, fault === null ? await readDataFile(directory, resource, schema) : unread(directory, resource, fault)])
  return Object.fromEntries(await Promise.all(files)) as Record<Resource, DataFile>
}

/** Gives the records of a file as they stand in it, valid or not; null if it has none that can be relied on. */
export function recordsOf ({ content, complaints, resource }: DataFile): readonly unknown[] | null {
  if (complaints.some(({ pointer }) => pointer === '/version')) return null
  const records = (content as Readonly<Record<string, unknown>> | null)?.[resource]
  return Array.isArray(records) ? records : null
}

/** Gives the faults of a file in the order of its text, which is read once more for the positions of the complaints. */
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
