import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError, errors } from '../http/errors.ts'
import { commonHeaders, pageHeaders } from '../http/headers.ts'
import { logError, withoutSecrets } from '../http/log.ts'
import { formats } from '../http/negotiation.ts'
import { rateLimitHeaders } from '../http/rate-limit.ts'
import { toFields } from '../http/send.ts'
import { originForm, withoutBase } from '../http/target.ts'
import { negotiateRequest } from '../lists/request.ts'
import { objectPage } from '../site/object.ts'
import type { tryItPanel } from '../site/simulation.ts'
import { basePathOf } from '../settings/read.ts'
import type { Simulation } from '../simulation/simulation.ts'

/** Returns the simulation of a server, and what its pages offer to try; undefined unless it simulates. */
export function simulationOf (server: FastifyInstance): Simulation & { tryItPanel: typeof tryItPanel } | undefined {
  if (!server.hasDecorator('simulation')) return undefined
  return { ...server.getDecorator<Simulation>('simulation'), tryItPanel: server.getDecorator<typeof tryItPanel>('tryItPanel') }
}

/** Checks a request before its handler; throws an ApiError to reject it. */
export type Check = (request: FastifyRequest) => void | Promise<void>

/** Returns a check as a hook, which waits only for a promise, because waiting costs a turn of the microtask queue. */
export function hookOf (check: Check): onRequestHookHandler {
  return (request, _reply, done) => {
    const pending = check(request)
    if (pending === undefined) done()
    else pending.then(() => done(), done)
  }
}

/** Returns a function that throws the 405 of methods without a route, with these headers. */
export function methodNotAllowed (headers: Readonly<Record<string, string>>) {
  return (request: FastifyRequest, reply: FastifyReply): never => {
    reply.headers(headers)
    negotiateRequest(request)
    throw errors.methodNotAllowed(request.method)
  }
}

/** Sends JSON with exactly this Content-Type; `no-store`. */
export function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type(formats.json).send(Buffer.from(JSON.stringify(content)))
}

/** Sends a single object (an error, the metadata of OPTIONS) in the negotiated format. */
export function sendObject (request: FastifyRequest, reply: FastifyReply, title: string, content: object): FastifyReply {
  const { format, indent } = request.negotiated ?? { format: 'json', indent: 0 }
  const { origin, server, rateLimit, url, is404 } = request
  reply.headers(url.startsWith('/api/') && !is404 ? server.listHeaders : commonHeaders)
  if (rateLimit !== null) reply.headers(toFields(rateLimitHeaders(rateLimit)))
  if (format === 'json') return reply.type(formats.json).send(Buffer.from(JSON.stringify(content, null, indent)))
  const simulation = simulationOf(server)
  const page = objectPage({
    title,
    method: request.method === 'HEAD' ? 'GET' : request.method, // so that both have the same length
    target: withoutSecrets(withoutBase(originForm(request.originalUrl), basePathOf(server.settings)), server.tokens.secrets()),
    origin,
    status: reply.statusCode,
    headers: reply.getHeaders(),
    content: { ...content },
    note: simulation?.noteOf(request, reply.statusCode, reply.getHeaders()),
    tried: simulation?.tryItPanel,
    settings: server.settings
  })
  return reply.headers(pageHeaders).send(page)
}

/** Sends an error in the negotiated format, `no-store`. */
export function sendError (request: FastifyRequest, reply: FastifyReply, { statusCode, message, headers, body }: ApiError): FastifyReply {
  reply.code(statusCode).headers(headers).header('cache-control', 'no-store')
  return sendObject(request, reply, message, body)
}

/** Converts a thrown value into an error of the contract; internal errors are logged and reveal nothing. */
export function toApiError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status === 413) return errors.bodyTooLarge()
  if (status === 415) return errors.unsupportedMediaType(request.headers['content-type'] ?? '')
  if (status >= 400 && status < 500) return errors.badRequest()
  logError(error, request)
  return errors.internal()
}
