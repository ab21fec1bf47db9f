import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { conditional } from '../http/conditional.ts'
import { errors } from '../http/errors.ts'
import { knownMethods } from '../http/methods.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { enhancements, stylesheet } from '../pages/assets.ts'
import { homePage } from '../pages/home.ts'
import { favicon } from '../pages/mark.ts'
import { changelogPage, versioningPage } from '../pages/papers.ts'
import { negotiateNothing } from './answer.ts'

/** A document that is no part of the API: where it is, what it says of itself, and its text. */
type Served = { path: string, headers: Readonly<Record<string, string>>, body: (origin: string) => string }

const fiveMinutes = 'public, max-age=300'
const oneDay = 'public, max-age=86400'
const forEver = 'public, max-age=31536000, immutable'

const robots = `User-agent: *
Disallow: /api/
Disallow: /tokens/
`

/** Adds the pages that are no lists, and what all pages refer to; they take GET and HEAD, and nobody counts them. */
export async function pageRoutes (app: FastifyInstance, { catalogue }: { catalogue: Catalogue }) {
  const page = (path: string, body: Served['body']): Served => ({ path, headers: { ...pageHeaders, 'cache-control': fiveMinutes }, body })
  const file = (path: string, type: string, body: string, caching: string): Served => ({ path, headers: { 'content-type': type, 'cache-control': caching }, body: () => body })
  const [changelog, versioning] = [changelogPage(), versioningPage()]

  const served = [
    page('/', origin => homePage(catalogue, origin)),
    page('/changelog/', () => changelog),
    page('/versioning/', () => versioning),
    file('/robots.txt', 'text/plain; charset=utf-8', robots, oneDay),
    file('/favicon.svg', 'image/svg+xml', favicon, oneDay),
    file('/favicon.ico', 'image/svg+xml', favicon, oneDay),
    ...[stylesheet, enhancements].map(({ path, type, body }) => file(path, type, body, forEver))
  ]

  app.addHook('onSend', conditional)
  for (const { path, headers, body } of served) {
    app.route({ method: knownMethods, url: path, onRequest: checkMethod, handler: (request, reply) => send(reply, headers, body(request.origin)) })
  }
}

function send (reply: FastifyReply, headers: Served['headers'], body: string): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return reply.headers({ ...headers, etag }).send(Buffer.from(body))
}

function checkMethod (request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.method === 'GET' || request.method === 'HEAD') return done()
  negotiateNothing(request)
  reply.header('allow', 'GET, HEAD')
  throw errors.methodNotAllowed(request.method)
}
