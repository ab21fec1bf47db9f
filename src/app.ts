import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createLiveCatalogue } from './catalogue/live.ts'
import { createTokens } from './http/authentication.ts'
import { compilersFactory } from './http/compilers.ts'
import { createEndpoints, refuseMethod } from './http/endpoints.ts'
import { errors, toApiError } from './http/errors.ts'
import { createTrust, forwardedWarning } from './http/forwarded.ts'
import { allowCredentials, commonHeaders, isPreflight, listHeadersOf, preflightHeaders } from './http/headers.ts'
import { createLogger, logResponse, type LogStream, warnOnce } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { simulationWarning } from './http/prefer.ts'
import { createLimits } from './http/rate-limit.ts'
import { decorate } from './http/fastify.ts'
import { createHttpServer, type DrainTimes } from './http/server.ts'
import { createOriginReader, encodeUri, splitTarget, targetOf } from './http/target.ts'
import { createClientErrorHandler } from './http/connection.ts'
import { negotiateRequest } from './lists/request.ts'
import { version } from './package.ts'
import { sendError, sendObject } from './site/responses.ts'
import { browsableList } from './site/browsable.ts'
import { listRoutes } from './lists/routes.ts'
import { mediaRoutes } from './site/media.ts'
import { healthRoutes, siteRoutes } from './site/routes.ts'
import { tokenRoutes } from './site/token-routes.ts'
import { SettingsError } from './settings/flags.ts'
import { basePathOf, secureOf } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'
import type {} from './simulation/simulation.ts'

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
  const warnOfForwarded = warnOnce(logger, request => forwardedWarning(request, trusts))
  const warnOfPrefer = settings.simulate ? () => {} : warnOnce(logger, simulationWarning)
  const originOf = createOriginReader(settings.publicUrl)
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
    schemaController: { compilersFactory },
    return503OnClosing: false // requests during a drain are answered
  })
  decorate(app, { settings, logger, drain, alsoListen, tokens, metrics })
  app.addHook('onRoute', endpoints.add)

  // A hook applies to the routes that are added after it.
  app.addHook('onRequest', (request, reply, done) => {
    request.endpoint = endpoints.find(request.url)
    reply.headers(request.endpoint?.headers ?? commonHeaders)
    const isEndless = closeUnread(request, reply)
    request.origin = originOf(request)
    if (isEndless) throw errors.badRequest()
    const { prefer, 'x-forwarded-for': client, 'x-forwarded-proto': scheme, 'x-forwarded-host': host } = request.headers
    if ((client ?? scheme ?? host) !== undefined) warnOfForwarded(request)
    if (prefer !== undefined || request.url.includes('__')) warnOfPrefer(request)
    done()
  })
  if (simulation !== undefined) await app.register(simulation.simulation, { settings })
  app.addHook('onRequest', (request, reply, done) => {
    // Answers before Fastify parses a body, which could cause another error.
    if (request.is404) answerUnrouted(request, reply).catch(done)
    else done()
  })
  if (settings.watch) app.addHook('onSend', revalidate)
  if (settings.cors === 'credentials') app.addHook('onSend', allowCredentials)
  if (metrics !== undefined || settings.logRequests) {
    app.addHook('onResponse', (request, reply, done) => {
      const { path = '' } = splitTarget(request.url)
      if (!unloggedPaths.test(path)) {
        metrics?.observe(request.endpoint?.url ?? 'none', request, reply)
        if (settings.logRequests) logResponse(request, reply, app.simulation?.causeOf(request))
      }
      done()
    })
  }
  app.setNotFoundHandler(answerUnrouted)
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
    metrics.addGauge({ name: 'connections', help: 'Open connections.', read: () => [[countConnections(), {}]] })
    app.addHook('onClose', async () => metrics.close())
  }
  if (basePath !== '') app.addHook('onReady', async () => assertFreePath(basePath, endpoints.paths()))
  app.addHook('preClose', close)
  return app

  /** Redirects a request without a route if only the slash is missing; otherwise 405 for a known path, 404 for others. */
  async function answerUnrouted (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path, query } = splitTarget(request.url)
    if (endpoints.has(`${path}/`)) {
      // Browsers refuse a redirected preflight.
      if (isPreflight(request)) return reply.code(204).headers({ ...listHeadersOf(settings), ...preflightHeaders }).send()
      const location = `${basePath}${path}/${query === '?' ? '' : encodeUri(query)}`
      reply.code(301).header('location', location).type('text/html; charset=utf-8').send('')
      return
    }
    negotiateRequest(request)
    if (request.endpoint === undefined) throw errors.notFound()
    await refuseMethod(app, request.endpoint, request, reply)
  }
}

/** Refuses a base path that is ambiguous, because paths of the server begin in the same way. @throws {SettingsError} */
function assertFreePath (basePath: string, paths: Iterable<string>): void {
  const segmentOf = (path: string) => path.split('/')[1]
  const own = [...paths].find(path => segmentOf(path) === segmentOf(basePath))
  if (own !== undefined) throw new SettingsError(`--public-url must not have the path ${basePath}: the server itself has ${own}`)
}

/** Makes clients revalidate, so that they see changed data at once; lists set Cache-Control themselves. */
function revalidate (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (!/no-(?:store|cache)/.test(String(reply.getHeader('cache-control')))) reply.header('cache-control', 'no-cache')
  done()
}

/**
 * Announces the close of connections on which Node may lose the next request. After a request with both upgrade headers, Node drops the
 * other bytes of the same read without a sign. Returns true for a body without an end.
 */
function closeUnread ({ headers }: FastifyRequest, { raw }: FastifyReply): boolean {
  const { connection = '', upgrade, 'transfer-encoding': coding } = headers
  const isEndless = coding !== undefined && !/\bchunked$/i.test(coding)
  if (isEndless || (upgrade !== undefined && /upgrade/i.test(connection))) raw.setHeader('connection', 'close')
  return isEndless
}
