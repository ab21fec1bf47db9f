import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { apiCatalog, catalogLinks, catalogPath, catalogType } from '../openapi/api-catalog.ts'
import type { Described } from '../openapi/described.ts'
import { publishOpenApi } from '../openapi/publish.ts'
import { referencePage } from '../pages/reference/page.ts'
import { schemasPage } from '../pages/reference/schemas.ts'
import { file, once, page, serve, withHeaders } from './served.ts'

/** Adds the OpenAPI document, the reference made from it, and the API catalogue; each is made when it is first asked for. */
export async function documentRoutes (app: FastifyInstance, { catalogue }: { catalogue: Catalogue }) {
  const published = once(() => publishOpenApi(catalogue))
  const described = async () => (await published())() as unknown as Described

  await serve(app, [
    file('/openapi.json', 'application/json', once(async () => JSON.stringify(await described()))),
    file('/openapi.yaml', 'application/yaml', once(async () => (await published())({ yaml: true }))),
    page('/docs/', once(async () => referencePage(await described()))),
    page('/docs/schemas/', once(async () => schemasPage(await described()))),
    withHeaders(file(catalogPath, catalogType, apiCatalog), { link: catalogLinks })
  ])
}
