import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import type { Endpoints } from './endpoints.ts'
import { errors } from './errors.ts'
import { forwardedWarning, type Trust } from './forwarded.ts'
import { commonHeaders, setHeaders } from './headers.ts'
import { warnOnce } from './log.ts'
import type { Metrics, ResponseSource } from './metrics.ts'
import type { Negotiated } from './negotiation.ts'
import { createOriginReader } from './origin.ts'
import { simulationWarning } from './prefer.ts'
import type { Connections, Drain } from './server.ts'
import { splitTarget, type TargetParts } from './target.ts'
import type { Tokens } from './tokens.ts'
import type { Settings } from '../settings/settings.ts'

declare module 'fastify' {
  /** Fastify copies each decoration to every request; a getter or a property that few requests have is not copied. */
  interface FastifyRequest {
    /** The scheme and host of the request, or `publicUrl`: the base URL of links. */
    readonly origin: string
    /** The path, decoded, and the query of `url`. */
    readonly target: TargetParts
    /** The negotiated format, null if none is acceptable; JSON for errors before the negotiation. */
    negotiated?: Negotiated | null
    /** A name for the owner of the token, without revealing it; only lists of version 2.1 have it. */
    client?: string
    /** The cause of an error that is simulated. */
    simulatedError?: string
    /** Only responses to lists have it. */
    source?: ResponseSource
    /** The value of `target`, once it has been read. */
    splitUrl?: TargetParts
  }
  interface FastifyInstance {
    /** Fastify's own logger is off: it creates a child logger for each request. */
    logger: Logger
    settings: Settings
    tokens: Tokens
    drain: Drain
    connections: Connections
    /** Serves another address too; Fastify itself would create a second HTTP server. */
    alsoListen: (host: string, port: number) => Promise<void>
    metrics: Metrics | undefined
  }
}

/** Reads every request: its endpoint, whose headers each response has, and its origin. */
export const requests = fp(readRequests, { name: 'requests' })

type RequestOptions = { endpoints: Endpoints, trusts: Trust }

async function readRequests (app: FastifyInstance, { endpoints, trusts }: RequestOptions): Promise<void> {
  const { settings, logger } = app
  const originOf = createOriginReader(settings.publicUrl, trusts)
  const warnOfForwarded = warnOnce(logger, request => forwardedWarning(request, trusts))
  const warnOfPrefer = settings.simulate ? () => {} : warnOnce(logger, simulationWarning)

  app.decorateRequest('endpoint', {
    getter () { return this.is404 ? endpoints.find(this) : this.routeOptions.config }
  })
  app.decorateRequest('origin', { getter () { return originOf(this) } })
  app.decorateRequest('target', {
    getter () {
      this.splitUrl ??= splitTarget(this.url)
      return this.splitUrl
    }
  })
  app.addHook('onRoute', endpoints.add)
  app.addHook('onRequest', receive)

  function receive (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    setHeaders(reply, request.endpoint?.headers ?? commonHeaders)
    const { headers } = request
    const { prefer, 'transfer-encoding': coding, connection = '', upgrade } = headers
    const isEndless = coding !== undefined && !/\bchunked$/i.test(coding)
    // After a request with both upgrade headers, Node drops the other bytes of the same read without a sign.
    const isUpgrade = upgrade !== undefined && /upgrade/i.test(connection)
    // Announces the close of a connection on which Node may lose the next request.
    if (isEndless || isUpgrade) reply.raw.setHeader('connection', 'close')
    originOf(request) // throws for an invalid host
    if (isEndless) throw errors.badRequest()
    const { 'x-forwarded-for': addresses, 'x-forwarded-proto': scheme, 'x-forwarded-host': host } = headers
    if ((addresses ?? scheme ?? host) !== undefined) warnOfForwarded(request)
    if (prefer !== undefined || request.url.includes('__')) warnOfPrefer(request)
    // Node parses what arrived together with the headers before the next tick, and a body that breaks there gets 400.
    if (coding === undefined) done()
    else process.nextTick(done)
  }
}
