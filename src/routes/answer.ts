import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errors } from '../http/errors.ts'
import { pageHeaders, setCommonHeaders } from '../http/headers.ts'
import { formats, negotiate, type Negotiated } from '../http/negotiation.ts'
import { tellQuota } from '../http/rate-limit.ts'
import { originForm } from '../http/target.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { objectPage } from '../pages/object.ts'

const plain: Negotiated = { format: 'json', indent: 0 }

/** Sends an answer that is one object and no list (an error, the metadata of OPTIONS) in the negotiated format. */
export function sendObject (request: FastifyRequest, reply: FastifyReply, title: string, content: object): FastifyReply {
  const { format, indent } = request.negotiated ?? plain
  setCommonHeaders(request, reply)
  if (request.quota !== null) tellQuota(reply, request.quota)
  if (format === 'json') return reply.type(formats.json).send(Buffer.from(JSON.stringify(content, null, indent)))
  const { origin, server } = request
  const page = objectPage({
    title,
    method: request.method === 'HEAD' ? 'GET' : request.method, // so that both have the same length
    target: originForm(request.originalUrl),
    origin,
    status: reply.statusCode,
    headers: reply.getHeaders(),
    content: { ...content },
    hasTokenForm: server.tokens.hasForm
  })
  return reply.headers(pageHeaders).send(page)
}

/** Sends an error in the negotiated format; it is never to be cached. */
export function sendError (request: FastifyRequest, reply: FastifyReply, { statusCode, message, headers, body }: ApiError): FastifyReply {
  reply.code(statusCode).headers(headers).header('cache-control', 'no-store')
  return sendObject(request, reply, message, body)
}

/** Negotiates for an address that is nothing: what cannot be negotiated is JSON. */
export function negotiateNothing (request: FastifyRequest): void {
  const query = parseQuery(request.url.split('?').slice(1).join('?'))
  const negotiated = negotiate(query && lastValue(query, 'format'), request.headers.accept)
  request.negotiated = typeof negotiated === 'number' ? null : negotiated
}

/** A function that answers a method that an address does not take, with headers that say which ones it takes. */
export function refuseMethod (headers: Readonly<Record<string, string>>) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    negotiateNothing(request)
    return sendError(request, reply.headers(headers), errors.methodNotAllowed(request.method))
  }
}

/** Turns whatever was thrown into an error of the contract; a fault of ours is logged and says nothing about itself. */
export function toApiError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status === 413) return errors.bodyTooLarge()
  if (status === 415) return errors.unsupportedMediaType(request.headers['content-type'] ?? '')
  if (status >= 400 && status < 500) return errors.badRequest()
  logFault(error, request)
  return errors.internal()
}

/** Logs a fault of ours. */
export function logFault (error: unknown, { server, method, originalUrl }: FastifyRequest): void {
  server.journal.error({ err: error, method, url: originalUrl })
}
