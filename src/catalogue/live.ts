import { statSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { clearTimeout, now, setTimeout } from '../base/timers.ts'
import type { Catalogue } from './catalogue.ts'
import { CatalogueErrors, errorCount, errorLine, differenceLine } from './errors/error.ts'
import { knownFiles } from './files.ts'
import { loadCatalogue, type DataSettings } from './load.ts'
import { filesOf } from './images.ts'

/** The catalogue that a server serves, and the values derived from it. */
export type LiveCatalogue = {
  catalogue: () => Catalogue
  /** Whether the last reload succeeded, and when it ended, in milliseconds since 1970; the start is the first. */
  lastReload: { isSuccessful: boolean, time: number }
  /** Derives a value from this catalogue, and from each later one before it is served; returns a getter of the current value. */
  derive: <T>(make: (catalogue: Catalogue) => T | Promise<T>) => Promise<() => T>
  /** Derives all values from the next catalogue, then swaps them together; rejects without a change if one derivation fails. */
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
 * Returns a function that loads and serves the data again, and never rejects: invalid data is logged, and the last valid data stays.
 * Calls during a load share one more load after it.
 */
export function createReload (settings: DataSettings, current: LiveCatalogue, logger: Logger): () => Promise<void> {
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
      const { digest, warnings } = current.catalogue()
      await current.replace(catalogue)
      current.lastReload = { isSuccessful: true, time: Date.now() }
      for (const warning of catalogue.warnings) if (!warnings.includes(warning)) logger.warn(warning)
      if (catalogue.differences.length > 0) logger.info(differenceLine(catalogue.differences))
      logger.info(`the data was reloaded: digest ${catalogue.digest}${catalogue.digest === digest ? ', unchanged' : ''}`)
    } catch (error) {
      current.lastReload = { isSuccessful: false, time: Date.now() }
      const [errors, reason] = error instanceof CatalogueErrors ? [error.errors] : [[], (error as Error).message]
      for (const error of errors.slice(0, maxLogged)) logger.error(errorLine(error))
      if (errors.length > maxLogged) logger.info(`… and ${errors.length - maxLogged} more`)
      logger.error(reason === undefined
        ? `${errorCount(errors)} in the data; the last valid data is still served`
        : `the data could not be reloaded; the last valid data is still served: ${reason}`)
    }
  }
}

/** The interval between comparisons in milliseconds, and how many of them wait for a change to finish: a second at most. */
const [interval, maxComparisons] = [200, 5]

/** The share of CPU time that comparing may take. */
const maxShare = 0.05

/** Returns a text that changes with every file, link and parent of data directories, and with other files. */
export function stateOf (directories: readonly string[], others: readonly string[] = []): string {
  const files = directories.flatMap(directory => {
    const images = [...filesOf(join(directory, 'media'))].map(({ name }) => join('media', name))
    return [...knownFiles, ...images].map(file => join(directory, file))
  })
  return [...files, ...others].map(file => {
    const { ino, size, ctimeMs } = attempt(() => statSync(file)).value ?? {}
    return `${file} ${ino} ${size} ${ctimeMs}`
  }).join('\n')
}

/**
 * Calls `changed` once after each burst of changes, and every second during a long one; returns a function that stops it.
 *
 * Polls, because fs.watch loses directories that are replaced with their parents, and misses changes on network file systems.
 * @param loaded the state before the data was loaded
 */
export function watchFiles (
  directories: readonly string[], others: readonly string[], loaded: string, changed: () => unknown
): () => void {
  let [last, comparisons] = [loaded, 0]
  let timer = setTimeout(compare, interval)
  return () => clearTimeout(timer)

  function compare (): void {
    const begun = now()
    const state = stateOf(directories, others)
    if (state !== loaded && (state === last || ++comparisons === maxComparisons)) {
      [loaded, comparisons] = [state, 0]
      changed()
    }
    last = state
    timer = setTimeout(compare, Math.max(interval, (now() - begun) / maxShare))
  }
}
