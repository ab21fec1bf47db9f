import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../http/errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { formats } from '../http/negotiation.ts'
import { originForm, withoutBase } from '../http/target.ts'
import { objectPage } from './object.ts'
import { basePathOf } from '../settings/read.ts'

/** Sends JSON with exactly this Content-Type; `no-store`. */
export function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type(formats.json).send(Buffer.from(JSON.stringify(content)))
}

/** Sends a single object (an error, the metadata of OPTIONS) in the negotiated format. */
export function sendObject (request: FastifyRequest, reply: FastifyReply, title: string, content: object): FastifyReply {
  const { format, indent } = request.negotiated ?? { format: 'json', indent: 0 }
  const { origin, server } = request
  if (format === 'json') return reply.type(formats.json).send(Buffer.from(JSON.stringify(content, null, indent)))
  const page = objectPage({
    title,
    method: request.method === 'HEAD' ? 'GET' : request.method, // so that both have the same length
    target: withoutSecrets(withoutBase(originForm(request.originalUrl), basePathOf(server.settings)), server.tokens.secrets()),
    origin,
    status: reply.statusCode,
    headers: reply.getHeaders(),
    content: { ...content },
    form: reply.statusCode === 400 ? server.formOf?.(request) : undefined,
    simulated: server.simulation?.errorCauseOf(request, reply.statusCode),
    settings: server.settings
  })
  return reply.headers(pageHeaders).send(page)
}

/** Sends an error in the negotiated format, `no-store`. */
export function sendError (request: FastifyRequest, reply: FastifyReply, { statusCode, message, headers, body }: ApiError): FastifyReply {
  const others = reply.getHeaders() as Readonly<Record<string, string>>
  // The headers of an error override those of its route.
  if (!reply.hasHeader('cache-control')) for (const name of Object.keys(others)) reply.removeHeader(name)
  const own = { ...headers, 'cache-control': 'no-store' }
  reply.code(statusCode).headers({ ...own, ...others, ...own })
  return sendObject(request, reply, message, body)
}
