import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { List } from '../../schemas/responses.ts'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import { authenticate } from '../http/authentication.ts'
import { errors, type ApiError } from '../http/errors.ts'
import { isNotModified, isPreflight, listHeadersOf, preflightHeaders, setHeaders } from '../http/headers.ts'
import { isStrict } from '../http/prefer.ts'
import { rateLimitHeaders, rateLimitHooks, type Limits } from '../http/rate-limit.ts'
import { sendBody } from '../http/body.ts'
import type { Settings } from '../settings/settings.ts'
import { createResponseCache } from './cache.ts'
import type { RecordSerialiser } from './compile.ts'
import type { FilterErrors } from './filter.ts'
import { estimateLength } from './serialise.ts'
import { createListRequestParser, type ListRequest } from './request.ts'
import { createRenderer, type PageContent, type Representation } from './renderer.ts'
import { metadataOf, resources, servedResource, type Resource } from './resources.ts'
import { createListReader, type ListReader } from './reader.ts'
import { strictErrors } from './strict.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every list. */
    listRequest: ListRequest
    /** Replaces the records of a list in one response, with the cause; only a simulation sets it. */
    example?: { select: (reader: ListReader) => ListReader, cause: string }
    /** The errors of invalid preferences, by their parameters or the header Prefer. */
    preferenceErrors?: FilterErrors
  }
  interface FastifyInstance {
    /** Returns the content of the form of a list for an invalid request; only routes of lists have it. */
    formOf?: (request: FastifyRequest) => Pick<PageContent, 'listRequest' | 'page' | 'summaryOf'> | undefined
  }
}

/** Longer unpaged lists cause a warning at startup, in bytes. */
const longList = 64 * 2 ** 20

type ListOptions = {
  current: LiveCatalogue
  settings: Settings
  limits: Limits
  renderPage: (content: PageContent) => string
  sendObject: (request: FastifyRequest, reply: FastifyReply, title: string, content: object) => FastifyReply
}

