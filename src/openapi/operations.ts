import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { examplesOf } from './examples.ts'
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
      responses: { 200: list(resource, catalogue, settings), 304: notModified(resource, settings), ...refusals }
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
