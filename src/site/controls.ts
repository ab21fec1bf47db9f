import { html } from 'ghtml'
import { groupBy } from '../base/group.ts'
import type { Filter, FilterKind } from '../lists/filter.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { maxPageSize, type ListPage } from '../lists/page.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Summary } from '../lists/table.ts'

/** What the form of a list needs; of an invalid request there is no page. */
export type FormContent = Pick<PageContent, 'listRequest' | 'page' | 'summaryOf'>

/** Returns the form that filters and pages a list; the heads of its table order it. Pages need a checkbox to omit them without a script. */
export function controls (content: FormContent, isInvalid = false): string {
  const { listRequest, page } = content
  const { resource, terms } = listRequest
  const fields = filterFields(content, isInvalid)
  const extent = extentField(listRequest, page)
  if (fields + extent === '') return ''
  const order = html`<input type="hidden" name="ordering" value="${writeOrdering(terms)}">
`
  return html`<form class="controls" action="${resource.path}" method="get" aria-label="Options of the list">
<input type="hidden" name="format" value="api">
!${terms.length > 0 ? order : ''}!${chosen(listRequest)}!${fields}!${extent}<div class="buttons">
<button type="submit" class="primary">Show</button></div>
</form>
`
}

type Parameter = readonly [name: string, text: string]

/** Returns the parameters that select and order the records of a list; links do not repeat ignored ones. */
export function selection ({ terms, filters }: ListRequest, ordering = writeOrdering(terms)): readonly Parameter[] {
  return ordering === '' ? filters : [['ordering', ordering], ...filters]
}

/** Returns the URL of the browsable page of a list with these parameters. */
export function addressOf ({ resource }: ListRequest, parameters: readonly Parameter[]): string {
  const query = new URLSearchParams({ format: 'api' })
  for (const [name, text] of parameters) query.append(name, text)
  return `${resource.path}?${query}`
}

/** Lists the ordering and the filters, each with a link that removes it. */
function chosen (listRequest: ListRequest): string {
  const all = selection(listRequest)
  if (all.length === 0) return ''
  return html`<ul class="chosen" aria-label="Active">
!${all.map(own => html`<li><a href="${addressOf(listRequest, all.filter(other => other !== own))}"><span class="hidden">Remove </span>
<code>${own[0]}=<bdi>${own[1]}</bdi></code></a></li>
`)}</ul>
`
}

function extentField (listRequest: ListRequest, page: ListPage | undefined): string {
  const { paginate, pageSize, pageSizeParameter } = listRequest.resource
  if (paginate === 'never') return ''
  const size = page?.size ?? pageSize
  const others = pageSizeParameter ? [20, 50, maxPageSize] : []
  const sizes = others.filter(size => size !== pageSize).map((size): Choice => [String(size), String(size)])
  const pages = paginate === 'always'
    ? '<span><input type="hidden" name="page" value="1">Pages of</span>'
    : html`<label class="check">
<input type="checkbox" name="page" value="1"!${listRequest.page === undefined ? '' : ' checked'}> Pages of</label>`
  return html`<div class="extent">!${pages}
<select name="page_size" aria-label="Records a page">
!${options([['', String(pageSize)], ...sizes], size === pageSize ? '' : String(size))}</select></div>
`
}

/** A filter with more values, or of a longer list, has a text field; longer values aren't offered. */
const [maxChoices, maxChoice] = [30, 100]

/** Returns the fields of a list's filters by parameter: folded below the search, or of an invalid request those that were typed. */
function filterFields ({ listRequest: { resource, filters }, summaryOf }: FormContent, isInvalid: boolean): string {
  const { search: searched, ...all } = resource.filters
  if (searched === undefined) return ''
  const typed = new Map(filters)
  const groups = [...groupBy(Object.values(all), ({ label }) => label).values()]
  const shown = groups.filter(group => !isInvalid || group.some(({ name }) => typed.has(name)))
  const fields = shown.map(group => {
    const [filter] = group
    const summary = summaryOf(filter.fields[0] as string)
    return inputTypes[filter.kind] === undefined ? filterField(filter, typed, summary) : range(group, typed, summary)
  })
  const search = textField('search', typed.get('search'), 'type="search" placeholder="title, brand, model, description"')
  if (shown.length === 0) return search
  return html`!${search}<details!${isInvalid ? ' open' : ''}><summary>Filters</summary>
<div class="filters">
!${fields}</div></details>
`
}

type Typed = ReadonlyMap<string, string>

