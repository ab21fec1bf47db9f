import type { Catalogue } from '../catalogue/catalogue.ts'
import { compileRecord } from '../lists/records.ts'
import { renderTemplate } from '../lists/template.ts'
import { envelope, findPage, type PagePlace } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import type { Part } from './schema.ts'

/** What the addresses in examples begin with: that of a server on its own machine with no setting changed. */
const exampleOrigin = 'http://localhost:3000'

const query = new URLSearchParams({ page: '1', page_size: '1' })

/** Gives the first record of a list as it is served, as the plain array and as the page of one record; empty without records. */
export function examplesOf (resource: Resource, catalogue: Catalogue): Part {
  const records = resource.records(catalogue)
  const [record] = records
  if (record === undefined) return {}
  const present = resource.present as ((catalogue: Catalogue, record: object) => object) | undefined
  const template = compileRecord(resource, { indent: 0, depth: 0 })(present === undefined ? record : present(catalogue, record))
  const served = JSON.parse(renderTemplate(template, exampleOrigin)) as object
  const page = envelope([served], findPage(records.length, '1', '1') as PagePlace, exampleOrigin + resource.path, query)
  return {
    array: { summary: 'The plain array, here of one record', value: [served] },
    page: { summary: 'With `page=1&page_size=1`', value: page }
  }
}
