import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { authenticate } from '../http/authentication.ts'
import { createReader, type Asked } from '../http/asked.ts'
import { conditional } from '../http/conditional.ts'
import { isPreflight, sendPreflight } from '../http/cors.ts'
import { errors } from '../http/errors.ts'
import { allowedMethods, knownMethods } from '../http/methods.ts'
import { formats } from '../http/negotiation.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { limit, type Limits } from '../http/rate-limit.ts'
import { createRepresentations } from '../http/representation.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { browsableList } from '../pages/browsable.ts'
import { resources, type Resource } from '../resources.ts'
import type { Settings } from '../settings.ts'
import { sendDocument } from './answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    asked: Asked | null
  }
}

type Options = { catalogue: Catalogue, settings: Settings, limits: Limits }

/** Adds the lists: a request is negotiated, authenticated, counted, its method checked, and its representation sent. */
export async function listRoutes (app: FastifyInstance, { catalogue, settings, limits }: Options) {
  const representation = createRepresentations(catalogue, browsableList)
  const read = createReader(settings)
  const lastModified = catalogue.updated.toUTCString()

  app.decorateRequest('asked', null)
  app.decorateRequest('client', '')

  for (const maxAge of new Set(resources.map(({ maxAge }) => maxAge))) {
    await app.register(async scope => {
      await scope.register(caching, maxAge === null ? { privacy: 'private, no-cache' } : { privacy: 'public', expiresIn: maxAge })
      scope.addHook('onSend', conditional)
      for (const resource of resources.filter(resource => resource.maxAge === maxAge)) {
        const { path, access } = resource
        const authentication = access === 'token' ? [requireToken] : []
        const rateLimit = settings.rateLimit ? [limit(access === 'token' ? limits.token : limits.address)] : []
        scope.route({
          method: knownMethods,
          url: path,
          onRequest: [describe, ask(resource), ...authentication, ...rateLimit, checkMethod(resource)],
          handler: send
        })
      }
    })
  }

  function ask (resource: Resource): onRequestHookHandler {
    return (request, reply, done) => {
      if (isPreflight(request)) return sendPreflight(reply)
      request.asked = request.negotiated = read(resource, request)
      done()
    }
  }

  async function requireToken (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = authenticate(request, app.tokens)
    if (typeof client === 'string') {
      request.client = client
      return
    }
    // Guessing tokens uses up the allowance of the address, but is told 401 all the same (decision R3).
    if (request.headers.authorization !== undefined) await limits.address(request, reply)
    throw client
  }

  function send (request: FastifyRequest, reply: FastifyReply) {
    const asked = request.asked as Asked
    const { body, type, etag } = representation(asked)
    if (asked.format === 'api') reply.headers(pageHeaders)
    reply.header('content-type', type)
    reply.header('etag', etag)
    reply.header('last-modified', lastModified)
    return reply.send(body)
  }
}

/** Says on every answer of the path, errors too, what it varies by and which methods it takes. */
const describe: onRequestHookHandler = (_, reply, done) => {
  reply.header('vary', 'Accept')
  reply.header('allow', allowedMethods)
  done()
}

function checkMethod (resource: Resource): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    if (request.method === 'OPTIONS') return sendDocument(request, reply, resource.name, metadata(resource))
    throw errors.methodNotAllowed(request.method)
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
