import { readdirSync, realpathSync, watch, type Dirent, type FSWatcher } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Journal } from './reload.ts'

/** How long a folder must be quiet before a change counts as done, in milliseconds. */
const quiet = 100

/** What editors leave beside a file; `..data` is how Kubernetes swaps a whole mounted folder. */
const passing = /^\.(?!\.)|~$/

/**
 * Watches a folder, all that is in it, what links in it lead to, and its place in the folder above, so that it may be replaced as a whole:
 * `changed` is called once after each burst of changes. Gives what ends it.
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
    const followed = new Set<string>()
    follow(dirname(root), name => name === basename(root))
    followAll(pathOf(root) ?? root)

    function followAll (folder: string): void { // or a file that a link leads to
      if (followed.has(folder)) return // links may lead in a circle
      followed.add(folder)
      follow(folder, name => !passing.test(name))
      // Is read after it is watched, so that nothing is missed.
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) followAll(path)
        else if (entry.isSymbolicLink()) followLink(path)
      }
    }

    function followLink (link: string): void {
      const path = pathOf(link)
      if (path === undefined) return
      follow(dirname(path), name => name === basename(path))
      followAll(path)
    }
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

/** What is in a folder: nothing in a file, or where it has gone, which who reads the data says. */
function entriesOf (folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !passing.test(name))
  } catch {
    return []
  }
}

/** The path without links of what is there; undefined where nothing is. */
function pathOf (path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
