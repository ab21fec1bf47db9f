import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Current } from '../catalogue/current.ts'
import { createIdle } from '../http/idle.ts'
import { takeTurn } from '../http/turns.ts'
import { apiCatalog, catalogLinks, catalogPath, catalogType } from '../openapi/api-catalog.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { exampleOrigin } from '../openapi/operations.ts'
import { writeYaml } from '../openapi/yaml.ts'
import { asset, assetNames } from '../pages/assets.ts'
import { homePage } from '../pages/home.ts'
import type { Described } from '../pages/reference/document.ts'
import { referencePage, schemasPage } from '../pages/reference/pages.ts'
import type { Settings } from '../settings/settings.ts'
import { assetFile, file, forOrigins, oneDay, once, page, serve, withHeaders } from './served.ts'

const robots = (tokenForm: boolean) => `User-agent: *
Disallow: /api/
${tokenForm ? 'Disallow: /tokens/\n' : ''}`

type Options = { current: Current, settings: Settings }

/** Adds what a site has beside its lists: pages and what they refer to, the OpenAPI document and the reference made from it. */
export async function siteRoutes (app: FastifyInstance, { current, settings }: Options) {
  const simulation = settings.simulate ? (await import('../pages/simulation.ts')).simulationSection() : ''
  const mark = asset('mark.svg')
  const whenIdle = createIdle(app)
  const documents = await current.derive(catalogue => {
    const made = documentsOf(catalogue, settings, simulation)
    whenIdle(async () => {
      for (const make of [made.json, () => made.home(exampleOrigin), () => made.reference(exampleOrigin), made.yaml]) {
        await takeTurn()
        make()
      }
    })
    return made
  })

  // Makes a third of what the first reference and the first YAML take.
  app.addHook('onListen', async () => { documents().json() })

  await serve(app, [
    withHeaders(page('/', origin => documents().home(origin)), { link: catalogLinks }),
    ...(['/changelog/', '/versioning/'] as const).map(path =>
      page(path, once(async () => (await import('../pages/papers.ts')).paperPage(path, settings.tokenForm)))),
    file('/robots.txt', 'text/plain; charset=utf-8', () => robots(settings.tokenForm), oneDay),
    ...['/favicon.svg', '/favicon.ico'].map(path => file(path, mark.type, () => mark.body, oneDay)),
    ...assetNames.map(name => assetFile(asset(name))),
    file('/openapi.json', 'application/json', () => documents().json()),
    file('/openapi.yaml', 'application/yaml', () => documents().yaml()),
    page('/docs/', origin => documents().reference(origin)),
    page('/docs/schemas/', () => documents().schemas()),
    withHeaders(file(catalogPath, catalogType, apiCatalog), { link: catalogLinks })
  ], settings)
}

function documentsOf (catalogue: Catalogue, settings: Settings, simulation: string) {
  const openApi = once(() => openApiDocument(catalogue, settings))
  const described = () => openApi() as unknown as Described
  return {
    home: forOrigins(origin => homePage(catalogue, origin, settings.tokenForm)),
    json: once(() => JSON.stringify(openApi())),
    yaml: once(() => writeYaml(openApi())),
    reference: forOrigins(origin => referencePage(described(), origin, simulation)),
    schemas: once(() => schemasPage(described()))
  }
}
