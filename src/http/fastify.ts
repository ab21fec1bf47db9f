import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Tokens } from './authentication.ts'
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

/** The values of a request before hooks set them. */
const requestDefaults: Partial<FastifyRequest> = { endpoint: undefined, origin: '', negotiated: null, client: '', source: 'other' }

type Decorations = Pick<FastifyInstance, 'settings' | 'logger' | 'tokens' | 'drain' | 'alsoListen' | 'metrics'>

/** Decorates the server and its requests. */
export function decorate (app: FastifyInstance, decorations: Decorations): void {
  for (const [name, value] of Object.entries<unknown>(decorations)) app.decorate(name, value)
  for (const [name, value] of Object.entries(requestDefaults)) app.decorateRequest(name, value)
}
