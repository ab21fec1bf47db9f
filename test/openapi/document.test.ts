import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test, type Test } from 'tap'
import { parse } from 'yaml'
import * as schemas from '../../schemas/index.ts'
import type { ListKey } from '../../schemas/lists.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { resources } from '../../src/lists/resources.ts'
import { readOpenApi } from '../../src/openapi/document.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { build, catalogue } from '../helper.ts'

type App = Awaited<ReturnType<typeof build>>

type Marked = { 'x-provisional'?: string }
type Parameter = Marked & { name?: string, $ref?: string }
type Media = { schema: object, examples?: Record<string, { value: unknown }> }
type Header = { $ref?: string, required?: true, schema: object, example: unknown }
type Response = { headers?: Record<string, Header>, content?: Record<string, Media> }
type Operation = Marked & {
  operationId: string
  parameters?: Parameter[]
  security?: object[]
  responses: Record<string, Response>
}
type Document = {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    headers: Record<string, Header>
    parameters: Record<string, { description: string, schema: object }>
    schemas: Record<string, Marked & { properties: Record<string, Marked & { $ref?: string }> }>
  }
}

const parameterNames = (operation: Operation | undefined) => {
  return operation?.parameters?.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1))
}

const listJson = ({ paths }: Document, path: string) => {
  return paths[path]?.['get']?.responses[200]?.content?.['application/json'] as Media
}

const document = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as Document

test('every list has its parameters, statuses and security', async t => {
  t.same(Object.keys(document.paths), [...resources.map(({ path }) => path), '/tokens/'])
  for (const { path, sortable, filters, access } of resources) {
    const { get, options } = document.paths[path] as { get: Operation, options: Operation }
    t.same(parameterNames(get), [
      'Format', ...sortable.length === 0 ? [] : ['ordering'], 'Page', 'PageSize', ...Object.keys(filters),
      'IfNoneMatch', 'Prefer'
    ], path)
    const tokens = access === 'token' ? ['401'] : []
    t.same(Object.keys(get.responses), ['200', '304', '400', ...tokens, '404', '405', '406', '429', '500'], path)
    t.same(Object.keys(options.responses), ['200', '204', '400', ...tokens, '404', '405', '406', '429', '500'], path)
    t.equal(get.security === undefined, access === 'public', path)
  }
  const operations = Object.values(document.paths).flatMap(operations => Object.values(operations))
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length)
})

test('parts that the specification leaves open are provisional, and no others', async t => {
  const { Bike, DetailedBike, Detail, BikePage } = document.components.schemas
  const fields = Object.entries(DetailedBike?.properties ?? {})
  const marked = fields.filter(([, field]) => field['x-provisional']).map(([name]) => name)
  t.same(marked, [
    'rating', 'reviews', 'weight_kg', 'price', 'components', 'related', 'usage', 'rating_distribution',
    'image_formats', 'specifications'
  ])
  t.notMatch(JSON.stringify([Bike, BikePage]), 'x-provisional')
  t.ok(Detail?.['x-provisional'])
  for (const [path, clause] of [['/api/v1/bikes/', undefined], ['/api/v2/bikes/', 'D38']] as const) {
    const ordering = document.paths[path]?.['get']?.parameters?.find(({ name }) => name === 'ordering')
    t.equal(ordering?.['x-provisional'], clause, path)
  }
})

test('records that have a name are references; the first example of every list has a record', async t => {
  t.equal(document.components.schemas['Groupset']?.properties['chain']?.$ref, '#/components/schemas/Chain')
  for (const { path, record: wanted } of resources) {
    const recordName = Object.entries(schemas).find(([, schema]) => schema === wanted)?.[0]
    const { schema, examples = {} } = listJson(document, path)
    const forms = ['Array', 'Page'].map(form => ({ $ref: `#/components/schemas/${recordName}${form}` }))
    t.same(schema, { oneOf: forms }, path)
    t.same(Object.keys(examples), ['one', 'page', 'empty'], path)
    const [record] = examples['one']?.value as { id: number }[]
    t.type(record?.id, 'number', path)
    t.match(examples['page']?.value, {
      count: Number,
      next: `http://localhost:3000${path}?page=2&page_size=1`,
      previous: null,
      results: [record]
    }, path)
  }
  const brakes = document.paths['/api/v1/brakes/']?.['get']?.responses[200]?.content?.['application/json']?.examples
  t.same(brakes?.['one']?.value, [catalogue.brakes[0]])
})

