import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { ApiError, errors } from '../http/errors.ts'
import { corsHeaders, pageHeaders } from '../http/headers.ts'
import { yieldToEventLoop } from '../http/send.ts'
import { splitTarget } from '../http/target.ts'
import { parseQuery } from '../lists/query.ts'
import { negotiateRequest } from '../lists/request.ts'
import { simulatePage } from '../site/simulation.ts'
import { toRequest } from '../simulation/request-log.ts'
import { maxRuleLength, RuleError } from '../simulation/rule.ts'
import { jsonOf } from '../simulation/rules.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { toApiError } from './answer.ts'

/** Adds rules over HTTP. Scripts of other origins cannot use them: responses have no CORS headers, and rules must be application/json. */
export async function ruleRoutes (app: FastifyInstance, { url }: { url: string }) {
  const control = app.getDecorator<Simulation>('simulation')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: maxRuleLength }, async (_: unknown, body: string) => body)
  app.setErrorHandler((error, request, reply) => sendError(reply, errorOf(error, request)))

  const answerOtherMethods = ({ method }: { method: string }, reply: FastifyReply) => {
    sendError(reply.header('allow', 'GET, HEAD, POST, DELETE'), errors.methodNotAllowed(method))
  }
  app.route({ method: ['GET', 'HEAD'], url, config: { answerOtherMethods }, handler: tell })
  app.post<{ Body?: string }>(url, async ({ body = '' }, reply) => {
    const { value, error } = attempt((): unknown => JSON.parse(body))
    if (error !== undefined) throw new ApiError(400, `JSON parse error - ${error.message}`)
    await yieldToEventLoop()
    return send(reply, 201, jsonOf(control.addJson(value)))
  })
  app.delete(url, (_, reply) => {
    control.reset()
    return send(reply, 204)
  })

  function tell (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    negotiateRequest(request)
    if (request.negotiated?.format !== 'api') return send(reply, 200, Readable.from(stateOf(control)))
    const hasImages = parseQuery(splitTarget(request.url).query.slice(1))?.has('images') === true
    const shown = { rules: control.rules(), recorded: control.recorded(), hasImages }
    return send(reply.headers(pageHeaders), 200, simulatePage(url, request.origin, shown, app.settings))
  }
}

async function * stateOf ({ rules, recorded }: Simulation): AsyncGenerator<string> {
  yield '{"rules":['
  yield * elements(rules(), jsonOf)
  yield '],"requests":['
  yield * elements(recorded(), kept => JSON.stringify(toRequest(kept)))
  yield ']}'
}

/** Yields the elements of an array as JSON, and serves other requests between them. */
async function * elements<Value> (values: readonly Value[], write: (value: Value) => string): AsyncGenerator<string> {
  for (const [index, value] of values.entries()) {
    await yieldToEventLoop()
    yield (index === 0 ? '' : ',') + write(value)
  }
}

const hints = new Map([[413, ` A rule has at most ${maxRuleLength} bytes.`], [415, ' Send Content-Type: application/json.']])

function errorOf (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof RuleError) return errors.badParameters(error.faults)
  const { statusCode, message } = toApiError(error, request)
  return new ApiError(statusCode, message + (hints.get(statusCode) ?? ''))
}

function sendError (reply: FastifyReply, { statusCode, headers, body }: ApiError): FastifyReply {
  return send(reply.headers(headers), statusCode, JSON.stringify(body))
}

function send (reply: FastifyReply, status: number, content?: string | Readable): FastifyReply {
  for (const name of Object.keys(corsHeaders)) reply.removeHeader(name)
  reply.code(status).header('cache-control', 'no-store')
  if (content === undefined) return reply.send()
  if (!reply.hasHeader('content-type')) reply.type('application/json')
  return reply.send(typeof content === 'string' ? Buffer.from(content) : content)
}
