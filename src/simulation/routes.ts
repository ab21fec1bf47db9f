import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { nextTurn } from '../base/timers.ts'
import { isLoopback } from '../settings/read.ts'
import { ApiError, errors, toApiError } from '../http/errors.ts'
import { pageHeaders, securityHeaders } from '../http/headers.ts'
import { parseQuery } from '../http/target.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import type { Settings } from '../settings/settings.ts'
import { sendJson } from '../site/responses.ts'
import { simulatePage } from './page.ts'
import { maxRuleLength, RuleError } from './rule.ts'
import { maxRulesLength, rulesIn } from './rules.ts'
import type { Simulation } from './control.ts'

const url = '/__simulate'

type RuleRoutesOptions = { settings: Settings, simulation: Simulation }

const noQuery = `DELETE takes no query. Delete one rule with DELETE ${url}/ID.`

/** A request whose body is JSON, not parsed yet. */
type JsonRequest = FastifyRequest<{ Body?: string }>

/**
 * Routes that manage rules. Scripts of other origins can't use them: there are no CORS headers, and rules must be
 * application/json.
 */
export async function ruleRoutes (app: FastifyInstance, { settings, simulation: control }: RuleRoutesOptions) {
  const asText = { parseAs: 'string', bodyLimit: maxRulesLength } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', asText, async (_: unknown, body: string) => body)
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, headers, body } = ruleRouteError(error, request)
    return sendJson(reply.code(statusCode).headers(headers), body)
  })

  const config = { headers: securityHeaders }
  app.addHook('onRequest', refuseRebinding)
  app.route({ method: ['GET', 'HEAD'], url, config, handler: tell })
  app.route({ method: 'POST', url, config, handler: add })
  app.route({ method: 'PUT', url, config, handler: replace })
  app.delete(url, { config }, remove)
  app.delete(`${url}/:id`, { config }, remove)

  function tell (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    negotiateRequest(request)
    if (request.negotiated?.format !== 'api') {
      return sendJson(reply, { rules: control.rules(), unused: control.unused(), requests: control.requests() })
    }
    const query = parseQuery(request.target.query.slice(1))
    const hasImages = query?.has('images') === true
    const shown = { rules: control.table.list(), recorded: control.requestLog.list(), hasImages }
    return reply.headers(pageHeaders).send(simulatePage(shown, settings))
  }

  /** Adds a rule, or several, and sends them in the form in which they came. */
  async function add (request: JsonRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = await readRuleBody(request)
    const list = rulesIn(given)
    reply.code(201)
    if (list === undefined) return sendJson(reply, control.simulate(given))
    const added = control.add(list)
    return sendJson(reply, Array.isArray(given) ? added : { rules: added })
  }

  async function replace (request: JsonRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = await readRuleBody(request)
    const list = rulesIn(given)
    if (list === undefined) throw new ApiError(400, 'PUT takes an array of rules; POST adds one.')
    const rules = control.replace(list)
    return sendJson(reply, Array.isArray(given) ? rules : { rules })
  }

  function remove (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { id } = request.params as { id?: string }
    if (request.url.includes('?')) throw new ApiError(400, noQuery)
    if (id === undefined) control.reset()
    else if (id === 'rules') control.table.clear()
    else if (id === 'requests') control.requestLog.reset()
    else if (!control.table.remove(Number(id))) throw errors.notFound()
    return reply.code(204).send()
  }
}

async function readRuleBody ({ body = '' }: JsonRequest): Promise<unknown> {
  const { value, error } = attempt((): unknown => JSON.parse(body))
  if (error !== undefined) throw new ApiError(400, `JSON parse error - ${error.message}`)
  await nextTurn()
  return value
}

/** Prevents caching, and throws 403 for a Host that another site can resolve to this machine (DNS rebinding). */
function refuseRebinding (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { settings } = request.server
  reply.header('cache-control', 'no-store')
  const publicName = settings.publicUrl && new URL(settings.publicUrl).hostname
  // A browser sends the name that it has resolved in Host, whatever X-Forwarded-Host says.
  const names = [request.host, request.headers.host].map(hostNameOf)
  const isOwn = names.every(name => name === publicName || isOfThisMachine(name))
  if (isLoopback(settings.host) && !isOwn) throw new ApiError(403, rebinding)
  done()
}

/** Returns the name in a Host header, such as `localhost` in `localhost:3000`, or `::1` in `[::1]:3000`. */
const hostNameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/^\[|\]$/g, '')

/** Returns whether a name cannot be resolved by another site; HTTP/1.0 has none. */
const isOfThisMachine = (name: string): boolean => name === '' || isIP(name) !== 0 || /(?:^|\.)localhost$/.test(name)

const rebinding = 'The Host of a request to this path must be an IP address, localhost or the host of --public-url. ' +
  '--host allows others.'

/** What to do about an error, by its status. */
const remedies = new Map([
  [413, ` A rule has at most ${maxRuleLength} bytes, all rules together ${maxRulesLength}.`],
  [415, ' Send Content-Type: application/json.']
])

function ruleRouteError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof RuleError) return errors.badParameters(error.errors)
  const { statusCode, message } = toApiError(error, request)
  return new ApiError(statusCode, message + (remedies.get(statusCode) ?? ''))
}
