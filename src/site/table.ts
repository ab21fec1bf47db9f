import { html } from 'ghtml'
import { parseTree, type Node } from 'jsonc-parser'
import type { Keywords } from '../../schemas/common.ts'
import { stepOf } from '../base/json.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { short } from '../base/text.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import type { PageContent } from '../lists/renderer.ts'
import { imagesOf, recordImage, valueHtml, valueIn } from './value.ts'

/** The most columns of fields that the contract does not have. */
const maxForeign = 6

/** The most characters of an id. */
const maxIdLength = 40

/** The most rows of a record's table. */
const maxFieldRows = 1000

/** The most characters of a value in a record's table. */
const maxText = 2000

type Addresses = { ofRecord: (index: number) => string, ofOrdering: (ordering: string) => string }

/** A column of the table of records: the name and the path of its field, and whether the contract lacks that. */
type Column = { name: string, isForeign: boolean, path: readonly string[] }

type TableContent = Pick<PageContent, 'catalogue' | 'listRequest'>

/**
 * Returns the records of a list as a table: image, link, the list's columns, fields beyond the contract, and columns
 * without values.
 */
export function recordTable (content: TableContent, records: readonly ServedRecord[], addresses: Addresses): string {
  const { catalogue, listRequest: { resource: { key } } } = content
  const columns = columnsOf(content, records)
  const heads = [idColumn, ...columns].map(column => columnHead(content, column, addresses.ofOrdering))
  const rows = records.map((record, index) => {
    const id = short(String(record.id ?? `record ${index + 1}`), maxIdLength)
    const cells = columns.map(({ name, path }) => {
      const value = valueHtml({ catalogue, key, path: name, value: valueIn(record, path) })
      return html`<td>!${value}</td>
`
    })
    return html`<tr><td>!${recordImage(imagesOf(record, key, catalogue)[0], catalogue)}</td>
<th scope="row"><a href="${addresses.ofRecord(index)}">${id}</a></th>
!${cells}</tr>
`
  })
  return html`<div class="scroll" role="region" aria-label="Records" tabindex="0"><table class="records">
<thead><tr><th scope="col"><span class="hidden">Image</span></th>
!${heads}</tr></thead>
<tbody>
!${rows}</tbody></table></div>
`
}

const idColumn: Column = { name: 'id', isForeign: false, path: ['id'] }

/**
 * Returns the columns besides the id: those of the list with values, those that the contract does not have, and those
 * without values.
 */
function columnsOf ({ catalogue, listRequest }: TableContent, records: readonly ServedRecord[]): Column[] {
  const { key, columns, sortable } = listRequest.resource
  const names = new Set([...columns, ...sortable])
  names.delete('id')
  const { properties } = contractOf(key, catalogue.fitnessName).items
  const isForeign = (name: string) => !Object.hasOwn(properties, name) && !names.has(name)
  const present = new Set(records.flatMap(record => Object.keys(record)))
  const foreign = [...present].filter(isForeign).slice(0, maxForeign)
  const filled: Column[] = []
  const empty: Column[] = []
  for (const name of names) {
    const path = name.split('.')
    const hasValues = records.some(record => valueIn(record, path) !== undefined)
    const columns = hasValues ? filled : empty
    columns.push({ name, isForeign: false, path })
  }
  const others = foreign.map(name => ({ name, isForeign: true, path: [name] }))
  return [...filled, ...others, ...empty]
}

/** Returns the head of a column; that of a sortable one orders by it: ascending, descending, then by default. */
function columnHead ({ listRequest }: TableContent, column: Column, ofOrdering: Addresses['ofOrdering']): string {
  const { name, isForeign } = column
  const { resource, terms } = listRequest
  const heading = (attributes: string, content: string) => html`<th scope="col"!${attributes}>!${content}</th>
`
  if (isForeign) return heading(' class="foreign" title="not in the contract"', html`${name}`)
  if (!resource.sortable.includes(name)) return heading('', html`${name}`)
  const link = (ordering: string) => html`<a href="${ofOrdering(ordering)}">${name}</a>`
  const term = terms.find(({ field }) => field === name)
  if (term === undefined) return heading('', link(name))
  const direction = term.descending ? 'descending' : 'ascending'
  const sort = term === terms[0] ? html` aria-sort="${direction}"` : ''
  return heading(html` class="${direction}"!${sort}`, link(term.descending ? '' : `-${name}`))
}

/** Returns the fields of a record as a table of paths, values and types, as its JSON has them. */
export function fieldTable ({ catalogue, listRequest: { resource: { key } } }: PageContent, json: string): string {
  const fields = [...leafFields(parseTree(json) as Node, contractOf(key, catalogue.fitnessName).items)]
  const rows = fields.slice(0, maxFieldRows).map(({ path, node, schema }) => {
    const written = json.slice(node.offset, node.offset + node.length)
    const value = valueHtml({ catalogue, key, path, value: leafValue(node) }, written, maxText)
    return html`<tr><th>${path}<td>!${value}<td>!${typeHtml(jsonType(node, written), schema)}
`
  })
  const more = html`<p class="small muted">${fields.length - maxFieldRows} more in the JSON</p>
`
  return html`<div class="scroll" role="region" aria-label="Fields" tabindex="0"><table class="record">
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Type</th></tr></thead>
<tbody>
!${rows}</tbody></table></div>
!${fields.length > maxFieldRows ? more : ''}`
}

/** A value without parts, and its schema; undefined where the contract has no such field. */
type LeafField = { path: string, node: Node, schema: Keywords | undefined }

function * leafFields (node: Node, schema: Keywords | undefined, path = ''): Generator<LeafField> {
  const { type, children = [] } = node
  if (children.length === 0) yield { path, node, schema }
  const present = schema?.anyOf?.[0] ?? schema
  for (const [index, child] of children.entries()) {
    if (type === 'array') {
      yield * leafFields(child, present?.items, `${path}[${index}]`)
      continue
    }
    const [{ value: name }, value] = child.children as [{ value: string }, Node]
    yield * leafFields(value, propertyOf(present, name), path === '' ? name : path + stepOf(name, false))
  }
}

/** Returns the schema of a property; undefined where the contract has no such property. */
function propertyOf (schema: Keywords | undefined, name: string): Keywords | undefined {
  const { properties = {}, patternProperties = {} } = schema ?? {}
  if (Object.hasOwn(properties, name)) return properties[name]
  return Object.values(patternProperties)[0]
}

function leafValue ({ type, value }: Node): unknown {
  if (type === 'array') return []
  return type === 'object' ? {} : value
}

function jsonType ({ type }: Node, written: string): string {
  return type === 'number' && /^-?\d+$/.test(written) ? 'integer' : type
}

/** Returns the type in the contract, or that of the value with what the contract has instead. */
function typeHtml (own: string, schema: Keywords | undefined): string {
  if (schema === undefined) return html`${own} <b>not in the contract</b>`
  const types = typesOf(schema)
  const names = types.map(type => type === 'string' ? schema.format ?? type : type)
  const contract = names.join(' or ')
  const isValid = types.includes(own) || (own === 'integer' && types.includes('number'))
  return isValid ? html`${contract}` : html`${own} <b>contract: ${contract}</b>`
}

const typesOf = ({ type = [], anyOf = [] }: Keywords): string[] => [...[type].flat(), ...anyOf.flatMap(typesOf)]
