import { test } from 'tap'
import { openApiDocument } from '../../src/openapi/openapi.ts'
import { resources } from '../../src/lists/resources.ts'
import { catalogue } from '../helper.ts'
import { runScript } from '../run-script.ts'

type Marked = { 'x-provisional'?: true }
type Parameter = Marked & { name?: string, $ref?: string }
type Operation = Marked & { operationId: string, parameters?: Parameter[], security?: object[], responses: Record<string, { content?: Record<string, { examples?: object }> }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Marked & { properties: Record<string, Marked & { $ref?: string }> }> }
}

const document = openApiDocument(catalogue) as Document

test('schemas/openapi.json and the types of a client are current', async t => {
  t.match(runScript('scripts/openapi.ts', '--check'), { status: 0, stderr: '' })
})

test('every list is described with what it takes and answers', t => {
  t.same(Object.keys(document.paths), [...resources.map(({ path }) => path), '/tokens/'])
  for (const { path, sortable, filters, access } of resources) {
    const { get, options } = document.paths[path] as { get: Operation, options: Operation }
    const names = get.parameters?.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1))
    t.same(names, ['Format', ...sortable.length === 0 ? [] : ['ordering'], 'Page', 'PageSize', ...Object.keys(filters), 'IfNoneMatch'], path)
    const tokens = access === 'token' ? ['401'] : []
    t.same(Object.keys(get.responses), ['200', '304', '400', ...tokens, '404', '405', '406', '429', '500'], path)
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

test('records that have a name are references; a catalogue without records has no examples', t => {
  t.equal(document.components.schemas['Groupset']?.properties['chain']?.$ref, '#/components/schemas/Chain')
  const empty = openApiDocument({ ...catalogue, brakes: [] }) as Document
  const examples = ({ paths }: Document) => paths['/api/v1/brakes/']?.['get']?.responses[200]?.content?.['application/json']?.examples
  t.same(examples(empty), {})
  t.match(examples(document), { array: { value: [catalogue.brakes[0]] }, page: { value: { count: catalogue.brakes.length, previous: null } } })
  t.end()
})