function filterField ({ name, label }: Filter, typed: Typed, summary?: Summary): string {
  const choices = [...summary?.counts ?? []].filter(([value]) => value !== null && value !== '' && String(value).length <= maxChoice)
  if (choices.length > maxChoices || summary === undefined) return textField(name, typed.get(name))
  const sorted = choices.sort(([a], [b]) => String(a).localeCompare(String(b), 'en'))
  const all = sorted.map(([value, count]): Choice => [String(value), `${String(value)} (${count})`])
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">!${options([['', 'any'], ...all], typed.get(name) ?? '')}</select></div>
`
}

/** Returns the inputs of one field's filters, with its least and greatest value as placeholders; equality only if typed or alone. */
function range (filters: readonly Filter[], typed: Typed, summary?: Summary): string {
  const [{ label, kind }] = filters as [Filter]
  const text = (value: number) => kind === 'date' ? new Date(value / 1000).toISOString().slice(0, 10) : String(value)
  const hasNumbers = summary !== undefined && summary.least <= summary.greatest
  const [least, greatest] = hasNumbers ? [text(summary.least), text(summary.greatest)] : ['', '']
  const places = { equal: '', atLeast: least, atMost: greatest }
  const extent = kind === 'date' && least !== '' ? html` <span class="muted">${least} to ${greatest}</span>` : ''
  const isAlone = filters.length === 1
  const shown = filters.filter(({ name, comparison }) => isAlone || comparison !== 'equal' || typed.has(name))
  const inputs = shown.map(filter => boundField(filter, typed.get(filter.name), places[filter.comparison]))
  return html`<fieldset><legend>${label}!${extent}</legend>
<span class="between">!${inputs.join(' to ')}</span></fieldset>
`
}

const inputTypes: { readonly [kind in FilterKind]?: readonly [type: string, form: RegExp] } = {
  integer: ['type="number" step="1"', /^-?\d+$/],
  decimal: ['type="number" step="any"', /^-?\d+(?:\.\d+)?$/],
  date: ['type="date"', /^\d{4}-\d\d-\d\d$/]
}

/** Returns the field of a bound; a field of its type would drop a value of another form. */
function boundField ({ name, kind, words }: Filter, value = '', placeholder: string): string {
  const [type, form] = inputTypes[kind] as readonly [string, RegExp]
  const isTyped = value === '' || form.test(value)
  return html`<input name="${name}" !${isTyped ? type : 'type="text" aria-invalid="true"'} value="${value}"
placeholder="${placeholder}" aria-label="${words}">`
}

type Choice = readonly [value: string, text: string]

/** Returns options, including the current one, which is selected. */
function options (choices: readonly Choice[], current: string): string {
  const all: readonly Choice[] = choices.some(([value]) => value === current) ? choices : [...choices, [current, current]]
  return all.map(([value, text]) => html`<option value="${value}"!${value === current ? ' selected' : ''}>${text}</option>
`).join('')
}

function textField (name: string, value = '', attributes = 'type="text"'): string {
  return html`<div class="field"><label for="${name}">${name}</label>
<input id="${name}" name="${name}" value="${value}" !${attributes}></div>
`
}

/** Shows in browsable pages of version 2.1 that a token is in use; only the script that stores the token uses the button. */
export const tokenInUse = html`<p class="in-use small" data-scripted>Requested with the token of this tab.
<button type="button" class="slim" data-forget aria-label="Forget the token">Forget</button></p>
`

/** The field for a token, with an alternative for browsers without scripts. */
export function tokenForm (target: string, hasTokenForm: boolean, isRefused: boolean): string {
  return html`<form class="ask-token" data-token="${target}" data-scripted>
<div class="fields">
<div class="field"><label for="token">Token</label>
<input id="token" name="token" type="text" required autocomplete="off" spellcheck="false"
placeholder="bct_&hellip;" aria-describedby="token-help"!${isRefused ? ' aria-invalid="true"' : ''}></div>
<div class="buttons"><button type="submit" class="primary">Open the list</button>
!${hasTokenForm ? '<a class="button" href="/tokens/">Get a token</a>' : ''}</div>
</div>
<p class="small muted" id="token-help">The token is stored in this tab only,
and sent as <code>Authorization: Token $TOKEN</code> with each request for version 2.1.</p>
</form>
<noscript><p>A browser sends a token only with a script. Without scripts,
!${hasTokenForm ? '<a href="/tokens/">get a token</a> and use' : 'use'} the command below.</p></noscript>
`
}
