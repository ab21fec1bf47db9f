import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { CatalogueFaults } from '../../src/catalogue/fault.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'

type Replacement = readonly [from: string, to: string]

/** A change of one file of the valid directory: replacements, other content, or null to leave the file out. */
export type Change = readonly Replacement[] | Buffer | null

/** The changes of files, by their paths without `.json`; a path that the valid directory lacks is added; `tyres` is `v1/tyres`. */
export type Changes = Readonly<Record<string, Change>>

/** A change of the valid directory and the lines of the faults that it makes. */
export type FaultCase = readonly [title: string, changes: Changes, ...lines: string[]]

/** The valid directory: two bikes, one of every part, the files of one picture. */
export const valid = join(import.meta.dirname, '../fixtures/catalogue')

function replaced (content: string, [from, to]: Replacement): string {
  if (!content.includes(from)) throw new Error(`The fixture has no ${from}`)
  return content.replace(from, () => to)
}

function changed (file: string, change: readonly Replacement[] | Buffer): string | Buffer {
  if (Buffer.isBuffer(change)) return change
  const content = readFileSync(join(valid, file))
  return change.length === 0 ? content : change.reduce(replaced, content.toString())
}

type Folder = { [name: string]: Folder | string | Buffer }

function changedFolder (folder: string, changes: Changes): Folder {
  const files = readdirSync(join(valid, folder), { withFileTypes: true }).flatMap((entry): (readonly [string, Folder | string | Buffer])[] => {
    const file = entry.name
    if (entry.isDirectory()) return [[file, changedFolder(join(folder, file), changes)]]
    const path = join(folder, file.replace(/\.json$/, ''))
    const change = changes[path] === undefined ? changes[path.replace('v1/', '')] : changes[path]
    return change === null ? [] : [[file, changed(join(folder, file), change ?? [])]]
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
