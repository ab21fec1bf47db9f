import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import type { Tokens } from './authentication.ts'
import { errors } from './errors.ts'
import type { Metrics, ResponseSource } from './metrics.ts'
import type { Negotiated } from './negotiation.ts'
import type { Drain } from './server.ts'
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

/** Every method of a request that Node parses; it detaches the connection of a CONNECT. */
const methods = METHODS.filter(method => method !== 'CONNECT')

/** The values of a request before hooks set them. */
const requestDefaults: Partial<FastifyRequest> = { origin: '', negotiated: null, client: '', source: 'other' }

type Decorations = Pick<FastifyInstance, 'settings' | 'logger' | 'tokens' | 'drain' | 'alsoListen' | 'metrics'>

/** Decorates the server and its requests, and lets it route every method. */
export function decorate (app: FastifyInstance, decorations: Decorations): void {
  for (const [name, value] of Object.entries<unknown>(decorations)) app.decorate(name, value)
  for (const [name, value] of Object.entries(requestDefaults)) app.decorateRequest(name, value)
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
}

type OtherMethods = Pick<RouteShorthandOptions, 'config'> & { url: string, allow: string, onRequest?: onRequestHookHandler[] }

/** Adds the route of the methods that a path does not allow: 405, unless one of the hooks throws another error. */
export function refuseOtherMethods (app: FastifyInstance, { url, allow, onRequest = [], config = {} }: OtherMethods): void {
  const refuse = ({ method }: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ allow, 'cache-control': 'no-store' })
    throw errors.methodNotAllowed(method)
  }
  const method = methods.filter(method => !allow.split(', ').includes(method))
  // The hook responds before Fastify parses a body, which it may reject.
  app.route({ method, url, config, onRequest: [...onRequest, refuse], handler: refuse })
}
