import { Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import replyFrom from '@fastify/reply-from'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { baseReplacer } from '../catalogue/recorded/queries.ts'
import { proxyFor } from '../client/proxy.ts'
import { ApiError } from '../http/errors.ts'
import { corsHeaders, isJsonType, listHeadersOf, sandbox } from '../http/headers.ts'
import type { Settings } from '../settings/settings.ts'
import { isDecodable, rewriteBody } from './links.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Responds with the response of the real service; undefined without the setting `upstream`. */
    forward?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
}

/** Headers about a connection (RFC 9110, 7.6.1). */
const connectionHeaders = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** Headers of the service about its connection or its origin, and a lifetime, which would hide rules. */
const droppedHeaders = [
  ...connectionHeaders, 'connection', 'proxy-authenticate',
  'set-cookie', 'strict-transport-security', 'alt-svc', 'expires'
]

const droppedRequestHeaders = [...connectionHeaders, 'proxy-authorization']

/** Headers whose value may be a link. */
const linkHeaders = ['location', 'content-location', 'link']

/** A response of the service, as @fastify/reply-from hands it over. */
type ServiceResponse = { headers: IncomingHttpHeaders, stream: IncomingMessage }

/** Forwards lists and images to the service at the setting `upstream`, and its links to this server. Stores nothing. */
export const upstream = fp<{ settings: Settings }>(async (app, { settings }) => {
  const { upstreamTimeout } = settings
  const base = settings.upstream as string
  const toOrigin = baseReplacer([base, base.replace(/^https?/, scheme => scheme === 'http' ? 'https' : 'http')])
  const agent = agentOf(new URL(base))
  await app.register(replyFrom, {
    disableRequestLogging: true,
    destroyAgent: true,
    http: {
      agents: { 'http:': agent, 'https:': agent as SecureAgent },
      requestOptions: { timeout: upstreamTimeout, rejectUnauthorized: true }
    }
  })
  app.decorate('forward', (request, reply) => {
    const [path] = request.url.split('?')
    return reply.from(base + path, {
      retryDelay: () => null, // clients decide whether to retry
      rewriteRequestHeaders: (_, headers) => without(headers, droppedRequestHeaders),
      rewriteHeaders: headers => forwardedHeaders(headers, text => toOrigin(text, request.origin)),
      onResponse: (_request, _reply, response: unknown) => send(request, reply, response as ServiceResponse),
      onError: (_reply, { error }) => reply.send(upstreamError(error, base))
    })
  })

  function send (request: FastifyRequest, reply: FastifyReply, { headers, stream }: ServiceResponse): FastifyReply {
    for (const name of Object.keys(listHeadersOf(settings))) {
      if (!(name in headers)) reply.removeHeader(name)
    }
    reply.headers(corsHeaders).header('cache-control', 'no-cache')
    const { 'content-type': type = '', 'content-encoding': coding } = headers
    if (!isJsonType(type)) reply.header('content-security-policy', sandboxed(headers))
    const hasLinks = isJsonType(type) || type.startsWith('text/html')
    if (!hasLinks || !isDecodable(coding)) return reply.send(stream)
    reply.removeHeader('content-length').removeHeader('content-encoding')
    if (request.method === 'HEAD') return reply.send(stream)
    return reply.send(rewriteBody(stream, coding, {
      replace: text => toOrigin(text, request.origin),
      toError: error => upstreamError(error, base)
    }))
  }
}, { name: 'upstream', dependencies: ['requests'] })

/** Returns the agent of the environment's proxy for a URL, or one that keeps connections open. */
function agentOf (url: URL): Agent {
  const options = { keepAlive: true }
  return proxyFor(url) ?? (url.protocol === 'https:' ? new SecureAgent(options) : new Agent(options))
}

/** Returns the policy of a page, under which no script runs on the origin of this server. */
function sandboxed ({ 'content-security-policy': policy }: IncomingHttpHeaders): string {
  const own = sandbox['content-security-policy']
  return policy === undefined ? own : `${policy}, ${own}`
}

/** Returns the headers that a client gets, with links to this server; CORS headers are those of this server. */
function forwardedHeaders (headers: IncomingHttpHeaders, replace: (text: string) => string): IncomingHttpHeaders {
  const listed = headers.connection?.toLowerCase().split(',').map(name => name.trim()) ?? []
  const ownCors = Object.keys(headers).filter(name => name.startsWith('access-control-'))
  const kept = without(headers, [...droppedHeaders, ...listed, ...ownCors])
  for (const name of linkHeaders) {
    const value = kept[name]
    if (typeof value === 'string') kept[name] = replace(value)
  }
  return kept
}

function without (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name))
  return Object.fromEntries(kept)
}

/** Returns an error of this server, which the service did not send: 504 if the time is up, otherwise 502. */
function upstreamError (error: Error & { statusCode?: number }, base: string): ApiError {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException
  const isLate = error.statusCode === 504
  const reason = isLate ? 'no response in time' : code
  const origin = 'This error comes from this server, not from the service.'
  return new ApiError(isLate ? 504 : 502, `The upstream service ${base} is unavailable: ${reason}. ${origin}`)
}
