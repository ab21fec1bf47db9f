import { readFileSync } from 'node:fs'
import type { Keywords } from '../schemas/common.ts'
import { cacheControlOf, resources, type Resource } from '../src/lists/resources.ts'
import { recordNameOf } from './openapi/schemas.ts'
import { table } from './write.ts'

type Schema = Omit<Keywords, 'properties' | 'items' | 'anyOf'> & {
  $ref?: string
  const?: unknown
  description?: string
  'x-provisional'?: string
  additionalProperties?: Schema | boolean
  properties?: Record<string, Schema>, items?: Schema, anyOf?: Schema[]
}
type Parameter = {
  $ref?: string
  name: string
  in: string
  description: string
  schema: Schema
  'x-provisional'?: string
}
type Header = { $ref?: string, description: string, example?: unknown, 'x-provisional'?: string }
type Response = {
  $ref?: string, description: string, headers?: Record<string, Header>, 'x-provisional'?: string
  content?: { 'application/json'?: { examples: Record<string, { value: unknown }> } }
}
type Operation = {
  description: string
  parameters: Parameter[]
  responses: Record<string, Response>
  'x-provisional'?: string
}
type OpenApi = {
  info: { description: string }
  paths: Record<string, Record<'get' | 'options' | 'post', Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
    headers: Record<string, Header>
  }
}

const { info, paths, components } = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as OpenApi
const { schemas, parameters, responses, headers } = components

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const code = (text: string) => `\`${text}\``
const link = (name: string) => `[${name}](#${name.toLowerCase()})`

/** Returns the clauses that state a part, with a link to them. */
const clause = (clauses = '') => clauses === '' ? '' : `[${clauses}](../contract.md)`

/** The example of each named schema, from the first record of each list. */
const examples = new Map<string, unknown>()

/** Finds the examples of named schemas in a value of a schema; a value that is empty or null is none. */
function findExamples ({ $ref, anyOf, properties = {}, items }: Schema, value: unknown): void {
  if (value === null || value === undefined) return
  if ($ref !== undefined) {
    if (!examples.has(nameIn($ref))) examples.set(nameIn($ref), value)
    return findExamples(schemas[nameIn($ref)] as Schema, value)
  }
  for (const part of anyOf ?? []) findExamples(part, value)
  if (items !== undefined) for (const item of value as unknown[]) findExamples(items, item)
  for (const [name, part] of Object.entries(properties)) findExamples(part, (value as Record<string, unknown>)[name])
}

for (const resource of resources) {
  const content = paths[resource.path]?.get.responses['200']?.content
  const [record] = content?.['application/json']?.examples['one']?.value as unknown[]
  findExamples({ $ref: recordNameOf(resource) } as Schema, record)
}

/** Returns the type of a value in words: `integer or null`, `array of Review`. */
function typeOf ({ $ref, anyOf, type, items, format, additionalProperties, const: only, enum: words }: Schema): string {
  if ($ref !== undefined) return link(nameIn($ref))
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (only !== undefined) return code(JSON.stringify(only))
  if (words !== undefined) return words.map((word: unknown) => code(String(word))).join(', ')
  if (type === 'array') {
    const isUntyped = items?.$ref === undefined && items?.type === undefined
    return isUntyped ? 'array' : `array of ${typeOf(items)}`
  }
  if (type === 'object' && typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties)}`
  const own = [type].flat().filter(name => name !== undefined)
  return own.map(name => name === 'string' && format !== undefined ? `string (${format})` : name).join(' or ')
}

const longest = 60

function exampleOf (value: unknown): string {
  const isObject = typeof value === 'object' && value !== null
  const isStructure = isObject && (!Array.isArray(value) || typeof value[0] === 'object')
  if (value === undefined || isStructure) return ''
  const json = JSON.stringify(value)
  return code(json.length > longest ? `${json.slice(0, longest)}…` : json)
}

/** Returns the fields of a named schema as a table; a clause that all its fields share stands above. */
function fieldsOf (name: string, inherited?: Record<string, Schema>): string {
  const { properties = {}, additionalProperties } = schemas[name] as Schema
  if (typeof additionalProperties === 'object') return `Any names, each with ${typeOf(additionalProperties)}.`
  const example = examples.get(name) as Record<string, unknown> | undefined
  const own = Object.entries(properties).filter(([field, schema]) => {
    return inherited?.[field] === undefined || schema['x-provisional'] !== undefined
  })
  return table(['Field', 'Type', 'Example', ''], own.map(([field, schema]) => [
    code(field), typeOf(schema), exampleOf(example?.[field]), schema.description ?? ''
  ]))
}

function listOf (resource: Resource): string {
  const { path, access, about, clause: clauses, sortable, maxAge, filters } = resource
  const name = recordNameOf(resource)
  const facts = [
    `- Records: ${link(name)} (${clause(clauses)})`,
    sortable.length === 0 ? '- `ordering` is ignored' : `- Ordering by ${sortable.map(code).join(', ')}`,
    `- ${code(`Cache-Control: ${cacheControlOf(maxAge)}`)}`,
    ...access === 'token' ? ['- Needs `Authorization: Token …`'] : []
  ]
  const own = (paths[path]?.get.parameters ?? []).filter(({ name = '' }) => name in filters)
  const sections = [`### GET ${path}`, about, facts.join('\n')]
  const [first] = own
  if (first !== undefined) {
    sections.push(`Filters combine with "and" (${clause(first['x-provisional'])}):`, parameterTable(own))
  }
  return sections.join('\n\n')
}

