import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { CatalogueFaults } from '../../src/catalogue/fault.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'

type Replacement = readonly [from: string, to: string]

/** A change of one file of the valid directory: replacements, other content, or null to leave the file out. */
export type Change = readonly Replacement[] | Buffer | null

/** The changes of files, by their names without `.json`. */
export type Changes = Readonly<Record<string, Change>>

/** A change of the valid directory and the lines of the faults that it makes. */
export type FaultCase = readonly [title: string, changes: Changes, lines: readonly string[]]

/** The valid directory: two bikes, one of every part. */
export const valid = join(import.meta.dirname, '../fixtures/catalogue')

function replaced (content: string, [from, to]: Replacement): string {
  if (!content.includes(from)) throw new Error(`The fixture has no ${from}`)
  return content.replace(from, () => to)
}

function changed (file: string, change: readonly Replacement[] | Buffer): string | Buffer {
  if (Buffer.isBuffer(change)) return change
  return change.reduce(replaced, readFileSync(join(valid, 'v1', file), 'utf8'))
}

/** Gives a copy of the valid directory with some changes. */
export function changedDirectory (t: Test, changes: Changes): string {
  const files = readdirSync(join(valid, 'v1')).flatMap((file) => {
    const change = changes[file.slice(0, -'.json'.length)]
    return change === null ? [] : [[file, changed(file, change ?? [])]]
  })
  return t.testdir({ v1: Object.fromEntries(files) })
}

/** Gives the lines of the faults of a directory, with file paths below it. */
export async function faultLines (directory: string): Promise<string[]> {
  try {
    await loadCatalogue(directory)
    return []
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error
    return error.message.replaceAll(`${relative('', directory)}/`, '').split('\n')
  }
}
