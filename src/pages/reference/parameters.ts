import { html } from 'ghtml'
import {
  follow, markOf, prose, provisionalMark, typeOf, type Described, type Operation, type Parameter, type Reference, type Schema
} from './document.ts'

/** What the parameters of every list mean; each list's own form takes their values. */
export function parametersSection ({ paths, components }: Described): string {
  const isOrdering = (parameter: Parameter | Reference) => 'name' in parameter && parameter.name === 'ordering'
  const [ordering] = Object.values(paths).flatMap(({ get }) => get?.parameters ?? []).filter(isOrdering) as Parameter[]
  const { Format, ...others } = components.parameters
  const all = [Format, ordering, ...Object.values(others)].filter(parameter => parameter !== undefined)
  return html`<section><h2 id="parameters">Parameters of every list</h2>
<dl class="parameters">
!${all.map(commonRow)}</dl></section>
`
}

function commonRow (parameter: Parameter): string {
  const { name, schema, in: place, description = '' } = parameter
  const type = name === 'ordering' ? 'a field of the list' : typeOf(schema)
  return html`<div><dt><code>${name}</code> !${markOf(parameter)}</dt>
<dd><p>!${prose(description)}</p><p class="muted small">!${place === 'header' ? 'a header, ' : ''}!${type}</p></dd></div>
`
}

/** The fields of a form that takes the parameters of an operation; ids begin with the operation's. */
export function parameterFields ({ operationId, parameters = [] }: Operation, { components }: Described): string {
  const all = parameters.map(parameter => follow(parameter, components.parameters))
  const common = new Set(['ordering', ...Object.values(components.parameters).map(({ name }) => name)])
  const filters = all.filter(({ name }) => !common.has(name))
  const fields = all.filter(({ name }) => common.has(name))
  const hiding = (parameter: Parameter) => needsScript(parameter) ? ' data-scripted hidden' : ''
  return html`<div class="fields">
!${fields.map(parameter => html`<div class="field"!${hiding(parameter)}>!${field(operationId, parameter)}</div>
`)}</div>
!${filters.length === 0 ? '' : filterTable(operationId, filters)}`
}

/** Tells whether only a script can send a parameter: a form sends no headers, and `page` without a value is no page. */
const needsScript = ({ name, in: place }: Parameter) => place === 'header' || name === 'page'

function filterTable (id: string, filters: readonly Parameter[]): string {
  const rows = filters.filter(({ name }) => !name.includes('__'))
  const others = ({ name }: Parameter) => filters.filter(other => other.name.startsWith(`${name}__`))
  return html`<h4>Filters !${provisionalMark}</h4>
<p class="small">Several narrow together.</p>
<dl class="parameters">
!${rows.map(filter => filterRow(id, filter, others(filter)))}</dl>
`
}

/** A filter, with those beside it that compare the same field in another way. */
function filterRow (id: string, filter: Parameter, others: readonly Parameter[]): string {
  const { name, description = '', schema } = filter
  if (others.length === 0) {
    return html`<div><dt><label for="${id}-${name}"><code>${name}</code></label></dt>
<dd><p class="small">!${prose(description)} <span class="muted">!${typeOf(schema)}</span></p>!${control(id, filter)}</dd></div>
`
  }
  return html`<div><dt><code>${name}</code></dt>
<dd><p class="small">Equal, at least, at most. <span class="muted">!${typeOf(schema)}</span></p>
<div class="range">!${[filter, ...others].map(one => html`<div class="field">!${field(id, one)}</div>`)}</div></dd></div>
`
}

function field (id: string, parameter: Parameter): string {
  return html`<label for="${id}-${parameter.name}"><code>${parameter.name}</code></label>!${control(id, parameter)}`
}

/** The control that a parameter's value is given with. */
function control (operation: string, parameter: Parameter): string {
  const { name, in: place, schema } = parameter
  const id = `${operation}-${name}`
  const named = place === 'header' ? html`id="${id}" data-header="${name}"` : html`id="${id}" name="${name}"`
  const options = (values: readonly string[]) => values.map(value => html`<option>${value}</option>`).join('')
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (choices !== undefined) return html`<select !${named}><option value=""></option>!${options(choices)}</select>`
  const words = schema.items?.enum
  if (words !== undefined) {
    return html`<input !${named} list="${id}-words" placeholder="${words.slice(0, 2).reverse().join()}">
<datalist id="${id}-words">!${options(words)}</datalist>`
  }
  return html`<input !${named}!${inputOf(schema)}!${needsScript(parameter) ? ' disabled' : ''}>`
}

function inputOf ({ type, minimum, maximum, default: usual, anyOf }: Schema): string {
  if (type === 'integer' || type === 'number') {
    const bounds = { min: minimum, max: maximum, placeholder: usual }
    const given = Object.entries(bounds).filter(([, value]) => value !== undefined)
    return html` type="number"!${type === 'integer' ? '' : ' step="any"'}!${given.map(([name, value]) => html` ${name}="${value}"`)}`
  }
  return anyOf?.[0]?.format === 'date' ? ' placeholder="2024-06-01"' : ''
}
