import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import { breakBody, codes, createDelays, cut, defaultDrip, isCut } from './faults.ts'
import { appliedHeaders, appliedTo, readPreferred, withoutPreferences, type Wanted } from './preferences.ts'
import { createRequestLog, toRequest } from './request-log.ts'
import { createRules, isActive, responseOf } from './rules.ts'
import { createOwnPages, describe, noteOf, showRules, type Plan } from './simulated.ts'

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

async function addSimulation (app: FastifyInstance, { settings, noActiveRules }: Options): Promise<void> {
  const { rateLimitV1, rateLimitV2, failureRate } = settings
  const random = createRandom(settings.seed)
  const delays = createDelays()
  const control = createSimulation(app.tokens.secrets, settings.seed)
  const ownPages = createOwnPages(basePathOf(settings))
  const connections = new Map<string, Socket>()

  app.server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    connections.set(client, socket)
    socket.once('close', () => connections.delete(client))
  })
  app.decorate('simulation', control)
  app.decorateRequest('simulated', null)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', showRules(control, isSimulated, noActiveRules))
  app.addHook('onSend', applyFault)
  app.addHook('onResponse', async ({ simulated }, { elapsedTime }) => {
    if (simulated !== null) simulated.recorded.duration = Math.round(elapsedTime)
  })
  app.addHook('preClose', async () => delays.end())

  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path = '' } = splitTarget(request.url)
    const isList = lists.has(path)
    if (path === '/') ownPages.visitHome(request)
    if (isPreflight(request)) return
    const isNegotiated = !isList || negotiateRequest(request)
    const isPage = isList && request.negotiated?.format === 'api'
    const isHtml = isList ? isPage : String(request.headers.accept).includes('text/html')
    // The number of active rules can't be inserted into an encoded page.
    if (isHtml && control.list().some(isActive)) delete request.headers['accept-encoding']
    if (!isSimulated(path)) return
    const { method, originalUrl: url, ip, raw } = request
    const isOwn = isPage || ownPages.hasSent(request)
    const recorded = control.requestLog.read(request)
    if (!isOwn) control.requestLog.record(recorded)
    const read = readPreferred(request, app.tokens.secrets())
    const hasStrict = isList && isStrict(request)
    const isRefused = hasStrict && Object.keys(read.errors).length > 0
    const preferred = isRefused ? { ...read, wanted: {}, sent: [] } : read
    const hasOwn = isRefused || preferred.sent.length > 0
    const rule = isOwn || hasOwn ? undefined : control.take(request)
    const next = isPage && !hasOwn ? control.peek(request) : undefined
    const plan = planOf(isList && !isOwn, { ...rule?.wanted, ...preferred.wanted }, rule?.body !== undefined)
    const { code, fault, milliseconds, 'retry-after': seconds = defaultRetryAfter } = plan
    const simulated = request.simulated = { isList, plan, preferred, rule, next, recorded }
    recorded.simulated = describe(simulated, preferred.sent)
    if (preferred.ignored !== '' && !hasStrict) { // the 400 of a strict list names them
      app.logger.info(`${method} ${withoutSecrets(path, app.tokens.secrets())}: ignored preferences: ${preferred.ignored}`)
    }

    if (fault !== 'drip') await delays.wait(milliseconds, raw)
    const own = rule && responseOf(rule)
    if (raw.destroyed) reply.hijack() // its client has left
    else if (isCut(fault)) {
      Object.assign(recorded, { fault, delay: milliseconds, duration: milliseconds })
      // onResponse hooks don't run without a response.
      if (settings.logRequests) app.logger.info({ method, url, fault, ms: milliseconds, ip, simulated: recorded.simulated }, 'cut')
      const socket = reply.hijack().raw.socket as Socket
      cut(fault, socket, connections.get(clientOf(socket)))
    } else if (own !== undefined) {
      if (withoutContent.has(own.status)) return reply.code(own.status).send()
      return reply.code(own.status).header('content-type', own.type).send(own.body)
    } else if (code !== undefined && isNegotiated) {
      throw codes[code]({ request, seconds, limit: lists.get(path) === 'token' ? rateLimitV2 : rateLimitV1 })
    }
  }

  /** Plans a response from the preferences of its request or rule, or else from the settings. */
  function planOf (isList: boolean, wanted: Wanted, hasOwnResponse: boolean): Plan {
    // Every request for a list draws two random numbers, used or not, so that a run is reproducible.
    const [chance, part] = isList ? [random(), random()] : [1, Math.random()]
    const ownDelay = isList ? settings.delay : undefined
    const { delay = ownDelay ?? (wanted.fault === 'drip' ? defaultDrip : 0) } = wanted
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
    const milliseconds = Math.round(least + part * (most - least))
    const plan = { ...wanted, milliseconds, ...delay === ownDelay && milliseconds > 0 ? { origin: 'delay' } : {} }
    if (hasOwnResponse || wanted.fault !== undefined || wanted.code !== undefined || chance >= failureRate) return plan
    return { ...plan, origin: 'failure-rate', ...chance < failureRate / 2 ? { code: '503' } : { fault: 'reset' } }
  }

  /** Adds the headers of a simulated response, and breaks its body. */
  async function applyFault (request: FastifyRequest, reply: FastifyReply, payload: string | Buffer | Readable | null | undefined) {
    const { simulated } = request
    if (simulated === null) return payload
    const { isList, plan: { fault, milliseconds }, rule, recorded } = simulated
    const { statusCode: status } = reply
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const length = Buffer.isBuffer(body) ? body.length : Number(reply.getHeader('content-length') ?? 0)
    const hasBody = body !== undefined && body !== null && length > 0 && request.method !== 'HEAD'
    const isBroken = hasBody && fault !== undefined && !isCut(fault)
    const applied = appliedTo(simulated.preferred, { status, isList, hasBody })
    recorded.status = status
    recorded.simulated = describe(simulated, applied)
    if (isBroken) recorded.fault = fault
    if (fault !== 'drip') recorded.delay = milliseconds
    if (applied.length === 0 && !isBroken && rule === undefined) return payload

    reply.headers({ ...appliedHeaders(applied, reply.getHeaders()), ...rule?.counted.headers })
    if (!isBroken) return payload
    return breakBody(Buffer.isBuffer(body) ? body : () => body, length, reply, fault, part => delays.wait(milliseconds * part))
  }
}

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
