import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { codedHeaders, commonHeaders, pageHeaders, tagOf } from '../http/headers.ts'
import type { Limits } from '../http/rate-limit.ts'
import { errors } from '../http/errors.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { createStore, sendStored } from '../http/stored.ts'
import { homePage } from './home.ts'
import { assets } from './layout.ts'
import { version } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { sendJson } from './responses.ts'

type FileHeaders = Readonly<Record<string, string>>

/**
 * An HTML page or file: its path, its headers, and its content; that of a page may contain the origin of the request.
 */
type Served = { path: string, headers: FileHeaders, content: Content }

type Content = (() => string | Buffer) | { ofOrigin: (origin: string) => string }

/** The default max-age, in seconds. */
const fiveMinutes = 300
const oneDay = { 'cache-control': 'public, max-age=86400' }
/** For files with a hash of their content in the URL. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

const page = (path: string, content: Content): Served => ({ path, headers: pageHeaders, content })

function file (path: string, type: string, content: Content, headers: FileHeaders = {}): Served {
  return { path, headers: { 'content-type': type, ...headers }, content }
}

/** Returns all HTML pages except lists and documents, and their assets. */
function servedOf (current: LiveCatalogue, settings: Settings): Served[] {
  const basePath = basePathOf(settings)
  const disallowed = settings.tokenForm ? ['/api/', '/tokens/'] : ['/api/']
  const robots = `User-agent: *\n${disallowed.map(path => `Disallow: ${basePath}${path}\n`).join('')}`
  const served = [
    page('/', { ofOrigin: origin => homePage(current.catalogue(), origin, settings) }),
    file('/robots.txt', 'text/plain; charset=utf-8', () => robots, oneDay)
  ]
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    served.push(file(path, assets.mark.type, () => assets.mark.body, oneDay))
  }
  for (const { path, type, body } of Object.values(assets)) served.push(file(path, type, () => body, forEver))
  return served
}

/** Reads the documents and the files that they link to, by path. */
async function readServedDocuments (settings: Settings): Promise<ReadonlyMap<string, Served>> {
  const { documentPage, readDocuments } = await import('./documents.ts')
  const documents = readDocuments()
  const served: Served[] = []
  for (const [path, document] of documents.pages) {
    served.push(page(path, () => documentPage(document, documents, settings)))
  }
  for (const [path, place] of documents.files) {
    const type = path.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8'
    served.push(file(path, type, () => readFileSync(place)))
  }
  return new Map(served.map(one => [one.path, one]))
}

/** Adds routes for GET and HEAD with a strong ETag and without a rate limit. */
export async function siteRoutes (app: FastifyInstance, { current }: { current: LiveCatalogue }) {
  const { settings } = app
  const config = settings.compress ? { headers: { ...commonHeaders, ...codedHeaders } } : {}
  // Sets Cache-Control (no-store for errors) unless a handler does.
  // Its `reply.etag()` isn't used, because it shares tags between paths.
  await app.register(caching, { privacy: caching.privacy.PUBLIC, expiresIn: fiveMinutes })
  const store = await current.derive(() => createStore(8 * 2 ** 20, settings.compress))
  for (const served of servedOf(current, settings)) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, served)
    app.route({ method: ['GET', 'HEAD'], url: served.path, config, handler })
  }
  for (const format of ['json', 'yaml']) {
    const url = `/openapi.${format}`
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { readOpenApi, readOpenApiYaml } = await import('../openapi/document.ts')
      const served = file(url, `application/${format}`, () => {
        const server = [settings, current.catalogue()] as const
        return format === 'yaml' ? readOpenApiYaml(...server) : JSON.stringify(readOpenApi(...server))
      })
      return send(request, reply, served)
    }
    app.route({ method: ['GET', 'HEAD'], url, config, handler })
  }
  let documents: ReturnType<typeof readServedDocuments> | undefined
  for (const url of ['/docs/', '/docs/*', '/changelog/', '/versioning/']) {
    app.route({ method: ['GET', 'HEAD'], url, config, handler: sendDocument })
  }

  async function sendDocument (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { path = '', query } = request.target
    const all = await readOnce()
    const served = all.get(path)
    if (served !== undefined) return send(request, reply, served)
    if (all.has(`${path}/`)) return reply.redirect(`${basePathOf(settings)}${path}/${query}`, 301)
    negotiateRequest(request)
    throw errors.notFound()
  }

  /**
   * Reads the documents at the first request, because parsing Markdown would delay the start; after a failure, at the
   * next one.
   */
  async function readOnce (): ReturnType<typeof readServedDocuments> {
    try {
      return await (documents ??= readServedDocuments(settings))
    } catch (error) {
      documents = undefined
      throw error
    }
  }

  /** Sends a page or file, which is made once, or once for an origin that it contains. */
  function send (request: FastifyRequest, reply: FastifyReply, { path, headers, content }: Served): FastifyReply {
    const { origin, headers: { 'accept-encoding': accepted } } = request
    const key = typeof content === 'object' ? `${path} ${origin}` : path
    const stored = store().get({ identity: key, br: `br ${key}`, gzip: `gzip ${key}` }, accepted, () => {
      const body = Buffer.from(typeof content === 'object' ? content.ofOrigin(origin) : content() as string)
      const etag = tagOf(createHash('sha256').update(body))
      const own = { 'cache-control': `public, max-age=${fiveMinutes}`, ...headers, etag }
      return { status: 200, headers: own, body, memoryBytes: body.length }
    })
    return sendStored(request, reply, stored)
  }
}

type HealthOptions = { current: LiveCatalogue, limits: Limits }

/** Adds the routes of health checks, outside rate limits and caching. */
export async function healthRoutes (app: FastifyInstance, { current, limits }: HealthOptions) {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/livez', handler: (_, reply) => sendJson(reply, { status: 'ok' }) })
  app.route({ method, url: '/readyz', handler: (_, reply) => tellReadiness(reply) })

  function tellReadiness (reply: FastifyReply) {
    if (app.drain.isBegun) return sendJson(reply.code(503), { status: 'draining' })
    const { upstream } = app.settings
    const { digest, updated } = current.catalogue()
    return sendJson(reply, {
      status: 'ok',
      version,
      data: upstream === undefined ? { digest, updated } : { upstream },
      uptime: Math.floor(process.uptime()),
      redis: limits?.shared()
    })
  }
}
