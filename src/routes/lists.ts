import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { authenticate } from '../http/authentication.ts'
import { createReader, type Asked } from '../lists/question.ts'
import { isNotModified } from '../http/conditional.ts'
import { isPreflight, preflightHeaders } from '../http/cors.ts'
import { errors, type ApiError } from '../http/errors.ts'
import { listHeaders } from '../http/headers.ts'
import { knownMethods } from '../http/methods.ts'
import { formats } from '../http/negotiation.ts'
import { sendBody } from '../http/send.ts'
import { limit, tellQuota, type Limits } from '../http/rate-limit.ts'
import { createRepresentations, type Representation } from '../lists/representation.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { browsableList } from '../pages/browsable.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { sendObject } from './answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    asked: Asked | null
  }
}

const otherMethods = knownMethods.filter(method => method !== 'GET' && method !== 'HEAD')

type Options = { catalogue: Catalogue, settings: Settings, limits: Limits | undefined }

/** Adds the lists: a request is negotiated, authenticated, counted, its method checked, and its representation sent. */
export async function listRoutes (app: FastifyInstance, { catalogue, settings, limits }: Options) {
  const representation = createRepresentations(catalogue, browsableList)
  const read = createReader(settings)

  app.decorateRequest('asked', null)

  for (const resource of resources) {
    app.route({ method: ['GET', 'HEAD'], url: resource.path, onRequest: checks(resource), handler: send })
    app.route({ method: otherMethods, url: resource.path, onRequest: [...checks(resource), describe(resource)], handler: send }) // answered before
  }

  /** What a request of a list has to pass before its method counts, in that order. */
  function checks (resource: Resource) {
    const isPublic = resource.access === 'public'
    const counted = limits === undefined ? [] : [limit(isPublic ? limits.address : limits.token)]
    return [ask(resource), ...isPublic ? [] : [requireToken], ...counted]
  }

  function ask (resource: Resource): onRequestHookHandler {
    return (request, reply, done) => {
      if (isPreflight(request)) return reply.code(204).headers({ ...listHeaders, ...preflightHeaders }).send()
      request.asked = request.negotiated = read(resource, request)
      done()
    }
  }

  function requireToken (request: FastifyRequest, reply: FastifyReply, done: () => void): void | Promise<never> {
    const client = authenticate(request, app.tokens)
    if (typeof client !== 'string') return refuse(request, reply, client)
    request.client = client
    done()
  }

  /** Guessing tokens uses up the allowance of the address, but is told 401 all the same (decision R3). */
  async function refuse (request: FastifyRequest, reply: FastifyReply, error: ApiError): Promise<never> {
    if (limits !== undefined && request.headers.authorization !== undefined) tellQuota(reply, await limits.address(request))
    throw error
  }

  /** Sends a representation, or 304, past Fastify's reply: everything about it is known, down to the length. */
  function send (request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const found = representation(request.asked as Asked)
    return found instanceof Promise ? found.then(send) : send(found)

    function send ({ body, etag, headers, notModified }: Representation): void {
      const isKnown = isNotModified(request, etag)
      const { raw } = reply.hijack()
      const quota = Object.entries(reply.getHeaders() as Record<string, string>).flat()
      raw.writeHead(isKnown ? 304 : 200, [...isKnown ? notModified : headers, ...quota])
      if (isKnown || request.method === 'HEAD') raw.end()
      else sendBody(raw, body)
    }
  }
}

/** Answers a method that gives no list: OPTIONS with what the list is, any other with 405. */
function describe (resource: Resource): onRequestHookHandler {
  return (request, reply) => {
    if (request.method !== 'OPTIONS') throw errors.methodNotAllowed(request.method)
    sendObject(request, reply, resource.name, metadata(resource))
  }
}

/** DRF's SimpleMetadata of a list (reference, "Methods and OPTIONS"). */
function metadata ({ name }: Resource) {
  return {
    name,
    description: '',
    renders: Object.values(formats),
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  }
}
