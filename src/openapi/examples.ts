import type { Catalogue } from '../catalogue/catalogue.ts'
import { compileRecord } from '../lists/records.ts'
import { renderTemplate } from '../lists/template.ts'
import { envelope, findPage, type PagePlace } from '../lists/page.ts'
import type { Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import type { Fragment } from './schemas.ts'

/** What the addresses in examples begin with: that of a server on its own machine with no setting changed. */
export const exampleOrigin = 'http://localhost:3000'

const query = new URLSearchParams({ page: '1', page_size: '1' })

/** The list without records, with its first record, and a page of it; the first only where a catalogue has no records. */
export function examplesOf (resource: Resource, catalogue: Catalogue, { paginate }: Settings): Fragment {
  const records = resource.records(catalogue)
  const [record] = records
  const address = exampleOrigin + resource.path
  const pageOf = (served: object[], count: number) => envelope(served, findPage(count, '1', '1') as PagePlace, address, query)
  const list = (served: object[]) => paginate === 'always' ? pageOf(served, served.length) : served
  const empty = { summary: 'A list without records', value: list([]) }
  if (record === undefined) return { empty }
  const present = resource.present as ((catalogue: Catalogue, record: object) => object) | undefined
  const template = compileRecord(resource, { indent: 0, depth: 0 })(present === undefined ? record : present(catalogue, record))
  const served = JSON.parse(renderTemplate(template, exampleOrigin)) as object
  return {
    empty,
    one: { summary: 'A list of one record', value: list([served]) },
    page: { summary: 'With `page=1&page_size=1`', value: pageOf([served], records.length) }
  }
}
