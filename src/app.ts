import Fastify, { type FastifyContextConfig, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createCurrent, type Current } from './catalogue/current.ts'
import { createTokens } from './http/authentication.ts'
import { createConnections } from './http/connections.ts'
import { errors } from './http/errors.ts'
import { createForwardedWatch, createTrust } from './http/forwarded.ts'
import { commonHeaders, listHeadersOf } from './http/headers.ts'
import { createAnswerLog, createJournal, type AnswerLog, type JournalStream } from './http/journal.ts'
import { createMetrics, type Kind, type Metrics } from './http/metrics.ts'
import { createLine } from './http/overload.ts'
import { createLimits } from './http/rate-limit.ts'
import { decorate } from './http/request.ts'
import { createOriginReader, encodeUri, splitTarget, targetOf } from './http/target.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { version } from './package.ts'
import { negotiateNothing, sendError, toApiError } from './routes/answer.ts'
import { healthRoutes, probes } from './routes/health.ts'
import { listRoutes } from './routes/lists.ts'
import { mediaRoutes } from './routes/media.ts'
import { siteRoutes } from './routes/site.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { secureOf } from './settings/secure.ts'
import type { Settings } from './settings/settings.ts'

/** Stands for what compiles the schemas of routes, which takes 10 ms to load: no route has one. */
const notAsked = Function.prototype as () => never

/** Builds the server of a catalogue, which `current` can replace, without listening; what a request meets stands here in that order. */
export async function buildApp (
  catalogue: Catalogue, settings: Settings, stream: JournalStream = process.stderr, current = createCurrent(catalogue)
): Promise<FastifyInstance> {
  const tokens = createTokens(settings)
  const journal = createJournal(settings.logLevel, stream, tokens.secrets)
  const connections = createConnections(secureOf(settings))
  const metrics = settings.metricsPort === undefined ? undefined : await createMetrics()
  const listHeaders = listHeadersOf(settings)
  const line = createLine(journal)
  const answerLog = settings.logRequests && journal.isLevelEnabled('info') ? createAnswerLog(stream, tokens.secrets) : undefined
  const isTimed = answerLog !== undefined || metrics !== undefined
  const trusts = createTrust(settings.trustProxy)
  const watchForwarded = createForwardedWatch(trusts, journal)
  const originOf = createOriginReader(settings.publicUrl)
  const paths = new Set<string>()
  const configs = new Map<string | undefined, FastifyContextConfig>()

  const app = Fastify({
    serverFactory: connections.serve,
    clientErrorHandler: (error, socket) => connections.afterAnswers(socket, isAnswered => answerUnreadable(error, socket, isAnswered)),
    rewriteUrl: ({ url = '/' }) => targetOf(url, paths),
    trustProxy: settings.trustProxy === false ? false : trusts,
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: () => ({}) }, // a list reads its query once, as Django does
    schemaController: { compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked } },
    return503OnClosing: false // what arrives while the server ends is answered like all else
  })
  // Node gives up a connection that asks to be a tunnel; of its own accord it would only close it.
  app.server.on('connect', ({ socket }) => {
    connections.afterAnswers(socket.on('error', () => {}), () => answerUnreadable(errors.badRequest(), socket))
  })
  decorate(app, { journal, connections, tokens, metrics, answerLog, listHeaders })
  app.addHook('onRoute', ({ url, config }) => {
    if (url.endsWith('/')) paths.add(url)
    if (config?.refuse !== undefined) configs.set(url, config)
  })

  if (metrics !== undefined) watch(app, metrics, current, configs)
  if (answerLog !== undefined) logAnswers(app, answerLog)
  app.addHook('onRequest', (request, reply, done) => {
    if (isTimed) request.askedAt = performance.now()
    // A list sets all of its headers at once; its error says them too where it does not take the method.
    if (!request.url.startsWith('/api/')) reply.headers(commonHeaders)
    else if (request.is404 && configs.has(splitTarget(request.url).path)) reply.headers(listHeaders)
    request.origin = originOf(request)
    watchForwarded(request)
    // Before Fastify reads a body, so that no broken or foreign one makes another error of it.
    if (request.is404) return refuse(request, reply)
    done()
  })
  app.setNotFoundHandler(refuse)
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))
  if (settings.watch) app.addHook('onSend', forbidKeeping)

  const limits = await createLimits(app, settings)
  await app.register(healthRoutes, { current, limits })
  if (settings.simulate) {
    const { simulate } = await import('./simulation/simulation.ts')
    for (const other of simulate(app, settings)) await app.register(listRoutes, { current, settings, limits, line, other })
  }
  await app.register(listRoutes, { current, settings, limits, line })
  if (settings.tokenForm) await app.register(tokenRoutes, { settings, limits })
  await app.register(mediaRoutes, { current, settings })
  await app.register(siteRoutes, { current, settings })
  return app

  /** Answers what no route takes: with a redirect where only the slash is missing, with 405 where it is the method, otherwise with 404. */
  function refuse (request: FastifyRequest, reply: FastifyReply) {
    const { path, query } = splitTarget(request.url)
    if (paths.has(`${path}/`)) {
      const location = `${path}/${query === '?' ? '' : encodeUri(query)}`
      return reply.code(301).headers(commonHeaders).header('location', location).type('text/html; charset=utf-8').send('')
    }
    const { refuse } = configs.get(path) ?? {}
    if (refuse !== undefined) return refuse(request, reply)
    negotiateNothing(request)
    return sendError(request, reply, errors.notFound())
  }
}

/** Has caches ask before each use, so that a client sees changed data at once; lists say so themselves. */
function forbidKeeping (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (reply.getHeader('cache-control') !== 'no-store') reply.header('cache-control', 'no-cache')
  done()
}

const kindOf = (status: number): Kind => status === 304 ? '304' : status === 503 ? 'refused' : 'other'

/** Has every answer logged that Fastify sends, but for what asks after the server all the time; a list logs its own. */
function logAnswers (app: FastifyInstance, log: AnswerLog): void {
  app.addHook('onSend', (request, reply, _, done) => {
    if (!probes.has(request.url)) log(request, reply.raw)
    done()
  })
}

/** Has every answer counted that Fastify sends; a list counts its own. */
function watch (app: FastifyInstance, metrics: Metrics, current: Current, known: ReadonlyMap<string | undefined, unknown>): void {
  app.addHook('onSend', ({ url, routeOptions, askedAt }, { statusCode }, _, done) => {
    const { path = '' } = splitTarget(url)
    const route = routeOptions.url ?? (known.has(path) ? path : 'none')
    if (!probes.has(url)) metrics.answered(route, statusCode, kindOf(statusCode), askedAt)
    done()
  })
  app.addHook('onClose', metrics.close)
  metrics.tell('info', () => [[1, version, current.catalogue().digest]])
  metrics.tell('connections', () => {
    const { open, answering } = app.connections.count()
    return [[answering, 'answering'], [open - answering, 'waiting']]
  })
}
