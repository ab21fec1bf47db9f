import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createLiveCatalogue } from './catalogue/live.ts'
import { differenceLine } from './catalogue/errors/error.ts'
import { loadCatalogue } from './catalogue/load.ts'
import { listen, listenForMetrics, localUrl, orClose } from './http/listening.ts'
import type { LogStream } from './http/log.ts'
import type { DrainTimes } from './http/server.ts'
import { memoryWarning } from './base/memory.ts'
import { createReload } from './reload.ts'
import { readOptions, secureOf, securityWarnings } from './settings/read.ts'
import { type Options, programDefaults, type Settings } from './settings/settings.ts'
import type { RecordedRequest } from './simulation/request-log.ts'
import type { Rule } from './simulation/rule.ts'
import type { CountedRule } from './simulation/rules.ts'
import type { Simulation } from './simulation/control.ts'

export type { CountedRule, RecordedRequest, Rule }

export type Server = AsyncDisposable & {
  /** The URL on this machine, such as `http://127.0.0.1:40123`. */
  url: string
  port: number
  /** The URL of the metrics on this machine, with the option `metricsPort`. */
  metricsUrl: string | undefined
  app: FastifyInstance
  /** Reloads the data and the files of tokens, certificate and rules; logs errors, and keeps the last valid ones. */
  reload: () => Promise<void>
  /**
   * Adds a rule, which overrides all earlier ones; throws without the option `simulate`, and for an invalid rule. Its
   * `used` is live.
   */
  simulate: (rule: Rule) => CountedRule
  /** Returns all rules, the oldest first; throws without the option `simulate`. */
  rules: () => CountedRule[]
  /** Returns the rules with `times` or a `sequence` that are not used up; throws without the option `simulate`. */
  unused: () => CountedRule[]
  /** Returns the last 1,000 requests in order, also those of unknown paths; throws without the option `simulate`. */
  requests: () => RecordedRequest[]
  /** Deletes a rule and returns whether there was one with this id; throws without the option `simulate`. */
  remove: (id: number) => boolean
  /** Leads back to the rules of the option `rules`, and deletes requests; throws without the option `simulate`. */
  reset: () => void
  /** Finishes pending responses within 4 seconds and releases all resources; may be called twice. */
  close: () => Promise<void>
}

/**
 * Starts a server in this process; several can run, each with its own data, tokens and rate limits.
 *
 * @example
 * const server = await start({ tokens: ['ci'] })
 * const bikes = await fetch(`${server.url}/api/v1/bikes/`)
 * await server.close()
 *
 * @throws {SettingsError} for an unknown option or an invalid value
 * @throws {CatalogueErrors} for invalid data or an invalid file of rules; its `errors` have file, line and column
 * @throws {ListenError} when it cannot listen
 */
export async function start (options: Options = {}): Promise<Server> {
  const read = () => readOptions(options, programDefaults)
  const { server } = await boot(read(), { readAgain: read })
  return server
}

type Boot = {
  stream?: LogStream
  /** Called before the server listens, with the function that reloads it. */
  prepare?: (app: FastifyInstance, reload: () => void) => void
  /** Reads the settings again, with the files that they name. */
  readAgain?: () => Settings
  /** The times of a close; by default it announces nothing and takes 4 seconds at most. */
  drainTimes?: DrainTimes
}

/** Boots, in this order: catalogue (load, validate, link, freeze) → app → listen. */
export async function boot (settings: Settings, options: Boot = {}): Promise<{ server: Server, catalogue: Catalogue }> {
  const { stream, prepare, readAgain = () => settings, drainTimes } = options
  const scheme = secureOf(settings) && 'https'
  const watch = settings.watch ? await prepareWatch(settings) : undefined
  const catalogue = await loadCatalogue(settings.data, settings)
  const current = createLiveCatalogue(catalogue)
  const app = await buildApp(catalogue, settings, stream, current, drainTimes)
  const reload = createReload(app, current, readAgain)
  const { logger } = app
  for (const warning of catalogue.warnings) logger.warn(warning)
  if (catalogue.differences.length > 0) logger.info(differenceLine(catalogue.differences))
  if (settings.upstream !== undefined) logger.info(`lists and images come from ${settings.upstream}`)
  prepare?.(app, reload)
  await orClose(app, app.ready())
  const metricsUrl = app.metrics && await listenForMetrics(app, app.metrics, settings.metricsPort as number | string)
  const port = await listen(app, settings)
  if (watch !== undefined) app.server.once('close', watch(reload))
  for (const warning of [...securityWarnings(settings), memoryWarning()]) if (warning) logger.warn(warning)
  const close = () => app.close()
  const server = {
    url: localUrl(settings.host, port, scheme),
    port,
    metricsUrl,
    app,
    reload,
    simulate: (rule: Rule) => simulationOf(app).simulate(rule),
    rules: () => simulationOf(app).rules(),
    unused: () => simulationOf(app).unused(),
    remove: (id: number) => simulationOf(app).table.remove(id),
    requests: () => simulationOf(app).requests(),
    reset: () => simulationOf(app).reset(),
    close,
    [Symbol.asyncDispose]: close
  }
  return { server, catalogue }
}

/** Reads the state of the files of the data and the rules, and returns a function that watches them from then on. */
async function prepareWatch ({ data, overlay, rules }: Settings) {
  const { createFileState, watchFiles } = await import('./catalogue/watch.ts')
  const directories = [data, overlay].filter(directory => typeof directory === 'string')
  const files = rules !== undefined && 'file' in rules ? [rules.file] : []
  const stateNow = createFileState(directories, files)
  const state = await stateNow()
  return (changed: () => void) => watchFiles(stateNow, state, changed)
}

function simulationOf ({ simulation }: FastifyInstance): Simulation {
  if (simulation !== undefined) return simulation
  throw new Error('rules and recorded requests need the option simulate: start({ simulate: true })')
}