test('every header has an example that its schema takes', async t => {
  const ajv = new Ajv2020()
  const inline = Object.values(document.paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers = {} }) => Object.values(headers))
    .filter(header => header.$ref === undefined)
  const headers = [...Object.values(document.components.headers), ...inline]
  t.ok(headers.length > 20)
  for (const { schema, example } of headers) t.ok(ajv.validate(schema, example), JSON.stringify({ schema, example }))
})

for (const settings of [
  {},
  { tokenForm: false },
  { paginate: 'always' },
  { paginate: 'always', pageSize: 20, tokenForm: false }
] as const) {
  test(`the document of a server with ${JSON.stringify(settings)}`, async t => {
    const app = await build(t, { ...settings, tokens: ['ci'], compress: true, rateLimit: true })
    const served = (await app.inject('/openapi.json')).json<Document>()
    const { tokenForm = true, paginate, pageSize = 10 }: Partial<Settings> = settings
    t.same(Object.keys(served.paths), Object.keys(document.paths).filter(path => tokenForm || path !== '/tokens/'))
    if (!tokenForm) t.notMatch(JSON.stringify(served), /\/tokens\/|IssuedToken|"tokens"/)
    t.match(served.components.parameters['PageSize'], { schema: { default: pageSize } })
    if (tokenForm && !paginate) t.same(served, document)
    if (paginate) await isPlain(t, app, served, 'Page')
    const yaml = await app.inject('/openapi.yaml')
    t.match(yaml.headers, { 'content-type': 'application/yaml' })
    t.same(parse(yaml.body), served)
    t.same(...references(served), 'every reference leads somewhere and every component is referred to')
  })
}

/** Asserts that every list has one schema, and that its response and its first example conform to it. */
async function isPlain (t: Test, app: App | undefined, served: Document, form: 'Page' | 'Array') {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(served, 'openapi')
  for (const { path, record: wanted } of resources) {
    const recordName = Object.entries(schemas).find(([, schema]) => schema === wanted)?.[0]
    const { schema, examples = {} } = listJson(served, path)
    t.same(schema, { $ref: `#/components/schemas/${recordName}${form}` }, path)
    const values = Object.values(examples).map(({ value }) => value)
    const response = (await app?.inject({
      url: path, headers: { authorization: 'Token ci' }
    }))?.json<object>() ?? values[0]
    for (const value of [...values, response]) {
      t.ok(ajv.validate(`openapi#/components/schemas/${recordName}${form}`, value), path)
    }
  }
}

/** Returns the components that are referred to and those that there are. */
function references ({ components, ...rest }: Document): [string[], string[]] {
  const matches = JSON.stringify({ rest, components }).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)
  const used = new Set([...matches].map(([, name = '']) => name))
  const { securitySchemes, ...referred } = components as object as Record<string, object>
  return [
    [...used].sort(),
    Object.entries(referred).flatMap(([kind, all]) => Object.keys(all).map(name => `${kind}/${name}`)).sort()
  ]
}

test('a list that is never a page is an array; a recording has the form of each list', async t => {
  const formed = (formOf: (key: ListKey) => object) => {
    const sources = Object.fromEntries(resources.map(({ key }) => {
      return [key, { form: formOf(key) }]
    })) as unknown as Catalogue['sources']
    const settings = { publicUrl: undefined, tokenForm: true }
    return readOpenApi(settings, { fitnessName: 'fitness', sources }) as unknown as Document
  }
  const arrays = formed(() => ({ paginate: 'never' }))
  await isPlain(t, undefined, arrays, 'Array')
  t.notMatch(JSON.stringify(arrays), /Page(Size)?"/)
  t.same(...references(arrays))
  const paged = { paginate: 'always', pageSize: 5, pageSizeParameter: false, sorts: new Map([['title', false]]) }
  const mixed = formed(key => key === 'bikes' ? paged : { paginate: 'never' })
  t.same(parameterNames(mixed.paths['/api/v1/bikes/']?.['get']), ['Format', 'Page', 'IfNoneMatch', 'Prefer'])
  const schemaOf = (path: string) => mixed.paths[path]?.['get']?.responses[200]?.content?.['application/json']?.schema
  t.same(schemaOf('/api/v1/bikes/'), { $ref: '#/components/schemas/BikePage' })
  t.same(schemaOf('/api/v1/chains/'), { $ref: '#/components/schemas/ChainArray' })
  t.notMatch(JSON.stringify(mixed.components.parameters), '"default"', 'the size differs from list to list')
})
