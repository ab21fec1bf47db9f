import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { clearTimeout, now, setTimeout } from '../base/timers.ts'
import { knownFiles } from './files.ts'

/** The interval between comparisons in milliseconds. */
const interval = 200

/** How many comparisons wait for a change to finish: a second at most. */
const maxComparisons = 5

/** The interval between checks of images in milliseconds; each of hundreds takes a millisecond on a slow mount. */
const imageInterval = 2_000

/**
 * Returns a function that describes the files of data directories and other files, through links.
 * Its text changes with each of them, and within two seconds with an image.
 */
export function createFileState (directories: readonly string[], others: readonly string[]): () => Promise<string> {
  const files = [...others]
  for (const directory of directories) files.push(...knownFiles.map(file => join(directory, file)))
  let imageState = ''
  let checkedAt = -Infinity
  return async () => {
    if (now() - checkedAt >= imageInterval) {
      checkedAt = now()
      const images = await imagesIn(directories)
      imageState = await stateOf(images)
    }
    const fileState = await stateOf(files)
    return `${fileState}\n${imageState}`
  }
}

async function stateOf (files: readonly string[]): Promise<string> {
  const states = await Promise.all(files.map(async file => {
    const stats = await stat(file).catch(() => undefined)
    return [file, stats?.ino, stats?.size, stats?.ctimeMs].join(' ')
  }))
  return states.join('\n')
}

/** Returns the files and folders of media folders, which may be missing, except hidden ones. */
async function imagesIn (directories: readonly string[]): Promise<string[]> {
  const isHidden = (name: string) => name.split(sep).some(part => part.startsWith('.'))
  const paths: string[] = []
  for (const directory of directories) {
    const media = join(directory, 'media')
    const names = await readdir(media, { recursive: true }).catch(() => [])
    for (const name of names) {
      if (!isHidden(name)) paths.push(join(media, name))
    }
  }
  return paths
}

/**
 * Calls `changed` once after each burst of changes, and every second during a long one; returns a function that stops.
 *
 * Polls, because `fs.watch` misses changes on network file systems, and loses directories whose parents are replaced.
 * @param loaded the state before the data was loaded
 */
export function watchFiles (stateNow: () => Promise<string>, loaded: string, changed: () => unknown): () => void {
  let last = loaded
  let comparisons = 0
  let isStopped = false
  let timer = setTimeout(compare, interval)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }

  async function compare (): Promise<void> {
    const begun = now()
    const state = await stateNow()
    if (isStopped) return
    if (state !== loaded && (state === last || ++comparisons === maxComparisons)) {
      loaded = state
      comparisons = 0
      changed()
    }
    last = state
    timer = setTimeout(compare, Math.max(interval, now() - begun)) // a slow mount is idle half of the time
  }
}
