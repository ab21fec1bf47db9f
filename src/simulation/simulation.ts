import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fp from 'fastify-plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPreflight, sandbox } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import { splitTarget } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { twinAdvice } from './advice.ts'
import { createConnections } from './connections.ts'
import { createSimulation, type Simulation } from './control.ts'
import { breakBody, codes, createDelays, cutConnection, isCut, maxDelay } from './faults.ts'
import type { BodyFault, CutFault } from './faults.ts'
import { createObserver, isRecorded } from './observer.ts'
import { causeOf, createPlanner, type Simulated } from './plan.ts'
import { appliedHeaders, isApplied, withoutPreferences, type Head } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import { createRetries, type CutRequest } from './retries.ts'
import { ruleRoutes } from './routes.ts'
import type { Effect, PreferredEffect } from './rule.ts'
import { hasEffect, isLimited, nextEffect, type TakenRule } from './rules.ts'

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

/**
 * How long before a cut requests arrive that a client sent at the same time, and that are no retries, in milliseconds.
 */
const concurrentTime = 20

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
  const control = createSimulation(app.tokens.secrets, settings.seed)
  if (settings.rules !== undefined) control.preset(settings.rules)
  const { table } = control
  const observer = createObserver(app, control)
  const planOf = createPlanner(app, settings, table)
  const connections = createConnections(app.server)
  const delays = createDelays()
  const retries = createRetries(logCut)
  let knownRules = table.list()

  app.decorate('simulation', control)
  app.decorateRequest('simulated', null)
  app.decorateRequest('recorded', null)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', applyPlan)
  app.addHook('onResponse', async ({ recorded }, { elapsedTime }) => {
    if (recorded !== null) recorded.duration = Math.round(elapsedTime)
  })
  app.addHook('preClose', async () => {
    delays.end()
    retries.close()
  })
  await app.register(ruleRoutes, { settings, simulation: control })

  /** Records a request, plans its response, and carries out what replaces that of the route. */
  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    connections.count(request.socket)
    const { path = '' } = request.target
    if (isPreflight(request) || !isRecorded(path, request.endpoint)) return
    if (knownRules !== table.list()) retries.close() // with other rules, the next request is a new one
    knownRules = table.list()
    const first = retries.retriedBy(request)
    if (first?.recorded) {
      first.recorded.tries++
      return breakConnection(request, reply, first)
    }
    const { entry, twin } = observer.recordRequest(request, reply, path)
    if (!isSimulated(path)) return
    const simulated = planOf(request, path)
    const { rule } = simulated
    request.simulated = simulated
    entry.simulated = simulated.cause || null
    if (rule !== undefined && isLimited(rule.acting)) entry.limitedRule = rule.acting.id
    if (twin !== undefined) entry.advice.push(...twinAdvice(twin, entry))
    await carryOut(request, reply, simulated, entry)
  }

  /**
   * Does what replaces the response of the route: waits, breaks the connection, sends a rule's body, or throws an
   * error.
   */
  async function carryOut (request: FastifyRequest, reply: FastifyReply, simulated: Simulated, entry: LoggedRequest) {
    const { plan, rule } = simulated
    adaptHeaders(request.headers, plan)
    await waitBefore(request, simulated)
    if (request.raw.destroyed) { // its client has left
      settle(simulated, true)
      reply.hijack()
    } else if (isCut(plan.fault)) {
      settle(simulated, true)
      Object.assign(entry, { fault: plan.fault, delay: plan.milliseconds, duration: plan.milliseconds })
      breakConnection(request, reply, request)
    } else {
      if (rule?.effect.body !== undefined) return sendOwn(reply, rule.effect)
      throwPlanned(request, simulated)
    }
  }

  async function waitBefore (request: FastifyRequest, { plan: { fault, milliseconds } }: Simulated): Promise<void> {
    if (fault === 'drip') return // its time is that of the body
    const least = isCut(fault) ? concurrentTime : 0
    await delays.wait(Math.max(milliseconds, least), request.signal)
  }

  /** Throws a planned error, for a list only after its format was negotiated. */
  function throwPlanned (request: FastifyRequest, { access, plan }: Simulated): void {
    const { code, retryAfter: seconds = defaultRetryAfter } = plan
    if (code === undefined || (access !== undefined && request.negotiated === null)) return
    const limit = access === 'token' ? settings.rateLimitV2 : settings.rateLimitV1
    throw codes[code as keyof typeof codes]({ request, seconds, limit })
  }

  function settle ({ rule }: Simulated, hadEffect: boolean): void {
    if (rule !== undefined) table.settle(rule, hadEffect)
  }

  /** Breaks the connection of a request, which may be a retry of the first one. */
  function breakConnection ({ socket }: FastifyRequest, reply: FastifyReply, first: CutRequest): void {
    const isReused = connections.isReused(socket, performance.now() - reply.elapsedTime)
    reply.hijack()
    cutConnection(first.simulated?.plan.fault as CutFault, socket, connections.tcpOf(socket))
    retries.wait(first, isReused)
  }

  /** Logs a request without a response, for which onResponse hooks don't run. */
  function logCut ({ method, originalUrl: url, ip, recorded }: CutRequest): void {
    if (!settings.logRequests || recorded === null) return
    const { fault, duration: ms, simulated } = recorded
    const tries = recorded.tries > 1 ? recorded.tries : undefined
    app.logger.info({ method, url, fault, ms, ip, simulated, tries }, 'cut')
  }

  /** Records a response, adds the headers of its simulation, and breaks its body. */
  async function applyPlan (request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> {
    if (isPreflight(request)) {
      addToPreflight(request, reply)
      return payload
    }
    const recorded = observer.recordResponse(request, reply)
    const { simulated } = request
    if (recorded === undefined || simulated === null) return payload
    const { plan } = simulated
    const head = responseHead(request, reply, payload)
    recorded.simulated = addHeaders(reply, simulated, head) || null
    if (plan.fault !== 'drip') recorded.delay = plan.milliseconds
    const isBroken = head.hasBody && plan.fault !== undefined && !isCut(plan.fault)
    return isBroken ? await breakPayload(reply, payload, simulated, recorded) : payload
  }

  /** Adds the headers of the preferences and the rule that have an effect on a response; returns them in words. */
  function addHeaders (reply: FastifyReply, simulated: Simulated, head: Head): string {
    const { plan, preferred } = simulated
    const applied = preferred.sent.filter(({ name }) => isApplied(name, preferred.wanted, head))
    const rule = settledRule(simulated, head)
    if (applied.length > 0 || rule !== undefined) reply.headers(appliedHeaders(applied, reply.getHeaders()))
    if (rule !== undefined) reply.headers({ ...rule.effect.headers })
    return causeOf({ plan, rule }, applied)
  }

  /** Returns the rule of a response, whose use counts; undefined, and the use is given back, without an effect. */
  function settledRule (simulated: Simulated, head: Head): TakenRule | undefined {
    const { rule } = simulated
    const hadEffect = rule !== undefined && hasEffect(rule.effect, head)
    settle(simulated, hadEffect)
    return hadEffect ? rule : undefined
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
