import { Readable } from 'node:stream'
import fp from 'fastify-plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { isPreflight, sandbox } from '../http/headers.ts'
import { earlierResponses } from '../http/server.ts'
import { formats } from '../http/negotiation.ts'
import { splitTarget } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import { basePathOf } from '../settings/read.ts'
import { createSimulation, type Simulation } from './control.ts'
import { type Example, examples } from './examples.ts'
import { codes, faultOf, maxDelay } from './faults.ts'
import { isRecorded, recordRequest, recordResponse, recordUnparsable } from './observer.ts'
import { patchRecords } from './patch.ts'
import { planResponse, type Simulated } from './plan.ts'
import { appliedHeaders, appliedOf, withoutPreferences } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import { ruleRoutes } from './routes.ts'
import { type Effect, withoutContent } from './rule.ts'
import { isLimited, nextEffect } from './rules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    simulation: Simulation | undefined
  }
  interface FastifyRequest {
    /** Only requests have it whose response a simulation changes. */
    simulated?: Simulated
    /** Requests that are not recorded lack it. */
    recorded?: LoggedRequest
  }
}

/**
 * The default Retry-After of 429 and 503, in seconds; short, so that a client that respects it doesn't seem to hang.
 */
const defaultRetryAfter = 1

const canBeSimulated = (path: string) => accessOf.has(path) || path.startsWith('/media/')

/** Removes the preferences from the target of a list or an image. */
export function simulatedTarget (target: string): string {
  const others = withoutPreferences(target)
  if (others === target) return target
  const { path = '' } = splitTarget(target)
  return canBeSimulated(path) ? others : target
}

type Payload = string | Buffer | Readable | null | undefined

/**
 * A Fastify plugin that records requests, and applies preferences, rules and settings to every list and image.
 * Decorates its parent.
 */
export const simulation = fp(addSimulation, { name: 'simulation', dependencies: ['requests'] })

