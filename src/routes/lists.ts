import caching, { type FastifyCachingPluginOptions } from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { authenticate } from '../http/authentication.ts'
import { createReader, type Asked } from '../http/asked.ts'
import { isNotModified } from '../http/conditional.ts'
import { isPreflight, sendPreflight } from '../http/cors.ts'
import { errors } from '../http/errors.ts'
import { knownMethods } from '../http/methods.ts'
import { formats } from '../http/negotiation.ts'
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

const otherMethods = knownMethods.filter(method => method !== 'GET' && method !== 'HEAD')

// The plugin is here for Cache-Control alone: it would look for the tags of a request among its own, and wait for that.
const noTags = { get: (_tag: unknown, done: (error: null) => void) => done(null), set: () => {} } as unknown as NonNullable<FastifyCachingPluginOptions['cache']>

type Options = { catalogue: Catalogue, settings: Settings, limits: Limits }

/** Adds the lists: a request is negotiated, authenticated, counted, its method checked, and its representation sent. */
export async function listRoutes (app: FastifyInstance, { catalogue, settings, limits }: Options) {
  const representation = createRepresentations(catalogue, browsableList)
  const read = createReader(settings)
  const lastModified = catalogue.updated.toUTCString()

  app.decorateRequest('asked', null)
  app.decorateRequest('client', '')

  for (const maxAge of new Set(resources.map(({ maxAge }) => maxAge))) {
    const cacheControl = maxAge === null ? 'private, no-cache' : `public, max-age=${maxAge}`
    await app.register(async scope => {
      await scope.register(caching, { privacy: cacheControl, cache: noTags })
      for (const resource of resources.filter(resource => resource.maxAge === maxAge)) {
        scope.route({ method: ['GET', 'HEAD'], url: resource.path, onRequest: checks(resource), handler: send(cacheControl) })
      }
    })
  }
  for (const resource of resources) {
    app.route({ method: otherMethods, url: resource.path, onRequest: [...checks(resource), describe(resource)], handler: () => {} })
  }

  /** What a request of a list has to pass before its method counts, in that order. */
  function checks (resource: Resource) {
    const isPublic = resource.access === 'public'
    const count = limit(isPublic ? limits.address : limits.token)
    return [ask(resource), ...isPublic ? [] : [requireToken], ...settings.rateLimit ? [count] : []]
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

  function send (cacheControl: string) {
    return (request: FastifyRequest, reply: FastifyReply) => {
      const { body, etag, headers } = representation(request.asked as Asked)
      if (isNotModified(request, etag)) return reply.code(304).header('cache-control', cacheControl).header('etag', etag).send()
      reply.header('etag', etag)
      reply.header('last-modified', lastModified)
      return reply.headers(headers).send(body)
    }
  }
}

/** Answers a method that gives no list: OPTIONS with what the list is, any other with 405. */
function describe (resource: Resource): onRequestHookHandler {
  return (request, reply) => {
    if (request.method !== 'OPTIONS') throw errors.methodNotAllowed(request.method)
    sendDocument(request, reply, resource.name, metadata(resource))
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
