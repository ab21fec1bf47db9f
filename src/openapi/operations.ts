import type { Catalogue } from '../catalogue/catalogue.ts'
import { envelope, findPage, type PagePlace } from '../lists/page.ts'
import { compileRecord } from '../lists/records.ts'
import { present, type Resource } from '../lists/resources.ts'
import { renderTemplate } from '../lists/template.ts'
import type { Settings } from '../settings/settings.ts'
import { cached, coded, counted, lastModified, ofLists, preferenceApplied } from './headers.ts'
import { metadataParameters, parametersOf } from './parameters.ts'
import { jsonOrPage, notModified, refusalsOf, responseRef } from './responses.ts'
import { provisional, schemaRef, type Fragment } from './schemas.ts'

/** What can be done with a list: GET reads it, OPTIONS asks about it. */
export function listOperations (resource: Resource, catalogue: Catalogue, settings: Settings): Fragment {
  const { name, access } = resource
  const isPublic = access === 'public'
  const things = `${name.replace(/ List$/, '')}s`
  const id = things.replaceAll(' ', '') + (isPublic ? '' : 'V2')
  const common = { tags: [isPublic ? 'v1' : 'v2'], ...isPublic ? {} : { security: [{ token: [] }] } }
  const refusals = refusalsOf(resource, settings)
  return {
    get: {
      operationId: `list${id}`,
      summary: `${sentence(things)}${isPublic ? '' : ' in comprehensive detail'}`,
      description: describe(resource),
      ...common,
      parameters: parametersOf(resource),
      responses: {
        200: list(resource, catalogue, settings),
        304: notModified(resource, settings),
        ...refusals,
        503: responseRef('Unavailable')
      }
    },
    options: {
      operationId: `describe${id}`,
      summary: `What the list of ${things.toLowerCase()} says of itself`,
      description: 'The name of the list and the formats that it gives. A CORS preflight is answered with 204 instead.',
      ...common,
      parameters: metadataParameters,
      responses: { 200: responseRef('Metadata'), 204: responseRef('Preflight'), ...refusals },
      ...provisional
    }
  }
}

const sentence = (text: string) => text.charAt(0) + text.slice(1).toLowerCase()

function describe ({ path, access, sortable }: Resource): string {
  const whole = path.endsWith('/featured/') ? 'Every bike whose `is_featured` is true' : 'Every record'
  const order = sortable.length === 0
    ? ', by ascending `id`; `ordering` counts for nothing here.'
    : ', by ascending `id` or as `ordering` says.'
  return whole + order + (access === 'public' ? '' : ' Filters narrow together. A token is needed.')
}

/** The answer that a list is read for. */
function list (resource: Resource, catalogue: Catalogue, settings: Settings): Fragment {
  const page = schemaRef(`${resource.recordName}Page`)
  const isAlwaysPage = settings.paginate === 'always'
  return {
    description: isAlwaysPage ? 'One page of the list' : 'The list as a plain array, or the page of it that `page` asks for',
    headers: { ...ofLists, ...cached(resource), ...lastModified, ...preferenceApplied, ...coded(settings), ...counted(settings) },
    ...jsonOrPage({
      schema: isAlwaysPage ? page : { oneOf: [schemaRef(`${resource.recordName}Array`), page] },
      examples: examplesOf(resource, catalogue, settings)
    })
  }
}

/** What the addresses in examples begin with: that of a server on its own machine with no setting changed. */
export const exampleOrigin = 'http://localhost:3000'

const query = new URLSearchParams({ page: '1', page_size: '1' })

/** The list without records, with its first record, and a page of it; the first only where a catalogue has no records. */
function examplesOf (resource: Resource, catalogue: Catalogue, { paginate }: Settings): Fragment {
  const records = resource.records(catalogue)
  const [record] = records
  const address = exampleOrigin + resource.path
  const pageOf = (served: object[], count: number) => envelope(served, findPage(count, '1', '1') as PagePlace, address, query)
  const list = (served: object[]) => paginate === 'always' ? pageOf(served, served.length) : served
  const empty = { summary: 'A list without records', value: list([]) }
  if (record === undefined) return { empty }
  const template = compileRecord(resource)(present(resource, catalogue, record))
  const served = JSON.parse(renderTemplate(template, exampleOrigin)) as object
  return {
    empty,
    one: { summary: 'A list of one record', value: list([served]) },
    page: { summary: 'With `page=1&page_size=1`', value: pageOf([served], records.length) }
  }
}
