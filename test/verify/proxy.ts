import type { FastifyInstance } from 'fastify'
import type { Answer, Ask, Asked } from '../../src/verify/ask.ts'

/** One answer on its way, to be altered. */
export type Exchange = {
  method: string
  path: string
  query: string
  asked: Asked['headers']
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

export type Alter = (exchange: Exchange) => void

/** What stands between a server and who asks it: alters its answers, or the targets that are passed on to it. */
export type Proxy = (alter: Alter, pass?: (target: string) => string) => Ask

/** Makes a proxy in front of an app. Honest answers are asked for once, however often they are altered, and altered once each time: `createClient` asks once too. */
export function createProxy (app: FastifyInstance): Proxy {
  const honest = new Map<string, Promise<Answer>>()

  function ask (asked: Asked, url: string): Promise<Answer> {
    const key = JSON.stringify([asked, url])
    const known = honest.get(key) ?? inject(asked, url)
    honest.set(key, known)
    return known
  }

  /** A HEAD is a GET whose body is dropped at the end, so that what alters a body alters its length too. */
  async function inject (asked: Asked, url: string): Promise<Answer> {
    const method = asked.method === 'HEAD' ? 'GET' : asked.method as 'GET'
    const { statusCode: status, headers, rawPayload: body } = await app.inject({ method, url, headers: { host: 'proxy.test', ...asked.headers } })
    return { asked, status, headers: headers as Answer['headers'], body }
  }

  async function change (asked: Asked, alter: Alter, pass: (target: string) => string): Promise<Answer> {
    const own = await ask(asked, pass(asked.target))
    const [path = '', query = ''] = asked.target.split(/\?(.*)/s)
    const { status, body } = own
    const headers = { ...own.headers } as Record<string, string>
    const exchange: Exchange = { method: asked.method, path, query, asked: asked.headers, status, headers, body }
    alter(exchange)
    if (exchange.body !== body) headers['content-length'] = String(Buffer.byteLength(exchange.body))
    const isSame = exchange.body === body && exchange.status === status && JSON.stringify(headers) === JSON.stringify(own.headers)
    const changed = isSame ? own : { ...own, status: exchange.status, headers, body: Buffer.from(exchange.body) }
    return asked.method === 'HEAD' ? { ...changed, body: Buffer.alloc(0) } : changed
  }

  return (alter, pass = target => target) => {
    const altered = new Map<string, Promise<Answer>>()
    return asked => {
      const key = JSON.stringify(asked)
      const known = altered.get(key) ?? change(asked, alter, pass)
      altered.set(key, known)
      return known
    }
  }
}
