import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Current } from '../catalogue/current.ts'
import { authenticate } from '../http/authentication.ts'
import { isNotModified } from '../http/conditional.ts'
import { isPreflight, preflightHeaders } from '../http/headers.ts'
import { errors, type ApiError } from '../http/errors.ts'
import { createIdle } from '../http/idle.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Line } from '../http/overload.ts'
import { readPreferences } from '../http/prefer.ts'
import type { Limits, Quota } from '../http/rate-limit.ts'
import { sendBody } from '../http/send.ts'
import { createRepresentations } from '../lists/kept.ts'
import { createMemory } from '../lists/memory.ts'
import { createReader, type Asked } from '../lists/question.ts'
import { createMaker, type Browsed, type Representation } from '../lists/representation.ts'
import { metadataOf, resources, type Resource } from '../lists/resources.ts'
import { selectionOf, type Selection } from '../lists/selection.ts'
import { strictFaults } from '../lists/strict.ts'
import { browsableList } from '../pages/browsable.ts'
import type { Settings } from '../settings/settings.ts'
import { logFault, sendObject } from './answer.ts'

/** What a stage gives back: nothing, or a promise where it waits for something. */
type Stage = void | Promise<unknown>

/** A plain list that is longer is warned of at start, in bytes. */
const longList = 64 * 2 ** 20

type Options = {
  current: Current
  settings: Settings
  limits: Limits | undefined
  line: Line
  /** What the lists hold in place of the catalogue's records, for the requests that these constraints let in. */
  other?: { select: (list: Selection) => Selection, constraints: Readonly<Record<string, string>> }
}

/** Adds the lists. What a request of a list passes stands here in that order; a stage that throws is answered with its error. */
export async function listRoutes (app: FastifyInstance, { current, settings, limits, line, other }: Options) {
  const tried = settings.simulate ? (await import('../pages/simulation.ts')).trials : undefined
  const browse = (browsed: Browsed) => browsableList(browsed, settings.tokenForm, tried)
  const whenIdle = createIdle(app)
  const memory = createMemory()
  const representations = await current.derive(async catalogue => {
    await selectionOf(catalogue).prepare()
    const made = createRepresentations(createMaker(catalogue, browse, settings, other?.select, memory), settings, line.inLine)
    whenIdle(made.prepareAll)
    return made
  })
  app.addHook('onReady', () => representations().prepareFirst().catch(() => {})) // who asks is told what cannot be made
  const read = createReader(settings, line.join)
  const sent = new WeakSet<Representation>()
  app.metrics?.tell('cache_bytes', () => Object.entries(representations().size()).map(([format, bytes]) => [bytes, format]))

  for (const resource of resources) {
    const isPublic = resource.access === 'public'
    const count = isPublic ? limits?.address : limits?.token
    if (settings.paginate !== 'always') warnOfLength(resource)

    const negotiated = (request: FastifyRequest, reply: FastifyReply): Stage => {
      if (isPreflight(request)) {
        reply.code(204).headers({ ...app.listHeaders, ...preflightHeaders }).send()
        return
      }
      const asked = request.negotiated = read(resource, request)
      const client = isPublic ? '' : authenticate(request, app.tokens)
      return typeof client === 'string' ? authenticated(request, reply, asked, client) : refuse(request, client)
    }

    const authenticated = (request: FastifyRequest, reply: FastifyReply, asked: Asked, client: string): Stage => {
      request.client = client
      return count === undefined ? admitted(request, reply, asked) : after(count(request), quota => counted(request, reply, asked, quota))
    }

    const counted = (request: FastifyRequest, reply: FastifyReply, asked: Asked, quota: Quota): Stage => {
      request.quota = quota
      if (quota.wait > 0) throw errors.throttled(quota.wait)
      return admitted(request, reply, asked)
    }

    const admitted = (request: FastifyRequest, reply: FastifyReply, asked: Asked): Stage => {
      const { method } = request
      if (method === 'GET' || method === 'HEAD') {
        const isStrict = request.headers.prefer !== undefined && prefersStrict(request.headers.prefer)
        if (isStrict) refuseIgnored(asked, reply)
        const found = representations().find(asked, request.headers['accept-encoding'])
        return after(found, found => {
          const status = send(request, reply, isStrict ? strictly(found) : found)
          if (app.metrics !== undefined) tell(app.metrics, request, found, status)
          app.answerLog?.(request, reply.raw)
        })
      }
      if (method !== 'OPTIONS') throw errors.methodNotAllowed(method)
      sendObject(request, reply, resource.name, metadataOf(resource))
    }

    const tell = (metrics: Metrics, { askedAt }: FastifyRequest, found: Representation, status: number): void => {
      metrics.answered(resource.path, status, status === 304 ? '304' : sent.has(found) ? 'kept' : 'made', askedAt)
      sent.add(found)
    }

    // A list is answered in onRequest, before Fastify looks at a body: it would refuse some (a Content-Type that is none, a QUERY
    // without one) whatever parsers there are. The handler, which a route has to have, is not reached.
    const constraints = other?.constraints ?? {}
    // Of the methods only these are routes, because routes for all that Node reads take a tenth of the start.
    const config = { refuse: (request: FastifyRequest, reply: FastifyReply) => negotiated(request, reply.headers(app.listHeaders)) }
    app.route({ method: ['GET', 'HEAD', 'OPTIONS'], url: resource.path, constraints, config, onRequest: negotiated, handler: negotiated })
  }

  function warnOfLength (resource: Resource): void {
    const length = representations().plainLength(resource)
    if (length <= longList) return
    app.journal.warn(`${resource.path} is about ${Math.round(length / 1e6)} MB without a page; --paginate always makes every list a page`)
  }

  /** Guessing tokens uses up the allowance of the address, but is told 401 all the same (decision R3). */
  async function refuse (request: FastifyRequest, error: ApiError): Promise<never> {
    if (limits !== undefined && request.headers.authorization !== undefined) request.quota = await limits.address(request)
    throw error
  }
}

