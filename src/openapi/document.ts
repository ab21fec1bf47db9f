import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameFitness, neutralName } from '../catalogue/recorded/fitness.ts'
import { schemaDirectory } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'

type DocumentSettings = Pick<Settings, 'publicUrl' | 'tokenForm'>

/** The parts of schemas/openapi.json that depend on a setting. */
type OpenApiDocument = {
  servers: { url: string }[], tags: { name: string }[], paths: Record<string, object>, components: { schemas: Record<string, object> }
}

const read = (name: string) => readFileSync(join(schemaDirectory, name), 'utf8')

/** Reads the document that `npm run openapi` writes, with this name of the fitness fields; without the token form it has no `/tokens/`. */
export function readOpenApi (settings: DocumentSettings, fitnessName: string): OpenApiDocument {
  const written = nameFitness(JSON.parse(read('openapi.json')) as OpenApiDocument, fitnessName)
  const servers = written.servers.map(server => ({ ...server, url: basePathOf(settings) || server.url }))
  const document = { ...written, servers }
  if (settings.tokenForm) return document
  const { paths: { '/tokens/': _, ...paths }, components: { schemas: { IssuedToken, ...schemas }, ...components }, tags } = document
  return { ...document, tags: tags.filter(({ name }) => name !== 'tokens'), paths, components: { ...components, schemas } }
}

/** Reads the document as YAML; with another name, a base path or without the token form it is JSON, which YAML 1.2 includes. */
export function readOpenApiYaml (settings: DocumentSettings, fitnessName: string): string {
  const isAsWritten = settings.tokenForm && basePathOf(settings) === '' && fitnessName === neutralName
  return isAsWritten ? read('openapi.yaml') : `${JSON.stringify(readOpenApi(settings, fitnessName), null, 2)}\n`
}
