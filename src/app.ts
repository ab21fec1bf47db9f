import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createLiveCatalogue } from './catalogue/live.ts'
import { createTokens } from './http/authentication.ts'
import { createEndpoints, unrouted } from './http/endpoints.ts'
import { toApiError } from './http/errors.ts'
import { createTrust } from './http/forwarded.ts'
import { allowCredentials } from './http/headers.ts'
import { createLogger, logResponse, type LogStream } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { createLimits } from './http/rate-limit.ts'
import { requests } from './http/request.ts'
import { createHttpServer, type DrainTimes, createClientErrorHandler } from './http/server.ts'
import { splitTarget, targetOf } from './http/target.ts'
import { version } from './package.ts'
import { sendError, sendObject } from './site/responses.ts'
import { browsableList } from './site/browsable.ts'
import { listRoutes } from './lists/routes.ts'
import { mediaRoutes } from './site/media.ts'
import { healthRoutes, siteRoutes } from './site/routes.ts'
import { tokenRoutes } from './site/token-routes.ts'
import { basePathOf, secureOf } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'
import type {} from './simulation/simulation.ts'

/** Handlers send bytes, which no schema changes. Fastify's own compilers would load Ajv, a sixth of the CPU time of a start. */
const passThrough = () => () => String

/** Builds the server of a catalogue, which `current` can replace, without listening: hooks and routes in the order of a request. */
export async function buildApp (
  catalogue: Catalogue, settings: Settings, stream: LogStream = process.stderr,
  current = createLiveCatalogue(catalogue), drainTimes?: DrainTimes
): Promise<FastifyInstance> {
  const tokens = createTokens(settings)
  const logger = createLogger(settings.logLevel, stream, tokens.secrets)
  const http = createHttpServer(logger, secureOf(settings), drainTimes)
  const { serve, alsoListen, drain, close, countConnections } = http
  const metrics = settings.metricsPort === undefined ? undefined : await createMetrics()
  const trusts = createTrust(settings.trustProxy)
  const basePath = basePathOf(settings)
  const simulation = settings.simulate ? await import('./simulation/simulation.ts') : undefined
  const unloggedPaths = settings.simulate ? /^\/(?:livez|readyz|__simulate(?:\/.*)?)$/s : /^\/(?:livez|readyz)$/
  const endpoints = createEndpoints()

  const app = Fastify({
    serverFactory: serve,
    clientErrorHandler: createClientErrorHandler(settings.logRequests ? logger : undefined),
    rewriteUrl: ({ url = '/' }) => {
      const target = targetOf(url, endpoints, basePath)
      return simulation?.simulatedTarget(target) ?? target
    },
    trustProxy: settings.trustProxy === false ? false : trusts,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => ({}) }, // lists parse their query themselves, as Django does
    schemaController: { compilersFactory: { buildValidator: passThrough, buildSerializer: passThrough } },
    return503OnClosing: false // requests during a drain are answered
  })
  app.decorate('settings', settings)
  app.decorate('logger', logger)
  app.decorate('tokens', tokens)
  app.decorate('metrics', metrics)
  app.decorate('drain', drain)
  app.decorate('alsoListen', alsoListen)

  await app.register(requests, { endpoints, trusts })
  if (simulation !== undefined) await app.register(simulation.simulation, { settings })
  if (settings.upstream !== undefined) {
    const { upstream } = await import('./upstream/upstream.ts')
    await app.register(upstream, { settings })
  }
  await app.register(unrouted, { endpoints, basePath })
  if (settings.watch || settings.simulate) app.addHook('onSend', revalidate)
  if (settings.cors === 'credentials') app.addHook('onSend', allowCredentials)
  if (metrics !== undefined || settings.logRequests) {
    app.addHook('onResponse', (request, reply, done) => {
      const { path = '' } = splitTarget(request.url)
      if (!unloggedPaths.test(path)) {
        metrics?.observe(request.endpoint?.url ?? 'none', request, reply)
        if (settings.logRequests) logResponse(request, reply, app.simulation?.notesOf(request))
      }
      done()
    })
  }
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))

  const limits = await createLimits(app, settings)
  await app.register(healthRoutes, { current, limits })
  await app.register(listRoutes, {
    current,
    settings,
    limits,
    simulation: app.simulation,
    renderPage: content => browsableList(content, settings),
    sendObject
  })
  if (settings.tokenForm) await app.register(tokenRoutes, { settings, limits })
  await app.register(mediaRoutes, { current, settings })
  await app.register(siteRoutes, { current, settings })

  if (metrics !== undefined) {
    metrics.addGauge({
      name: 'info', help: 'The version and the data served; always 1.', labelNames: ['version', 'digest'],
      read: () => [[1, { version, digest: current.catalogue().digest }]]
    })
    metrics.addGauge({
      name: 'last_reload_successful', help: 'Whether the last reload of the data succeeded.',
      read: () => [[Number(current.lastReload.isSuccessful), {}]]
    })
    metrics.addGauge({
      name: 'last_reload_timestamp_seconds', help: 'When the last reload of the data ended, in seconds since 1970.',
      read: () => [[current.lastReload.time / 1000, {}]]
    })
    metrics.addGauge({ name: 'connections', help: 'Open connections.', read: () => [[countConnections(), {}]] })
    app.addHook('onClose', async () => metrics.close())
  }
  app.addHook('preClose', close)
  return app
}

/** Makes clients revalidate, so that they see changed data and rules at once; lists set Cache-Control themselves. */
function revalidate (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (!/no-(?:store|cache)/.test(String(reply.getHeader('cache-control')))) reply.header('cache-control', 'no-cache')
  done()
}
