import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isPreflight } from '../http/headers.ts'
import { negotiate } from '../http/negotiation.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { errorOf, type Code } from './codes.ts'
import { exampleNames, examples } from './examples.ts'
import { breakBody, breaks, createPauses, cuts, isCut, usualDrip, type FaultName } from './faults.ts'
import type { Wanted } from './preferences.ts'
import { preferredBy, sayWhatIsObeyed, type Preferred } from './preferred.ts'
import { seeded } from './random.ts'

/** A route whose answers are simulated: a list, or the pictures, and the allowance that an error speaks of. */
type Place = { url: string, isList: boolean, limit: number }

function placesOf ({ rateLimitV1, rateLimitV2 }: Settings): Place[] {
  const lists = resources.map(({ path: url, access }) => ({ url, isList: true, limit: access === 'token' ? rateLimitV2 : rateLimitV1 }))
  return [...lists, { url: '/media/*', isList: false, limit: rateLimitV1 }]
}

/** How long an answer of 429 or 503 tells to wait, in seconds: when it is asked for, and when it fails by chance. */
const usualWait = 60
const waitAfterFailure = 1

/** What becomes of an answer; a slow one begins at once and takes the time for its body. */
type Plan = { code?: Code | undefined, fault?: FaultName | undefined, seconds: number, milliseconds: number, isSlow: boolean }

/**
 * Simulates what clients ask for and what the settings say on every list and picture whose route is added from now on, before
 * anything else of the route. Returns the lists to be added too, one for each example.
 */
export function simulate (app: FastifyInstance, settings: Settings) {
  const random = seeded(settings.seed)
  const pauses = createPauses()
  const places = placesOf(settings)
  const isAlways = settings.delay !== undefined || settings.failureRate > 0

  const connections = new Map<string, Socket>()
  app.server.on('connection', (socket: Socket) => {
    const client = clientOf(socket)
    connections.set(client, socket)
    socket.once('close', () => connections.delete(client))
  })
  app.addConstraintStrategy({
    name: 'example',
    storage: () => new Map(),
    deriveConstraint: request => preferredBy(request)?.wanted.example,
    mustMatchWhenDerived: false
  })
  app.addHook('onRoute', route => {
    const place = places.find(({ url }) => url === route.url)
    if (place === undefined) return
    const start = starting(place)
    route.onRequest = [start, ...[route.onRequest ?? []].flat()]
    const { config } = route
    if (config?.refuse === undefined) return
    const { refuse } = config
    const started = promisify<FastifyRequest, FastifyReply, void>(start.bind(app) as never)
    config.refuse = (request, reply) => started(request, reply).then(() => refuse(request, reply))
  })
  app.connections.drain.whenBegun(pauses.end)
  app.addHook('preClose', done => {
    pauses.end()
    done()
  })

  return exampleNames.map(example => ({ select: examples[example].select, constraints: { example } }))

  function starting (place: Place): onRequestHookHandler {
    return (request, reply, done) => {
      const preferred = preferredBy(request.raw)
      if ((preferred === undefined && !(isAlways && place.isList)) || isPreflight(request)) return done()
      const plan = planOf(request, preferred?.wanted ?? {}, place)
      if (preferred !== undefined) heed(request, reply, preferred, place, plan)
      pauses.pause(plan.isSlow ? 0 : plan.milliseconds, request.raw, () => {
        // A fault waits for its turn, so that what was asked before on the same connection is answered.
        if (plan.fault !== undefined && reply.raw.socket === null) reply.raw.once('socket', proceed)
        else proceed()
      })

      function proceed (): void {
        const { fault, code, seconds } = plan
        if (fault !== undefined && isCut(fault)) {
          logCut(request, fault, plan.milliseconds)
          const socket = reply.hijack().raw.socket as Socket
          cuts[fault].cut(socket, connections.get(clientOf(socket)))
        } else if (code === undefined || !negotiated(request, place)) done()
        else done(errorOf(code, { request, seconds, limit: place.limit }))
      }
    }
  }

  /** What becomes of an answer: what its request prefers, or else what the settings say of lists. */
  function planOf ({ method }: FastifyRequest, wanted: Wanted, { isList }: Place): Plan {
    // Every answer of a list takes two numbers, whatever becomes of it, so that a run can be repeated.
    const [chance, place] = isList ? [random(), random()] : [1, Math.random()]
    const { delay = isList ? settings.delay : undefined, fault, code, 'retry-after': seconds = usualWait } = wanted
    const isSlow = fault === 'drip' && method !== 'HEAD'
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay ?? (isSlow ? [usualDrip, usualDrip] : [0, 0])
    const plan = { seconds, isSlow, milliseconds: Math.round(least + place * (most - least)) }
    if (fault !== undefined || code !== undefined || chance >= settings.failureRate) return { ...plan, fault, code }
    return chance < settings.failureRate / 2 ? { ...plan, code: '503', seconds: waitAfterFailure } : { ...plan, fault: 'reset' }
  }

  /** Takes the preferences out of a request, so that nothing behind knows of them, and has its answer say which were obeyed. */
  function heed (request: FastifyRequest, { raw }: FastifyReply, preferred: Preferred, { url, isList }: Place, plan: Plan): void {
    const { fault, milliseconds } = plan
    if (preferred.ignored !== '') app.journal.info(`ignored of ${request.method} ${url}: ${preferred.ignored}`)
    request.raw.url = preferred.target
    if (fault === 'malformed') delete request.headers['accept-encoding'] // it is JSON that is to break, not its coding
    sayWhatIsObeyed(request, raw, preferred, isList, (fields, length) => {
      if (fault === undefined || isCut(fault)) return
      fields['content-length'] = String(breaks[fault].announced(length))
      if (fault === 'malformed') delete fields['etag']
      if (fault === 'truncate') logCut(request, fault, milliseconds)
      breakBody(raw, fault, length, milliseconds, pauses)
    })
  }

  /** An answer that is cut is none that Fastify would tell of. */
  function logCut ({ method, originalUrl: url, ip }: FastifyRequest, fault: FaultName, ms: number): void {
    if (settings.logRequests) app.journal.info({ method, url, fault, ms, ip }, 'cut')
  }
}

/** Tells a connection apart from all others that are open, be it encrypted or not. */
const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Negotiates as a list does; false where that is an error, which comes before any other. A picture has errors of any form. */
function negotiated (request: FastifyRequest, { isList }: Place): boolean {
  const query = parseQuery(request.url.split(/\?(.*)/s)[1] ?? '')
  const negotiated = query === undefined ? undefined : negotiate(lastValue(query, 'format'), request.headers.accept)
  request.negotiated = typeof negotiated === 'object' ? negotiated : null
  return request.negotiated !== null || !isList
}
