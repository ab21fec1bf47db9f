import { createHash } from 'node:crypto'
import caching from '@fastify/caching'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { LiveCatalogue } from '../catalogue/live.ts'
import { chooseCoding, encode } from '../http/coding.ts'
import { codedHeaders, commonHeaders, isNotModified, pageHeaders, tagOf } from '../http/headers.ts'
import type { Limits } from '../http/rate-limit.ts'
import { sendBody } from '../http/send.ts'
import { readOpenApi, readOpenApiYaml } from '../openapi/document.ts'
import { homePage } from './home.ts'
import { assets, layout } from './layout.ts'
import { articles } from './markdown.ts'
import type { Described } from './reference/document.ts'
import { referencePage, schemasPage } from './reference/pages.ts'
import { version } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { sendJson } from './responses.ts'

type Headers = Readonly<Record<string, string>>

/** An HTML page or document: its path, its headers, and its content for a request's origin. */
type Served = { path: string, headers: Headers, text: (origin: string) => string | Promise<string> }

/** The default max-age, in seconds. */
const fiveMinutes = 300
const oneDay = { 'cache-control': 'public, max-age=86400' }
/** For files with a hash of their content in the URL. */
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

const page = (path: string, text: Served['text']) => ({ path, headers: pageHeaders, text })

const file = (path: string, type: string, text: Served['text'], headers: Headers = {}): Served =>
  ({ path, headers: { 'content-type': type, ...headers }, text })

/** Returns all HTML pages except lists, their assets, and the OpenAPI document with its reference. */
function servedOf (current: LiveCatalogue, settings: Settings): Served[] {
  const { simulate, tokenForm } = settings
  const basePath = basePathOf(settings)
  const { mark } = assets
  const openApi = () => readOpenApi(settings, current.catalogue()) as unknown as Described
  return [
    page('/', origin => homePage(current.catalogue(), origin, settings)),
    ...articles.map(({ path, title, main }) => page(path, () => layout({ title, path, main, settings }))),
    file('/robots.txt', 'text/plain; charset=utf-8', () =>
      `User-agent: *\nDisallow: ${basePath}/api/\n${tokenForm ? `Disallow: ${basePath}/tokens/\n` : ''}`, oneDay),
    ...['/favicon.svg', '/favicon.ico'].map(path => file(path, mark.type, () => mark.body, oneDay)),
    ...Object.values(assets).map(({ path, type, body }) => file(path, type, () => body, forEver)),
    file('/openapi.json', 'application/json', () => JSON.stringify(openApi())),
    file('/openapi.yaml', 'application/yaml', () => readOpenApiYaml(settings, current.catalogue())),
    page('/docs/', async origin =>
      referencePage(openApi(), origin, settings, simulate ? (await import('./simulation.ts')).simulationSection(origin) : '')),
    page('/docs/schemas/', () => schemasPage(openApi(), settings))
  ]
}

/** Adds routes for GET and HEAD with a strong ETag and without a rate limit. */
export async function siteRoutes (app: FastifyInstance, { current, settings }: { current: LiveCatalogue, settings: Settings }) {
  const config = settings.compress ? { headers: { ...commonHeaders, ...codedHeaders } } : {}
  // Sets Cache-Control (no-store for errors) unless a handler does. Its `reply.etag()` isn't used, because it shares tags between paths.
  await app.register(caching, { privacy: caching.privacy.PUBLIC, expiresIn: fiveMinutes })
  for (const { path, headers, text } of servedOf(current, settings)) {
    const find = await current.derive(() => createFind(text, settings))
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config,
      handler: async (request, reply) => {
        const { body, headers: own } = await find()(request.origin, request.headers['accept-encoding'])
        const { 'cache-control': cacheControl = `public, max-age=${fiveMinutes}` } = headers
        if (isNotModified(request, own.etag)) return reply.code(304).headers({ 'cache-control': cacheControl, etag: own.etag }).send()
        return sendBody(request, reply.headers({ ...headers, ...own }), body)
      }
    })
  }
}

/** The bytes of a document, and the headers that depend on them. */
type Sent = { body: Buffer, headers: Headers & { etag: string } }

/** A placeholder for the origin; like an origin, it needs no escaping in HTML and shells. */
const anyOrigin = 'http://origin.invalid'

/** Returns a function that inserts an origin into a document, which is generated once, and encodes and tags it. */
function createFind (text: Served['text'], { compress }: Settings): (origin: string, accepted: string | undefined) => Promise<Sent> {
  let parts: string[] | undefined
  const cache = new LRUCache<string, Sent, () => Sent>({ max: 8, memoMethod: (_key, _stale, { context: make }) => make() })

  return async (origin, accepted) => {
    const texts = parts ??= (await text(anyOrigin)).split(anyOrigin)
    const plain = cache.memo(origin, { context: () => tagged(Buffer.from(texts.join(origin))) })
    const coding = compress ? chooseCoding(accepted, plain.body) : 'identity'
    if (coding === 'identity') return plain
    return cache.memo(`${coding} ${origin}`, { context: () => encode(plain.body, plain.headers.etag, coding) })
  }
}

const tagged = (body: Buffer): Sent => ({ body, headers: { etag: tagOf(createHash('sha256').update(body)) } })

/** Adds the routes of health checks, outside rate limits and caching. */
export async function healthRoutes (app: FastifyInstance, { current, limits }: { current: LiveCatalogue, limits: Limits }) {
  app.route({ method: ['GET', 'HEAD'], url: '/livez', handler: (_, reply) => sendJson(reply, { status: 'ok' }) })
  app.route({ method: ['GET', 'HEAD'], url: '/readyz', handler: (_, reply) => tellReadiness(reply) })

  function tellReadiness (reply: FastifyReply) {
    if (app.drain.isBegun) return sendJson(reply.code(503), { status: 'draining' })
    const { digest, updated } = current.catalogue()
    const uptime = Math.floor(process.uptime())
    return sendJson(reply, { status: 'ok', version, data: { digest, updated }, uptime, redis: limits?.shared() })
  }
}
