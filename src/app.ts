import type { TSchema } from '@sinclair/typebox'
import Fastify, {
  type FastifyInstance, type FastifyReply, type FastifyRequest, type onResponseHookHandler
} from 'fastify'
import type { List } from '../schemas/responses.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createLiveCatalogue, type LiveCatalogue } from './catalogue/live.ts'
import { neutralName } from './catalogue/schema-fields.ts'
import { createTokens } from './http/tokens.ts'
import { createEndpoints, unrouted } from './http/endpoints.ts'
import { toApiError } from './http/errors.ts'
import { createTrust } from './http/forwarded.ts'
import { allowCredentials } from './http/headers.ts'
import { createLogger, logResponse, type LogStream } from './http/log.ts'
import type { Metrics } from './http/metrics.ts'
import { createLimits } from './http/rate-limit.ts'
import { requests } from './http/request.ts'
import { createHttpServer, type DrainTimes, createClientErrorHandler } from './http/server.ts'
import { normaliseTarget, parseQuery } from './http/target.ts'
import { version } from './package.ts'
import { sendError, sendObject } from './site/responses.ts'
import { browsableList } from './site/browsable.ts'
import type { RecordSerialiser } from './lists/compile.ts'
import type { PageContent } from './lists/renderer.ts'
import { listRoutes } from './lists/routes.ts'
import { serialisers } from './lists/serialisers.ts'
import { mediaRoutes } from './site/media.ts'
import { healthRoutes, siteRoutes } from './site/routes.ts'
import { tokenRoutes } from './site/token-routes.ts'
import { basePathOf, secureOf } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'
import type {} from './simulation/simulation.ts'

/**
 * Builds the server of a catalogue, which `current` can replace, without listening: hooks and routes in the order of a
 * request.
 */
export async function buildApp (
  catalogue: Catalogue,
  settings: Settings,
  stream: LogStream = process.stderr,
  current = createLiveCatalogue(catalogue),
  drainTimes?: DrainTimes
): Promise<FastifyInstance> {
  const tokens = createTokens(settings)
  const logger = createLogger(settings.logLevel, stream, tokens.secrets)
  const http = createHttpServer(logger, secureOf(settings), drainTimes)
  const metrics = settings.metricsPort === undefined
    ? undefined
    : await (await import('./http/metrics.ts')).createMetrics()
  const trusts = createTrust(settings.trustProxy)
  const basePath = basePathOf(settings)
  const endpoints = createEndpoints()
  const simulation = settings.simulate ? await import('./simulation/simulation.ts') : undefined

  const app = Fastify({
    serverFactory: http.serve,
    clientErrorHandler: createClientErrorHandler(settings.logRequests ? logger : undefined),
    rewriteUrl: ({ url = '/' }) => {
      const target = normaliseTarget(url, endpoints, basePath)
      return simulation?.simulatedTarget(target) ?? target
    },
    trustProxy: settings.trustProxy === false ? false : trusts,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: parseQuery as (query: string) => never },
    schemaController: { compilersFactory: { buildSerializer: await serialiserFactory(settings) } },
    return503OnClosing: false // requests during a drain are answered
  })
  app.decorate('settings', settings)
  app.decorate('logger', logger)
  app.decorate('tokens', tokens)
  app.decorate('metrics', metrics)
  app.decorate('drain', http.drain)
  app.decorate('connections', http.connections)
  app.decorate('alsoListen', http.alsoListen)

  await app.register(requests, { endpoints, trusts })
  if (simulation !== undefined) await app.register(simulation.simulation)
  if (settings.upstream !== undefined) {
    const { upstream } = await import('./upstream/upstream.ts')
    await app.register(upstream)
  }
  await app.register(unrouted, { endpoints, basePath })
  addHooks(app)
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))

  await addRoutes(app, current)
  if (metrics !== undefined) {
    addGauges(metrics, current, http.countConnections)
    app.addHook('onClose', async () => metrics.close())
  }
  app.addHook('preClose', http.close)
  return app
}

/** Serialisers of records are compiled in advance; a start compiles those of another name of the fitness fields. */
async function serialiserFactory ({ fitnessName }: Settings) {
  const isKnown = fitnessName === neutralName
  const serialiserOf = isKnown
    ? (record: TSchema) => serialisers.get(record) as RecordSerialiser
    : (await import('./lists/compile.ts')).compile
  return () => ({ schema }: { schema?: unknown }) => {
    const { anyOf: [{ items: record }] } = schema as ReturnType<typeof List>
    return serialiserOf(record)
  }
}

function addHooks (app: FastifyInstance): void {
  const { settings, metrics } = app
  if (settings.watch || settings.simulate) app.addHook('onSend', revalidate)
  if (settings.cors === 'credentials') app.addHook('onSend', allowCredentials)
  if (metrics !== undefined || settings.logRequests) app.addHook('onResponse', observerOf(app))
}

/** Returns an onResponse hook that counts and logs responses, except those of health checks and `/__simulate`. */
function observerOf ({ settings, metrics, simulation }: FastifyInstance): onResponseHookHandler {
  const unlogged = settings.simulate ? /^\/(?:livez|readyz|__simulate(?:\/.*)?)$/s : /^\/(?:livez|readyz)$/
  return (request, reply, done) => {
    const { path = '' } = request.target
    if (!unlogged.test(path)) {
      metrics?.observe(request.endpoint?.url ?? 'none', request, reply)
      const isOfApp = request.endpoint === undefined || /^\/(?:api|media)\//.test(path)
      const isLogged = settings.logRequests === 'apps' ? isOfApp : settings.logRequests
      if (isLogged) logResponse(request, reply, simulation?.notesOf(request))
    }
    done()
  }
}

async function addRoutes (app: FastifyInstance, current: LiveCatalogue): Promise<void> {
  const { settings } = app
  const limits = await createLimits(app)
  await app.register(healthRoutes, { current, limits })
  await app.register(listRoutes, {
    current,
    limits,
    renderPage: (content: PageContent) => browsableList(content, settings),
    sendObject
  })
  if (settings.tokenForm) await app.register(tokenRoutes, { limits })
  await app.register(mediaRoutes, { current })
  await app.register(siteRoutes, { current })
}

function addGauges (metrics: Metrics, current: LiveCatalogue, countConnections: () => number): void {
  metrics.addGauge({
    name: 'info', help: 'The version and the data served; always 1.', labelNames: ['version', 'digest'],
    read: () => [[1, { version, digest: current.catalogue().digest }]]
  })
  metrics.addGauge({
    name: 'last_reload_successful', help: 'Whether the last reload succeeded.',
    read: () => [[Number(current.lastReload.isSuccessful), {}]]
  })
  metrics.addGauge({
    name: 'last_reload_timestamp_seconds', help: 'When the last reload of the data ended, in seconds since 1970.',
    read: () => [[current.lastReload.time / 1000, {}]]
  })
  metrics.addGauge({ name: 'connections', help: 'Open connections.', read: () => [[countConnections(), {}]] })
}

/** Makes clients revalidate, so that they see changed data and rules at once; lists set Cache-Control themselves. */
function revalidate (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (!/no-(?:store|cache)/.test(String(reply.getHeader('cache-control')))) reply.header('cache-control', 'no-cache')
  done()
}
