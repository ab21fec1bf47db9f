import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Matches the names of files that a pull writes aside, and of those that 0.5.0 left. */
const temporaryName = new RegExp(String.raw`^(?:\.pull-|\w+\.json\.)${uuid}$`)

/** Matches the end of the name of a directory that a pull builds aside. */
const asideEnding = new RegExp(String.raw`^\.${uuid}$`)

/** Files that are written and flushed aside, and put in place together. */
export type Stage = ReturnType<typeof createStage>

/**
 * Returns functions that write into a directory, by paths below it. A new directory is built beside its place; in an
 * existing one each file is written beside the one that it replaces.
 */
export function createStage (directory: string) {
  const isNew = !existsSync(directory)
  const folder = isNew ? `${directory}.${randomUUID()}` : directory
  const files = new Map<string, string>() // by their temporary paths
  const removed: string[] = []
  return { write, remove, put, commit, discard }

  /**
   * Writes a file aside. @throws {Error} with the code of the failure, for a full disk and a path that is a directory
   */
  async function write (path: string, content: string | Buffer): Promise<void> {
    const file = join(folder, path)
    const temporary = join(dirname(file), `.pull-${randomUUID()}`)
    files.set(temporary, file)
    try {
      await mkdir(dirname(file), { recursive: true })
      await assertNoDirectory(file)
      await writeFile(temporary, content, { flush: true })
    } catch (error) {
      files.delete(temporary)
      rmSync(temporary, { force: true })
      const { code } = error as NodeJS.ErrnoException
      throw Object.assign(new Error(`${join(directory, path)} cannot be written: ${code}`), { code })
    }
  }

  /** Removes a file when the others are put in place. */
  function remove (path: string): void {
    removed.push(join(folder, path))
  }

  /** Puts all files in place that were written, in one turn of the event loop: no signal comes between. */
  function put (): void {
    for (const [temporary, file] of files) renameSync(temporary, file)
    files.clear()
    for (const file of removed.splice(0)) rmSync(file, { force: true })
  }

  /** Puts all files in place, and the directory too if it is new. */
  function commit (): void {
    put()
    if (isNew) renameSync(folder, directory)
  }

  /** Removes what is not in place. */
  function discard (): void {
    for (const temporary of files.keys()) rmSync(temporary, { force: true })
    if (isNew) rmSync(folder, { recursive: true, force: true })
  }
}

async function assertNoDirectory (file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
}

/** Removes what earlier pulls into a directory wrote aside before they were killed. */
export async function removeLeftovers (directory: string): Promise<void> {
  const name = basename(directory)
  const isAside = (sibling: string) => sibling.startsWith(name) && asideEnding.test(sibling.slice(name.length))
  await removeIn(dirname(directory), isAside)
  const isTemporary = (path: string) => temporaryName.test(basename(path))
  for (const folder of ['', 'v1', 'v2']) await removeIn(join(directory, folder), isTemporary)
  await removeIn(join(directory, 'media'), isTemporary, true)
}

async function removeIn (folder: string, isLeftover: (path: string) => boolean, recursive = false): Promise<void> {
  const paths = await readdir(folder, { recursive }).catch(() => [])
  for (const path of paths.filter(isLeftover)) {
    await rm(join(folder, path), { recursive: true, force: true })
  }
}
