import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Tokens } from './authentication.ts'
import type { listHeadersOf } from './headers.ts'
import type { Metrics, Source } from './metrics.ts'
import type { Negotiated } from './negotiation.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Drain } from './server.ts'
import type { Settings } from '../settings/settings.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme and host of the request, or `publicUrl`: the base URL of links. */
    origin: string
    /** The negotiated format; JSON for errors before the negotiation. */
    negotiated: Negotiated | null
    /** The list request of a list; lists read it with `getDecorator`, because this folder knows none. */
    listRequest: object | null
    /** A name for the owner of the token, without revealing it; empty on public lists. */
    client: string
    /** The rest of the client's window, once the request is counted. */
    rateLimit: RateLimit | null
    source: Source
  }
  interface FastifyContextConfig {
    /** Answers methods without a route at this path, or throws their error; without it they get 404. */
    answerOtherMethods?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>
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
    listHeaders: ReturnType<typeof listHeadersOf>
  }
}

/** The values of a request before hooks set them. */
const unset: Partial<FastifyRequest> = { origin: '', negotiated: null, listRequest: null, client: '', rateLimit: null, source: 'other' }

type Decorations = Pick<FastifyInstance, 'settings' | 'logger' | 'tokens' | 'drain' | 'alsoListen' | 'metrics' | 'listHeaders'>

export function decorate (app: FastifyInstance, decorations: Decorations): void {
  for (const [name, value] of Object.entries<unknown>(decorations)) app.decorate(name, value)
  for (const [name, value] of Object.entries(unset)) app.decorateRequest(name, value)
}
