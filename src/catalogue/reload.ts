import { CatalogueErrors, differenceLine, errorCount, errorLine } from './errors/error.ts'
import type { LiveCatalogue } from './live.ts'
import { loadCatalogue, type DataSettings } from './load.ts'

const maxLogged = 20

type Logger = Record<'info' | 'warn' | 'error', (message: string) => void>

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
      const { digest, warnings, differences } = catalogue
      for (const warning of warnings) if (!last.warnings.includes(warning)) logger.warn(warning)
      if (differences.length > 0) logger.info(differenceLine(differences))
      const change = digest === last.digest ? ', unchanged' : ''
      logger.info(`the data was reloaded: digest ${digest}${change}`)
    } catch (error) {
      current.lastReload = { isSuccessful: false, time: Date.now() }
      logFailure(error as Error, logger)
    }
  }
}

function logFailure (error: Error, logger: Logger): void {
  if (!(error instanceof CatalogueErrors)) {
    logger.error(`the data could not be reloaded; the last valid data is still served: ${error.message}`)
    return
  }
  const { errors } = error
  for (const error of errors.slice(0, maxLogged)) logger.error(errorLine(error))
  const remaining = errors.length - maxLogged
  if (remaining > 0) logger.info(`… and ${remaining} more`)
  logger.error(`${errorCount(errors)} in the data; the last valid data is still served`)
}
