import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { nextTurn } from '../base/timers.ts'
import { isLoopback } from '../settings/read.ts'
import { ApiError, errors, toApiError } from '../http/errors.ts'
import { pageHeaders, securityHeaders } from '../http/headers.ts'
import { formats, negotiateRequest } from '../http/negotiation.ts'
import { sendJson } from '../site/responses.ts'
import type { Delays } from './faults.ts'
import { simulatePage } from './page.ts'
import { isAskedFor, type LoggedRequest, type RequestFilter } from './request-log.ts'
import { maxRuleLength, RuleError } from './rule.ts'
import { maxRulesLength, rulesIn } from './rules.ts'
import type { Simulation } from './control.ts'

const url = '/__simulate'

type RuleRoutesOptions = { control: Simulation, delays: Delays }

const noQuery = `DELETE takes no query. Delete one rule with DELETE ${url}/ID.`

/** The most clients that wait for a request, and the most seconds of each. */
const maxWaiting = 100
const maxWait = 60

/** A request whose body is JSON, not parsed yet. */
type JsonRequest = FastifyRequest<{ Body?: string }>

/**
 * Routes that manage rules. Scripts of other origins can't use them: there are no CORS headers, and rules must be
 * application/json.
 */
export async function ruleRoutes (app: FastifyInstance, { control, delays }: RuleRoutesOptions) {
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
  app.route({ method: 'PUT', url: `${url}/:id`, config, handler: change })
  app.delete(`${url}/:id`, { config }, remove)

  async function tell (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { filter, wait, hasImages } = readQuery(request.target.query)
    negotiateRequest(request)
    if (wait > 0) await waitForRequest(request, filter, wait)
    const { table, requestLog } = control
    if (request.negotiated?.format === 'api') {
      const recorded = requestLog.list().filter(entry => isAskedFor(filter, entry))
      const shown = { rules: table.list(), recorded, dropped: requestLog.dropped(), hasImages }
      return reply.headers(pageHeaders).send(simulatePage(shown, app.settings))
    }
    const requests = control.requests().filter(entry => isAskedFor(filter, entry))
    const dropped = requestLog.dropped()
    return sendJson(reply, { rules: control.rules(), unused: control.unused(), requests, dropped })
  }

  /** Waits until the next request that is asked for has ended, or so many seconds, or until the server closes. */
  async function waitForRequest (request: FastifyRequest, filter: RequestFilter, seconds: number): Promise<void> {
    const { waiting } = control.requestLog
    if (waiting.size >= maxWaiting) throw new ApiError(503, 'unavailable', `${maxWaiting} clients wait already.`)
    const found = new AbortController()
    const notify = (ended: LoggedRequest) => { if (isAskedFor(filter, ended)) found.abort() }
    waiting.add(notify)
    await delays.wait(1000 * seconds, AbortSignal.any([request.signal, found.signal]))
    waiting.delete(notify)
  }

  /** Adds a rule, or several, and sends them in the form in which they came. */
  async function add (request: JsonRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = await readRuleBody(request)
    const list = rulesIn(given)
    const added = list === undefined ? control.simulate(given) : control.add(list)
    // A client that has the response must not send its next request on a connection that is being closed.
    await control.table.closed()
    return sendJson(reply.code(201), list === undefined || Array.isArray(given) ? added : { rules: added })
  }

  async function replace (request: JsonRequest, reply: FastifyReply): Promise<FastifyReply> {
    const given = await readRuleBody(request)
    const list = rulesIn(given)
    if (list === undefined) throw new ApiError(400, 'invalid', 'PUT takes an array of rules; POST adds one.')
    const rules = control.replace(list)
    await control.table.closed()
    return sendJson(reply, Array.isArray(given) ? rules : { rules })
  }

  async function change (request: JsonRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params as { id: string }
    const changed = control.change(Number(id), await readRuleBody(request))
    if (changed === undefined) throw errors.notFound()
    await control.table.closed()
    return sendJson(reply, changed)
  }

  function remove (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { id } = request.params as { id?: string }
    if (request.url.includes('?')) throw new ApiError(400, 'invalid', noQuery)
    if (id === undefined) control.reset()
    else if (id === 'rules') control.table.clear()
    else if (id === 'requests') control.requestLog.reset()
    else if (!control.table.remove(Number(id))) throw errors.notFound()
    return reply.code(204).send()
  }
}

/** What each parameter of GET must be. */
const parameters: Readonly<Record<string, { expects: string, isValid: (text: string) => boolean }>> = {
  path: { expects: 'a path, or the beginning of paths such as /api/*', isValid: text => /^[/*]/.test(text) },
  status: { expects: 'a status such as 503, or null', isValid: text => /^(?:\d{3}|null)$/.test(text) },
  wait: {
    expects: `seconds up to ${maxWait}, such as 2 or 0.5`,
    isValid: text => /^\d{1,2}(?:\.\d{1,3})?$/.test(text) && Number(text) <= maxWait
  },
  images: { expects: 'empty', isValid: text => text === '' },
  format: { expects: 'json or api', isValid: text => text in formats }
}

/** Reads the query of GET. @throws {ApiError} 400 for unknown parameters and invalid values */
function readQuery (text: string): { filter: RequestFilter, wait: number, hasImages: boolean } {
  const query = new URLSearchParams(text)
  const invalid: [name: string, texts: string[]][] = []
  for (const [name, value] of query) {
    const row = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (row === undefined) invalid.push([name, [`Unknown parameter. GET has: ${Object.keys(parameters).join(', ')}.`]])
    else if (!row.isValid(value)) invalid.push([name, [`Must be ${row.expects}.`]])
  }
  if (invalid.length > 0) throw errors.badParameters(Object.fromEntries(invalid))
  const filter: RequestFilter = {}
  const path = query.get('path')
  const status = query.get('status')
  if (path !== null) filter.path = path
  if (status !== null) filter.status = status === 'null' ? null : Number(status)
  return { filter, wait: Number(query.get('wait') ?? 0), hasImages: query.has('images') }
}

async function readRuleBody ({ body = '' }: JsonRequest): Promise<unknown> {
  const { value, error } = attempt((): unknown => JSON.parse(body))
  if (error !== undefined) throw new ApiError(400, 'parse_error', `JSON parse error - ${error.message}`)
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
  if (isLoopback(settings.host) && !isOwn) throw new ApiError(403, 'permission_denied', rebinding)
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
  const known = toApiError(error, request)
  const remedy = remedies.get(known.statusCode)
  return remedy === undefined ? known : new ApiError(known.statusCode, known.code, known.message + remedy)
}