async function addSimulation (app: FastifyInstance): Promise<void> {
  const { settings, server } = app
  const control = createSimulation(app)
  const basePath = basePathOf(settings)
  if (settings.rules !== undefined) control.preset(settings.rules)

  app.decorate('simulation', control)
  server.on('clientError', error => recordUnparsable(error, basePath, control))
  app.addHook('onRequest', simulate)
  app.addHook('onSend', applyPlan)
  app.addHook('preClose', async () => control.delays.end())
  await app.register(ruleRoutes, { control })

  /** Records a request, plans its response, and carries out what replaces that of the route. */
  function simulate (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined {
    const { path = '' } = request.target
    if (!isPreflight(request) && isRecorded(path, request)) {
      const entry = recordRequest(request, reply, path, control)
      const isSimulated = entry.access !== undefined || path.startsWith('/media/')
      const simulated = isSimulated ? planResponse(request, entry, control) : undefined
      if (simulated !== undefined) {
        request.simulated = simulated
        return carryOut(request, reply, simulated, control)
      }
    }
    done()
    return undefined
  }

  /** Records a response, and changes it as planned. */
  function applyPlan (
    request: FastifyRequest, reply: FastifyReply, payload: Payload, done: (error: null, payload: Payload) => void
  ): Promise<Payload> | undefined {
    if (settings.failureRate > 0 || control.table.isCutting()) reply.header('connection', 'close')
    if (isPreflight(request)) addToPreflight(request, reply, control)
    else {
      recordResponse(request, reply, control)
      const { simulated } = request
      if (simulated !== undefined) return changeResponse(request, reply, payload, simulated, control)
    }
    done(null, payload)
    return undefined
  }
}

/**
 * Does what replaces the response of the route: waits, breaks the connection, sends a rule's body, or throws an error.
 */
async function carryOut (
  request: FastifyRequest, reply: FastifyReply, simulated: Simulated, control: Simulation
): Promise<void> {
  const { settings, logger, delays, tcpOf, requestLog } = control
  const { entry, plan, rule, cause } = simulated
  const { access } = entry
  const { headers, socket } = request
  const { cut, duration, breakBody, isUncoded } = faultOf(plan.fault)
  entry.simulated = cause
  if (rule !== undefined && isLimited(rule.acting)) entry.limitedRule = rule.acting.id
  if (plan.example !== undefined) {
    const { select }: Example = examples[plan.example]
    request.example = { select: list => select(list, plan.seed), cause }
  }
  const patch = rule?.effect.patch
  const changesBody = (plan.example ?? patch ?? breakBody) !== undefined
  if (changesBody) delete headers['if-none-match'] // 304 has no body
  if (isUncoded || patch !== undefined) delete headers['accept-encoding']

  if (duration === undefined) await delays.wait(plan.milliseconds, request.signal)
  if (request.raw.destroyed) { // its client has left
    reply.hijack()
  } else if (cut !== undefined) {
    const { fault, milliseconds: ms } = plan
    const { method, originalUrl: url, ip } = request
    Object.assign(entry, { fault, delay: ms })
    requestLog.end(entry)
    reply.hijack()
    if (settings.logRequests) logger.info({ method, url, fault, ms, ip, simulated: cause }, 'cut')
    const earlier = earlierResponses.get(reply.raw) // to a request that was pipelined before this one
    if (earlier?.closed === false) earlier.once('close', () => socket.destroySoon())
    else cut(socket, tcpOf(socket))
  } else if (rule?.effect.body !== undefined) {
    await sendOwn(reply, rule.effect)
  } else if (plan.code !== undefined && (access === undefined || request.negotiated !== null)) {
    request.simulatedError = cause
    const limit = access === 'token' ? settings.rateLimitV2 : settings.rateLimitV1
    throw codes[plan.code as keyof typeof codes]({ request, seconds: plan.retryAfter ?? defaultRetryAfter, limit })
  }
}

/** Adds the headers of a rule and of the preferences that have an effect, and changes the body. */
async function changeResponse (
  request: FastifyRequest, reply: FastifyReply, payload: Payload, simulated: Simulated, { delays }: Simulation
): Promise<Payload> {
  const { entry, preferred, plan, rule } = simulated
  const { patch, rate, headers } = rule?.effect ?? {}
  const { breakBody, duration } = faultOf(plan.fault)
  const { statusCode: status } = reply
  const isList = entry.access !== undefined && request.negotiated !== null
  const isEmpty = !payload || (Buffer.isBuffer(payload) && payload.length === 0)
  const hasBody = !isEmpty && request.method !== 'HEAD'
  const applied = appliedOf(preferred, { status, isList, hasBody })
  if (applied.length > 0 || rule !== undefined) reply.headers(appliedHeaders(applied, reply.getHeaders()))
  if (duration === undefined) entry.delay = plan.milliseconds
  const isPatched = patch !== undefined && isList && status === 200 && request.method !== 'OPTIONS'
  if (isPatched) reply.removeHeader('etag').removeHeader('content-length')
  reply.headers({ ...headers })
  const isBroken = hasBody && breakBody !== undefined
  if (isEmpty || !(isPatched || isBroken)) return payload

  const sent = Buffer.isBuffer(payload) ? payload : await collect(Readable.from(payload))
  const body = isPatched ? patchRecords(sent, patch, request.negotiated?.indent) : sent
  if (!isBroken) return body
  entry.fault = plan.fault
  const time = rate === undefined ? plan.milliseconds : Math.min(1000 * body.length / rate, maxDelay)
  return breakBody(body, reply, part => delays.wait(time * part))
}

/** Returns a body, which must be complete before it is changed. @throws {ApiError} for one of more than 64 MiB */
async function collect (body: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > 2 ** 26) throw new ApiError(502, 'body_too_long', 'A body of more than 64 MiB is not changed.')
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces)
}

/** Adds the headers of the rule that the request after a preflight would get. */
function addToPreflight (request: FastifyRequest, reply: FastifyReply, { table }: Simulation): void {
  const { url, target: { path = '' }, headers } = request
  if (!canBeSimulated(path)) return
  const rule = table.peek({ method: String(headers['access-control-request-method']), url })
  if (rule !== undefined) reply.headers({ ...nextEffect(rule).headers })
}

/** Sends the body of a rule in place of the list's or image's; browsers run no script in it. */
function sendOwn (reply: FastifyReply, { status = 200, contentType, body }: Effect): FastifyReply {
  reply.code(status)
  if (withoutContent.has(status)) return reply.send()
  const type = contentType ?? formats.json
  const text = contentType === undefined ? JSON.stringify(body) : String(body)
  return reply.headers({ 'content-type': type, ...sandbox }).send(Buffer.from(text))
}
