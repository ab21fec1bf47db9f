import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Image } from '../catalogue/catalogue.ts'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { errors } from '../http/errors.ts'
import { commonHeaders, tagOf } from '../http/headers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { sendStored } from '../http/stored.ts'
import { cacheSize } from '../base/memory.ts'

/** The same images for the pages of this server, so that a simulation applies to those of apps only. */
const pagesOnly = '/thumbnails/*'

/** Lets pages of other origins show images even if they isolate themselves (Cross-Origin-Embedder-Policy). */
const mediaHeaders = { ...commonHeaders, 'cross-origin-resource-policy': 'cross-origin' }

type ImageBytes = Awaited<ReturnType<typeof readImage>>

/** Serves the images of the catalogue, and no other files, below /media/. */
export async function mediaRoutes (app: FastifyInstance, { current }: { current: LiveCatalogue }) {
  const folders = [app.settings.overlay, app.settings.data].filter(folder => typeof folder === 'string')
  const read = await current.derive(() => new LRUCache<string, ImageBytes>({
    maxSize: cacheSize(16 * 2 ** 20),
    sizeCalculation: ({ bytes }, path) => bytes.length + path.length + 512,
    ignoreFetchAbort: true, // an image evicted while it is read is still sent
    // Concurrent requests for an image share one read.
    fetchMethod: path => readImage(folders.map(folder => join(folder, path)))
  }))

  const config = { headers: mediaHeaders }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/media/*', config, handler: app.forward ?? send })
  app.route({ method, url: pagesOnly, config, handler: send })

  function send (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    // The router has decoded it.
    const path = (request.target.path as string).replace(/^\/thumbnails\//, '/media/')
    const { images, recordedFrom } = current.catalogue()
    const address = path.split('/').map(encodeURIComponent).join('/')
    const image = images.get(address)
    if (image === undefined) {
      // Recorded bodies may have links to images that were not downloaded.
      if (recordedFrom !== undefined) {
        return reply.header('cache-control', 'no-store').redirect(recordedFrom.replace(/\/*$/, address))
      }
      negotiateRequest(request)
      throw errors.notFound()
    }
    const cache = read()
    const known = cache.get(path)
    if (known !== undefined) return sendImage(request, reply, image, known)
    return cache.forceFetch(path).then(file => sendImage(request, reply, image, file))
  }

  function sendImage (
    request: FastifyRequest, reply: FastifyReply, { format }: Image, { bytes, etag }: ImageBytes
  ): FastifyReply {
    const headers = {
      'cache-control': 'public, max-age=604800',
      'last-modified': current.catalogue().updated.toUTCString(), // the time of the file differs between copies
      'content-type': `image/${format}`,
      etag
    }
    return sendStored(request, reply, { status: 200, headers, body: bytes })
  }
}

async function readImage (files: readonly string[]) {
  const file = files.find(file => existsSync(file)) ?? files.at(-1) as string
  const bytes = await readFile(file)
  return { bytes, etag: tagOf(createHash('sha256').update(bytes)) }
}