export async function listRoutes (app: FastifyInstance, options: ListOptions) {
  const { current, settings, limits, renderPage, sendObject } = options
  const lists = await current.derive(catalogue => {
    const reader = createListReader(catalogue)
    const parse = createListRequestParser(settings, catalogue)
    const responsesOf = (reader: ListReader, simulated?: string) => {
      const render = (content: PageContent) => renderPage({ ...content, simulated })
      const renderer = createRenderer(catalogue, reader, render, settings)
      return createResponseCache(renderer, settings)
    }
    return { reader, parse, responses: responsesOf(reader), responsesOf }
  })
  const answered = new WeakSet<Representation>()
  app.decorate('formOf', ({ listRequest }) => {
    const summaryOf = (field: string) => lists().reader.summaryOf(listRequest.resource, field)
    return (listRequest as ListRequest | undefined) && { listRequest, page: undefined, summaryOf }
  })
  app.metrics?.addGauge({
    name: 'cache_bytes',
    help: 'Memory of cached lists.',
    labelNames: ['cache'],
    read () {
      const sizes = Object.entries(lists().responses.size())
      return sizes.map(([cache, bytes]) => [bytes, { cache }])
    }
  })

  const config = { headers: listHeadersOf(settings) }
  for (const resource of resources) {
    const { key, path: url, access } = resource
    const schema = { response: { 200: List(contractOf(key, settings.fitnessName).items) } }
    if (servedResource(resource, settings, current.catalogue()).paginate !== 'always') warnOfLength(resource)
    const read = (request: FastifyRequest) => {
      request.listRequest = lists().parse(resource, request)
      request.negotiated = request.listRequest
    }
    const negotiate: onRequestHookHandler = (request, _, done) => {
      read(request)
      done()
    }
    const forwardList = (request: FastifyRequest, reply: FastifyReply) => {
      const isOwn = request.example !== undefined
      if (!isOwn && app.forward !== undefined) return app.forward(request, reply)
      read(request)
      return sendList(request, reply)
    }
    const onRequest = access === 'public'
      ? [negotiate, ...rateLimitHooks(limits?.address)]
      : [negotiate, authenticateClient, ...rateLimitHooks(limits?.token)]
    const answerOptions = (request: FastifyRequest, reply: FastifyReply) => {
      sendObject(request, reply, resource.shortName, metadataOf(resource))
    }

    if (app.forward !== undefined) {
      app.route({ method: ['GET', 'HEAD'], url, config, schema, handler: forwardList })
      const onRequest = [answerPreflight, app.forward] // before Fastify parses a body, which it may refuse
      app.route({ method: 'OPTIONS', url, config, onRequest, handler: app.forward })
      continue
    }
    app.route({ method: ['GET', 'HEAD'], url, config, schema, onRequest, handler: sendList })
    app.route({
      // A hook answers before Fastify parses a body, which it may refuse.
      method: 'OPTIONS', url, config, onRequest: [answerPreflight, ...onRequest, answerOptions], handler: answerOptions
    })
  }

  function authenticateClient (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const client = authenticate(request, app.tokens)
    if (typeof client === 'string') {
      request.client = client
      done()
      return
    }
    const reject = () => rejectToken(request, reply, client, done)
    // Guessing tokens counts against the rate limit of the address, but the answer is always 401 (contract D29).
    if (limits === undefined || request.headers.authorization === undefined) reject()
    else {
      limits.address(request, rateLimit => {
        reply.headers(rateLimitHeaders(rateLimit))
        reject()
      })
    }
  }

  /**
   * Responds with 401, or as the service did; a service that was recorded without the need for a token needs none here.
   */
  function rejectToken (
    request: FastifyRequest, reply: FastifyReply, error: ApiError, done: (error?: Error) => void
  ): void {
    const { format, resource } = request.listRequest
    const kind = error.message === errors.notAuthenticated().message ? 'missing' : 'invalid'
    const { responses } = lists()
    if (resource.source.form.openTo?.includes(kind) === true) {
      request.client = request.ip
      done()
      return
    }
    const refusal = format === 'api' ? undefined : responses.verbatim(request.listRequest, kind)
    if (refusal === undefined) done(error)
    else sendRepresentation(request, reply, refusal)
  }

  function sendList (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { listRequest } = request
    if (isStrict(request)) assertStrict(request, reply)
    const { reader, responses, responsesOf } = lists()
    const { example } = request
    const own = example === undefined ? responses : responsesOf(example.select(reader), example.cause)
    const head = request.method === 'HEAD' ? own.verbatim(listRequest, 'HEAD') : undefined
    if (head !== undefined) return sendRepresentation(request, reply, head)
    const serialiserOf = () => reply.getSerializationFunction('200') as RecordSerialiser
    const representation = own.get(listRequest, request.headers['accept-encoding'], serialiserOf)
    if (app.metrics !== undefined) {
      request.source = answered.has(representation) ? 'cached' : 'made'
      answered.add(representation)
    }
    return sendRepresentation(request, reply, representation)
  }

  /** Throws 400 for a request with ignored or invalid parameters. */
  function assertStrict (request: FastifyRequest, reply: FastifyReply): void {
    reply.header('preference-applied', 'handling=strict')
    const invalid = strictErrors(request.listRequest, request.preferenceErrors)
    if (invalid !== undefined) throw errors.badParameters(invalid)
  }

  function warnOfLength (resource: Resource): void {
    const records = current.catalogue()[resource.key]
    const length = estimateLength(records.length, index => records[index] as object)
    if (length <= longList) return
    const megabytes = Math.round(length / 1e6)
    app.logger.warn(`${resource.path} is about ${megabytes} MB unpaged. Use --paginate always to serve lists in pages.`)
  }
}

function answerPreflight (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (isPreflight(request)) reply.code(204).headers(preflightHeaders).send()
  else done()
}

/** Headers of a 200 that its 304 lacks (RFC 9110, 15.4.5). */
const withoutContent = {
  'content-type': null, 'content-length': null, 'content-encoding': null, 'content-security-policy': null,
  'last-modified': null
}

/** Sends a response, or 304 to a client that has it. */
function sendRepresentation (
  request: FastifyRequest, reply: FastifyReply, representation: Representation
): FastifyReply {
  const { status, body, headers } = representation
  const isKnown = status === 200 && isNotModified(request, String(headers.etag))
  setHeaders(reply.code(isKnown ? 304 : status), headers)
  if (isKnown) setHeaders(reply, withoutContent)
  // The contract's Vary does not name Prefer.
  if (reply.hasHeader('preference-applied')) reply.header('cache-control', 'private, no-cache')
  return isKnown ? reply.send() : sendBody(request, reply, body)
}
