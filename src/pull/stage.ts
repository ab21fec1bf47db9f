import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { commitName, recordingFile } from '../catalogue/files.ts'

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
  const targets = new Set<string>()
  const removed: string[] = []
  return { directory, write, remove, commit, discard }

  /**
   * Writes a temporary file, unless the directory has the same one. @throws {Error} with the `code` of the failure,
   * such as ENOSPC, EISDIR if the path is that of a directory, or ENOTDIR if it leads through another file
   */
  async function write (path: string, content: string | Buffer): Promise<void> {
    const file = join(folder, path)
    for (let parent = dirname(file); parent.length > folder.length; parent = dirname(parent)) {
      if (targets.has(parent)) throw failure(path, 'written', 'ENOTDIR')
    }
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const current = await readFile(file).catch(() => undefined)
    if (current?.equals(bytes)) return
    const temporary = join(dirname(file), `.pull-${randomUUID()}`)
    files.set(temporary, file)
    targets.add(file)
    try {
      await mkdir(dirname(file), { recursive: true })
      const existing = await stat(file).catch(() => undefined)
      if (existing?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
      await writeFile(temporary, bytes, { flush: true })
    } catch (error) {
      files.delete(temporary)
      targets.delete(file)
      attempt(() => rmSync(temporary, { force: true })) // its folder may be a file
      throw failure(path, 'written', (error as NodeJS.ErrnoException).code)
    }
  }

  function failure (path: string, done: 'written' | 'deleted', code: string | undefined): Error {
    return Object.assign(new Error(`${join(directory, path)} cannot be ${done}: ${code}`), { code })
  }

  /** Marks a file, which may be missing, to be deleted once the others are in place. @throws {Error} for a directory */
  function remove (path: string): void {
    const file = join(folder, path)
    if (!existsSync(file)) return
    if (statSync(file).isDirectory()) throw failure(path, 'deleted', 'EISDIR')
    removed.push(file)
  }

  /**
   * Renames all files to their places in one turn of the event loop, so that no signal comes between, and a new
   * directory to its name. recording.json, a new one or the current one, is the first to get another name and the last
   * to be in its place, so that a directory of which only a part was renamed is no recording.
   */
  function commit (): void {
    if (files.size + removed.length === 0) return
    // Another pull takes them for those of one that was killed.
    const isWhole = [...files.keys()].every(temporary => existsSync(temporary))
    if (!isWhole) throw new Error(`${directory} is being written by another pull`)
    const commitFile = join(folder, commitName + randomUUID())
    const last = join(folder, recordingFile)
    const [staged = last] = [...files].find(([, file]) => file === last) ?? []
    files.delete(staged)
    renameSync(staged, commitFile)
    rmSync(last, { force: true })
    for (const [temporary, file] of files) renameSync(temporary, file)
    files.clear()
    for (const file of removed) rmSync(file, { force: true })
    renameSync(commitFile, last)
    for (const name of readdirSync(folder)) if (name.startsWith(commitName)) rmSync(join(folder, name))
    if (isNew) renameSync(folder, directory)
  }

  /** Deletes the temporary files, and a new directory unless it was committed. */
  function discard (): void {
    for (const temporary of files.keys()) rmSync(temporary, { force: true })
    if (isNew) rmSync(folder, { recursive: true, force: true })
  }
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
