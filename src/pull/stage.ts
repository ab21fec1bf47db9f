import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Matches the names of a pull's temporary files. */
const temporaryName = new RegExp(String.raw`^\.pull-${uuid}$`)

/** Matches what a pull appends to the name of a new directory while it writes the files. */
const temporaryEnding = new RegExp(String.raw`^\.${uuid}$`)

/** Files that are written and flushed under temporary names, and renamed to their places together. */
export type Stage = ReturnType<typeof createStage>

/**
 * Returns functions that write files by their paths in a directory. A new directory has a temporary name until the
 * commit; in an existing one each temporary file is next to the file that it replaces.
 */
export function createStage (directory: string) {
  const isNew = !existsSync(directory)
  const folder = isNew ? `${directory}.${randomUUID()}` : directory
  const files = new Map<string, string>() // by their temporary paths
  const removed: string[] = []
  return { write, remove, put, commit, discard }

  /**
   * Writes a temporary file. @throws {Error} with the `code` of the failure, such as ENOSPC, or EISDIR if the path is
   * that of a directory
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

  /** Marks a file, which may be missing, to be deleted once the others are in place. */
  function remove (path: string): void {
    removed.push(join(folder, path))
  }

  /** Renames the files written so far to their places, in one turn of the event loop: no signal comes between. */
  function put (): void {
    for (const [temporary, file] of files) renameSync(temporary, file)
    files.clear()
    for (const file of removed.splice(0)) rmSync(file, { force: true })
  }

  /** Renames all files to their places, and a new directory to its name. */
  function commit (): void {
    put()
    if (isNew) renameSync(folder, directory)
  }

  /** Deletes the temporary files, and a new directory unless it was committed. */
  function discard (): void {
    for (const temporary of files.keys()) rmSync(temporary, { force: true })
    if (isNew) rmSync(folder, { recursive: true, force: true })
  }
}

async function assertNoDirectory (file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
}

/** Deletes the temporary files and directories that earlier pulls into a directory left when they were killed. */
export async function removeLeftovers (directory: string): Promise<void> {
  const name = basename(directory)
  const isUnfinished = (sibling: string) => sibling.startsWith(name) && temporaryEnding.test(sibling.slice(name.length))
  await removeIn(dirname(directory), isUnfinished)
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
