import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Test } from 'tap'
import { CatalogueErrors, shownPath } from '../../src/catalogue/errors/error.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'

type Replacement = readonly [from: string, to: string]

/** A change of one file of the valid directory: replacements, other content, or null to leave the file out. */
export type Change = readonly Replacement[] | Buffer | null

/** The changes of files by their paths without `.json`, which may be new; `tyres` is `v1/tyres`. */
export type Changes = Readonly<Record<string, Change>>

/** A change of the valid directory and the lines of the errors that it makes. */
export type FaultCase = readonly [title: string, changes: Changes, ...lines: string[]]

/** The valid directory: two bikes, one of every part, the files of one image. */
export const valid = join(import.meta.dirname, '../fixtures/catalogue')

/** Gives a copy of the valid directory with some changes. */
export function changedDirectory (t: Test, changes: Changes): string {
  const directory = t.testdir()
  cpSync(valid, directory, { recursive: true })
  for (const [name, change] of Object.entries(changes)) {
    const path = join(directory, name.includes('/') ? name : `v1/${name}`)
    const file = extname(path) === '' ? `${path}.json` : path
    if (change === null) rmSync(file)
    else writeFileSync(file, Buffer.isBuffer(change) ? change : change.reduce(replaced, readFileSync(file, 'utf8')))
  }
  return directory
}

function replaced (content: string, [from, to]: Replacement): string {
  if (!content.includes(from)) throw new Error(`The fixture has no ${from}`)
  return content.replace(from, () => to)
}

/** Asserts that each change of the valid directory makes its errors. */
export async function assertErrors (t: Test, cases: readonly FaultCase[]): Promise<void> {
  for (const [title, changes, ...lines] of cases) {
    const directory = changedDirectory(t, changes)
    t.strictSame(await errorLines(directory), lines, title)
  }
}

/** Gives the lines of the errors of a directory, with file paths below it. */
export async function errorLines (directory: string): Promise<string[]> {
  try {
    await loadCatalogue(directory)
    return []
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    return error.message.replaceAll(`${shownPath(directory)}/`, '').split('\n')
  }
}
