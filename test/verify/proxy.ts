import type { FastifyInstance } from 'fastify'
import type { HttpRequest, HttpResponse, Send } from '../../src/client/client.ts'

/** One response on its way, to be altered; `sent` are the headers of its request, `turn` counts the requests so far. */
export type Exchange = {
  method: string, path: string, query: string, sent: HttpRequest['headers'], turn: number
  status: number, headers: Record<string, string>, body: string | Buffer
}

export type Alter = (exchange: Exchange) => void

/** Sends requests to an app; a HEAD as a GET, so that an altered body has its length. The proxy drops the body. */
export const injector = (app: FastifyInstance): Send => async request => {
  const method = request.method === 'HEAD' ? 'GET' : request.method as 'GET'
  const response = await app.inject({
    method,
    url: request.target,
    headers: { host: 'proxy.test', ...request.headers }
  })
  return {
    request,
    status: response.statusCode,
    headers: response.headers as HttpResponse['headers'],
    body: response.rawPayload
  }
}

/** Stands between a server and its client: alters responses, or the targets of requests. */
export type Proxy = (alter: Alter, pass?: (target: string) => string) => Send

/** Creates a proxy in front of an app, which gets each request once, however often its responses are altered. */
export function createProxy (app: FastifyInstance): Proxy {
  const inject = injector(app)
  const known = new Map<string, HttpResponse>()

  return (alter, pass = target => target) => {
    let turn = 0
    return async request => {
      const sent = { ...request, target: pass(request.target) }
      const key = JSON.stringify(sent)
      const own = known.get(key) ?? await inject(sent)
      known.set(key, own)
      const [path = '', query = ''] = request.target.split(/\?(.*)/s)
      const headers = { ...own.headers } as Record<string, string>
      const exchange: Exchange = {
        method: request.method,
        path,
        query,
        sent: request.headers,
        turn: ++turn,
        status: own.status,
        headers,
        body: own.body
      }
      alter(exchange)
      if (exchange.body !== own.body) headers['content-length'] = String(Buffer.byteLength(exchange.body))
      return {
        request,
        status: exchange.status,
        headers,
        body: Buffer.from(request.method === 'HEAD' ? '' : exchange.body)
      }
    }
  }
}
