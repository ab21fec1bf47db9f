import { html } from 'ghtml'
import { parseTree, type Node } from 'jsonc-parser'
import type { Keywords } from '../../schemas/common.ts'
import { stepOf } from '../base/json.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { short } from '../base/text.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import type { PageContent } from '../lists/renderer.ts'
import { image, imagesOf, valueHtml, valueIn } from './value.ts'

/** The most columns of fields that the contract does not have, and the most characters of an id. */
const [maxForeign, maxId] = [6, 40]

/** The most fields of a record in its table, and the most characters of a value. */
const [maxFields, maxText] = [1000, 2000]

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

/** Returns the fields of a record as a table of paths, values and types, as its JSON has them. */
export function fieldTable ({ catalogue, listRequest: { resource: { key } } }: PageContent, json: string): string {
  const fields = [...fieldsOf(parseTree(json) as Node, contractOf(key, catalogue.fitnessName).items)]
  const more = fields.length - maxFields
  return html`<div class="scroll" role="region" aria-label="Fields" tabindex="0"><table class="record">
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Type</th></tr></thead>
<tbody>
!${fields.slice(0, maxFields).map(row)}</tbody></table></div>
!${more > 0 ? html`<p class="small muted">${more} more in the JSON</p>` : ''}`

  function row ({ path, node, schema }: Field): string {
    const written = json.slice(node.offset, node.offset + node.length)
    const value = valueHtml({ catalogue, key, path, value: valueOf(node) }, written, maxText)
    return html`<tr><th>${path}<td>!${value}<td>!${typeHtml(typeOf(node, written), schema)}
`
  }
}

/** A value without parts, and its schema; undefined where the contract has no such field. */
type Field = { path: string, node: Node, schema: Keywords | undefined }

function * fieldsOf (node: Node, schema: Keywords | undefined, path = ''): Generator<Field> {
  const { type, children = [] } = node
  const { properties = {}, patternProperties = {}, items } = schema?.anyOf?.[0] ?? schema ?? {}
  if (children.length === 0) yield { path, node, schema }
  for (const [index, child] of children.entries()) {
    if (type === 'array') yield * fieldsOf(child, items, `${path}[${index}]`)
    else {
      const [{ value: name }, value] = child.children as [{ value: string }, Node]
      const own = Object.hasOwn(properties, name) ? properties[name] : Object.values(patternProperties)[0]
      yield * fieldsOf(value, own, path === '' ? name : path + stepOf(name, false))
    }
  }
}

const valueOf = ({ type, value }: Node): unknown => type === 'array' ? [] : type === 'object' ? {} : value

const typeOf = ({ type }: Node, written: string): string => type === 'number' && /^-?\d+$/.test(written) ? 'integer' : type

/** Returns the type in the contract, or that of the value with what the contract has instead. */
function typeHtml (own: string, schema: Keywords | undefined): string {
  if (schema === undefined) return html`${own} <b>not in the contract</b>`
  const types = typesOf(schema)
  const contract = types.map(type => type === 'string' ? schema.format ?? type : type).join(' or ')
  const isValid = types.includes(own) || (own === 'integer' && types.includes('number'))
  return isValid ? html`${contract}` : html`${own} <b>contract: ${contract}</b>`
}

const typesOf = ({ type = [], anyOf = [] }: Keywords): string[] => [...[type].flat(), ...anyOf.flatMap(typesOf)]
