import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Current } from '../catalogue/current.ts'
import { apiCatalog, catalogLinks, catalogPath, catalogType } from '../openapi/api-catalog.ts'
import type { Described } from '../openapi/described.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { referencePage } from '../pages/reference/page.ts'
import { schemasPage } from '../pages/reference/schemas.ts'
import type { Settings } from '../settings/settings.ts'
import { file, forOrigins, once, page, serve, withHeaders } from './served.ts'

type Options = { current: Current, settings: Settings }

/** Adds the OpenAPI document, the reference made from it, and the API catalogue; each is made when it is first asked for. */
export async function documentRoutes (app: FastifyInstance, { current, settings }: Options) {
  const simulation = settings.simulate ? (await import('../pages/reference/simulation.ts')).simulationSection() : ''
  const documents = await current.derive(catalogue => documentsOf(catalogue, settings, simulation))

  await serve(app, [
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
    json: once(() => JSON.stringify(openApi())),
    yaml: once(async () => (await import('yaml')).stringify(openApi())),
    reference: forOrigins(origin => referencePage(described(), origin, simulation)),
    schemas: once(() => schemasPage(described()))
  }
}
