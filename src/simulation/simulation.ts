import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../http/authentication.ts'
import { isPreflight } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { isStrict } from '../http/prefer.ts'
import { splitTarget } from '../http/target.ts'
import { negotiateRequest } from '../lists/request.ts'
import { resources } from '../lists/resources.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { createRandom } from '../base/random.ts'
import { createExamples } from './examples.ts'
import { breakBody, codes, createDelays, cut, defaultDrip, isCut, type Cut } from './faults.ts'
import { appliedHeaders, appliedTo, readPreferred, withoutPreferences, type Preferred, type Wanted } from './preferences.ts'
import { createRequestLog, toRequest, type LoggedRequest } from './request-log.ts'
import { createRetries } from './retries.ts'
import { createRules, hasEffect, isActive, responseOf, type CompiledRule } from './rules.ts'
import { createOwnPages, describe, noteOf, showRules, type Plan, type Simulated } from './simulated.ts'

declare module 'fastify' {
  interface FastifyInstance {
    simulation: Simulation | undefined
  }
}

export type Simulation = ReturnType<typeof createSimulation>

/** The default Retry-After of 429 and 503, in seconds; short, so that a client that respects it doesn't seem to hang. */
const defaultRetryAfter = 1

const lists = new Map(resources.map(({ path, access }) => [path, access]))
/** Statuses without content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const withoutContent = new Set([204, 205, 304])

const isSimulated = (path: string) => lists.has(path) || path.startsWith('/media/')

/** Removes the preferences from the target of a list or an image. */
export function simulatedTarget (target: string): string {
  const { path = '' } = splitTarget(target)
  return isSimulated(path) ? withoutPreferences(target) : target
}

/** A Fastify plugin that applies preferences, rules and settings to every list and image. Decorates its parent. */
export const simulation = Object.assign(addSimulation, { [Symbol.for('skip-override')]: true })

type Options = {
  settings: Settings
  /** A placeholder for the number of active rules in HTML pages. */
  noActiveRules: string
}

/** A TCP connection, when it was opened, and how many requests it has sent. */
type Connection = { socket: Socket, openedAt: number, requests: number }

/** A request whose connection was cut, and how often it was sent. */
type Failure = { request: FastifyRequest, fault: Cut, milliseconds: number, recorded: LoggedRequest, isRandom: boolean, tries: number }

type Wishes = { preferred: Preferred, rule: CompiledRule | undefined }

