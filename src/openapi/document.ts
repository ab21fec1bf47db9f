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
type ListJson = { schema: { oneOf: [array: Reference, page: Reference] }, examples: Record<string, object> }
type DescribedList = { description: string, content: { 'application/json': ListJson } }
type DescribedParameter = Reference | { name: string }
type ListOperations = { get: { parameters: DescribedParameter[], responses: { 200: DescribedList } } }

/** The parts of schemas/openapi.json that depend on a setting or a recording. */
type OpenApiDocument = {
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, ListOperations>
  components: {
    schemas: Record<string, object>
    parameters: Record<string, object> & { PageSize: { schema: object } }
  }
}

const readSchemaFile = (name: string) => readFileSync(join(schemaDirectory, name), 'utf8')
const readDocument = () => JSON.parse(readSchemaFile('openapi.json')) as OpenApiDocument

/**
 * Returns the written document as it holds for one server: with its name of the fitness fields and the form of each
 * list, and without `/tokens/` where it has no token form. Components that nothing refers to are left out.
 */
export function readOpenApi (settings: DocumentSettings, catalogue: Pick<Catalogue, 'fitnessName' | 'sources'>) {
  const document = nameFitness(readDocument(), catalogue.fitnessName)
  const { servers, paths, components } = document
  for (const server of servers) server.url = basePathOf(settings) || server.url
  if (!settings.tokenForm) {
    delete paths['/tokens/']
    document.tags = document.tags.filter(({ name }) => name !== 'tokens')
  }
  const served = resources.map(resource => servedResource(resource, settings, catalogue))
  for (const resource of served) setForm(paths[resource.path] as ListOperations, resource)
  const [pageSize, ...otherSizes] = new Set(served.map(({ pageSize }) => pageSize))
  const { schema } = components.parameters.PageSize
  Object.assign(schema, { default: otherSizes.length === 0 ? pageSize : undefined })
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
function setForm ({ get }: ListOperations, resource: ServedResource): void {
  const { paginate, pageSizeParameter, sortable } = resource
  const unused = new Set<string>()
  if (paginate === 'never') unused.add('Page')
  if (paginate === 'never' || !pageSizeParameter) unused.add('PageSize')
  if (sortable.length === 0) unused.add('ordering')
  get.parameters = get.parameters.filter(parameter => {
    const name = 'name' in parameter ? parameter.name : parameter.$ref.replace('#/components/parameters/', '')
    return !unused.has(name)
  })
  if (paginate === 'on-request') return
  const list = get.responses[200]
  const json = list.content['application/json']
  const { one, page, empty } = json.examples
  const [array, envelope] = json.schema.oneOf
  if (paginate === 'always') {
    list.description = 'One page of the list, the first without `page`'
    Object.assign(json, { schema: envelope, examples: { page } })
  } else {
    list.description = 'The unpaged list'
    Object.assign(json, { schema: array, examples: { one, empty } })
  }
}

/** Reads the document as YAML; where it differs from the written one it is JSON, which YAML 1.2 includes. */
export function readOpenApiYaml (...server: Parameters<typeof readOpenApi>): string {
  const document = readOpenApi(...server)
  const isWritten = isDeepStrictEqual(document, readDocument())
  return isWritten ? readSchemaFile('openapi.yaml') : `${JSON.stringify(document, null, 2)}\n`
}
