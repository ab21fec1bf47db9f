import { html } from 'ghtml'
import type { Parameter, Schema } from '../../documents/described.ts'
import { prose, provisionalMark, typeOf } from './type.ts'

/** Gives the fields of a form that takes the parameters of an operation; ids begin with the operation's. */
export function parameterFields (id: string, parameters: readonly Parameter[]): string {
  const isFilter = ({ 'x-provisional': mark, in: place, name }: Parameter) => mark === true && place === 'query' && !common.includes(name)
  const filters = parameters.filter(isFilter)
  return html`!${table(id, parameters.filter(parameter => !isFilter(parameter)))}!${filters.length === 0
? ''
: html`<details class="more"><summary>${filters.length} filters</summary>
!${table(id, filters)}</details>
`}`
}

/** The parameters of every list, which are no filters. */
const common = ['format', 'ordering', 'page', 'page_size']

function table (id: string, parameters: readonly Parameter[]): string {
  const rows = parameters.filter(({ name }) => !name.includes('__'))
  const others = ({ name }: Parameter) => parameters.filter(other => other.name.startsWith(`${name}__`))
  return html`<dl class="parameters">
!${rows.map(parameter => row(id, parameter, others(parameter)))}</dl>
`
}

/** Gives a parameter, with those beside it that compare the same field in another way. */
function row (id: string, parameter: Parameter, others: readonly Parameter[]): string {
  const { name, description = '', schema, in: place } = parameter
  const isHeader = place === 'header'
  return html`<div!${isHeader ? ' data-scripted hidden' : ''}><dt><label for="${id}-${name}"><code>${name}</code></label> <span class="muted small">!${typeOf(schema)}!${isHeader ? ', a header' : ''}</span>!${parameter['x-provisional'] ? html` !${provisionalMark}` : ''}</dt>
<dd><p class="small">!${prose(description)}</p>!${control(id, parameter)}!${others.map(other => html`
<label class="beside small" for="${id}-${other.name}"><code>${other.name}</code>!${control(id, other)}</label>`)}</dd></div>
`
}

/** Gives the control that a parameter's value is given with; a header is sent by the script only. */
function control (operation: string, { name, in: place, schema }: Parameter): string {
  const id = `${operation}-${name}`
  const named = place === 'header' ? html`id="${id}" data-header="${name}"` : html`id="${id}" name="${name}"`
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (choices !== undefined) {
    return html`<select !${named}><option value=""></option>!${choices.map(value => html`<option>${value}</option>`)}</select>`
  }
  const words = schema.items?.enum
  if (words !== undefined) {
    return html`<input !${named} list="${id}-words" placeholder="${words.slice(0, 2).reverse().join()}"><datalist id="${id}-words">!${words.map(word => html`<option>${word}</option>`)}</datalist>`
  }
  return html`<input !${named} !${inputOf(schema)}>`
}

function inputOf ({ type, minimum, maximum, default: usual, anyOf }: Schema): string {
  if (type === 'integer' || type === 'number') {
    const bounds = html`!${minimum === undefined ? '' : html` min="${minimum}"`}!${maximum === undefined ? '' : html` max="${maximum}"`}!${usual === undefined ? '' : html` placeholder="${usual}"`}`
    return html`type="number" step="${type === 'integer' ? '1' : 'any'}"!${bounds}`
  }
  return anyOf?.[0]?.format === 'date' ? 'placeholder="2024-06-01"' : 'autocomplete="off"'
}
