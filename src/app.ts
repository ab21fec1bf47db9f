import Fastify, { type FastifyContextConfig, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createCurrent } from './catalogue/live.ts'
import { createTokens } from './http/authentication.ts'
import { compilersFactory } from './http/compilers.ts'
import { errors } from './http/errors.ts'
import { createTrust, forwardedWarning } from './http/forwarded.ts'
import { commonHeaders, listHeadersOf } from './http/headers.ts'
import { createLogger, logResponse, type LogStream, warnOnce } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { createCapacity } from './http/overload.ts'
import { simulationWarning } from './http/prefer.ts'
import { createLimits } from './http/rate-limit.ts'
import { decorate } from './http/request.ts'
import { sendInPieces } from './http/send.ts'
import { createHttpServer } from './http/server.ts'
import { createOriginReader, encodeUri, splitTarget, targetOf } from './http/target.ts'
import { answerConnect, answerUnparsable } from './http/connection.ts'
import { negotiateRequest } from './lists/request.ts'
import { version } from './package.ts'
import { sendError, simulationOf, toApiError } from './routes/answer.ts'
import { healthRoutes } from './routes/health.ts'
import { listRoutes } from './routes/lists.ts'
import { mediaRoutes } from './routes/media.ts'
import { siteRoutes } from './routes/site.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { basePathOf, secureOf } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'

const rulesPath = '/__simulate'

/** Builds the server of a catalogue, which `current` can replace, without listening: hooks and routes in the order of a request. */
export async function buildApp (
  catalogue: Catalogue, settings: Settings, stream: LogStream = process.stderr, current = createCurrent(catalogue)
): Promise<FastifyInstance> {
  const tokens = createTokens(settings)
  const logger = createLogger(settings.logLevel, stream, tokens.secrets)
  const { serve, alsoListen, drain, close, countConnections, countRequests } = createHttpServer(logger, secureOf(settings))
  const metrics = settings.metricsPort === undefined ? undefined : await createMetrics()
  const listHeaders = listHeadersOf(settings)
  const trusts = createTrust(settings.trustProxy)
  const warnOfForwarded = warnOnce(logger, request => forwardedWarning(request, trusts))
  const warnOfPrefer = settings.simulate ? () => {} : warnOnce(logger, simulationWarning)
  const originOf = createOriginReader(settings.publicUrl)
  const basePath = basePathOf(settings)
  const simulation = settings.simulate ? await import('./simulation/simulation.ts') : undefined
  const unobserved = new Set(['/livez', '/readyz', ...settings.simulate ? [rulesPath] : []])
  const otherMethods = new Map<string | undefined, NonNullable<FastifyContextConfig['answerOtherMethods']>>()

  const app = Fastify({
    serverFactory: serve,
    clientErrorHandler: answerUnparsable,
    rewriteUrl: ({ url = '/' }) => {
      const target = targetOf(url, otherMethods, basePath)
      return simulation?.simulatedTarget(target) ?? target
    },
    trustProxy: settings.trustProxy === false ? false : trusts,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => ({}) }, // lists parse their query themselves, as Django does
    schemaController: { compilersFactory },
    return503OnClosing: false // requests during a drain are answered
  })
  app.server.on('connect', answerConnect)
  decorate(app, { settings, logger, drain, alsoListen, tokens, metrics, listHeaders })
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.answerOtherMethods !== undefined) otherMethods.set(url, config.answerOtherMethods)
  })

  // A hook applies to the routes that are added after it.
  app.addHook('onRequest', (request, reply, done) => {
    // Lists set all their headers at once; errors of their other methods have the same headers.
    if (!request.url.startsWith('/api/')) reply.headers(commonHeaders)
    else if (request.is404 && otherMethods.has(splitTarget(request.url).path)) reply.headers(listHeaders)
    request.origin = originOf(request)
    warnOfForwarded(request)
    warnOfPrefer(request)
    checkFraming(request, reply)
    done()
  })
  if (simulation !== undefined) {
    await app.register(simulation.simulation, { settings })
    app.decorate('tryItPanel', (await import('./site/simulation.ts')).tryItPanel)
  }
  const causeOf = simulationOf(app)?.causeOf
  app.addHook('onRequest', (request, reply, done) => {
    // Answers before Fastify parses a body, which could cause another error.
    if (request.is404) answerUnrouted(request, reply).catch(done)
    else done()
  })
  if (settings.watch) app.addHook('onSend', revalidate)
  app.addHook('onSend', sendInPieces)
  if (metrics !== undefined || settings.logRequests) {
    app.addHook('onResponse', (request, reply, done) => {
      const { path = '' } = splitTarget(request.url)
      if (!unobserved.has(path)) {
        metrics?.observe(request.routeOptions.url ?? (otherMethods.has(path) ? path : 'none'), request, reply)
        if (settings.logRequests) logResponse(request, reply, causeOf?.(request))
      }
      done()
    })
  }
  app.setNotFoundHandler(answerUnrouted)
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))

  const limits = await createLimits(app, settings)
  await app.register(healthRoutes, { current, limits })
  if (settings.simulate) await app.register((await import('./routes/simulate.ts')).ruleRoutes, { url: rulesPath })
  await app.register(listRoutes, { current, settings, limits, assertCapacity: createCapacity(countRequests, logger) })
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
  app.addHook('preClose', close)
  return app

  /** Redirects a request without a route if only the slash is missing; answers 405 if only the method is wrong, otherwise 404. */
  async function answerUnrouted (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path, query } = splitTarget(request.url)
    if (otherMethods.has(`${path}/`)) {
      const location = `${basePath}${path}/${query === '?' ? '' : encodeUri(query)}`
      reply.code(301).headers(commonHeaders).header('location', location).type('text/html; charset=utf-8').send('')
      return
    }
    const answerOtherMethods = otherMethods.get(path)
    if (answerOtherMethods !== undefined) return answerOtherMethods(request, reply)
    negotiateRequest(request)
    throw errors.notFound()
  }
}

/** Makes clients revalidate, so that they see changed data at once; lists set Cache-Control themselves. */
function revalidate (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (!/no-(?:store|cache)/.test(String(reply.getHeader('cache-control')))) reply.header('cache-control', 'no-cache')
  done()
}

/** Throws 400 for a body without an end. Closes connections that request an upgrade, because Node stops reading them. */
function checkFraming ({ headers }: FastifyRequest, { raw }: FastifyReply): void {
  const { connection = '', 'transfer-encoding': coding = 'chunked' } = headers
  const isEndless = !/\bchunked$/i.test(coding)
  if (isEndless || /upgrade/i.test(connection)) raw.setHeader('connection', 'close')
  if (isEndless) throw errors.badRequest()
}
