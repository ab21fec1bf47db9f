import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { List } from '../../schemas/responses.ts'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import { errors } from '../http/errors.ts'
import { allowedMethods, listHeadersOf } from '../http/headers.ts'
import { isStrict } from '../http/prefer.ts'
import { addRateLimit, type Limits } from '../http/rate-limit.ts'
import { sendStored } from '../http/stored.ts'
import { addAuthentication } from './authentication.ts'
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
  limits: Limits
  renderPage: (content: PageContent) => string
  sendObject: (request: FastifyRequest, reply: FastifyReply, title: string, content: object) => FastifyReply
}

export async function listRoutes (app: FastifyInstance, options: ListOptions) {
  const { settings } = app
  const { current, limits, renderPage, sendObject } = options
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
  const addRoutes = app.forward === undefined ? serve : forwardTo(app.forward)
  for (const resource of resources) {
    if (servedResource(resource, settings, current.catalogue()).paginate !== 'always') warnOfLength(resource)
    const schema = { response: { 200: List(contractOf(resource.key, settings.fitnessName).items) } }
    await app.register(async list => addRoutes(list, resource, schema))
  }

  /** Adds the routes of a list. Only hooks answer other methods than GET, because Fastify may refuse their bodies. */
  function serve (list: FastifyInstance, resource: Resource, schema: FastifySchema): void {
    const { path: url, access } = resource
    list.addHook('onRequest', (request, _reply, done) => {
      negotiate(request, resource)
      done()
    })
    if (access === 'token') {
      addAuthentication(list, limits, (request, credentials) => lists().responses.verbatim(request, credentials))
    }
    addRateLimit(list, access === 'token' ? limits?.token : limits?.address)

    const answerOptions = (request: FastifyRequest, reply: FastifyReply) => {
      sendObject(request, reply, resource.shortName, metadataOf(resource))
    }
    list.route({ method: ['GET', 'HEAD'], url, config, schema, handler: sendList })
    list.route({ method: 'OPTIONS', url, config, onRequest: answerOptions, handler: answerOptions })
    const others = METHODS.filter(method => !allowedMethods.includes(method))
    for (const method of others) if (!list.supportedMethods.includes(method)) list.addHttpMethod(method)
    const refuse = ({ method }: FastifyRequest) => { throw errors.methodNotAllowed(method) }
    list.route({ method: others, url, config, onRequest: refuse, handler: refuse })
  }

  /** Returns a function that adds the routes of a list of a service; only its simulated examples are this server's. */
  function forwardTo (forward: Exclude<FastifyInstance['forward'], undefined>): typeof serve {
    return (list, resource, schema) => {
      const { path: url } = resource
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        if (request.example === undefined) return forward(request, reply)
        negotiate(request, resource)
        return sendList(request, reply)
      }
      list.route({ method: ['GET', 'HEAD'], url, config, schema, handler })
      list.route({ method: 'OPTIONS', url, config, onRequest: forward, handler: forward })
    }
  }

  function negotiate (request: FastifyRequest, resource: Resource): void {
    request.listRequest = lists().parse(resource, request)
    request.negotiated = request.listRequest
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

function sendRepresentation (
  request: FastifyRequest, reply: FastifyReply, representation: Representation
): FastifyReply {
  if (!reply.hasHeader('preference-applied')) return sendStored(request, reply, representation)
  // The contract's Vary does not name Prefer.
  const headers = { ...representation.headers, 'cache-control': 'private, no-cache' }
  return sendStored(request, reply, { ...representation, headers })
}
