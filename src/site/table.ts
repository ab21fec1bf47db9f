import { html } from 'ghtml'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { short } from '../base/text.ts'
import { contractOf } from '../catalogue/recorded/fitness.ts'
import type { PageContent } from '../lists/renderer.ts'
import { image, imagesOf, valueHtml, valueIn } from './value.ts'

/** The most columns of fields that the contract does not have, and the most characters of an id. */
const [maxForeign, maxId] = [6, 40]

type Addresses = { ofRecord: (index: number) => string, ofOrdering: (ordering: string) => string }

/** Returns the records of a list as a table: an image, a link to each record, the list's columns, and fields beyond the contract. */
export function recordTable (content: PageContent, records: readonly ServedRecord[], { ofRecord, ofOrdering }: Addresses): string {
  const { catalogue, listRequest: { resource, terms } } = content
  const { key, columns, sortable } = resource
  const own = ['id', ...columns, ...sortable.filter(name => name !== 'id' && !columns.includes(name))]
  const { properties } = contractOf(key, catalogue.fitnessName).items
  const names = new Set(records.flatMap(record => Object.keys(record)))
  const foreign = [...names].filter(name => !Object.hasOwn(properties, name) && !own.includes(name)).slice(0, maxForeign)
  const cell = (path: string, value: unknown) => html`<td>!${valueHtml({ catalogue, key, path, value })}</td>
`
  return html`<div class="scroll" role="region" aria-label="Records" tabindex="0"><table class="records">
<thead><tr><th scope="col"><span class="hidden">Image</span></th>
!${own.map(name => head(name))}!${foreign.map(name => html`<th scope="col" class="foreign" title="not in the contract">${name}</th>
`)}</tr></thead>
<tbody>
!${records.map((record, index) => html`<tr><td>!${image(imagesOf(record, key, catalogue)[0], catalogue)}</td>
<th scope="row"><a href="${ofRecord(index)}">${short(String(record.id ?? `record ${index + 1}`), maxId)}</a></th>
!${own.slice(1).map(path => cell(path, valueIn(record, path.split('.'))))}!${foreign.map(name => cell(name, valueIn(record, [name])))}</tr>
`)}</tbody></table></div>
`

  /** Returns the head of a column; that of a sortable one orders by it: ascending, descending, then by default. */
  function head (name: string): string {
    const plain = html`<th scope="col">${name}</th>
`
    if (!sortable.includes(name)) return plain
    const term = terms.find(({ field }) => field === name)
    const next = term === undefined ? name : term.descending ? '' : `-${name}`
    const direction = term?.descending ? 'descending' : 'ascending'
    const sorted = term === undefined ? '' : html` class="${direction}"!${term === terms[0] ? html` aria-sort="${direction}"` : ''}`
    return html`<th scope="col"!${sorted}><a href="${ofOrdering(next)}">${name}</a></th>
`
  }
}
