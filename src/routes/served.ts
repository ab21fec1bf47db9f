import { createHash } from 'node:crypto'
import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from '../http/conditional.ts'
import { errors } from '../http/errors.ts'
import { knownMethods } from '../http/methods.ts'
import { pageHeaders } from '../http/page-headers.ts'
import type { Asset } from '../pages/assets.ts'
import { negotiateNothing } from './answer.ts'

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

/** Gives a function that writes a text for an origin; it is made once, when it is first asked for. */
export function forOrigins (make: (origin: string) => string): (origin: string) => string {
  const parts = once(() => make(anyOrigin).split(anyOrigin))
  return origin => parts().join(origin)
}

/** Adds what is served with a strong ETag; it takes GET and HEAD, and nobody counts it. */
export async function serve (app: FastifyInstance, all: readonly Served[]): Promise<void> {
  await app.register(caching, { privacy: fiveMinutes })
  for (const { path, headers, body } of all) {
    const represent = representation()
    app.route({
      method: knownMethods,
      url: path,
      onRequest: checkMethod,
      handler: async (request, reply) => {
        const { bytes, etag } = represent(await body(request.origin))
        if (isNotModified(request, etag)) {
          return reply.code(304).headers({ 'cache-control': headers['cache-control'] ?? fiveMinutes, etag }).send()
        }
        return reply.headers({ ...headers, etag }).send(bytes)
      }
    })
  }
}

/** A function that makes the bytes and the tag of a text, and keeps those of the last one. */
function representation () {
  let last = { text: '', bytes: Buffer.alloc(0), etag: '' }
  return (text: string) => {
    if (last.etag !== '' && text === last.text) return last
    const digest = createHash('sha256').update(text).digest('base64url')
    last = { text, bytes: Buffer.from(text), etag: `"${digest.slice(0, 27)}"` }
    return last
  }
}

function checkMethod (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.method === 'GET' || request.method === 'HEAD') return done()
  negotiateNothing(request)
  reply.header('allow', 'GET, HEAD')
  throw errors.methodNotAllowed(request.method)
}
