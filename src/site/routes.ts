import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { chooseCoding, encode, sendBody } from '../http/body.ts'
import { codedHeaders, commonHeaders, isNotModified, pageHeaders, tagOf } from '../http/headers.ts'
import type { Limits } from '../http/rate-limit.ts'
import { splitTarget } from '../http/target.ts'
import { errors } from '../http/errors.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { readOpenApi, readOpenApiYaml } from '../openapi/document.ts'
import { homePage } from './home.ts'
import { assets } from './layout.ts'
import { version } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { sendJson } from './responses.ts'

type Headers = Readonly<Record<string, string>>

/** An HTML page or file: its path, its headers, and its content for a request's origin. */
type Served = { path: string, headers: Headers, content: (origin: string) => string | Buffer }

/** The default max-age, in seconds. */
const fiveMinutes = 300
const oneDay = { 'cache-control': 'public, max-age=86400' }
/** For files with a hash of their content in the URL. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

const page = (path: string, content: Served['content']): Served => ({ path, headers: pageHeaders, content })

const file = (path: string, type: string, content: Served['content'], headers: Headers = {}): Served =>
  ({ path, headers: { 'content-type': type, ...headers }, content })

/** Returns all HTML pages except lists, their assets, and the OpenAPI document. */
function servedOf (current: LiveCatalogue, settings: Settings): Served[] {
  const basePath = basePathOf(settings)
  return [
    page('/', origin => homePage(current.catalogue(), origin, settings)),
    file('/robots.txt', 'text/plain; charset=utf-8', () =>
      `User-agent: *\nDisallow: ${basePath}/api/\n${settings.tokenForm ? `Disallow: ${basePath}/tokens/\n` : ''}`, oneDay),
    ...['/favicon.svg', '/favicon.ico'].map(path => file(path, assets.mark.type, () => assets.mark.body, oneDay)),
    ...Object.values(assets).map(({ path, type, body }) => file(path, type, () => body, forEver)),
    file('/openapi.json', 'application/json', () => JSON.stringify(readOpenApi(settings, current.catalogue()))),
    file('/openapi.yaml', 'application/yaml', () => readOpenApiYaml(settings, current.catalogue()))
  ]
}

/** Reads the documents and the files that they link to, by path. */
async function readServedDocuments (settings: Settings): Promise<ReadonlyMap<string, ServedFile>> {
  const { documentPage, readDocuments } = await import('./documents.ts')
  const documents = readDocuments()
  const pages = [...documents.pages].map(([path, document]) => page(path, () => documentPage(document, documents, settings)))
  const typeOf = (path: string) => path.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8'
  const files = [...documents.files].map(([path, place]) => file(path, typeOf(path), () => readFileSync(place)))
  return new Map([...pages, ...files].map(served => [served.path, { ...served, find: createFind(served.content, settings) }]))
}

type ServedFile = Served & { find: ReturnType<typeof createFind> }

/** Adds routes for GET and HEAD with a strong ETag and without a rate limit. */
export async function siteRoutes (app: FastifyInstance, { current, settings }: { current: LiveCatalogue, settings: Settings }) {
  const config = settings.compress ? { headers: { ...commonHeaders, ...codedHeaders } } : {}
  // Sets Cache-Control (no-store for errors) unless a handler does. Its `reply.etag()` isn't used, because it shares tags between paths.
  await app.register(caching, { privacy: caching.privacy.PUBLIC, expiresIn: fiveMinutes })
  for (const served of servedOf(current, settings)) {
    const find = await current.derive(() => createFind(served.content, settings))
    const handler = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, { ...served, find: find() })
    app.route({ method: ['GET', 'HEAD'], url: served.path, config, handler })
  }
  // The first request reads them, because parsing Markdown would delay the start.
  let documents: ReturnType<typeof readServedDocuments> | undefined
  for (const url of ['/docs/', '/docs/*', '/changelog/', '/versioning/']) {
    app.route({ method: ['GET', 'HEAD'], url, config, handler: sendDocument })
  }

  async function sendDocument (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { path = '', query } = splitTarget(request.url)
    const all = await (documents ??= readServedDocuments(settings))
    const served = all.get(path)
    if (served !== undefined) return send(request, reply, served)
    if (all.has(`${path}/`)) return reply.redirect(`${basePathOf(settings)}${path}/${query}`, 301)
    negotiateRequest(request)
    throw errors.notFound()
  }
}

function send (request: FastifyRequest, reply: FastifyReply, { headers, find }: ServedFile): FastifyReply {
  const { body, headers: own } = find(request.origin, request.headers['accept-encoding'])
  const { 'cache-control': cacheControl = `public, max-age=${fiveMinutes}` } = headers
  if (isNotModified(request, own.etag)) return reply.code(304).headers({ 'cache-control': cacheControl, etag: own.etag }).send()
  return sendBody(request, reply.headers({ ...headers, ...own }), body)
}

/** The bytes of a document, and the headers that depend on them. */
type Sent = { body: Buffer, headers: Headers & { etag: string } }

/** Returns a function that generates a document for an origin, encodes and tags it. */
function createFind (read: Served['content'], { compress }: Settings): (origin: string, accepted: string | undefined) => Sent {
  const cache = new LRUCache<string, Sent, () => Sent>({ max: 8, memoMethod: (_key, _stale, { context: make }) => make() })

  return (origin, accepted) => {
    const plain = cache.memo(origin, { context: () => tagged(read(origin)) })
    const coding = compress ? chooseCoding(accepted, plain.body) : 'identity'
    if (coding === 'identity') return plain
    return cache.memo(`${coding} ${origin}`, { context: () => encode(plain.body, plain.headers.etag, coding) })
  }
}

const tagged = (content: string | Buffer): Sent =>
  ({ body: Buffer.from(content as string), headers: { etag: tagOf(createHash('sha256').update(content)) } })

/** Adds the routes of health checks, outside rate limits and caching. */
export async function healthRoutes (app: FastifyInstance, { current, limits }: { current: LiveCatalogue, limits: Limits }) {
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (_, reply) => sendJson(reply, { status: 'ok' }) })
  app.route({ method: ['GET', 'HEAD'], url: '/readyz', handler: (_, reply) => tellReadiness(reply) })

  function tellReadiness (reply: FastifyReply) {
    if (app.drain.isBegun) return sendJson(reply.code(503), { status: 'draining' })
    const { digest, updated } = current.catalogue()
    const data = { digest, updated, upstream: app.settings.upstream }
    const uptime = Math.floor(process.uptime())
    return sendJson(reply, { status: 'ok', version, data, uptime, redis: limits?.shared() })
  }
}
