import { html } from 'ghtml'
import { parseTree, type Node } from 'jsonc-parser'
import type { Keywords } from '../../schemas/common.ts'
import { stepOf } from '../base/json.ts'
import { contractOf } from '../catalogue/recorded/fitness.ts'
import type { PageContent } from '../lists/renderer.ts'
import { valueHtml } from './value.ts'

/** The most fields of a record in its table, and the most characters of a value. */
const [maxFields, maxText] = [1000, 2000]

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
