import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Tokens } from './authentication.ts'
import type { Connections } from './connections.ts'
import type { listHeadersOf } from './headers.ts'
import type { AnswerLog } from './journal.ts'
import type { Metrics } from './metrics.ts'
import type { Negotiated } from './negotiation.ts'
import type { Quota } from './rate-limit.ts'

// The one place that says, and makes true, what this server adds to Fastify's request and instance.

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme and host that the request was sent to: what absolute URLs in the answer begin with. */
    origin: string
    /** What the answer will look like, once that is known; errors before that are JSON. */
    negotiated: Negotiated | null
    /** Whose token a request carries: a name that gives nothing away; empty on public lists. */
    client: string
    /** What its client may still ask for, once it was counted. */
    quota: Quota | null
    /** When it was asked, on the clock of `performance.now()`, where somebody watches. */
    askedAt: number
  }
  interface FastifyContextConfig {
    /** Answers the methods that an address does not take; without it they find nothing there. */
    refuse?: (request: FastifyRequest, reply: FastifyReply) => unknown
  }
  interface FastifyInstance {
    /** What the server writes down. Fastify's own logger is off: it makes and checks one for each request, used or not. */
    journal: Logger
    tokens: Tokens
    connections: Connections
    /** Undefined where nobody watches. */
    metrics: Metrics | undefined
    /** Undefined where answers are not logged. */
    answerLog: AnswerLog | undefined
    /** What every answer of a list says. */
    listHeaders: ReturnType<typeof listHeadersOf>
  }
}

type Decorations = Pick<FastifyInstance, 'journal' | 'tokens' | 'connections' | 'metrics' | 'answerLog' | 'listHeaders'>

/** Adds what every request and the server itself carry; a request is filled in by the hooks of the app and of the routes. */
export function decorate (app: FastifyInstance, { journal, tokens, connections, metrics, answerLog, listHeaders }: Decorations): void {
  app.decorate('journal', journal)
  app.decorate('tokens', tokens)
  app.decorate('connections', connections)
  app.decorate('metrics', metrics)
  app.decorate('answerLog', answerLog)
  app.decorate('listHeaders', listHeaders)
  app.decorateRequest('origin', '')
  app.decorateRequest('negotiated', null)
  app.decorateRequest('client', '')
  app.decorateRequest('quota', null)
  app.decorateRequest('askedAt', 0)
}
