import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { apiCatalog, catalogLinks, catalogPath, catalogType } from '../openapi/api-catalog.ts'
import type { Described } from '../openapi/described.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { referencePage } from '../pages/reference/page.ts'
import { schemasPage } from '../pages/reference/schemas.ts'
import type { Settings } from '../settings/settings.ts'
import { file, once, page, serve, withHeaders } from './served.ts'

type Options = { catalogue: Catalogue, settings: Settings }

/** Adds the OpenAPI document, the reference made from it, and the API catalogue; each is made when it is first asked for. */
export async function documentRoutes (app: FastifyInstance, { catalogue, settings }: Options) {
  const openApi = once(() => openApiDocument(catalogue, settings))
  const described = () => openApi() as unknown as Described

  await serve(app, [
    file('/openapi.json', 'application/json', once(() => JSON.stringify(openApi()))),
    file('/openapi.yaml', 'application/yaml', once(async () => (await import('yaml')).stringify(openApi()))),
    page('/docs/', origin => referencePage(described(), origin)),
    page('/docs/schemas/', once(() => schemasPage(described()))),
    withHeaders(file(catalogPath, catalogType, apiCatalog), { link: catalogLinks })
  ])
}
