import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { CatalogueFaults } from '../../src/catalogue/fault.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'

type Replacement = readonly [from: string, to: string]

/** A change of one file of the valid directory: replacements, other content, or null to leave the file out. */
export type Change = readonly Replacement[] | Buffer | null

/** The changes of files, by their paths without `.json`; `tyres` is `v1/tyres`. */
export type Changes = Readonly<Record<string, Change>>

/** A change of the valid directory and the lines of the faults that it makes. */
export type FaultCase = readonly [title: string, changes: Changes, lines: readonly string[]]

/** The valid directory: two bikes, one of every part, the files of one picture. */
export const valid = join(import.meta.dirname, '../fixtures/catalogue')

function replaced (content: string, [from, to]: Replacement): string {
  if (!content.includes(from)) throw new Error(`The fixture has no ${from}`)
  return content.replace(from, () => to)
}

function changed (file: string, change: readonly Replacement[] | Buffer): string | Buffer {
  if (Buffer.isBuffer(change)) return change
  return change.reduce(replaced, readFileSync(join(valid, file), 'utf8'))
}

function changedFolder (folder: string, changes: Changes): Record<string, string | Buffer> {
  const files = readdirSync(join(valid, folder)).flatMap(file => {
    const path = join(folder, file.slice(0, -'.json'.length))
    const change = changes[path] === undefined ? changes[path.replace('v1/', '')] : changes[path]
    return change === null ? [] : [[file, changed(join(folder, file), change ?? [])] as const]
  })
  return Object.fromEntries(files)
}

/** Gives a copy of the valid directory with some changes. */
export function changedDirectory (t: Test, changes: Changes): string {
  return t.testdir({ v1: changedFolder('v1', changes), v2: changedFolder('v2', changes), media: changedFolder('media', changes) })
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
