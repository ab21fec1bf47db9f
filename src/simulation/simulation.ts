import type { Server, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fp from 'fastify-plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { now } from '../base/timers.ts'
import { isPreflight, sandbox } from '../http/headers.ts'
import { earlierResponses } from '../http/server.ts'
import { formats } from '../http/negotiation.ts'
import { splitTarget } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, type Simulation } from './control.ts'
import { breakBody, codes, createDelays, cutConnection, isCut, maxDelay } from './faults.ts'
import type { BodyFault, CutFault } from './faults.ts'
import { createObserver, isRecorded } from './observer.ts'
import { createPlanner, type Simulated } from './plan.ts'
import { appliedHeaders, isApplied, withoutPreferences, type Head } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import { ruleRoutes } from './routes.ts'
import type { Effect, PreferredEffect } from './rule.ts'
import { isLimited, nextEffect } from './rules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    simulation: Simulation | undefined
  }
  interface FastifyRequest {
    /** Null for a preflight, and for the paths of neither lists nor images. */
    simulated: Simulated | null
    /** Null for a preflight, and for requests that are not recorded. */
    recorded: LoggedRequest | null
  }
}

/**
 * The default Retry-After of 429 and 503, in seconds; short, so that a client that respects it doesn't seem to hang.
 */
const defaultRetryAfter = 1

/** Statuses without content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const withoutContent = new Set([204, 205, 304])

const isSimulated = (path: string) => accessOf.has(path) || path.startsWith('/media/')

/** Removes the preferences from the target of a list or an image. */
export function simulatedTarget (target: string): string {
  const { path = '' } = splitTarget(target)
  return isSimulated(path) ? withoutPreferences(target) : target
}

type Payload = string | Buffer | Readable | null | undefined

/**
 * A Fastify plugin that records requests, and applies preferences, rules and settings to every list and image.
 * Decorates its parent.
 */
export const simulation = fp(addSimulation, { name: 'simulation', dependencies: ['requests'] })

