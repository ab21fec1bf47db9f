import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { SettingsError } from '../settings/flags.ts'
import { errors } from './errors.ts'
import { commonHeaders, isPreflight, listHeadersOf, preflightHeaders } from './headers.ts'
import { negotiateRequest } from './negotiation.ts'
import { encodeUri, sentPath } from './target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The headers of every response of a path, errors too; by default the common ones. */
    headers?: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** The endpoint of the path, whatever the method; undefined for an unknown path. */
    readonly endpoint: Endpoint | undefined
  }
}

/** A path with all its routes. Its headers and hooks are those of the first route; each hook calls back. */
type Endpoint = {
  /** Its pattern, such as `/media/*`. */
  url: string
  methods: string[]
  headers: Readonly<Record<string, string>>
  onRequest: readonly onRequestHookHandler[]
}

export type Endpoints = ReturnType<typeof createEndpoints>

/** Creates a table of the paths that have routes. */
export function createEndpoints () {
  const exact = new Map<string, Endpoint>()
  /** Endpoints of one segment followed by a parameter or an asterisk, by the path before that. */
  const prefixes = new Map<string, Endpoint>()

  return {
    /** An onRoute hook. */
    add (route: RouteOptions): void {
      const { url, method, config, onRequest = [] } = route
      const path = url.replace(/[*:].*/, '')
      const table = path === url ? exact : prefixes
      const endpoint: Endpoint = table.get(path) ?? {
        url,
        methods: [],
        headers: config?.headers ?? commonHeaders,
        onRequest: [onRequest].flat() as onRequestHookHandler[]
      }
      endpoint.methods.push(...[method].flat())
      table.set(path, endpoint)
    },
    has: (path: string) => exact.has(path),
    find (request: FastifyRequest): Endpoint | undefined {
      const known = exact.get(sentPath(request.url))
      if (known !== undefined) return known
      const { path = '' } = request.target
      return prefixes.get(path.slice(0, path.indexOf('/', 1) + 1))
    },
    paths: () => [...exact.keys(), ...prefixes.keys()]
  }
}

type UnroutedOptions = { endpoints: Endpoints, basePath: string }

/** Answers requests without a route: a redirect if only the slash is missing, 405 for a known path, 404 for others. */
export const unrouted = fp(answerUnrouted, { name: 'unrouted', dependencies: ['requests'] })

async function answerUnrouted (app: FastifyInstance, { endpoints, basePath }: UnroutedOptions): Promise<void> {
  // A hook answers before Fastify parses a body, which could cause another error.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done()
    else if (endpoints.has(`${request.target.path}/`)) redirect(request, reply)
    else refuse(request, reply, done)
  })
  if (basePath !== '') app.addHook('onReady', async () => assertFreePath(basePath, endpoints.paths()))

  function redirect (request: FastifyRequest, reply: FastifyReply): void {
    // Browsers refuse a redirected preflight.
    if (isPreflight(request)) {
      reply.code(204).headers({ ...listHeadersOf(app.settings), ...preflightHeaders }).send()
      return
    }
    const { path, query } = request.target
    const location = `${basePath}${path}/${query === '?' ? '' : encodeUri(query)}`
    reply.code(301).header('location', location).type('text/html; charset=utf-8').send('')
  }

  /** Runs the hooks of the path, any of which may answer or refuse the request, and refuses the method. */
  function refuse (request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void {
    negotiateRequest(request)
    const { endpoint } = request
    if (endpoint === undefined) {
      done(errors.notFound())
      return
    }
    const { methods, onRequest } = endpoint
    const hooks = onRequest.values()
    next()

    function next (error?: Error): void {
      const { value: hook } = hooks.next()
      if (error !== undefined) done(error)
      else if (hook !== undefined) hook.call(app, request, reply, next)
      else {
        reply.headers({ allow: methods.join(', '), 'cache-control': 'no-store' })
        done(errors.methodNotAllowed(request.method))
      }
    }
  }
}

/** Refuses a base path with the first segment of one of the server's own paths. @throws {SettingsError} */
function assertFreePath (basePath: string, paths: Iterable<string>): void {
  const [, first] = basePath.split('/')
  const own = [...paths].find(path => path.split('/')[1] === first)
  if (own === undefined) return
  throw new SettingsError(`--public-url must not have the path ${basePath}: the server itself has ${own}`)
}