function parameterTable (all: readonly Parameter[]): string {
  const rows = all.map(({ name, schema, description }) => [code(name), typeOf(schema), description])
  return table(['Parameter', 'Type', ''], rows)
}

const shared = Object.values(parameters)
const recordNames = [...new Set(resources.map(recordNameOf))]
const isPart = (name: string) => !recordNames.includes(name) && !/(?:Array|Page)$/.test(name)

function schemaSection (name: string): string {
  const { description = '', 'x-provisional': provisional } = schemas[name] as Schema
  const inherited = name === 'DetailedBike' ? schemas['Bike']?.properties : undefined
  const about = [
    description && `${description}.`,
    inherited && `It has every field of ${link('Bike')}, and these:`,
    clause(provisional)
  ]
  return `### ${name}\n\n${about.filter(Boolean).join(' ')}\n\n${fieldsOf(name, inherited)}`
}

const readOperations = resources.map(({ path }) => paths[path]?.get)
const operations = [...readOperations, paths['/api/v2/bikes/']?.options].filter(operation => operation !== undefined)

/** Every error and other shared response of the lists, by its status. */
const listResponses = new Map(operations.flatMap(operation => Object.entries(operation.responses)
  .map(([status, { $ref, ...own }]): [name: string, status: string, response: Response] =>
    $ref === undefined ? [status, status, own] : [nameIn($ref), status, responses[nameIn($ref)] as Response])
  .map(([name, status, response]) => [name, { status, response }] as const)))

/** Every header of these responses, by its name; the first description of each stands for all. */
const listHeaders = new Map<string, Header>()
for (const { response } of [...listResponses.values()].toReversed()) {
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const referred = header.$ref === undefined ? header : headers[nameIn(header.$ref)] as Header
    listHeaders.set(name, referred)
  }
}

function responseRow (status: string, { description, content, 'x-provisional': provisional }: Response): string[] {
  const all = Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => JSON.stringify(value))
  const short = all.filter(json => json.length < 250 && !json.startsWith('['))
  return [status, description, short.map(code).join('<br>'), clause(provisional)]
}

function responseTable (rows: readonly (readonly [status: string, response: Response])[]): string {
  const sorted = rows.toSorted(([a], [b]) => Number(a) - Number(b))
  return table(['Status', 'When', 'Examples', 'Clause'], sorted.map(row => responseRow(...row)))
}

function tokenForm (): string {
  const { description, responses, 'x-provisional': provisional } = paths['/tokens/']?.post as Operation
  return `### POST /tokens/\n\n${description} ${clause(provisional)}\n\n${responseTable(Object.entries(responses))}`
}

function headerTable (): string {
  const rows: string[][] = []
  for (const [name, { description, example, 'x-provisional': provisional }] of listHeaders) {
    if (name === 'Cache-Control') continue
    rows.push([name, description, example === undefined ? '' : code(String(example)), clause(provisional)])
  }
  return table(['Header', '', 'Example', 'Clause'], rows)
}

/** Returns the page that describes every path, parameter, header, response and field. */
export const httpApiPage = () => [
  '# HTTP API',
  '`npm run docs` writes this page from the [OpenAPI document](../../schemas/openapi.json), ' +
    'which every server has at `/openapi.json`. ' +
    'Clauses such as S13, F5 and D19 are those of the [contract](../contract.md).',
  info.description,
  '## Lists', ...resources.map(listOf),
  '## Parameters of every list',
  parameterTable(shared.filter(parameter => parameter.in === 'query')),
  table(['Request header', '', 'Clause'], shared.filter(parameter => parameter.in === 'header')
    .map(({ name, description, 'x-provisional': provisional }) => [code(name), description, clause(provisional)])),
  '## Responses of every list',
  responseTable([...listResponses.values()].map(({ status, response }) => [status, response] as const)),
  headerTable(),
  '## Token form', tokenForm(),
  '## Records', ...recordNames.map(schemaSection),
  '## Other objects', ...Object.keys(schemas).filter(isPart).map(schemaSection)
].join('\n\n') + '\n'