async function addSimulation (app: FastifyInstance, { settings }: { settings: Settings }): Promise<void> {
  const control = createSimulation(app.tokens.secrets, settings.seed, app.connections)
  if (settings.rules !== undefined) control.preset(settings.rules)
  const { table } = control
  const observer = createObserver(app, control)
  const planOf = createPlanner(app, settings, table)
  const tcpOf = rememberTcp(app.server)
  const delays = createDelays()

  app.decorate('simulation', control)
  app.decorateRequest('simulated', null)
  app.decorateRequest('recorded', null)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', applyPlan)
  app.addHook('onResponse', endResponse)
  app.addHook('preClose', async () => delays.end())
  await app.register(ruleRoutes, { settings, simulation: control })

  /** Records a request, plans its response, and carries out what replaces that of the route. */
  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path = '' } = request.target
    if (isPreflight(request) || !isRecorded(path, request.endpoint)) return
    const entry = observer.recordRequest(request, reply, path)
    if (!isSimulated(path)) return
    const simulated = planOf(request, path)
    const { rule } = simulated
    request.simulated = simulated
    entry.simulated = simulated.cause || null
    if (rule !== undefined && isLimited(rule.acting)) entry.limitedRule = rule.acting.id
    await carryOut(request, reply, simulated, entry)
  }

  /**
   * Does what replaces the response of the route: waits, breaks the connection, sends a rule's body, or throws an
   * error.
   */
  async function carryOut (request: FastifyRequest, reply: FastifyReply, simulated: Simulated, entry: LoggedRequest) {
    const { plan, rule } = simulated
    adaptHeaders(request.headers, plan)
    // The time of a dripping body is that of the body.
    if (plan.fault !== 'drip') await delays.wait(plan.milliseconds, request.signal)
    if (request.raw.destroyed) { // its client has left
      reply.hijack()
    } else if (isCut(plan.fault)) {
      Object.assign(entry, { fault: plan.fault, delay: plan.milliseconds, endedAt: now() })
      breakConnection(request, reply, plan.fault)
    } else {
      if (rule?.effect.body !== undefined) return sendOwn(reply, rule.effect)
      throwPlanned(request, simulated)
    }
  }

  /** Throws a planned error, for a list only after its format was negotiated. */
  function throwPlanned (request: FastifyRequest, { access, plan }: Simulated): void {
    const { code, retryAfter: seconds = defaultRetryAfter } = plan
    if (code === undefined || (access !== undefined && request.negotiated === null)) return
    const limit = access === 'token' ? settings.rateLimitV2 : settings.rateLimitV1
    throw codes[code as keyof typeof codes]({ request, seconds, limit })
  }

  /** Breaks the connection of a request, after the responses to those that were pipelined before it. */
  function breakConnection (request: FastifyRequest, reply: FastifyReply, fault: CutFault): void {
    const { socket } = request
    const earlier = earlierResponses.get(reply.raw)
    reply.hijack()
    logCut(request)
    if (earlier?.closed === false) earlier.once('close', () => socket.destroySoon())
    else cutConnection(fault, socket, tcpOf(socket))
  }

  /** Logs a request without a response, for which onResponse hooks don't run. */
  function logCut ({ method, originalUrl: url, ip, recorded }: FastifyRequest): void {
    if (!settings.logRequests || recorded === null) return
    const { fault, delay: ms, simulated } = recorded
    app.logger.info({ method, url, fault, ms, ip, simulated }, 'cut')
  }

  /** Records a response, adds the headers of its simulation, and breaks its body. */
  async function applyPlan (request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> {
    if (settings.failureRate > 0 || table.isCutting()) reply.header('connection', 'close')
    if (isPreflight(request)) {
      addToPreflight(request, reply)
      return payload
    }
    const recorded = observer.recordResponse(request, reply)
    const { simulated } = request
    if (recorded === undefined || simulated === null) return payload
    const { plan } = simulated
    const head = responseHead(request, reply, payload)
    addHeaders(reply, simulated, head)
    if (plan.fault !== 'drip') recorded.delay = plan.milliseconds
    const isBroken = head.hasBody && plan.fault !== undefined && !isCut(plan.fault)
    return isBroken ? await breakPayload(reply, payload, simulated, recorded) : payload
  }

  /** Adds the headers of the rule, and of the preferences that have an effect on a response. */
  function addHeaders (reply: FastifyReply, { preferred, rule }: Simulated, head: Head): void {
    const applied = preferred.sent.filter(({ name }) => isApplied(name, preferred.wanted, head))
    if (applied.length > 0 || rule !== undefined) reply.headers(appliedHeaders(applied, reply.getHeaders()))
    if (rule !== undefined) reply.headers({ ...rule.effect.headers })
  }

  /** Remembers how long the client of a response must wait. */
  async function endResponse (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { respondedAt } = request.recorded ?? {}
    if (respondedAt !== undefined) control.adviser.rememberWait(request, reply, respondedAt)
  }

  async function breakPayload (reply: FastifyReply, payload: Payload, simulated: Simulated, recorded: LoggedRequest) {
    const { plan, rule } = simulated
    const fault = plan.fault as BodyFault
    recorded.fault = fault
    const body = Buffer.isBuffer(payload) ? payload : await buffer(Readable.from(payload as string | Readable))
    const rate = rule?.effect.rate
    const time = rate === undefined ? plan.milliseconds : Math.min(1000 * body.length / rate, maxDelay)
    return breakBody(body, reply, fault, part => delays.wait(time * part))
  }

  /** Adds the headers of the rule that the request after a preflight would get. */
  function addToPreflight ({ url, target, headers }: FastifyRequest, reply: FastifyReply): void {
    const { path = '' } = target
    if (!isSimulated(path)) return
    const rule = table.peek({ method: String(headers['access-control-request-method']), url })
    if (rule !== undefined) reply.headers({ ...nextEffect(rule).headers })
  }
}

/** Returns a function that finds the TCP socket of a connection, which a TLS socket does not reveal. */
function rememberTcp (server: Server): (socket: Socket) => Socket | undefined {
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  const open = new Map<string, Socket>()
  server.on('connection', (tcp: Socket) => {
    const key = keyOf(tcp)
    open.set(key, tcp)
    tcp.once('close', () => open.delete(key))
  })
  return socket => open.get(keyOf(socket))
}

/** Removes the headers of a request that would keep an example or a fault from having its effect. */
function adaptHeaders (headers: FastifyRequest['headers'], { example, fault }: PreferredEffect): void {
  const breaksBody = fault !== undefined && !isCut(fault)
  if (example !== undefined || breaksBody) delete headers['if-none-match'] // 304 has no body
  if (fault === 'malformed') delete headers['accept-encoding'] // truncates JSON, not its coding
}

/** Sends the body of a rule in place of the list's or image's; browsers run no script in it. */
function sendOwn (reply: FastifyReply, { status = 200, contentType, body }: Effect): FastifyReply {
  reply.code(status)
  if (withoutContent.has(status)) return reply.send()
  const type = contentType ?? formats.json
  const text = contentType === undefined ? JSON.stringify(body) : String(body)
  return reply.headers({ 'content-type': type, ...sandbox }).send(Buffer.from(text))
}

function responseHead (request: FastifyRequest, reply: FastifyReply, payload: Payload): Head {
  const isList = request.simulated?.access !== undefined && request.negotiated !== null
  const isEmpty = !payload || (Buffer.isBuffer(payload) && payload.length === 0)
  const hasBody = !isEmpty && request.method !== 'HEAD'
  return { status: reply.statusCode, isList, hasBody }
}
