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
import { sendStored, type StoredResponse } from '../http/stored.ts'
import { cacheSize } from '../base/memory.ts'

/** The same images for the pages of this server, so that a simulation applies to those of apps only. */
const pagesOnly = '/thumbnails/*'

/** Lets pages of other origins show images even if they isolate themselves (Cross-Origin-Embedder-Policy). */
const mediaHeaders = { ...commonHeaders, 'cross-origin-resource-policy': 'cross-origin' }

type StoredImage = Pick<StoredResponse, 'status' | 'headers'> & { body: Buffer }

/** Serves the images of the catalogue, and no other files, below /media/. */
export async function mediaRoutes (app: FastifyInstance, { current }: { current: LiveCatalogue }) {
  const folders = [app.settings.overlay, app.settings.data].filter(folder => typeof folder === 'string')
  const responses = await current.derive(({ updated }) => new LRUCache<string, StoredImage, Image>({
    maxSize: cacheSize(16 * 2 ** 20),
    sizeCalculation: ({ body }, path) => body.length + path.length + 1024,
    ignoreFetchAbort: true, // an image evicted while it is read is still sent
    // Concurrent requests for an image share one read.
    async fetchMethod (path, _known, { context: { format } }) {
      const files = folders.map(folder => join(folder, path))
      const body = await readFile(files.find(file => existsSync(file)) ?? files.at(-1) as string)
      const headers = {
        'cache-control': 'public, max-age=604800',
        'last-modified': updated.toUTCString(), // the time of the file differs between copies
        'content-type': `image/${format}`,
        etag: tagOf(createHash('sha256').update(body))
      }
      return { status: 200, headers, body }
    }
  }))

  const config = { headers: mediaHeaders }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/media/*', config, handler: app.forward ?? send })
  app.route({ method, url: pagesOnly, config, handler: send })

  function send (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    // The router has decoded it.
    const path = (request.target.path as string).replace(/^\/thumbnails\//, '/media/')
    const known = responses().get(path)
    if (known !== undefined) return sendStored(request, reply, known)
    const { images, recordedFrom } = current.catalogue()
    const address = path.split('/').map(encodeURIComponent).join('/')
    const image = images.get(address)
    if (image === undefined) {
      // Recorded bodies may have links to images that were not downloaded.
      if (recordedFrom !== undefined && URL.canParse(recordedFrom)) {
        const { href } = new URL(recordedFrom)
        return reply.header('cache-control', 'no-store').redirect(href.replace(/\/*$/, address))
      }
      negotiateRequest(request)
      throw errors.notFound()
    }
    return responses().forceFetch(path, { context: image }).then(response => sendStored(request, reply, response))
  }
}
