import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { clearTimeout, now, setTimeout } from '../base/timers.ts'
import type { Catalogue } from './catalogue.ts'
import { CatalogueErrors, type DataError, errorCount, errorLine, differenceLine } from './errors/error.ts'
import { knownFiles } from './files.ts'
import { loadCatalogue, type DataSettings } from './load.ts'

/** The catalogue that a server serves, and the values derived from it. */
export type LiveCatalogue = {
  catalogue: () => Catalogue
  /** Whether the last reload succeeded, and when it ended, in milliseconds since 1970; startup is the first. */
  lastReload: { isSuccessful: boolean, time: number }
  /** Derives a value from this catalogue, and from each later one before it is served; returns a getter. */
  derive: <T>(make: (catalogue: Catalogue) => T | Promise<T>) => Promise<() => T>
  /** Derives all values from the next catalogue, then swaps them together; none is swapped if one derivation fails. */
  replace: (catalogue: Catalogue) => Promise<void>
}

export function createLiveCatalogue (first: Catalogue): LiveCatalogue {
  let current = first
  const derived: { make: (catalogue: Catalogue) => unknown, value: unknown }[] = []

  return {
    catalogue: () => current,
    lastReload: { isSuccessful: true, time: Date.now() },
    async derive<T> (make: (catalogue: Catalogue) => T | Promise<T>) {
      const entry = { make, value: await make(current) }
      derived.push(entry)
      return () => entry.value
    },
    async replace (next) {
      const values: unknown[] = []
      for (const { make } of derived) values.push(await make(next))
      current = next
      for (const [index, entry] of derived.entries()) entry.value = values[index]
    }
  }
}

const maxLogged = 20

export type Logger = Record<'info' | 'warn' | 'error', (message: string) => void>

/**
 * Returns a function that reloads the data and never rejects. Invalid data is logged, and the last valid data stays.
 * Calls during a reload share one reload after it.
 */
export function createReload (
  settings: DataSettings, current: LiveCatalogue, logger: Logger
): () => Promise<void> {
  let last = Promise.resolve()
  let next: Promise<void> | undefined

  return () => {
    next ??= last = last.then(() => {
      next = undefined
      return reload()
    })
    return next
  }

  async function reload (): Promise<void> {
    try {
      const catalogue = await loadCatalogue(settings.data, settings, true)
      const last = current.catalogue()
      await current.replace(catalogue)
      current.lastReload = { isSuccessful: true, time: Date.now() }
      logReload(catalogue, last, logger)
    } catch (error) {
      current.lastReload = { isSuccessful: false, time: Date.now() }
      if (error instanceof CatalogueErrors) return logErrors(error.errors, logger)
      const { message } = error as Error
      logger.error(`the data could not be reloaded; the last valid data is still served: ${message}`)
    }
  }
}

function logReload (catalogue: Catalogue, last: Catalogue, logger: Logger): void {
  const { digest, differences } = catalogue
  for (const warning of catalogue.warnings) {
    if (!last.warnings.includes(warning)) logger.warn(warning)
  }
  if (differences.length > 0) logger.info(differenceLine(differences))
  const change = digest === last.digest ? ', unchanged' : ''
  logger.info(`the data was reloaded: digest ${digest}${change}`)
}

function logErrors (errors: readonly DataError[], logger: Logger): void {
  for (const error of errors.slice(0, maxLogged)) logger.error(errorLine(error))
  const remaining = errors.length - maxLogged
  if (remaining > 0) logger.info(`… and ${remaining} more`)
  logger.error(`${errorCount(errors)} in the data; the last valid data is still served`)
}

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
