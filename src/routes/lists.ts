import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Current } from '../catalogue/live.ts'
import { authenticate } from '../http/authentication.ts'
import { errors, type ApiError } from '../http/errors.ts'
import { isNotModified, isPreflight, preflightHeaders } from '../http/headers.ts'
import type { AssertCapacity } from '../http/overload.ts'
import { isStrict } from '../http/prefer.ts'
import { limit, rateLimitHeaders, type Limits } from '../http/rate-limit.ts'
import { respond, send, toFields, type Response } from '../http/send.ts'
import { createResponseCache } from '../lists/cache.ts'
import { estimateLength } from '../lists/records.ts'
import { createListRequestParser, type ListRequest } from '../lists/request.ts'
import { createRenderer, type PageContent, type Representation } from '../lists/renderer.ts'
import { metadataOf, resources, type Resource } from '../lists/resources.ts'
import { strictErrors } from '../lists/strict.ts'
import { browsableList } from '../site/browsable.ts'
import type { Settings } from '../settings/settings.ts'
import { hookOf, sendObject, simulationOf, type Check } from './answer.ts'

/** Longer plain lists cause a warning at start, in bytes. */
const longList = 64 * 2 ** 20

type Options = { current: Current, settings: Settings, limits: Limits, assertCapacity: AssertCapacity }

export async function listRoutes (app: FastifyInstance, { current, settings, limits, assertCapacity }: Options) {
  const simulation = simulationOf(app)
  const renderPage = (content: PageContent) => browsableList(content, settings, simulation?.tryItPanel)
  const representations = await current.derive(catalogue =>
    createResponseCache(createRenderer(catalogue, renderPage, settings), settings, assertCapacity))
  const examples = await current.derive(catalogue => simulation?.createExamples(select =>
    createResponseCache(createRenderer(catalogue, renderPage, settings, select), settings, assertCapacity)))
  const read = createListRequestParser(settings)
  const sendResponse = settings.simulate ? send : respond // only the reply's hooks simulate
  const answered = new WeakSet<Representation>()
  app.metrics?.addGauge({
    name: 'cache_bytes', help: 'Memory of cached lists.', labelNames: ['cache'],
    read: () => Object.entries(representations().size()).map(([cache, bytes]) => [bytes, { cache }])
  })

  for (const resource of resources) {
    const { path: url } = resource
    if (settings.paginate !== 'always') warnOfLength(resource)
    const check = checkOf(resource)
    // Routes for all methods that Node parses would take a tenth of the start, and Fastify knows only some of them.
    const answerOtherMethods = async (request: FastifyRequest) => {
      await check(request)
      throw errors.methodNotAllowed(request.method)
    }
    app.route({ method: ['GET', 'HEAD'], url, config: { answerOtherMethods }, onRequest: hookOf(check), handler: answerList })
    // A hook answers before Fastify parses a body, which it may refuse.
    app.options(url, { onRequest: [answerPreflight, hookOf(check), answerOptions] }, answerOptions)
  }

  /** Returns a function that negotiates, authenticates and counts a request of any method. */
  function checkOf (resource: Resource): Check {
    const isPublic = resource.access === 'public'
    const count = isPublic ? limits?.address : limits?.token
    return request => {
      const listRequest = read(resource, request)
      request.listRequest = listRequest
      request.negotiated = listRequest
      if (!isPublic) {
        const client = authenticate(request, app.tokens)
        if (typeof client !== 'string') return rejectToken(request, client)
        request.client = client
      }
      if (count !== undefined) return limit(request, count)
    }
  }

  /** Guessing tokens counts against the rate limit of the address, but the answer is always 401 (contract D29). */
  async function rejectToken (request: FastifyRequest, error: ApiError): Promise<never> {
    if (limits !== undefined && request.headers.authorization !== undefined) request.rateLimit = await limits.address(request)
    throw error
  }

  function answerList (request: FastifyRequest, reply: FastifyReply): unknown {
    const listRequest = listRequestOf(request)
    const hasStrict = isStrict(request)
    const simulated = simulation?.simulatedOf(request)
    if (hasStrict) {
      reply.header('preference-applied', 'handling=strict')
      const invalid = strictErrors(listRequest, simulated?.preferred.faults)
      if (invalid !== undefined) throw errors.badParameters(invalid)
    }
    const note = listRequest.format === 'api' ? simulation?.noteOf(request) : undefined
    const asked = note === undefined ? listRequest : { ...listRequest, note, key: `${listRequest.key} ${JSON.stringify(note)}` }
    const { find } = (simulated && examples()?.(simulated.plan)) ?? representations()
    // Truncates JSON, not its coding.
    const accepted = simulated?.plan.fault === 'malformed' ? undefined : request.headers['accept-encoding']
    const found = find(asked, accepted, () => request.socket.destroyed)
    return found instanceof Promise ? found.then(answer) : answer(found)

    function answer (found: Representation): FastifyReply | void {
      request.source = answered.has(found) ? 'cached' : 'made'
      if (app.metrics !== undefined) answered.add(found)
      return sendResponse(request, reply, responseOf(request, hasStrict ? withStrictHeaders(found) : found))
    }
  }

  function warnOfLength (resource: Resource): void {
    const records = current.catalogue()[resource.key]
    const length = estimateLength(records.length, index => records[index] as object)
    if (length <= longList) return
    app.logger.warn(`${resource.path} is about ${Math.round(length / 1e6)} MB without a page; --paginate always makes every list a page`)
  }
}

function answerPreflight (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (isPreflight(request)) reply.code(204).headers({ ...request.server.listHeaders, ...preflightHeaders }).send()
  else done()
}

async function answerOptions (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { resource } = listRequestOf(request)
  return sendObject(request, reply, resource.shortName, metadataOf(resource))
}

/** Returns the list request of a request, which its check has read. */
const listRequestOf = (request: FastifyRequest) => request.getDecorator<ListRequest>('listRequest')

/** Returns the response with a representation, or 304. */
function responseOf (request: FastifyRequest, { body, etag, headers, notModified }: Representation): Response {
  const limits = request.rateLimit === null ? [] : rateLimitHeaders(request.rateLimit)
  if (isNotModified(request, etag)) return { status: 304, headers: [...notModified, ...limits], body: undefined }
  return { status: 200, headers: [...headers, ...limits], body }
}

/** Makes a response private, because the contract's Vary does not name Prefer. */
function withStrictHeaders ({ headers, notModified, ...rest }: Representation): Representation {
  const own = (headers: readonly string[]) =>
    Object.entries({ ...toFields(headers), 'cache-control': 'private, no-cache', 'preference-applied': 'handling=strict' }).flat()
  return { ...rest, headers: own(headers), notModified: own(notModified) }
}
