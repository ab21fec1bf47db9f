import type {
  FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions
} from 'fastify'
import fp from 'fastify-plugin'
import { SettingsError } from '../settings/flags.ts'
import { errors, type ApiError } from './errors.ts'
import { isPreflight, listHeadersOf, preflightHeaders } from './headers.ts'
import { negotiateRequest } from './negotiation.ts'
import { encodeUri, sentPath } from './target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The headers of every response of a path, errors too; by default the common ones. */
    headers?: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** The endpoint of the path; undefined for an unknown path. */
    readonly endpoint: Endpoint | undefined
  }
}

/** The properties of a path for every method; a route has them in its `config`. */
type Endpoint = Pick<FastifyContextConfig, 'headers'> & {
  /** Its pattern, such as `/media/*`. */
  url: string
}

/** An endpoint with the methods of all its routes, and the headers of the first. */
type KnownEndpoint = Endpoint & { methods: string[] }

export type Endpoints = ReturnType<typeof createEndpoints>

/** Creates a table of the paths that have routes, for requests without a route. */
export function createEndpoints () {
  const exact = new Map<string, KnownEndpoint>()
  /** Endpoints of one segment followed by a parameter or an asterisk, by the path before that. */
  const prefixes = new Map<string, KnownEndpoint>()

  return {
    /** An onRoute hook. */
    add (route: RouteOptions): void {
      const { url, method, config } = route
      const path = url.replace(/[*:].*/, '')
      const table = path === url ? exact : prefixes
      const endpoint: KnownEndpoint = table.get(path) ?? { ...config, url, methods: [] }
      endpoint.methods.push(...[method].flat())
      table.set(path, endpoint)
    },
    has: (path: string) => exact.has(path),
    find (request: FastifyRequest): KnownEndpoint | undefined {
      const known = exact.get(sentPath(request.url))
      if (known !== undefined) return known
      const { path = '' } = request.target
      return prefixes.get(path.slice(0, path.indexOf('/', 1) + 1))
    },
    paths: () => [...exact.keys(), ...prefixes.keys()]
  }
}

type UnroutedOptions = { endpoints: Endpoints, basePath: string }

/**
 * Answers preflights, and requests without a route: a redirect if only the slash is missing, 405 for a known path, 404
 * for others.
 */
export const unrouted = fp(answerUnrouted, { name: 'unrouted', dependencies: ['requests'] })

async function answerUnrouted (app: FastifyInstance, { endpoints, basePath }: UnroutedOptions): Promise<void> {
  // A hook answers before Fastify parses a body, which could cause another error.
  app.addHook('onRequest', (request, reply, done) => {
    const { is404 } = request
    const lacksSlash = is404 && endpoints.has(`${request.target.path}/`)
    // Browsers refuse a redirected preflight.
    if (isPreflight(request) && (lacksSlash || !is404)) {
      reply.code(204).headers({ ...listHeadersOf(app.settings), ...preflightHeaders }).send()
    } else if (lacksSlash) redirect(request, reply)
    else if (is404) done(refusal(request, reply))
    else done()
  })
  if (basePath !== '') app.addHook('onReady', async () => assertFreePath(basePath, endpoints.paths()))

  function redirect (request: FastifyRequest, reply: FastifyReply): void {
    const { path, query } = request.target
    const location = `${basePath}${path}/${query === '?' ? '' : encodeUri(query)}`
    reply.code(301).header('location', location).type('text/html; charset=utf-8').send('')
  }

  function refusal (request: FastifyRequest, reply: FastifyReply): ApiError {
    negotiateRequest(request)
    const endpoint = endpoints.find(request)
    if (endpoint === undefined) return errors.notFound()
    reply.header('allow', endpoint.methods.join(', '))
    return errors.methodNotAllowed(request.method)
  }
}

/** Refuses a base path with the first segment of one of the server's own paths. @throws {SettingsError} */
function assertFreePath (basePath: string, paths: Iterable<string>): void {
  const [, first] = basePath.split('/')
  const own = [...paths].find(path => path.split('/')[1] === first)
  if (own === undefined) return
  throw new SettingsError(`--public-url must not have the path ${basePath}: the server itself has ${own}`)
}
