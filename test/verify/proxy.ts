import type { FastifyInstance } from 'fastify'
import type { HttpRequest, HttpResponse, Send } from '../../src/client/client.ts'
import { withCache, type CachedSend } from '../../src/verify/check.ts'

/** One response on its way, to be altered; `sent` are the headers of its request. */
export type Exchange = {
  method: string, path: string, query: string, sent: HttpRequest['headers']
  status: number, headers: Record<string, string>, body: string | Buffer
}

export type Alter = (exchange: Exchange) => void

/** Sends requests to an app; a GET for a HEAD, so that an altered body has its altered length, and whoever answers drops the body. */
export const injector = (app: FastifyInstance): Send => async request => {
  const method = request.method === 'HEAD' ? 'GET' : request.method as 'GET'
  const response = await app.inject({ method, url: request.target, headers: { host: 'proxy.test', ...request.headers } })
  return { request, status: response.statusCode, headers: response.headers as HttpResponse['headers'], body: response.rawPayload }
}

/** Stands between a server and its client: alters responses, or the targets of requests. */
export type Proxy = (alter: Alter, pass?: (target: string) => string) => CachedSend

/** Creates a proxy in front of an app, which gets each request once, however often its responses are altered. */
export function createProxy (app: FastifyInstance): Proxy {
  const honest = withCache(injector(app))

  return (alter, pass = target => target) => withCache(async request => {
    const own = await honest({ ...request, target: pass(request.target) })
    const [path = '', query = ''] = request.target.split(/\?(.*)/s)
    const { status, body } = own
    const headers = { ...own.headers } as Record<string, string>
    const exchange: Exchange = { method: request.method, path, query, sent: request.headers, status, headers, body }
    alter(exchange)
    if (exchange.body !== body) headers['content-length'] = String(Buffer.byteLength(exchange.body))
    const isSame = exchange.body === body && exchange.status === status && JSON.stringify(headers) === JSON.stringify(own.headers)
    if (isSame && request.method !== 'HEAD') return own
    return { request, status: exchange.status, headers, body: Buffer.from(request.method === 'HEAD' ? '' : exchange.body) }
  })
}
