import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, errors } from '../http/errors.ts'
import { corsHeaders } from '../http/headers.ts'
import type { Rules } from '../simulation/rules.ts'
import { toApiError } from './answer.ts'

/** The largest rule, in bytes. */
const bodyLimit = 64 * 2 ** 10

/** Adds rules over HTTP. Scripts of other origins cannot use them: responses have no CORS headers, and rules must be application/json. */
export async function ruleRoutes (app: FastifyInstance, { url }: { url: string }) {
  const rules = app.getDecorator<Rules>('rules')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, async (_: unknown, body: string) => body)
  app.setErrorHandler((error, request, reply) => sendError(reply, toApiError(error, request)))

  const config = {
    answerOtherMethods: ({ method }: { method: string }, reply: FastifyReply) => {
      sendError(reply.header('allow', 'GET, HEAD, POST, DELETE'), errors.methodNotAllowed(method))
    }
  }
  const tell = (_: unknown, reply: FastifyReply) => send(reply, 200, { rules: rules.list(), requests: rules.requests() })
  app.route({ method: ['GET', 'HEAD'], url, config, handler: tell })
  app.post<{ Body?: string }>(url, ({ body = '' }, reply) => send(reply, 201, rules.add(parse(body))))
  app.delete(url, (_, reply) => {
    rules.reset()
    return send(reply, 204)
  })
}

function parse (body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new ApiError(400, `JSON parse error - ${(error as SyntaxError).message}`)
  }
}

function sendError (reply: FastifyReply, { statusCode, headers, body }: ApiError): FastifyReply {
  return send(reply.headers(headers), statusCode, body)
}

function send (reply: FastifyReply, status: number, content?: object): FastifyReply {
  for (const name of Object.keys(corsHeaders)) reply.removeHeader(name)
  reply.code(status).header('cache-control', 'no-store')
  return content === undefined ? reply.send() : reply.type('application/json').send(Buffer.from(JSON.stringify(content)))
}
