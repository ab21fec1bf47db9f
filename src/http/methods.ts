import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions, onRequestHookHandler } from 'fastify'
import { errors } from './errors.ts'

/** Every method of a request that Node parses; it detaches the connection of a CONNECT. */
const methods = METHODS.filter(method => method !== 'CONNECT')

/** Lets Fastify route every method. */
export function routeAllMethods (app: FastifyInstance): void {
  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
}

type OtherMethods = Pick<RouteShorthandOptions, 'config'> & { url: string, allow: string, onRequest?: onRequestHookHandler[] }

/** Adds the route of the methods that a path does not allow: 405, unless one of the hooks throws another error. */
export function refuseOtherMethods (app: FastifyInstance, { url, allow, onRequest = [], config = {} }: OtherMethods): void {
  const refuse = ({ method }: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ allow, 'cache-control': 'no-store' })
    throw errors.methodNotAllowed(method)
  }
  const allowed = allow.split(', ')
  // The hook responds before Fastify parses a body, which it may reject.
  const method = methods.filter(method => !allowed.includes(method))
  app.route({ method, url, config, onRequest: [...onRequest, refuse], handler: refuse })
}
