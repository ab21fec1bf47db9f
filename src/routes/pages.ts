import type { FastifyInstance } from 'fastify'
import type { Current } from '../catalogue/current.ts'
import { catalogLinks } from '../openapi/api-catalog.ts'
import { asset, assetNames } from '../pages/assets.ts'
import { homePage } from '../pages/home.ts'
import type { Settings } from '../settings/settings.ts'
import { assetFile, file, forOrigins, oneDay, once, page, serve, withHeaders } from './served.ts'

const robots = (tokenForm: boolean) => `User-agent: *
Disallow: /api/
${tokenForm ? 'Disallow: /tokens/\n' : ''}`

/** Adds the pages that are no lists, and what all pages refer to. */
export async function pageRoutes (app: FastifyInstance, { current, settings }: { current: Current, settings: Settings }) {
  const mark = asset('mark.svg')
  const home = await current.derive(catalogue => forOrigins(origin => homePage(catalogue, origin, settings.tokenForm)))
  await serve(app, [
    withHeaders(page('/', origin => home()(origin)), { link: catalogLinks }),
    page('/changelog/', once(async () => (await import('../pages/papers.ts')).changelogPage(settings.tokenForm))),
    page('/versioning/', once(async () => (await import('../pages/papers.ts')).versioningPage(settings.tokenForm))),
    file('/robots.txt', 'text/plain; charset=utf-8', () => robots(settings.tokenForm), oneDay),
    ...['/favicon.svg', '/favicon.ico'].map(path => file(path, mark.type, () => mark.body, oneDay)),
    ...assetNames.map(name => assetFile(asset(name)))
  ], settings)
}
