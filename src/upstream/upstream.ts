import { randomBytes } from 'node:crypto'
import {
  Agent, request as httpRequest, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage
} from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { clearTimeout, setTimeout } from '../base/timers.ts'
import { proxyFor } from '../client/proxy.ts'
import { baseReplacer } from '../http/base-urls.ts'
import { ApiError, errors } from '../http/errors.ts'
import { corsHeaders, isJsonType, listHeadersOf, sandbox } from '../http/headers.ts'
import { readHeaderLine } from '../settings/kinds.ts'
import { isDecodable, rewrittenPieces } from './links.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Responds with the response of the real service; undefined without the setting `upstream`. */
    forward?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  }
}

/** Headers about a connection (RFC 9110, 7.6.1). */
const connectionHeaders = [
  'connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'
]

const droppedRequestHeaders = [
  ...connectionHeaders,
  'host', // the service's own
  'expect', 'content-length', 'content-type', 'content-encoding', // there is no body
  'cookie', // of other apps on this host, because browsers don't separate cookies by port
  'proxy-authorization', // for a proxy in front of this server
  'range', 'if-range' // a part of a body whose links change would not fit the rest
]

const droppedHeaders = [
  ...connectionHeaders,
  'proxy-authenticate', // of a proxy between this server and the service
  'set-cookie', 'set-cookie2', // would be sent to all apps on this host
  'clear-site-data', // would delete the data of this origin, and cookies of the whole host
  'strict-transport-security', 'alt-svc', // about the host of the service
  'service-worker-allowed', // would let a script of the service control this origin
  'refresh', // would lead a page away from this server
  'nel', 'report-to', 'reporting-endpoints', // would have browsers report requests of this origin to others
  'expires' // would hide rules
]

/** Headers whose value may be a link. */
const linkHeaders = ['location', 'content-location', 'link']

