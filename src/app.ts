import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Catalogue } from './catalogue/catalogue.ts'
import { createTokens } from './http/authentication.ts'
import { errors } from './http/errors.ts'
import { createForwardedWatch, createTrust } from './http/forwarded.ts'
import { commonHeaders } from './http/headers.ts'
import { createJournal, type JournalStream } from './http/journal.ts'
import { knownMethods } from './http/methods.ts'
import { createOriginReader } from './http/origin.ts'
import { encodeUri, originForm, splitTarget } from './http/paths.ts'
import { createLimits } from './http/rate-limit.ts'
import { decorate } from './http/request.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { negotiateNothing, sendError, toApiError } from './routes/answer.ts'
import { documentRoutes } from './routes/documents.ts'
import { listRoutes } from './routes/lists.ts'
import { mediaRoutes } from './routes/media.ts'
import { pageRoutes } from './routes/pages.ts'
import { tokenRoutes } from './routes/tokens.ts'
import type { Settings } from './settings/settings.ts'

/** Builds the server of a catalogue without listening; what a request meets stands here in that order. */
export async function buildApp (catalogue: Catalogue, settings: Settings, stream: JournalStream = process.stderr): Promise<FastifyInstance> {
  const { logLevel, logRequests, trustProxy, publicUrl } = settings
  const paths = new Set<string>()
  const originOf = createOriginReader(publicUrl)
  const trusts = createTrust(trustProxy)
  const journal = createJournal(logLevel, stream)
  const watchForwarded = createForwardedWatch(trusts, journal)

  const app = Fastify({
    trustProxy: trustProxy === false ? false : trusts,
    requestTimeout: 30_000,
    http: { requireHostHeader: false },
    exposeHeadRoutes: false,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_, request, reply) => refuse(request, reply),
    routerOptions: { querystringParser: () => ({}) }, // a list reads its query once, as Django does
    rewriteUrl: ({ url = '/' }) => knownTarget(url, paths)
  })
  for (const method of knownMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)

  app.addHook('onRoute', ({ url }) => { if (url.endsWith('/')) paths.add(url) })
  decorate(app, { journal, tokens: createTokens(settings) })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/api/')) reply.headers(commonHeaders) // a list sets all of its headers at once
    request.origin = originOf(request)
    watchForwarded(request)
    // Before Fastify reads a body, so that no broken or foreign one makes another error of it.
    if (request.is404) return refuse(request, reply)
    done()
  })
  if (logRequests) app.addHook('onResponse', logAnswer)
  app.setNotFoundHandler(refuse)
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toApiError(error, request)))
  const limits = await createLimits(app, settings)
  await app.register(listRoutes, { catalogue, settings, limits })
  if (settings.tokenForm) await app.register(tokenRoutes, { settings, limits })
  await app.register(mediaRoutes, { settings })
  await app.register(pageRoutes, { catalogue, settings })
  await app.register(documentRoutes, { catalogue, settings })
  return app

  /** Answers an address that is nothing: with a redirect where only the slash is missing, otherwise with 404. */
  function refuse (request: FastifyRequest, reply: FastifyReply) {
    const { path, query } = splitTarget(request.url)
    if (paths.has(`${path}/`)) {
      const location = `${path}/${query === '?' ? '' : encodeUri(query)}`
      return reply.code(301).headers(commonHeaders).header('location', location).type('text/html; charset=utf-8').send('')
    }
    negotiateNothing(request)
    return sendError(request, reply, errors.notFound())
  }
}

/** Logs an answer in one entry, without headers, which may hold a token. */
function logAnswer ({ server, method, originalUrl: url, ip }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply, done: () => void): void {
  server.journal.info({ method, url, status, ms: Number(elapsedTime.toFixed(1)), ip }, 'answered')
  done()
}

/** Gives the target with a known path written plainly, however it was escaped; any other target stays as it is. */
function knownTarget (target: string, paths: ReadonlySet<string>): string {
  const own = originForm(target)
  if (!own.includes('%')) return own
  const { path, query } = splitTarget(own)
  return path !== undefined && paths.has(path) ? path + query : own
}