async function addSimulation (app: FastifyInstance, { settings, noActiveRules }: Options): Promise<void> {
  const { rateLimitV1, rateLimitV2, failureRate } = settings
  const random = createRandom(settings.seed)
  const delays = createDelays()
  const control = createSimulation(app.tokens.secrets, settings.seed)
  const ownPages = createOwnPages(basePathOf(settings))
  const connections = new Map<string, Connection>()
  // onResponse hooks don't run without a response.
  const retries = createRetries<Failure>(({ request: { method, originalUrl: url, ip }, tries, fault, milliseconds: ms, recorded }) => {
    if (!settings.logRequests) return
    app.logger.info({ method, url, fault, ms, ip, simulated: recorded.simulated, ...tries > 1 ? { tries } : {} }, 'cut')
  })

  app.server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    connections.set(client, { socket, openedAt: performance.now(), requests: 0 })
    socket.once('close', () => connections.delete(client))
  })
  app.decorate('simulation', control)
  app.decorateRequest('simulated', null)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', showRules(control, isSimulated, noActiveRules))
  app.addHook('onSend', applyPlan)
  app.addHook('onResponse', async ({ simulated }, { elapsedTime }) => {
    if (simulated !== null) simulated.recorded.duration = Math.round(elapsedTime)
  })
  app.addHook('preClose', async () => {
    delays.end()
    retries.close()
  })

  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const connection = connections.get(clientOf(request.socket))
    // Browsers open connections in advance, and take them for used ones.
    const isReused = connection !== undefined && (connection.requests++ > 0 || performance.now() - connection.openedAt > preparedTime)
    const { path = '' } = splitTarget(request.url)
    if (path === '/') ownPages.visitHome(request)
    if (isPreflight(request)) return
    const failure = retries.failureOf(request)
    if (failure !== undefined) {
      failure.recorded.tries = failure.tries
      return breakConnection(request, reply, failure, isReused)
    }
    const isNegotiated = !lists.has(path) || negotiateRequest(request)
    const isPage = lists.has(path) && request.negotiated?.format === 'api'
    const isHtml = lists.has(path) ? isPage : String(request.headers.accept).includes('text/html')
    // The number of active rules can't be inserted into an encoded page.
    if (isHtml && control.list().some(isActive)) delete request.headers['accept-encoding']
    if (!isSimulated(path)) return

    const isOwn = isPage || ownPages.hasSent(request)
    const recorded = control.requestLog.read(request)
    if (!isOwn) control.requestLog.record(recorded)
    const wishes = readWishes(request, path, isOwn)
    const isList = lists.has(path)
    const plan = choosePlan(isList && !isOwn, wishes)
    const next = isPage && wishes.preferred.sent.length === 0 ? control.peek(request) : undefined
    const simulated = request.simulated = { isList, plan, ...wishes, next, recorded }
    recorded.simulated = describe(simulated, wishes.preferred.sent)
    await carryOut(request, reply, simulated, isNegotiated, isReused)
  }

  /** The preferences of a request, or else the rule for it; a rule with a body does not replace the token of version 2.1. */
  function readWishes (request: FastifyRequest, path: string, isOwn: boolean): Wishes {
    const read = readPreferred(request, app.tokens.secrets())
    const hasStrict = lists.has(path) && isStrict(request)
    if (read.ignored !== '' && !hasStrict) { // the 400 of a strict list names them
      app.logger.info(`${request.method} ${withoutSecrets(path, app.tokens.secrets())}: ignored preferences: ${read.ignored}`)
    }
    const isRefused = hasStrict && Object.keys(read.errors).length > 0
    const preferred = isRefused ? { ...read, wanted: {}, sent: [] } : read
    if (isOwn || isRefused || preferred.sent.length > 0) return { preferred, rule: undefined }
    const canAct = ({ body }: CompiledRule) =>
      body === undefined || lists.get(path) !== 'token' || typeof authenticate(request, app.tokens) === 'string'
    return { preferred, rule: control.take(request, canAct) }
  }

  /** Plans a response from the preferences of its request or rule, or else from the settings. */
  function choosePlan (isList: boolean, { preferred, rule }: Wishes): Plan {
    const wanted: Wanted = { ...rule?.wanted, ...preferred.wanted }
    // Every request for a list draws two random numbers, used or not, so that a run is reproducible.
    const [chance, part] = isList ? [random(), random()] : [1, Math.random()]
    const ownDelay = isList ? settings.delay : undefined
    const { delay = ownDelay ?? (wanted.fault === 'drip' ? defaultDrip : 0) } = wanted
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
    const milliseconds = Math.round(least + part * (most - least))
    const plan = { ...wanted, milliseconds, ...delay === ownDelay && milliseconds > 0 ? { origin: 'delay' } : {} }
    if (rule?.body !== undefined || wanted.fault !== undefined || wanted.code !== undefined || chance >= failureRate) return plan
    return { ...plan, origin: 'failure-rate', ...chance < failureRate / 2 ? { code: '503' } : { fault: 'reset' } }
  }

  /** Does what replaces the response of the route: waits, breaks the connection, sends a rule's body, or throws an error. */
  async function carryOut (
    request: FastifyRequest, reply: FastifyReply, { plan, rule, recorded }: Simulated, isNegotiated: boolean, isReused: boolean
  ) {
    const { code, example, fault, milliseconds, 'retry-after': seconds = defaultRetryAfter } = plan
    if (example !== undefined || (fault !== undefined && !isCut(fault))) delete request.headers['if-none-match'] // 304 has no body
    if (fault !== 'drip') await delays.wait(isCut(fault) ? Math.max(milliseconds, concurrentTime) : milliseconds, request.raw)
    const own = rule && responseOf(rule)
    if (request.raw.destroyed) reply.hijack() // its client has left
    else if (isCut(fault)) {
      Object.assign(recorded, { fault, delay: milliseconds, duration: milliseconds })
      const isRandom = plan.origin === 'failure-rate'
      breakConnection(request, reply, { request, fault, milliseconds, recorded, isRandom, tries: 1 }, isReused)
    } else if (own !== undefined) {
      if (withoutContent.has(own.status)) return reply.code(own.status).send()
      return reply.code(own.status).header('content-type', own.type).send(own.body)
    } else if (code !== undefined && isNegotiated) {
      const isLimitedByToken = lists.get(String(splitTarget(request.url).path)) === 'token'
      throw codes[code]({ request, seconds, limit: isLimitedByToken ? rateLimitV2 : rateLimitV1 })
    }
  }

  function breakConnection (request: FastifyRequest, reply: FastifyReply, failure: Failure, isReused: boolean): void {
    const { socket } = reply.hijack().raw as { socket: Socket }
    cut(failure.fault, socket, connections.get(clientOf(socket))?.socket)
    retries.wait(request, failure, isReused)
  }

  /** Adds the headers of a simulated response, breaks its body, and gives back a rule that had no effect on it. */
  async function applyPlan (request: FastifyRequest, reply: FastifyReply, payload: string | Buffer | Readable | null | undefined) {
    const { simulated } = request
    if (simulated === null) return payload
    const { isList, plan: { fault, milliseconds }, preferred, rule, recorded } = simulated
    const { statusCode: status } = reply
    const isEmpty = payload === undefined || payload === null || (payload as { length?: number }).length === 0
    const hasBody = !isEmpty && request.method !== 'HEAD'
    const head = { status, isList, hasBody }
    const applied = appliedTo(preferred, head)
    const isBroken = hasBody && fault !== undefined && !isCut(fault)
    if (rule !== undefined && !hasEffect(rule, head)) {
      rule.counted.used--
      simulated.rule = undefined
    }
    recorded.status = status
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

/** How long a connection is open without a request before it counts as used, in milliseconds. */
const preparedTime = 100

/** How long before a cut requests arrive that a client sent at the same time, and that are no retries, in milliseconds. */
const concurrentTime = 20

/** Identifies an open connection, encrypted or not. */
const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** The decorator of a simulating server: rules, recorded requests, and the simulation of a request for its routes. */
function createSimulation (secrets: () => readonly string[], seed: number) {
  const [rules, requestLog] = [createRules(seed), createRequestLog(secrets)]
  return {
    ...rules,
    rules: rules.list,
    resetRules: rules.reset,
    requestLog,
    recorded: requestLog.list,
    requests: () => requestLog.list().map(toRequest),
    reset: () => { rules.reset(); requestLog.reset() },
    simulatedOf: ({ simulated }: FastifyRequest) => simulated,
    causeOf: ({ simulated }: FastifyRequest) => simulated?.recorded.simulated ?? undefined,
    noteOf,
    createExamples
  }
}
