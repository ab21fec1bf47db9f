import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isNotModified } from '../http/conditional.ts'
import { errors } from '../http/errors.ts'
import { splitTarget } from '../http/paths.ts'
import { readRange } from '../http/range.ts'
import type { Settings } from '../settings/settings.ts'
import { negotiateNothing } from './answer.ts'

type Picture = { bytes: Buffer, etag: string, type: string }

const types = new Map(Object.entries({ '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp', '.avif': 'image/avif', '.png': 'image/png' }))

/** A path below /media/ whose names are neither hidden nor lead out of it. */
const ownPath = /^\/media(?:\/[^/\\.\0][^/\\\0]*)+$/

/** What a path has that leads to no file. */
const missing: unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']

/** Bounds the memory that pictures take, in bytes. */
const cacheBytes = 16 * 2 ** 20

/** Serves the pictures of the data directory below /media/, with tags made from their bytes. */
export async function mediaRoutes (app: FastifyInstance, { settings }: { settings: Settings }) {
  const kept = new LRUCache<string, Picture>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }, path) => bytes.length + path.length + 512,
    // Clients that want one picture at the same time share one reading of it.
    fetchMethod: path => readPicture(join(settings.data, path), types.get(extname(path)))
  })

  app.route({ method: ['GET', 'HEAD'], url: '/media/*', handler: send })

  async function send (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Of requests that a client sends without waiting for answers, only the one whose turn it is holds a picture. When the client
    // leaves before, the rest is forgotten together with its connection.
    if (reply.raw.socket === null) await once(reply.raw, 'socket')
    const { path = '' } = splitTarget(request.url)
    const picture = ownPath.test(path) ? await kept.fetch(path) : undefined
    if (picture === undefined) {
      negotiateNothing(request)
      throw errors.notFound()
    }
    const { bytes, etag, type } = picture
    const validators = { 'cache-control': 'public, max-age=604800', etag }
    if (isNotModified(request, etag)) return reply.code(304).headers(validators).send()
    const part = partOf(bytes, request, reply, etag)
    return reply.headers({ ...validators, 'accept-ranges': 'bytes', 'content-type': type }).send(part)
  }
}

/** The bytes that a request asks for, with what the answer says of them. */
function partOf (bytes: Buffer, { method, headers }: FastifyRequest, reply: FastifyReply, etag: string): Buffer {
  const isFresh = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = method === 'GET' && isFresh ? readRange(headers.range ?? '', bytes.length) : undefined
  if (range === undefined) return bytes
  if (range === null) throw errors.rangeNotSatisfiable(bytes.length)
  const { first, last } = range
  reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes.length}`)
  return bytes.subarray(first, last + 1)
}

/** Reads a picture; undefined when there is none. */
async function readPicture (file: string, type: string | undefined): Promise<Picture | undefined> {
  if (type === undefined) return undefined
  try {
    if (!(await stat(file)).isFile()) return undefined
    const bytes = await readFile(file)
    return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
  } catch (error) {
    if (missing.includes((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}
