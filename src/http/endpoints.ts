import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import { errors } from './errors.ts'
import { commonHeaders } from './headers.ts'
import { splitTarget } from './target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The headers of every response of a path, errors too; by default the common ones. */
    headers?: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** The endpoint of the path, whatever the method; undefined for an unknown path. */
    endpoint: Endpoint | undefined
  }
}

/** A path with all its routes. The headers and hooks are those of the first one; each hook is an async function. */
export type Endpoint = {
  /** As routes have it: `/media/*`. */
  url: string
  methods: string[]
  headers: Readonly<Record<string, string>>
  onRequest: readonly onRequestAsyncHookHandler[]
}

export type Endpoints = ReturnType<typeof createEndpoints>

/** Creates a table of the paths that have routes. */
export function createEndpoints () {
  const exact = new Map<string, Endpoint>()
  /** Those of one segment with a parameter or an asterisk after it, by the path before that. */
  const prefixes = new Map<string, Endpoint>()

  return {
    /** An onRoute hook. */
    add ({ url, method, config = {}, onRequest = [] }: RouteOptions): void {
      const [path = ''] = url.split(/[*:]/)
      const table = path === url ? exact : prefixes
      const hooks = [onRequest].flat() as onRequestAsyncHookHandler[]
      const endpoint = table.get(path) ?? { url, methods: [] as string[], headers: config.headers ?? commonHeaders, onRequest: hooks }
      endpoint.methods.push(...[method].flat())
      table.set(path, endpoint)
    },
    has: (path: string) => exact.has(path),
    find (target: string): Endpoint | undefined {
      const end = target.indexOf('?')
      const known = exact.get(end === -1 ? target : target.slice(0, end))
      if (known !== undefined) return known
      const { path = '' } = splitTarget(target)
      return prefixes.get(path.slice(0, path.indexOf('/', 1) + 1))
    },
    paths: () => exact.keys()
  }
}

/** Responds with 405 to a method that an endpoint does not have, unless one of its hooks responds first. */
export async function refuseMethod (app: FastifyInstance, { methods, onRequest }: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  for (const hook of onRequest) {
    await hook.call(app, request, reply)
    if (reply.sent) return
  }
  reply.headers({ allow: methods.join(', '), 'cache-control': 'no-store' })
  throw errors.methodNotAllowed(request.method)
}
