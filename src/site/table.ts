import { html } from 'ghtml'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { short } from '../base/text.ts'
import { contractOf } from '../catalogue/recorded/fitness.ts'
import type { PageContent } from '../lists/renderer.ts'
import { image, imagesOf, valueHtml, valueIn } from './value.ts'

/** The most columns of fields that the contract does not have, and the most characters of an id. */
const [maxForeign, maxId] = [6, 40]

const foreignClass = ' class="foreign" title="not in the contract"'

type Addresses = { ofRecord: (index: number) => string, ofOrdering: (ordering: string) => string }

/** Returns the records of a list as a table: image, link, the list's columns, fields beyond the contract, and columns without values. */
export function recordTable (content: PageContent, records: readonly ServedRecord[], { ofRecord, ofOrdering }: Addresses): string {
  const { catalogue, listRequest: { resource, terms } } = content
  const { key, columns, sortable } = resource
  const own = [...columns, ...sortable.filter(name => name !== 'id' && !columns.includes(name))]
  const { properties } = contractOf(key, catalogue.fitnessName).items
  const all = new Set(records.flatMap(record => Object.keys(record)))
  const foreign = [...all].filter(name => !Object.hasOwn(properties, name) && !own.includes(name)).slice(0, maxForeign)
  const valueOf = (record: ServedRecord, name: string) => valueIn(record, foreign.includes(name) ? [name] : name.split('.'))
  const isPresent = (name: string) => records.some(record => valueOf(record, name) !== undefined)
  const names = [...own.filter(isPresent), ...foreign, ...own.filter(name => !isPresent(name))]
  return html`<div class="scroll" role="region" aria-label="Records" tabindex="0"><table class="records">
<thead><tr><th scope="col"><span class="hidden">Image</span></th>
!${['id', ...names].map(head)}</tr></thead>
<tbody>
!${records.map((record, index) => html`<tr><td>!${image(imagesOf(record, key, catalogue)[0], catalogue)}</td>
<th scope="row"><a href="${ofRecord(index)}">${short(String(record.id ?? `record ${index + 1}`), maxId)}</a></th>
!${names.map(name => html`<td>!${valueHtml({ catalogue, key, path: name, value: valueOf(record, name) })}</td>
`)}</tr>
`)}</tbody></table></div>
`

  /** Returns the head of a column; that of a sortable one orders by it: ascending, descending, then by default. */
  function head (name: string): string {
    const plain = html`<th scope="col"!${foreign.includes(name) ? foreignClass : ''}>${name}</th>
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
