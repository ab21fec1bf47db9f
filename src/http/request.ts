import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import type { Tokens } from './authentication.ts'
import type { Endpoints } from './endpoints.ts'
import { errors } from './errors.ts'
import { forwardedWarning, type Trust } from './forwarded.ts'
import { commonHeaders } from './headers.ts'
import { warnOnce } from './log.ts'
import type { Metrics, ResponseSource } from './metrics.ts'
import type { Negotiated } from './negotiation.ts'
import { simulationWarning } from './prefer.ts'
import type { Drain } from './server.ts'
import { createOriginReader } from './target.ts'
import type { Settings } from '../settings/settings.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme and host of the request, or `publicUrl`: the base URL of links. */
    origin: string
    /** The negotiated format; JSON for errors before the negotiation. */
    negotiated: Negotiated | null
    /** A name for the owner of the token, without revealing it; empty on public lists. */
    client: string
    source: ResponseSource
  }
  interface FastifyInstance {
    /** Fastify's own logger is off: it creates a child logger for each request. */
    logger: Logger
    settings: Settings
    tokens: Tokens
    drain: Drain
    /** Serves another address too; Fastify itself would create a second HTTP server. */
    alsoListen: (host: string, port: number) => Promise<void>
    metrics: Metrics | undefined
  }
}

type Options = { endpoints: Endpoints, trusts: Trust }

/** Reads every request: its endpoint, whose headers each response has, and its origin. */
export const requests = fp<Options>(async (app, { endpoints, trusts }) => {
  const { settings, logger } = app
  const originOf = createOriginReader(settings.publicUrl)
  const warnOfForwarded = warnOnce(logger, request => forwardedWarning(request, trusts))
  const warnOfPrefer = settings.simulate ? () => {} : warnOnce(logger, simulationWarning)

  app.decorateRequest('endpoint', undefined)
  app.decorateRequest('origin', '')
  app.decorateRequest('negotiated', null)
  app.decorateRequest('client', '')
  app.decorateRequest('source', 'other')
  app.addHook('onRoute', endpoints.add)
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
}, { name: 'requests' })

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
