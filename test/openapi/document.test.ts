import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'tap'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { openApiDocument } from '../../src/openapi/openapi.ts'
import { resources } from '../../src/lists/resources.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

type Marked = { 'x-provisional'?: true }
type Parameter = Marked & { name?: string, $ref?: string }
type Example = { value: unknown }
type Media = { schema: object, examples?: Record<string, Example> }
type Header = { $ref?: string, schema: object, example: unknown }
type Operation = Marked & { operationId: string, parameters?: Parameter[], security?: object[], responses: Record<string, { headers?: Record<string, Header>, content?: Record<string, Media> }> }
type Document = {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    headers: Record<string, Header>
    parameters: Record<string, { description: string }>
    schemas: Record<string, Marked & { properties: Record<string, Marked & { $ref?: string }> }>
  }
}

/** The document of a server with some settings of its own. */
function documentOf (settings: Partial<Settings> = {}, records: Catalogue = catalogue): Document {
  return openApiDocument(records, { ...defaultSettings, ...settings }) as Document
}

const document = documentOf()

test('schemas/openapi.json is current', t => {
  t.equal(readFileSync('schemas/openapi.json', 'utf8'), `${JSON.stringify(document, null, 2)}\n`, 'npm run openapi')
  t.end()
})

test('every list is described with what it takes and answers', t => {
  t.same(Object.keys(document.paths), [...resources.map(({ path }) => path), '/tokens/'])
  for (const { path, sortable, filters, access } of resources) {
    const { get, options } = document.paths[path] as { get: Operation, options: Operation }
    const names = get.parameters?.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1))
    t.same(names, ['Format', ...sortable.length === 0 ? [] : ['ordering'], 'Page', 'PageSize', ...Object.keys(filters), 'IfNoneMatch', 'Prefer'], path)
    const tokens = access === 'token' ? ['401'] : []
    t.same(Object.keys(get.responses), ['200', '304', '400', ...tokens, '404', '405', '406', '429', '500', '503'], path)
    t.same(Object.keys(options.responses), ['200', '204', '400', ...tokens, '404', '405', '406', '429', '500'], path)
    t.equal(get.security === undefined, access === 'public', path)
  }
  const ids = Object.values(document.paths).flatMap(operations => Object.values(operations)).map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length)
  t.end()
})

test('what the specification leaves open is provisional, the rest is not', t => {
  const { Bike, DetailedBike, Detail, BikePage } = document.components.schemas
  const marked = Object.entries(DetailedBike?.properties ?? {}).filter(([, field]) => field['x-provisional']).map(([name]) => name)
  t.same(marked, ['rating', 'reviews', 'weight_kg', 'price', 'components', 'related', 'usage', 'rating_distribution', 'image_formats', 'specifications'])
  t.notMatch(JSON.stringify([Bike, BikePage]), 'x-provisional')
  t.ok(Detail?.['x-provisional'])
  for (const path of ['/api/v1/bikes/', '/api/v2/bikes/']) {
    const ordering = document.paths[path]?.['get']?.parameters?.find(({ name }) => name === 'ordering')
    t.equal(ordering?.['x-provisional'], path.includes('v2') ? true : undefined, path)
  }
  t.end()
})

const path = '/api/v1/brakes/'
const contentOf = ({ paths }: Document) => paths[path]?.['get']?.responses[200]?.content as { 'application/json': Media }
const examplesOf = (document: Document) => contentOf(document)['application/json'].examples

test('records that have a name are references; every list has examples', t => {
  t.equal(document.components.schemas['Groupset']?.properties['chain']?.$ref, '#/components/schemas/Chain')
  const { length: count } = catalogue.brakes
  t.match(examplesOf(document), { empty: { value: [] }, one: { value: [catalogue.brakes[0]] }, page: { value: { count, previous: null } } })
  for (const { path } of resources) t.same(Object.keys(document.paths[path]?.['get']?.responses[200]?.content?.['application/json']?.examples ?? {}), ['empty', 'one', 'page'])
  t.same(Object.keys(examplesOf(documentOf({}, { ...catalogue, brakes: [] })) ?? {}), ['empty'], 'a catalogue without records')
  t.end()
})

test('every header has an example that its schema takes', t => {
  const ajv = new Ajv2020()
  const inline = Object.values(document.paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.values(responses)).flatMap(({ headers = {} }) => Object.values(headers)).filter(header => header.$ref === undefined)
  const headers = [...Object.values(document.components.headers), ...inline]
  t.ok(headers.length > 20)
  for (const { schema, example } of headers) t.ok(ajv.validate(schema, example), JSON.stringify({ schema, example }))
  t.end()
})

test('the document of --paginate always has pages and no arrays, so that the types of a client are exact', async t => {
  const document = documentOf({ paginate: 'always' })
  t.same(contentOf(document)['application/json'].schema, { $ref: '#/components/schemas/BrakePage' })
  t.match(examplesOf(document), { empty: { value: { count: 0, results: [] } }, one: { value: { count: 1, next: null, results: [catalogue.brakes[0]] } } })
  t.notMatch(JSON.stringify(document), /BrakeArray|plain array/)
  t.match(document.components.parameters['Page']?.description, 'Without it the first one.')
  t.end()
})

test('the document tells the limits that are set, and of none where there are none', t => {
  const limited = documentOf({ rateLimitV1: 7, rateLimitV2: 8 })
  t.match(limited.info.description, /7 requests a minute for each address.*8 requests a minute for each token/s)
  t.equal(limited.components.headers['RateLimitLimit']?.example, 7)
  t.notMatch(JSON.stringify(documentOf({ rateLimit: false })), /"RateLimit|"429"|a minute|TooMany/)
  t.end()
})

test('a server without the token form describes none', t => {
  t.notMatch(JSON.stringify(documentOf({ tokenForm: false })), /\/tokens\/|IssuedToken|issueToken/)
  t.end()
})

test('whatever the settings, every reference leads somewhere and every component is referred to', t => {
  for (const settings of [{}, { paginate: 'always' }, { rateLimit: false }, { tokenForm: false }] as const) {
    const { components, ...rest } = documentOf(settings)
    const text = JSON.stringify({ rest, components })
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name))
    const { securitySchemes, ...referred } = components as Record<string, object>
    t.ok(securitySchemes)
    t.same([...used].sort(), Object.entries(referred).flatMap(([kind, all]) => Object.keys(all).map(name => `${kind}/${name}`)).sort(), JSON.stringify(settings))
  }
  t.end()
})
