import { readdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Journal } from './reload.ts'

/** How long a folder must be quiet before a change counts as done, in milliseconds. */
const quiet = 100

/** What editors leave beside a file; `..data` is how Kubernetes swaps a whole mounted folder. */
const passing = /^\.(?!\.)|~$/

/**
 * Watches a folder, all that is in it, and its place in the folder above, so that it may be replaced as a whole: `changed` is called once
 * after each burst of changes. Gives what ends it.
 *
 * Each folder is watched by itself, and all of them anew after each change: a recursive watch of Node 20 loses folders that are replaced.
 */
export function watchFolder (folder: string, changed: () => unknown, journal: Pick<Journal, 'error'>): () => void {
  const root = resolve(folder)
  let watchers: FSWatcher[] = []
  let waiting: NodeJS.Timeout | undefined
  begin()
  return end

  function begin (): void {
    follow(dirname(root), name => name === basename(root))
    followAll(root)
  }

  function followAll (path: string): void {
    follow(path, name => !passing.test(name))
    // Is read after it is watched, so that no folder is missed.
    for (const name of foldersOf(path)) followAll(join(path, name))
  }

  function follow (path: string, matters: (name: string) => boolean): void {
    try {
      const watcher = watch(path, (_, name) => { if (name === null || matters(name)) note() })
      watchers.push(watcher.on('error', note))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') journal.error(`not all changes of the data will be seen: ${message}`)
    }
  }

  function note (): void {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      end()
      begin()
      changed()
    }, quiet)
  }

  function end (): void {
    clearTimeout(waiting)
    for (const watcher of watchers) watcher.close()
    watchers = []
  }
}

function foldersOf (path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !passing.test(entry.name))
      .map(({ name }) => name)
  } catch {
    return [] // it has gone; who reads the data says so
  }
}
