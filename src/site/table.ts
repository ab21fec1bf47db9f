import { html } from 'ghtml'
import type { Keywords } from '../../schemas/common.ts'
import { stepOf } from '../base/json.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { short } from '../base/text.ts'
import { contractOf } from '../catalogue/schema-fields.ts'
import type { PageContent } from '../lists/renderer.ts'
import { walkJson, type JsonStep } from './json.ts'
import { imagesOf, recordImage, recordName, textOf, valueHtml, valueIn } from './value.ts'

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
    const id = short(textOf(record.id ?? `record ${index + 1}`), maxIdLength)
    const cells = columns.map(({ name, path }) => {
      const value = valueIn(record, path)
      const words = typeof value === 'string' && value.includes(' ') ? ' class="words"' : ''
      return html`<td!${words}>!${valueHtml({ catalogue, key, path: name, value })}</td>
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
  const others = foreign.map(name => ({ name: name || '""', isForeign: true, path: [name] }))
  return [...filled, ...others, ...empty]
}

/** Returns the head of a column; that of a sortable one orders by it: ascending, descending, then by default. */
function columnHead ({ listRequest }: TableContent, column: Column, ofOrdering: Addresses['ofOrdering']): string {
  const { name, isForeign } = column
  const { resource, terms } = listRequest
  const heading = (attributes: string, content: string) => html`<th scope="col"!${attributes}>!${content}</th>
`
  const text = html`${name}`.replace(/[._]/g, '$&<wbr>')
  if (isForeign) return heading(' class="foreign" title="not in the contract"', text)
  if (!resource.sortable.includes(name)) return heading('', text)
  const link = (ordering: string) => html`<a href="${ofOrdering(ordering)}">!${text}</a>`
  const term = terms.find(({ field }) => field === name)
  if (term === undefined) return heading('', link(name))
  const direction = term.descending ? 'descending' : 'ascending'
  const sort = term === terms[0] ? html` aria-sort="${direction}"` : ''
  return heading(html` class="${direction}"!${sort}`, link(term.descending ? '' : `-${name}`))
}

/** Returns the images of a record, and its fields as a table of paths, values and types, as its JSON has them. */
export function fieldTable (content: TableContent, record: ServedRecord, json: string): string {
  const { catalogue, listRequest: { resource: { key } } } = content
  const images = imagesOf(record, key, catalogue).slice(0, 3).map((address, index) => {
    const options = index === 0 ? { alt: recordName(record), isLarge: true } : {}
    return recordImage(address, catalogue, options)
  })
  const gallery = html`<div class="images">
!${images}</div>
`
  const { items } = contractOf(key, catalogue.fitnessName)
  const rows: string[] = []
  let count = 0
  walkJson(json, (steps, text) => {
    count++
    if (count > maxFieldRows) return
    const { path, schema } = fieldAt(steps, items)
    const value: unknown = JSON.parse(text)
    const shown = valueHtml({ catalogue, key, path, value }, text, maxText)
    rows.push(html`<tr><th>${path}<td>!${shown}<td>!${typeHtml(value, text, schema)}
`)
  })
  const more = html`<p class="small muted">${count - maxFieldRows} more in the JSON</p>
`
  return html`<div class="of-record">
!${images.length > 0 ? gallery : ''}<div class="scroll" role="region" aria-label="Fields" tabindex="0">
<table class="record">
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Type</th></tr></thead>
<tbody>
!${rows}</tbody></table></div>
!${count > maxFieldRows ? more : ''}</div>
`
}

/** Returns the path that steps of JSON spell, and its schema; undefined where the contract has no such field. */
function fieldAt (steps: readonly JsonStep[], record: Keywords): { path: string, schema: Keywords | undefined } {
  let path = ''
  let schema: Keywords | undefined = record
  for (const step of steps) {
    const present: Keywords | undefined = schema?.anyOf?.[0] ?? schema
    if (typeof step === 'number') {
      schema = present?.items
      path += stepOf(String(step), true)
      continue
    }
    const name = JSON.parse(step) as string
    const isKnown = Object.hasOwn(present?.properties ?? {}, name)
    schema = isKnown ? present?.properties?.[name] : Object.values(present?.patternProperties ?? {})[0]
    path += path === '' && name !== '' ? name : stepOf(name, false)
  }
  return { path, schema }
}

/** Returns the type in the contract, or that of the value with what the contract has instead. */
function typeHtml (value: unknown, text: string, schema: Keywords | undefined): string {
  let own: string = value === null ? 'null' : typeof value
  if (Array.isArray(value)) own = 'array'
  if (/^-?\d+$/.test(text)) own = 'integer'
  if (schema === undefined) return html`${own} <b>not in the contract</b>`
  const types = typesOf(schema)
  const names = types.map(type => type === 'string' ? schema.format ?? type : type)
  const contract = names.join(' or ')
  const isValid = types.includes(own) || (own === 'integer' && types.includes('number'))
  return isValid ? html`${contract}` : html`${own} <b>contract: ${contract}</b>`
}

const typesOf = ({ type = [], anyOf = [] }: Keywords): string[] => [...[type].flat(), ...anyOf.flatMap(typesOf)]