/** Forwards lists and images to the service at the setting `upstream`, and its links to this server. Stores nothing. */
export const upstream = fp(async app => {
  const { settings } = app
  const { upstreamTimeout, upstreamHeader = [] } = settings
  const base = settings.upstream as string
  const url = new URL(base)
  const basePath = url.pathname.replace(/\/$/, '')
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const agent = agentOf(url)
  const toOrigin = baseReplacer([base, base.replace(/^https?/, scheme => scheme === 'http' ? 'https' : 'http')])
  const gatewayHeaders = Object.fromEntries(upstreamHeader.map(readHeaderLine))
  /** Names this server in `Via`; another one in front of the same service has another name. */
  const pseudonym = `bicycle-catalogue-${randomBytes(6).toString('hex')}`
  app.decorate('forward', forward)
  app.addHook('onClose', async () => agent.destroy())

  async function forward (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (reply.raw.destroyed) return reply.hijack() // Fastify calls a handler after a hook whose response broke
    const { via = '' } = request.headers
    if (leavesBase(request.target.path as string)) throw errors.notFound()
    if (via.includes(pseudonym)) throw serviceError(508, 'loop_detected', 'leads back to this server')
    let outgoing = open(request)
    let response: IncomingMessage | undefined
    let cause: string | undefined
    const abort = (error?: Error) => (response ?? outgoing).destroy(error)
    const expire = () => abort(new Error(late))
    let timer = setTimeout(expire, upstreamTimeout)
    reply.raw.once('close', () => {
      clearTimeout(timer)
      if (reply.raw.writableFinished) return
      abort()
      cause ??= 'the client left'
      if (settings.logRequests) logCut(request, reply, cause)
    })

    try {
      while (response === undefined) {
        response = await responseTo(outgoing).catch((error: NodeJS.ErrnoException) => {
          // The service closed a kept connection while the request was on its way.
          const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET'
          if (!isStale || cause !== undefined) throw error
          outgoing = open(request)
          return undefined
        })
      }
      const { statusCode: status = 0 } = response
      if (status < 200 || status > 599) throw new Error(`status ${status}`)
      const headers = responseHeaders(response, request.origin)
      const pieces = bodyOf(request, response, headers)[Symbol.asyncIterator]()
      const first = await pieces.next()
      clearTimeout(timer)
      for (const name of Object.keys(listHeadersOf(settings))) reply.removeHeader(name)
      reply.code(status).headers(headers)
      return reply.send(first.done ? undefined : Readable.from(sent(first, pieces)))
    } catch (error) {
      abort() // a response that nobody reads
      // Without a response, nobody sees a status.
      return cause === undefined ? reply.send(unavailable(reasonOf(error as Error))) : reply.hijack()
    }

    /** Yields the pieces of a body, of which an error breaks the response. The timeout runs while the service sends. */
    async function * sent (piece: IteratorResult<Buffer>, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
      try {
        while (!piece.done) {
          yield piece.value
          timer = setTimeout(expire, upstreamTimeout)
          piece = await pieces.next()
          clearTimeout(timer)
        }
      } catch (error) {
        if (cause === undefined) {
          cause = reasonOf(error as Error)
          if (request.recorded !== undefined) request.recorded.cut = cause
        }
        throw unavailable(cause) // for a simulation that collects the body
      } finally {
        abort() // a body that nobody reads to its end
      }
    }
  }

  function open (request: FastifyRequest): ClientRequest {
    return send(url, {
      agent,
      method: request.method,
      path: basePath + request.url,
      headers: requestHeaders(request),
      rejectUnauthorized: true
    })
  }

  /**
   * Returns the headers of a request without those of its connection and body, with only the content codings in which
   * links can be replaced, and with the headers for a gateway.
   */
  function requestHeaders ({ headers, raw }: FastifyRequest): IncomingHttpHeaders {
    const { via, 'accept-encoding': codings } = headers
    const marker = `${raw.httpVersion} ${pseudonym}`
    const kept = without(headers, droppedRequestHeaders)
    if (typeof codings === 'string') {
      const decodable = codings.split(',').filter(coding => isDecodable(nameOf(coding)))
      kept['accept-encoding'] = decodable.join(',')
    }
    return {
      ...kept,
      ...gatewayHeaders,
      via: via === undefined ? marker : `${via}, ${marker}`
    }
  }

  /** Returns the headers that a client gets, with links to this server; CORS headers are those of this server. */
  function responseHeaders ({ statusCode, headers }: IncomingMessage, origin: string): IncomingHttpHeaders {
    const kept = without(headers, droppedHeaders)
    for (const name of Object.keys(kept)) if (name.startsWith('access-control-')) delete kept[name]
    if (statusCode === 204) delete kept['content-length'] // RFC 9110, 8.6
    for (const name of linkHeaders) {
      const value = kept[name]
      if (typeof value === 'string') kept[name] = toOrigin(withHost(value), origin)
    }
    const exposed = corsHeaders['access-control-expose-headers'].split(', ')
    const exposedByService = headers['access-control-expose-headers']?.split(',') ?? []
    const names = [...exposed, ...exposedByService].map(name => name.trim())
    Object.assign(kept, corsHeaders, {
      'access-control-expose-headers': [...new Set(names)].join(', '),
      'cache-control': 'no-cache'
    })
    if (isJsonType(kept['content-type'] ?? '')) return kept
    // No script of the service runs on the origin of this server.
    const policies = [kept['content-security-policy'], sandbox['content-security-policy']]
    kept['content-security-policy'] = policies.filter(Boolean).join(', ')
    return kept
  }

  /** Returns a link that may lack its host or scheme, which are those of the service. */
  function withHost (link: string): string {
    if (!link.startsWith('/')) return link
    return link.startsWith('//') ? url.protocol + link : url.origin + link
  }

  /** Returns the pieces of a body; removes the headers that are not true of a body whose links change. */
  function bodyOf (
    request: FastifyRequest, response: IncomingMessage, headers: IncomingHttpHeaders
  ): AsyncIterable<Buffer> {
    const { 'content-type': type = '' } = headers
    const coding = nameOf(headers['content-encoding'] ?? '')
    const hasLinks = isJsonType(type) || /^text\/html\b/i.test(type)
    if (!hasLinks || !isDecodable(coding)) return response
    delete headers['content-length']
    delete headers['content-encoding']
    const isEmpty = request.method === 'HEAD' || response.statusCode === 304
    if (isEmpty) return response
    return rewrittenPieces(response, coding, text => toOrigin(text, request.origin))
  }

  function unavailable (reason: string): ApiError {
    const { statusCode, code } = reason === late ? errors.gatewayTimeout() : errors.badGateway()
    return serviceError(statusCode, code, `is unavailable: ${reason}`)
  }

  /** Returns an error of this server, which the service did not send. */
  function serviceError (status: number, code: string, text: string): ApiError {
    const origin = 'This error comes from this server, not from the service.'
    return new ApiError(status, code, `The upstream service ${base} ${text}. ${origin}`)
  }

  /** Logs a response that did not end, for which onResponse hooks don't run. */
  function logCut (request: FastifyRequest, reply: FastifyReply, cause: string): void {
    const { method, originalUrl: url, ip } = request
    const { elapsedTime: ms, raw } = reply
    const status = raw.headersSent ? reply.statusCode : undefined
    app.logger.info({ method, url, status, ms, ip, cut: true, cause }, 'cut')
  }
}, { name: 'upstream', dependencies: ['requests'] })

/** Returns the agent of the environment's proxy for a URL, or one that keeps connections open. */
function agentOf (url: URL): Agent {
  const options = { keepAlive: true }
  return proxyFor(url) ?? (url.protocol === 'https:' ? new SecureAgent(options) : new Agent(options))
}

/** Returns whether a service may take a path for one outside its base path; some take `\` for `/`, or drop `;`. */
function leavesBase (path: string): boolean {
  return /[/\\]\.\.?(?:$|[/\\;])/.test(path)
}

/** The reason of a 504. */
const late = 'no response in time'

const reasonOf = (error: Error & { code?: string }) => error.code ?? error.message

/** Sends a request, and returns its response. */
function responseTo (outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('status 101'))
    })
    outgoing.end()
  })
}

/** Returns the name of a content coding, which may have a weight. */
const nameOf = (coding: string): string => coding.replace(/;.*/, '').trim().toLowerCase()

/** Returns headers without some, and without those that `Connection` names. */
function without (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  const nominated = headers.connection?.toLowerCase().split(',').map(name => name.trim()) ?? []
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name) && !nominated.includes(name))
  return Object.fromEntries(kept)
}