/**
 * Sends a representation, or 304, and gives the status. Everything about it is known, down to the length, so it goes past Fastify's
 * reply, which costs 6 to 10 % of the CPU time of a request.
 */
function send (request: FastifyRequest, reply: FastifyReply, representation: Representation): number {
  const { body, etag, headers, notModified } = representation
  const isKnown = isNotModified(request, etag)
  const { raw } = reply.hijack()
  const own = isKnown ? notModified : headers
  const status = isKnown ? 304 : 200
  raw.writeHead(status, request.quota === null ? [...own] : withQuota(own, request.quota))
  if (isKnown || request.method === 'HEAD') raw.end()
  else sendBody(raw, body, error => logFault(error, request))
  return status
}

function prefersStrict (header: string | string[]): boolean {
  return readPreferences(String(header)).get('handling') === 'strict'
}

/** Throws the 400 of a question of which a part would be ignored. */
function refuseIgnored (asked: Asked, reply: FastifyReply): void {
  reply.header('preference-applied', 'handling=strict')
  const faults = strictFaults(asked)
  if (faults !== undefined) throw errors.badParameters(faults)
}

/** The same answer, but for this client only: the contract's Vary does not name Prefer. */
function strictly ({ headers, notModified, ...rest }: Representation): Representation {
  const own = (headers: readonly string[]) => [
    ...headers.map((text, index) => headers[index - 1] === 'cache-control' ? 'private, no-cache' : text),
    'preference-applied', 'handling=strict'
  ]
  return { ...rest, headers: own(headers), notModified: own(notModified) }
}

function withQuota (headers: readonly string[], { limit, remaining, reset }: Quota): string[] {
  return [...headers, 'x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining), 'x-ratelimit-reset', String(reset)]
}

/** Goes on with a value: at once where it is there, because a promise costs turns of the queue. */
function after<T> (value: T | Promise<T>, next: (value: T) => Stage): Stage {
  return value instanceof Promise ? value.then(next) : next(value)
}
