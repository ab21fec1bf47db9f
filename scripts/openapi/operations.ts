import type { Resource } from '../../src/lists/resources.ts'
import { cached, coded, counted, lastModified, ofLists, preferenceApplied } from './headers.ts'
import { metadataParameters, parametersOf } from './parameters.ts'
import { json, notModified, refusalsOf, responseRef } from './responses.ts'
import { provisional, recordNameOf, schemaRef, type Fragment } from './schemas.ts'

/** Returns the operations of a list; `page` is its first page of one record. */
export function listOperations (resource: Resource, page: { results: unknown[] }): Fragment {
  const { name, access } = resource
  const isPublic = access === 'public'
  const things = `${name.replace(/ List$/, '')}s`
  const id = things.replaceAll(' ', '') + (isPublic ? '' : 'V2')
  const common = { tags: [isPublic ? 'v1' : 'v2'], ...isPublic ? {} : { security: [{ token: [] }] } }
  const refusals = refusalsOf(resource)
  return {
    get: {
      operationId: `list${id}`,
      summary: `${sentence(things)}${isPublic ? '' : ' in comprehensive detail'}`,
      description: describe(resource),
      ...common,
      parameters: parametersOf(resource),
      responses: { 200: list(resource, page), 304: notModified(resource), ...refusals }
    },
    options: {
      operationId: `describe${id}`,
      summary: `Metadata of the list of ${things.toLowerCase()}`,
      description: 'The name of the list and its formats. The response to a CORS preflight is 204 instead.',
      ...common,
      parameters: metadataParameters,
      responses: { 200: responseRef('Metadata'), 204: responseRef('Preflight'), ...refusals },
      ...provisional('F7')
    }
  }
}

const sentence = (text: string) => text.charAt(0) + text.slice(1).toLowerCase()

function describe ({ path, access, sortable }: Resource): string {
  const whole = path.endsWith('/featured/') ? 'Every bike whose `is_featured` is true' : 'Every record'
  const order = sortable.length === 0
    ? ', by ascending `id`. `ordering` is ignored.'
    : ', by ascending `id`, or by `ordering`.'
  return whole + order + (access === 'public' ? '' : ' Filters combine with AND. A token is required.')
}

/** Returns the 200 of a list. The first example has a record, because mock servers send that one. */
function list (resource: Resource, page: { results: unknown[] }): Fragment {
  const recordName = recordNameOf(resource)
  return {
    description: 'The unpaged list, or one page of it with `page`',
    headers: { ...ofLists, ...cached(resource), ...lastModified, ...preferenceApplied, ...coded, ...counted },
    ...json({
      schema: { oneOf: [schemaRef(`${recordName}Array`), schemaRef(`${recordName}Page`)] },
      examples: {
        one: { summary: 'A list of one record', value: page.results },
        page: { summary: 'With `page=1&page_size=1`', value: page },
        empty: { summary: 'A list without records', value: [] }
      }
    })
  }
}
