import caching from '@fastify/caching'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createSelect, type Plain } from '../http/coding.ts'
import { isNotModified, tagOf } from '../http/conditional.ts'
import { codedHeaders, pageHeaders } from '../http/headers.ts'
import type { Asset } from '../pages/assets.ts'
import type { Settings } from '../settings/settings.ts'
import { refuseMethod } from './answer.ts'

/** What is served beside the API: where it is, what it says of itself, and its text for a request's origin. */
export type Served = { path: string, headers: Readonly<Record<string, string>>, body: (origin: string) => string | Promise<string> }

const fiveMinutes = 'public, max-age=300'
export const oneDay = 'public, max-age=86400'
const forEver = 'public, max-age=31536000, immutable'

export function withHeaders (served: Served, headers: Served['headers']): Served {
  return { ...served, headers: { ...served.headers, ...headers } }
}

export function page (path: string, body: Served['body']): Served {
  return { path, headers: pageHeaders, body }
}

/** A file; without a caching of its own it is good for five minutes. */
export function file (path: string, type: string, body: Served['body'], caching?: string): Served {
  return { path, headers: { 'content-type': type, ...caching === undefined ? {} : { 'cache-control': caching } }, body }
}

/** A file whose address names its content, and so may be kept for ever. */
export function assetFile ({ path, type, body }: Asset): Served {
  return file(path, type, () => body, forEver)
}

/** A function that makes something when it is first asked for, and keeps it. */
export function once<T extends object | string> (make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Stands for the origin while a text is made; like an origin, it is the same in HTML and for a shell. */
const anyOrigin = 'http://origin.invalid'

/** A function that writes a text for an origin; the text is made once, when it is first asked for, and the last one is kept. */
export function forOrigins (make: (origin: string) => string): (origin: string) => string {
  const parts = once(() => make(anyOrigin).split(anyOrigin))
  let last = { origin: '', text: '' }
  return origin => {
    if (origin !== last.origin) last = { origin, text: parts().join(origin) }
    return last.text
  }
}

/** For how many origins each of them is kept. */
const maxOrigins = 4

/** The bytes of a text, with their tag and what else is said of them alone. */
type Sent = { body: Buffer, etag: string, fields: Readonly<Record<string, string>> }

/** Adds what is served with a strong ETag; it takes GET and HEAD, and nobody counts it. */
export async function serve (app: FastifyInstance, all: readonly Served[], { compress }: Pick<Settings, 'compress'>): Promise<void> {
  const common = compress ? codedHeaders : {}
  await app.register(caching, { privacy: fiveMinutes })
  const config = { refuse: refuseMethod({ ...common, allow: 'GET, HEAD' }) }
  for (const { path, headers, body } of all) {
    const find = createFind(body)
    const encode = (_: Sent, body: Buffer, fields: Sent['fields'] & { etag: string }) => ({ body, fields, etag: fields.etag })
    const select = compress ? createSelect<string, Sent>({ find, encode }) : find
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config,
      onRequest: (_, reply, done) => {
        reply.headers(common)
        done()
      },
      handler: async (request, reply) => {
        const { body, etag, fields } = await select(request.origin, request.headers['accept-encoding'])
        if (isNotModified(request, etag)) {
          return reply.code(304).headers({ 'cache-control': headers['cache-control'] ?? fiveMinutes, etag }).send()
        }
        return reply.headers({ ...headers, ...fields }).send(body)
      }
    })
  }
}

/** A function that makes the bytes and the tag of what is served for an origin, and keeps them as long as the text is the same. */
function createFind (textFor: Served['body']): (origin: string) => Promise<Plain<Sent>> {
  const kept = new LRUCache<string, Plain<Sent> & { text: string }>({ max: maxOrigins })
  return async origin => {
    const text = await textFor(origin)
    const known = kept.get(origin)
    if (known?.text === text) return known
    const body = Buffer.from(text)
    const etag = tagOf(body)
    const made = { text, body, etag, fields: { etag }, compressed: {} }
    kept.set(origin, made)
    return made
  }
}
