import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { apiCatalog, catalogPath, catalogType } from '../documents/api-catalog.ts'
import type { Described } from '../documents/described.ts'
import { openApiDocument } from '../documents/openapi.ts'
import { referenceScript, referenceStyle } from '../pages/reference/assets.ts'
import { referencePage } from '../pages/reference/page.ts'
import { schemasPage } from '../pages/reference/schemas.ts'
import { assetFile, file, once, page, serve } from './served.ts'

/**
 * Adds the OpenAPI document, the reference made from it, and the API catalogue; each is made when it is first asked for.
 *
 * The plugin gets the document whole, from the tables that the routes are made from: a list has one route for all methods
 * and sends bytes, so that it has no schemas of its own that the plugin could read or Fastify would compile.
 */
export async function documentRoutes (app: FastifyInstance, { catalogue }: { catalogue: Catalogue }) {
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, hideUntagged: true, transformObject: () => openApiDocument(catalogue) })
  const described = () => app.swagger() as unknown as Described

  serve(app, [
    file('/openapi.json', 'application/json', once(() => JSON.stringify(app.swagger()))),
    file('/openapi.yaml', 'application/yaml', once(() => app.swagger({ yaml: true }))),
    page('/docs/', once(() => referencePage(described()))),
    page('/docs/schemas/', once(() => schemasPage(described()))),
    file(catalogPath, catalogType, apiCatalog),
    assetFile(referenceStyle),
    assetFile(referenceScript)
  ])
}
