import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaDirectory } from '../package.ts'

/** The parts of schemas/openapi.json that depend on a setting. */
export type OpenApiDocument = {
  tags: { name: string }[]
  paths: Record<string, object>
  components: { schemas: Record<string, object> }
}

const read = (name: string) => readFileSync(join(schemaDirectory, name), 'utf8')

/** Reads the OpenAPI document that `npm run openapi` writes; without the token form it has no `/tokens/`. */
export function readOpenApi ({ tokenForm }: { tokenForm: boolean }): OpenApiDocument {
  const document = JSON.parse(read('openapi.json')) as OpenApiDocument
  if (tokenForm) return document
  const { paths: { '/tokens/': _, ...paths }, components: { schemas: { IssuedToken, ...schemas }, ...components }, tags } = document
  return { ...document, tags: tags.filter(({ name }) => name !== 'tokens'), paths, components: { ...components, schemas } }
}

/** Reads the document as YAML; without the token form it is JSON, which YAML 1.2 includes. */
export function readOpenApiYaml ({ tokenForm }: { tokenForm: boolean }): string {
  return tokenForm ? read('openapi.yaml') : `${JSON.stringify(readOpenApi({ tokenForm }), null, 2)}\n`
}
