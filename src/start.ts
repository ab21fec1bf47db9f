import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createCurrent } from './catalogue/current.ts'
import { loadCatalogue } from './catalogue/load.ts'
import { createReload } from './catalogue/reload.ts'
import { watchFolder } from './catalogue/watch.ts'
import { isLoopback, listen, listenForMetrics, urlOf } from './command/listening.ts'
import type { JournalStream } from './http/journal.ts'
import { type SettingsError, readOptions } from './settings/read.ts'
import { secureOf } from './settings/secure.ts'
import type { Options, Settings } from './settings/settings.ts'

/** A server that listens. */
export type Server = AsyncDisposable & {
  /** Where it is reached on this machine, such as `http://127.0.0.1:40123`. */
  url: string
  port: number
  /** Where this machine reaches the metrics, with the option `metricsPort`. */
  metricsUrl: string | undefined
  app: FastifyInstance
  /** Reads the data and the files of tokens and of the certificate anew; what is wrong with them is logged, and the last good ones stay. */
  reload: () => Promise<void>
  /** Finishes the answers under way and leaves nothing behind; closing twice is fine. */
  close: () => Promise<void>
}

/** What a program has in place of the command's defaults: a free port, and silence but for errors. */
const defaults = { port: 0, logLevel: 'error' } as const

/**
 * Starts a server in this process, as many as one likes, each with its own data, tokens and allowances.
 *
 * @example
 * const server = await start({ tokens: ['ci'], rateLimit: false })
 * const bikes = await fetch(`${server.url}/api/v1/bikes/`)
 * await server.close()
 *
 * @throws {SettingsError} for an option that is none, or whose value is not what it takes
 * @throws {CatalogueFaults} for data that cannot be served; its `faults` have file, line and column
 * @throws {ListenError} when it cannot listen
 */
export async function start (options: Options = {}): Promise<Server> {
  const read = () => readOptions(options, defaults)
  const { server } = await boot(read(), { readAnew: read })
  return server
}

type Boot = {
  /** Where the log goes. */
  stream?: JournalStream
  /** Is called before the server listens, with what reloads it. */
  prepare?: (app: FastifyInstance, reload: () => void) => void
  /** Reads the settings anew, and so the files that some of them name. */
  readAnew?: () => Settings
}

type Booted = { server: Server, catalogue: Catalogue }

/** Boots, in this order: catalogue (load, validate, link, freeze) → app → listen. */
export async function boot (settings: Settings, { stream, prepare, readAnew = () => settings }: Boot = {}): Promise<Booted> {
  const scheme = secureOf(settings) && 'https'
  const { catalogue, release } = await takeCatalogue(settings)
  const current = createCurrent(catalogue)
  const app = await buildApp(catalogue, settings, stream, current)
  app.addHook('onClose', async () => release())
  const reloadData = createReload(settings, current, app.journal)
  for (const warning of catalogue.warnings) app.journal.warn(warning)
  prepare?.(app, reload)
  const metricsUrl = app.metrics && await listenForMetrics(app, app.metrics, settings.metricsPort as number | string)
  const port = await listen(app, settings)
  for (const folder of settings.watch ? foldersOf(settings) : []) app.server.once('close', watchFolder(folder, reload, app.journal))
  for (const warning of warningsOf(settings)) app.journal.warn(warning)
  const close = () => app.close()
  const url = urlOf(settings.host, port, scheme)
  return { server: { url, port, metricsUrl, app, reload, close, [Symbol.asyncDispose]: close }, catalogue }

  async function reload (): Promise<void> {
    try {
      const renewed = readAnew()
      const secure = secureOf(renewed)
      if (secure !== undefined) app.connections.renew(secure)
      app.tokens.renew(renewed)
      const files = filesOf(renewed)
      if (files.length > 0) app.journal.info(`read anew: ${files.join(', ')}`)
    } catch (error) {
      app.journal.error(`${(error as SettingsError).message}; the last tokens, token secret, revoked ids and certificate stay`)
    }
    release() // from here on its data are its own
    await reloadData()
  }
}

/** So short a secret can be found by trying, with an issued token to try it on. */
const shortSecret = 16

/** What settings are taken as they are, but hardly meant so. */
function warningsOf (settings: Settings): string[] {
  const { trustProxy, host, tokenSecret, tokenSecretFile, simulate, delay, failureRate } = settings
  const warnings = []
  if (trustProxy === true && !isLoopback(host)) {
    warnings.push(`trust-proxy is on and ${host} is open to others: ` +
      'whoever connects is believed about its address and the host of links; name the proxies instead')
  }
  const secret = tokenSecret ?? tokenSecretFile
  if (secret !== undefined && secret.length < shortSecret) {
    warnings.push(`token-secret has fewer than ${shortSecret} characters: who has an issued token can guess it, and issue others`)
  }
  if (!simulate && (delay !== undefined || failureRate > 0)) warnings.push('delay and failure-rate do nothing without simulate')
  return warnings
}

/** What a reload reads besides the data: what is in the files that settings name. */
function filesOf ({ tokensFile, tokenSecretFile, revokedTokensFile, tlsCert }: Settings): string[] {
  const count = (one: string, { length }: readonly string[]) => `${length} ${one}${length === 1 ? '' : 's'}`
  return [
    tokensFile && count('token', tokensFile),
    tokenSecretFile && 'the token secret',
    revokedTokensFile && count('revoked id', revokedTokensFile),
    tlsCert && 'the certificate'
  ].filter(told => told !== undefined)
}

/** The catalogues in use, by their directories: each is read once, however many servers there are, but for those that watch it. */
const inUse = new Map<string, { catalogue: Promise<Catalogue>, users: number }>()

const foldersOf = ({ data, overlay }: Settings): string[] => [data, overlay ?? []].flat()

async function takeCatalogue (settings: Settings): Promise<{ catalogue: Catalogue, release: () => void }> {
  const { data, overlay } = settings
  if (settings.watch) return { catalogue: await loadCatalogue(data, { overlay }), release: () => {} }
  const key = foldersOf(settings).map(folder => resolve(folder)).join('\0')
  const shared = inUse.get(key) ?? { catalogue: loadCatalogue(data, { overlay }), users: 0 }
  inUse.set(key, shared)
  shared.users++
  let isUsed = true
  try {
    return { catalogue: await shared.catalogue, release }
  } catch (error) {
    release()
    throw error
  }

  /** Keeps no hold of the catalogue, so that it goes when another one has taken its place. */
  function release (): void {
    if (!isUsed) return
    isUsed = false
    const use = inUse.get(key) as { users: number }
    if (--use.users === 0) inUse.delete(key)
  }
}
