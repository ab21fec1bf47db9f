import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { loadCatalogue } from './catalogue/load.ts'
import { isLoopback, listen, urlOf } from './command/listening.ts'
import type { JournalStream } from './http/journal.ts'
import { readOptions } from './settings/read.ts'
import type { Options, Settings } from './settings/settings.ts'

/** A server that listens. */
export type Server = AsyncDisposable & {
  /** Where it is reached on this machine, such as `http://127.0.0.1:40123`. */
  url: string
  port: number
  app: FastifyInstance
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
  const { server } = await boot(readOptions(options, defaults))
  return server
}

type Boot = {
  /** Where the log goes. */
  stream?: JournalStream
  /** Is called before the server listens. */
  prepare?: (app: FastifyInstance) => void
}

/** Boots, in this order: catalogue (load, validate, link, freeze) → app → listen. */
export async function boot (settings: Settings, { stream, prepare }: Boot = {}): Promise<{ server: Server, catalogue: Catalogue }> {
  const { catalogue, release } = await takeCatalogue(settings.data)
  const app = await buildApp(catalogue, settings, stream)
  app.addHook('onClose', async () => release())
  for (const warning of catalogue.warnings) app.journal.warn(warning)
  prepare?.(app)
  const port = await listen(app, settings)
  if (settings.trustProxy === true && !isLoopback(settings.host)) {
    app.journal.warn(`trust-proxy is on and ${settings.host} is open to others: whoever connects is believed about its address and the host of links; name the proxies instead`)
  }
  const close = () => app.close()
  return { server: { url: urlOf(settings.host, port), port, app, close, [Symbol.asyncDispose]: close }, catalogue }
}

/** The catalogues in use, by their directory: each is read once, however many servers there are. */
const inUse = new Map<string, { catalogue: Promise<Catalogue>, users: number }>()

async function takeCatalogue (data: string): Promise<{ catalogue: Catalogue, release: () => void }> {
  const directory = resolve(data)
  const shared = inUse.get(directory) ?? { catalogue: loadCatalogue(data), users: 0 }
  inUse.set(directory, shared)
  shared.users++
  try {
    return { catalogue: await shared.catalogue, release }
  } catch (error) {
    release()
    throw error
  }

  function release (): void {
    if (--shared.users === 0) inUse.delete(directory)
  }
}
