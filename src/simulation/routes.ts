import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { isLoopback } from '../settings/read.ts'
import { ApiError, errors, toApiError } from '../http/errors.ts'
import { pageHeaders, securityHeaders } from '../http/headers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { sendJson } from '../site/responses.ts'
import { simulatePage } from './page.ts'
import { isAskedFor, type LoggedRequest } from './request-log.ts'
import { RuleError } from './rule.ts'
import { compileRule, compileRules, countedRule, maxRulesLength, rulesIn } from './rules.ts'
import type { Simulation } from './control.ts'

const url = '/__simulate'

const noQuery = `DELETE takes no query. Delete one rule with DELETE ${url}/ID.`

/** The most clients that wait for a request. */
const maxWaiting = 100

/**
 * Routes that manage rules. Scripts of other origins can't use them: there are no CORS headers, and rules must be
 * application/json.
 */
export async function ruleRoutes (app: FastifyInstance, { control }: { control: Simulation }) {
  const { table, requestLog } = control
  const { seed } = app.settings
  const asText = { parseAs: 'string', bodyLimit: maxRulesLength } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', asText, async (_: unknown, body: string) => {
    const { value, error } = attempt((): unknown => body === '' ? undefined : JSON.parse(body))
    if (error === undefined) return value
    throw new ApiError(400, 'parse_error', `JSON parse error - ${error.message}`)
  })
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, headers, body } = ruleRouteError(error, request)
    return sendJson(reply.code(statusCode).headers(headers), body)
  })

  const config = { headers: securityHeaders }
  app.addHook('onRequest', refuseRebinding)
  // A client that has the response must not send its next request on a connection that is being closed.
  app.addHook('onSend', async () => table.closed())
  app.route({ method: ['GET', 'HEAD'], url, config, handler: tell })
  app.route({ method: ['POST', 'PUT'], url, config, handler: add })
  app.delete(url, { config }, remove)
  app.route({ method: 'PUT', url: `${url}/:id`, config, handler: change })
  app.delete(`${url}/:id`, { config }, remove)

  async function tell (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = readQuery(request.target.query)
    negotiateRequest(request)
    await waitForRequest(request, query)
    const dropped = requestLog.dropped()
    if (request.negotiated?.format === 'api') {
      const recorded = requestLog.list().filter(entry => isAskedFor(query, entry))
      const shown = { rules: table.list(), recorded, dropped, hasImages: query.has('images') }
      return reply.headers(pageHeaders).send(simulatePage(shown, app.settings))
    }
    const requests = control.requests().filter(entry => isAskedFor(query, entry))
    return sendJson(reply, { rules: control.rules(), unused: control.unused(), requests, dropped })
  }

  /** Waits until the next request that is asked for has ended, or so many seconds, or until the server closes. */
  async function waitForRequest ({ signal }: FastifyRequest, query: URLSearchParams): Promise<void> {
    const { waiting } = requestLog
    const seconds = Number(query.get('wait'))
    if (seconds === 0) return
    if (waiting.size >= maxWaiting) throw new ApiError(503, 'unavailable', `${maxWaiting} clients wait already.`)
    const found = new AbortController()
    const notify = (ended: LoggedRequest) => { if (isAskedFor(query, ended)) found.abort() }
    waiting.add(notify)
    await control.delays.wait(1000 * seconds, AbortSignal.any([signal, found.signal]))
    waiting.delete(notify)
  }

  /** Adds a rule or several, or replaces all with PUT, and sends them in the form in which they came. */
  function add ({ method, body }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isPost = method === 'POST'
    const list = rulesIn(body)
    if (isPost) reply.code(201)
    if (isPost && list === undefined) return sendJson(reply, control.simulate(body))
    if (list === undefined) throw new ApiError(400, 'invalid', 'PUT takes an array of rules; POST adds one.')
    const compiled = compileRules(list, seed)
    const rules = (isPost ? table.add(compiled) : table.replace(compiled)).map(countedRule)
    return sendJson(reply, Array.isArray(body) ? rules : { rules })
  }

  function change ({ params, body }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { id } = params as { id: string }
    const changed = table.change(Number(id), compileRule(body, seed))
    if (changed === undefined) throw errors.notFound()
    return sendJson(reply, countedRule(changed))
  }

  function remove (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { id } = request.params as { id?: string }
    if (request.url.includes('?')) throw new ApiError(400, 'invalid', noQuery)
    if (id === undefined) control.reset()
    else if (id === 'rules') table.replace([])
    else if (id === 'requests') requestLog.reset()
    else if (!table.remove(Number(id))) throw errors.notFound()
    return reply.code(204).send()
  }
}

/** What each parameter of GET must be. */
const parameters: ReadonlyMap<string, { expects: string, form: RegExp }> = new Map([
  ['path', { expects: 'a path, or the beginning of paths such as /api/*', form: /^[/*]/ }],
  ['status', { expects: 'a status such as 503, or null', form: /^(?:\d{3}|null)$/ }],
  ['wait', { expects: 'seconds up to 60, such as 2 or 0.5', form: /^(?:60|[0-5]?\d(?:\.\d{1,3})?)$/ }],
  ['images', { expects: 'empty', form: /^$/ }],
  ['format', { expects: 'json or api', form: /^(?:json|api)$/ }]
])

/** Reads the query of GET. @throws {ApiError} 400 for unknown parameters and invalid values */
function readQuery (text: string): URLSearchParams {
  const query = new URLSearchParams(text)
  const invalid: [name: string, texts: string[]][] = []
  for (const [name, value] of query) {
    const row = parameters.get(name)
    if (row === undefined) invalid.push([name, [`Unknown parameter. GET has: ${[...parameters.keys()].join(', ')}.`]])
    else if (!row.form.test(value)) invalid.push([name, [`Must be ${row.expects}.`]])
  }
  if (invalid.length > 0) throw errors.badParameters(Object.fromEntries(invalid))
  return query
}

/** Prevents caching, and throws 403 for a Host that another site can resolve to this machine (DNS rebinding). */
function refuseRebinding (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { settings } = request.server
  reply.header('cache-control', 'no-store')
  const publicName = settings.publicUrl && new URL(settings.publicUrl).hostname
  // A browser sends the name that it has resolved in Host, whatever X-Forwarded-Host says.
  const names = [request.host, request.headers.host].map((host = '') => {
    return host.toLowerCase().replace(/:\d*$/, '').replace(/^\[|\]$/g, '') // localhost:3000 or [::1]:3000
  })
  // HTTP/1.0 has no Host, and no other site can resolve localhost or an address.
  const isOwn = (name: string) => ['', publicName].includes(name) || isIP(name) !== 0 || /(?:^|\.)localhost$/.test(name)
  if (isLoopback(settings.host) && !names.every(isOwn)) throw new ApiError(403, 'permission_denied', rebinding)
  done()
}

const rebinding = 'The Host of a request to this path must be an IP address, localhost or the host of --public-url. ' +
  '--host allows others.'

function ruleRouteError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof RuleError) return errors.badParameters(error.errors)
  const known = toApiError(error, request)
  if (known.statusCode !== 415) return known
  return new ApiError(415, known.code, `${known.message} Send Content-Type: application/json.`)
}
