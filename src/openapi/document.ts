import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { nameFitness } from '../catalogue/schema-fields.ts'
import { resources, servedResource, type ServedResource } from '../lists/resources.ts'
import { schemaDirectory } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'

type DocumentSettings = Pick<Settings, 'publicUrl' | 'tokenForm'> & Partial<Pick<Settings, 'paginate' | 'pageSize'>>

type Reference = { $ref: string }
type Parameter = { $ref?: string, name?: string }
type Json = { schema: { oneOf?: [array: Reference, page: Reference] }, examples: Record<string, object> }
type Operations = {
  get: { parameters: Parameter[], responses: { 200: { description: string, content: { 'application/json': Json } } } }
}

/** The parts of schemas/openapi.json that depend on a setting or a recording. */
type OpenApiDocument = {
  servers: { url: string }[], tags: { name: string }[], paths: Record<string, Operations>
  components: { schemas: Record<string, object>, parameters: { Page: object, PageSize: { schema: object } } }
}

const read = (name: string) => readFileSync(join(schemaDirectory, name), 'utf8')
const readWritten = () => JSON.parse(read('openapi.json')) as OpenApiDocument

/**
 * Returns the written document as it holds for one server: with its name of the fitness fields and the form of each
 * list, and without `/tokens/` where it has no token form. Components that nothing refers to are left out.
 */
export function readOpenApi (settings: DocumentSettings, catalogue: Pick<Catalogue, 'fitnessName' | 'forms'>) {
  const document = nameFitness(readWritten(), catalogue.fitnessName)
  const { servers, paths, components } = document
  for (const server of servers) server.url = basePathOf(settings) || server.url
  if (!settings.tokenForm) {
    delete paths['/tokens/']
    document.tags = document.tags.filter(({ name }) => name !== 'tokens')
  }
  const served = resources.map(resource => servedResource(resource, settings, catalogue))
  for (const resource of served) setForm(paths[resource.path] as Operations, resource)
  const sizes = new Set(served.map(({ pageSize }) => pageSize))
  Object.assign(components.parameters.PageSize.schema, { default: sizes.size === 1 ? [...sizes][0] : undefined })
  const text = JSON.stringify(document)
  removeUnused('schemas', components.schemas, text)
  removeUnused('parameters', components.parameters, text)
  return document
}

/** Removes the components to which a document does not refer. */
function removeUnused (kind: string, parts: Record<string, object>, document: string): void {
  for (const name of Object.keys(parts)) {
    const isUsed = document.includes(`"#/components/${kind}/${name}"`)
    if (!isUsed) delete parts[name]
  }
}

/**
 * Keeps the parameters that a list supports, and one schema if it is always or never a page, so that generators create
 * a plain type.
 */
function setForm ({ get }: Operations, { paginate, pageSizeParameter, sortable }: ServedResource): void {
  const unused = new Set<string>()
  if (paginate === 'never') unused.add('Page')
  if (paginate === 'never' || !pageSizeParameter) unused.add('PageSize')
  if (sortable.length === 0) unused.add('ordering')
  get.parameters = get.parameters.filter(parameter => !unused.has(nameOf(parameter)))
  if (paginate === 'on-request') return
  const list = get.responses[200]
  const json = list.content['application/json']
  const { one, page, empty } = json.examples
  const [array, envelope] = json.schema.oneOf as [Reference, Reference]
  const isPage = paginate === 'always'
  list.description = isPage ? 'One page of the list, the first without `page`' : 'The unpaged list'
  Object.assign(json, { schema: isPage ? envelope : array, examples: isPage ? { page } : { one, empty } })
}

function nameOf ({ $ref = '', name }: Parameter): string {
  return name ?? $ref.slice($ref.lastIndexOf('/') + 1)
}

/** Reads the document as YAML; where it differs from the written one it is JSON, which YAML 1.2 includes. */
export function readOpenApiYaml (...server: Parameters<typeof readOpenApi>): string {
  const document = readOpenApi(...server)
  return isDeepStrictEqual(document, readWritten()) ? read('openapi.yaml') : `${JSON.stringify(document, null, 2)}\n`
}
