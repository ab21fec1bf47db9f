import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { nextTurn } from '../base/timers.ts'
import { isLoopback } from '../settings/read.ts'
import { ApiError, errors, toApiError } from '../http/errors.ts'
import { pageHeaders, securityHeaders } from '../http/headers.ts'
import { splitTarget, parseQuery } from '../http/target.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import type { Settings } from '../settings/settings.ts'
import { sendJson } from '../site/responses.ts'
import { simulatePage } from './page.ts'
import { maxRuleLength, RuleError } from './rule.ts'
import type { Simulation } from './control.ts'

const url = '/__simulate'

type Options = { settings: Settings, simulation: Simulation }

/** Routes that manage rules. Scripts of other origins can't use them: there are no CORS headers, and rules must be application/json. */
export async function ruleRoutes (app: FastifyInstance, { settings, simulation: control }: Options) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: maxRuleLength }, async (_: unknown, body: string) => body)
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, headers, body } = errorOf(error, request)
    return sendJson(reply.code(statusCode).headers(headers), body)
  })

  const config = { headers: securityHeaders }
  app.addHook('onRequest', refuseRebinding)
  app.route({ method: ['GET', 'HEAD'], url, config, handler: tell })
  app.post<{ Body?: string }>(url, { config }, async ({ body = '' }, reply) => {
    const { value, error } = attempt((): unknown => JSON.parse(body))
    if (error !== undefined) throw new ApiError(400, `JSON parse error - ${error.message}`)
    await nextTurn()
    return sendJson(reply.code(201), control.add(value))
  })
  const remove = (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id?: string }
    if (request.url.includes('?')) throw new ApiError(400, `DELETE takes no query. Delete one rule with DELETE ${url}/ID.`)
    if (id === undefined) control.reset()
    else if (id === 'rules') control.resetRules()
    else if (id === 'requests') control.requestLog.reset()
    else if (!control.remove(Number(id))) throw errors.notFound()
    return reply.code(204).send()
  }
  app.delete(url, { config }, remove)
  app.delete(`${url}/:id`, { config }, remove)

  function tell (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    negotiateRequest(request)
    if (request.negotiated?.format !== 'api') {
      return sendJson(reply, { rules: control.list().map(({ counted }) => counted), requests: control.requests() })
    }
    const hasImages = parseQuery(splitTarget(request.url).query.slice(1))?.has('images') === true
    const shown = { rules: control.list(), recorded: control.requestLog.list(), hasImages }
    return reply.headers(pageHeaders).send(simulatePage(url, shown, settings))
  }
}

/** Prevents caching, and throws 403 for a Host that another site can resolve to this machine (DNS rebinding). */
function refuseRebinding ({ host = '', headers, server: { settings } }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('cache-control', 'no-store')
  const publicName = settings.publicUrl && new URL(settings.publicUrl).hostname
  // A browser sends the name that it has resolved in Host, whatever X-Forwarded-Host says.
  const names = [host, headers.host ?? ''].map(host => host.toLowerCase().replace(/:\d*$/, '').replace(/^\[|\]$/g, ''))
  const isOwn = (name: string) => name === '' || isIP(name) !== 0 || /(?:^|\.)localhost$/.test(name) || name === publicName
  if (isLoopback(settings.host) && !names.every(isOwn)) throw new ApiError(403, rebinding)
  done()
}

const rebinding = 'The Host of a request to this path must be an IP address, localhost or the host of --public-url. --host allows others.'

const hints = new Map([[413, ` A rule has at most ${maxRuleLength} bytes.`], [415, ' Send Content-Type: application/json.']])

function errorOf (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof RuleError) return errors.badParameters(error.errors)
  const { statusCode, message } = toApiError(error, request)
  return new ApiError(statusCode, message + (hints.get(statusCode) ?? ''))
}
