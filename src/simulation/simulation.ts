import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPreflight } from '../http/headers.ts'
import { afterEarlier } from '../http/connection.ts'
import { toFields, transformSent, type Response } from '../http/send.ts'
import { splitTarget } from '../http/target.ts'
import { negotiateRequest } from '../lists/question.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { codes } from './codes.ts'
import { breakBody, createDelays, cut, defaultDrip, isCut } from './faults.ts'
import { preferences, type Wanted } from './preferences.ts'
import { readPreferred, type Preferred } from './preferred.ts'
import { createRules } from './rules.ts'

/** The default Retry-After of 429 and 503, in seconds: short, so that a client that respects it does not hang. */
const defaultRetryAfter = 1

/** A request with a response that may be simulated; `isRuled` if a rule has an effect on it. */
type Simulated = { method: string, isList: boolean, isRuled: boolean }

/** A simulated response: `delay` before it and `drip` over its body, in milliseconds. */
type Plan = Wanted & { delay: number, drip: number }

/** Applies preferences of requests, rules and settings to every list and picture. Decorates the app with its rules. */
export function addSimulation (app: FastifyInstance, settings: Settings): void {
  const { rateLimitV1, rateLimitV2, failureRate } = settings
  const limits = new Map(resources.map(({ path, access }) => [path, access === 'token' ? rateLimitV2 : rateLimitV1]))
  const random = createRandom(settings.seed)
  const delays = createDelays()
  const rules = createRules(app.tokens.secrets)
  const connections = new Map<string, Socket>()

  app.server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    connections.set(client, socket)
    socket.once('close', () => connections.delete(client))
  })
  app.decorate('rules', rules)
  app.addHook('onRequest', simulate)
  app.addHook('onSend', transformSent)
  app.addHook('preClose', done => {
    delays.end()
    done()
  })

  async function simulate (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { path = '' } = splitTarget(request.url)
    const isList = limits.has(path)
    if (isPreflight(request) || !(isList || path.startsWith('/media/'))) return
    const { method, originalUrl: url, headers, ip, raw } = request
    const recorded = rules.record(request)
    const preferred = readPreferred(request)
    const ruled = preferred.sent.size > 0 ? {} : rules.take(request)
    const plan = planOf(method, isList, { ...ruled, ...preferred.wanted })
    const { code, fault, delay, example = '', 'retry-after': seconds = defaultRetryAfter } = plan
    if (preferred.ignored !== '') app.logger.info(`${method} ${path}: ignored preferences: ${preferred.ignored}`)
    raw.url = preferred.target
    if (fault === 'malformed') delete headers['accept-encoding'] // JSON is truncated, not its coding
    request.example = example
    request.transform = response => {
      recorded.status = response.status
      return transform(response, { method, isList, isRuled: Object.keys(ruled).length > 0 }, plan, preferred)
    }

    await delays.wait(delay, raw)
    if (fault !== undefined) await new Promise<void>(resolve => afterEarlier(reply.raw, resolve))
    if (raw.destroyed) reply.hijack() // its client has left
    else if (isCut(fault)) {
      if (settings.logRequests) app.logger.info({ method, url, fault, ms: delay, ip }, 'cut') // without a response, no onResponse hook runs
      const socket = reply.hijack().raw.socket as Socket
      cut(fault, socket, connections.get(clientOf(socket)))
    } else if (code !== undefined && (negotiateRequest(request) || !isList)) {
      throw codes[code]({ request, seconds, limit: limits.get(path) ?? rateLimitV1 })
    }
  }

  /** Plans a response from the preferences of its request or a rule, otherwise from the settings. */
  function planOf (method: string, isList: boolean, wanted: Wanted): Plan {
    // Every request of a list draws two random numbers, used or not, so that a run can be repeated.
    const [chance, part] = isList ? [random(), random()] : [1, Math.random()]
    const isDrip = wanted.fault === 'drip' && method !== 'HEAD'
    const { delay = (isList ? settings.delay : undefined) ?? (isDrip ? defaultDrip : 0) } = wanted
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
    const time = Math.round(least + part * (most - least))
    const plan = { ...wanted, delay: isDrip ? 0 : time, drip: time }
    if (wanted.fault !== undefined || wanted.code !== undefined || chance >= failureRate) return plan
    return chance < failureRate / 2 ? { ...plan, code: '503' } : { ...plan, fault: 'reset' }
  }

  /** Names the applied preferences in a response that caches must not store, and breaks its body. */
  function transform (response: Response, request: Simulated, { fault, drip }: Plan, { sent, wanted }: Preferred): Response {
    const { status, body } = response
    const headers = toFields(response.headers)
    const length = Buffer.isBuffer(body) ? body.length : Number(headers['content-length'] ?? 0)
    const hasBody = body !== undefined && length > 0 && request.method !== 'HEAD'
    const isBroken = hasBody && fault !== undefined && !isCut(fault)
    const applied = [...sent].filter(([name]) => preferences[name].isApplied(wanted, { status, isList: request.isList, hasBody }))
    if (applied.length === 0 && !isBroken && !request.isRuled) return response

    headers['cache-control'] = 'no-store'
    append(headers, 'preference-applied', applied.map(([name, { text }]) => `${name}=${text}`))
    append(headers, 'vary', applied.some(([, { byHeader }]) => byHeader) ? ['Prefer'] : [])
    const changed = isBroken ? breakBody(body, length, headers, fault, drip, delays) : body
    return { status, headers: Object.entries(headers).flat(), body: changed }
  }
}

/** Identifies a connection among all that are open, encrypted or not. */
const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function append (headers: Record<string, string>, name: string, values: readonly string[]): void {
  if (values.length > 0) headers[name] = [headers[name] ?? [], values].flat().join(', ')
}

/** Returns a function that returns numbers from 0 (included) to 1 (excluded), the same ones for the same seed. */
function createRandom (seed: number): () => number {
  let count = 0
  return () => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32LE() / 2 ** 32
}
