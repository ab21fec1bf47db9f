import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fp from 'fastify-plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPreflight } from '../http/headers.ts'
import { splitTarget } from '../http/target.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { accessOf } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { isRedirected } from './advice.ts'
import { createSimulation, type Simulation } from './control.ts'
import { breakBody, codes, createDelays, cut, isCut, type Cut } from './faults.ts'
import { createPlanner, describe, type Simulated } from './plan.ts'
import { appliedHeaders, isApplied, withoutPreferences } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import { createRetries } from './retries.ts'
import { ruleRoutes } from './routes.ts'
import { hasEffect, responseOf } from './rules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    simulation: Simulation | undefined
  }
  interface FastifyRequest {
    /** Null for a preflight, and for the paths of neither lists nor images. */
    simulated: Simulated | null
    /** Null for the same requests, but not for the path of a list without its slash. */
    recorded: LoggedRequest | null
  }
}

/** The default Retry-After of 429 and 503, in seconds; short, so that a client that respects it doesn't seem to hang. */
const defaultRetryAfter = 1

/** How long a connection is open without a request before it counts as used, in milliseconds. */
const preparedTime = 300

/** How long before a cut requests arrive that a client sent at the same time, and that are no retries, in milliseconds. */
const concurrentTime = 20

/** Statuses without content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const withoutContent = new Set([204, 205, 304])

const isSimulated = (path: string) => accessOf.has(path) || path.startsWith('/media/')

/** Removes the preferences from the target of a list or an image. */
export function simulatedTarget (target: string): string {
  const { path = '' } = splitTarget(target)
  return isSimulated(path) ? withoutPreferences(target) : target
}

/** A TCP connection, when it was opened, and how many requests it has sent. */
type Connection = { socket: Socket, openedAt: number, requests: number }

/** A Fastify plugin that applies preferences, rules and settings to every list and image. Decorates its parent. */
export const simulation = fp(addSimulation, { name: 'simulation', dependencies: ['requests'] })

