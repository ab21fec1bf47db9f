import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Current } from '../catalogue/current.ts'
import { isNotModified, readRange, tagOf } from '../http/conditional.ts'
import { errors } from '../http/errors.ts'
import { splitTarget } from '../http/target.ts'
import { roomFor } from '../settings/memory.ts'
import type { Settings } from '../settings/settings.ts'
import { negotiateNothing } from './answer.ts'

/** Bounds the memory that the bytes of pictures take. */
const cacheBytes = roomFor(16 * 2 ** 20)

/** The bytes of a picture, with a tag made from them. */
type Read = { bytes: Buffer, etag: string }

/** Serves the pictures of the catalogue below /media/, and no other file. */
export async function mediaRoutes (app: FastifyInstance, { current, settings }: { current: Current, settings: Settings }) {
  const folders = [settings.overlay ?? [], settings.data].flat()
  const read = await current.derive(() => new LRUCache<string, Read>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }, path) => bytes.length + path.length + 512,
    // Clients that want one picture at the same time share one reading of it.
    fetchMethod: path => readPicture(folders.map(folder => join(folder, path)))
  }))

  app.route({ method: ['GET', 'HEAD'], url: '/media/*', handler: send })

  async function send (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Of requests that a client sends without waiting for answers, only the one whose turn it is holds a picture. When the client
    // leaves before, the others are forgotten together with its connection.
    if (reply.raw.socket === null) await once(reply.raw, 'socket')
    const path = splitTarget(request.url).path as string // the router has decoded it
    const picture = current.catalogue().pictures.get(path.split('/').map(encodeURIComponent).join('/'))
    if (picture === undefined) {
      negotiateNothing(request)
      throw errors.notFound()
    }
    const { bytes, etag } = await read().forceFetch(path)
    const validators = { 'cache-control': 'public, max-age=604800', etag }
    if (isNotModified(request, etag)) return reply.code(304).headers(validators).send()
    const part = rangeOf(bytes, request, reply, etag)
    return reply.headers({ ...validators, 'accept-ranges': 'bytes', 'content-type': `image/${picture.format}` }).send(part)
  }
}

async function readPicture (files: readonly string[]): Promise<Read> {
  const file = files.find(file => existsSync(file)) ?? files.at(-1) as string
  const bytes = await readFile(file)
  return { bytes, etag: tagOf(bytes) }
}

/** The bytes that a request asks for, with what the answer says of them. */
function rangeOf (bytes: Buffer, { method, headers }: FastifyRequest, reply: FastifyReply, etag: string): Buffer {
  const isFresh = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = method === 'GET' && isFresh ? readRange(headers.range ?? '', bytes.length) : undefined
  if (range === undefined) return bytes
  if (range === null) throw errors.rangeNotSatisfiable(bytes.length)
  const { first, last } = range
  reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes.length}`)
  return bytes.subarray(first, last + 1)
}
