import type { Server as SecureServer } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { CatalogueErrors, differenceLine, errorCount, errorLine } from './catalogue/errors/error.ts'
import type { LiveCatalogue } from './catalogue/live.ts'
import { loadCatalogue } from './catalogue/load.ts'
import { counted } from './base/text.ts'
import { secureOf, securityWarnings } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'
import type { Simulation } from './simulation/control.ts'

const maxLogged = 20

/**
 * Returns a function that reloads the data and the files that settings name, and never rejects. Invalid ones are
 * logged, and the last valid ones stay. Calls during a reload share one reload after it.
 */
export function createReload (
  app: FastifyInstance, current: LiveCatalogue, readAgain: () => Settings
): () => Promise<void> {
  const { settings, logger } = app
  let lastRules = settings.rules
  let last = Promise.resolve()
  let next: Promise<void> | undefined

  return () => {
    next ??= last = last.then(async () => {
      next = undefined
      const areFilesValid = contentsOfFiles(settings).length === 0 || reloadFiles()
      const isSuccessful = await reloadData() && areFilesValid
      current.lastReload = { isSuccessful, time: Date.now() }
    })
    return next
  }

  /** Returns whether the files are valid. */
  function reloadFiles (): boolean {
    try {
      const renewed = readAgain()
      const secure = secureOf(renewed)
      const { rules } = renewed
      if (rules !== undefined && !isDeepStrictEqual(rules, lastRules)) (app.simulation as Simulation).preset(rules)
      lastRules = rules
      if (secure !== undefined) (app.server as SecureServer).setSecureContext(secure)
      app.tokens.renew(renewed)
      logger.info(`reloaded: ${contentsOfFiles(renewed).join(', ')}`)
      for (const warning of securityWarnings(renewed)) logger.warn(warning)
      return true
    } catch (error) {
      for (const line of (error as Error).message.split('\n')) logger.error(line)
      logger.error('the files could not be reloaded; keeping the last tokens, token secret, certificate and rules')
      return false
    }
  }

  /** Returns whether the data is valid. */
  async function reloadData (): Promise<boolean> {
    try {
      const catalogue = await loadCatalogue(settings.data, settings, true)
      const last = current.catalogue()
      await current.replace(catalogue)
      const { digest, warnings, differences } = catalogue
      for (const warning of warnings) if (!last.warnings.includes(warning)) logger.warn(warning)
      if (differences.length > 0) logger.info(differenceLine(differences))
      const change = digest === last.digest ? ', unchanged' : ''
      logger.info(`the data was reloaded: digest ${digest}${change}`)
      return true
    } catch (error) {
      if (!(error instanceof CatalogueErrors)) {
        const { message } = error as Error
        logger.error(`the data could not be reloaded; the last valid data is still served: ${message}`)
        return false
      }
      const { errors } = error
      for (const error of errors.slice(0, maxLogged)) logger.error(errorLine(error))
      const remaining = errors.length - maxLogged
      if (remaining > 0) logger.info(`… and ${remaining} more`)
      logger.error(`${errorCount(errors)} in the data; the last valid data is still served`)
      return false
    }
  }
}

/** Describes the contents of the files that settings name. */
function contentsOfFiles ({ tokensFile, tokenSecretFile, tlsCert, rules }: Settings): string[] {
  const contents: string[] = []
  if (tokensFile !== undefined) contents.push(counted(tokensFile.length, 'token'))
  if (tokenSecretFile !== undefined) contents.push('the token secret')
  if (tlsCert !== undefined) contents.push('the certificate')
  if (rules !== undefined && 'file' in rules) contents.push('the rules')
  return contents
}