async function addSimulation (app: FastifyInstance, { settings }: { settings: Settings }): Promise<void> {
  const { rateLimitV1, rateLimitV2 } = settings
  const delays = createDelays()
  const control = createSimulation(app.tokens.secrets, settings.seed)
  if (settings.rules !== undefined) control.preset(settings.rules)
  const { adviser, requestLog } = control
  const planOf = createPlanner(app, settings, control)
  const connections = new Map<string, Connection>()
  const retries = createRetries(logCut)
  let knownRules = control.list()

  app.server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    connections.set(client, { socket, openedAt: performance.now(), requests: 0 })
    socket.once('close', () => connections.delete(client))
  })
  app.decorate('simulation', control)
  app.decorateRequest('simulated', null)
  app.decorateRequest('recorded', null)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', applyPlan)
  app.addHook('onResponse', async ({ simulated, recorded }, { elapsedTime }) => {
    if (simulated !== null && recorded !== null) recorded.duration = Math.round(elapsedTime)
  })
  app.addHook('preClose', async () => {
    delays.end()
    retries.close()
  })
  await app.register(ruleRoutes, { settings, simulation: control })

  /** Simulates a request: plans its response, and carries out what replaces that of the route. */
  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const connection = connections.get(clientOf(request.socket))
    if (connection !== undefined) connection.requests++
    const { path = '' } = splitTarget(request.url)
    if (isPreflight(request) || !(isSimulated(path) || isRedirected(path))) return
    if (knownRules !== control.list()) retries.close() // with other rules, the next request is a new one
    knownRules = control.list()
    const first = retries.retriedBy(request)
    if (first?.recorded) {
      first.recorded.tries++
      return breakConnection(reply, first)
    }
    if (accessOf.has(path)) negotiateRequest(request)
    const isPage = request.negotiated?.format === 'api'
    const recorded = request.recorded = requestLog.record(request, adviser.onRequest(request), isPage)
    if (isRedirected(path)) recorded.status = 301
    else {
      request.simulated = planOf(request, path)
      recorded.simulated = describe(request.simulated, request.simulated.preferred.sent)
      await carryOut(request, reply, request.simulated, recorded)
    }
  }

  /** Does what replaces the response of the route: waits, breaks the connection, sends a rule's body, or throws an error. */
  async function carryOut (request: FastifyRequest, reply: FastifyReply, { access, plan, rule }: Simulated, recorded: LoggedRequest) {
    const { code, example, fault, milliseconds, retryAfter: seconds = defaultRetryAfter } = plan
    if (example !== undefined || (fault !== undefined && !isCut(fault))) delete request.headers['if-none-match'] // 304 has no body
    if (fault === 'malformed') delete request.headers['accept-encoding'] // truncates JSON, not its coding
    if (fault !== 'drip') await delays.wait(isCut(fault) ? Math.max(milliseconds, concurrentTime) : milliseconds, request.signal)
    const own = rule && responseOf(rule.counted)
    if (request.raw.destroyed) reply.hijack() // its client has left
    else if (isCut(fault)) {
      Object.assign(recorded, { fault, delay: milliseconds, duration: milliseconds })
      breakConnection(reply, request)
    } else if (own !== undefined) {
      if (withoutContent.has(own.status)) return reply.code(own.status).send()
      return reply.code(own.status).header('content-type', own.type).send(own.body)
    } else if (code !== undefined && (access === undefined || request.negotiated !== null)) {
      throw codes[code as keyof typeof codes]({ request, seconds, limit: access === 'token' ? rateLimitV2 : rateLimitV1 })
    }
  }

  /** Breaks the connection of a request, or of a retry of it. */
  function breakConnection (reply: FastifyReply, first: FastifyRequest): void {
    const arrival = performance.now() - reply.elapsedTime
    const { socket } = reply.hijack().raw as { socket: Socket }
    const connection = connections.get(clientOf(socket))
    cut(first.simulated?.plan.fault as Cut, socket, connection?.socket)
    // Browsers open connections in advance, and take them for used ones.
    retries.wait(first, connection !== undefined && (connection.requests > 1 || arrival - connection.openedAt > preparedTime))
  }

  /** Logs a request without a response, for which onResponse hooks don't run. */
  function logCut ({ method, originalUrl: url, ip, recorded }: FastifyRequest): void {
    if (!settings.logRequests) return
    const { fault, duration: ms, simulated, tries } = recorded as LoggedRequest
    app.logger.info({ method, url, fault, ms, ip, simulated, ...tries > 1 ? { tries } : {} }, 'cut')
  }

  /** Adds the headers of a simulated response, breaks its body, and gives back a rule that had no effect on it. */
  async function applyPlan (request: FastifyRequest, reply: FastifyReply, payload: string | Buffer | Readable | null | undefined) {
    const { simulated, recorded, url } = request
    if (isPreflight(request) && isSimulated(String(splitTarget(url).path))) {
      reply.headers({ ...control.peek({ method: String(request.headers['access-control-request-method']), url })?.counted.headers })
    }
    if (simulated === null || recorded === null) return payload
    const { isList, plan: { fault, milliseconds }, preferred: { sent, wanted }, rule } = simulated
    const { statusCode: status } = reply
    const isEmpty = payload === undefined || payload === null || (payload as { length?: number }).length === 0
    const hasBody = !isEmpty && request.method !== 'HEAD'
    const head = { status, isList: isList && request.negotiated !== null, hasBody }
    const applied = sent.filter(({ name }) => isApplied(name, wanted, head))
    const isBroken = hasBody && fault !== undefined && !isCut(fault)
    if (rule !== undefined && !hasEffect(rule.counted, head)) {
      rule.counted.used--
      simulated.rule = undefined
    }
    recorded.status = status
    recorded.advice = [...recorded.advice, ...adviser.onResponse(request, reply)]
    recorded.simulated = describe(simulated, applied)
    if (isBroken) recorded.fault = fault
    if (fault !== 'drip') recorded.delay = milliseconds
    if (applied.length === 0 && !isBroken && simulated.rule === undefined) return payload

    reply.headers({ ...appliedHeaders(applied, reply.getHeaders()), ...simulated.rule?.counted.headers })
    if (!isBroken) return payload
    const body = Buffer.isBuffer(payload) ? payload : await buffer(Readable.from(payload))
    return breakBody(body, reply, fault, part => delays.wait(milliseconds * part))
  }
}

/** Identifies an open connection, encrypted or not. */
const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
