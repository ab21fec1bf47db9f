import { html } from 'ghtml'
import { groupBy } from '../base/group.ts'
import { filterKinds, type BoundInput, type Filter, type FilterKind } from '../lists/filter.ts'
import { writeOrdering } from '../lists/ordering.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Summary } from '../lists/table.ts'
import { jsonLink, requestLine } from './exchange.ts'
import { listsNavigation } from './layout.ts'
import type { ShownRequest } from './snippets.ts'

/** What the bar of a list needs; of an invalid request there is no page. */
type BarContent = Pick<PageContent, 'listRequest' | 'page' | 'summaryOf'>

/** The states of a bar: of a record it has no form, and of an invalid request the filters that were sent, unfolded. */
type BarState = 'list' | 'record' | 'invalid'

/** Returns the bar of a list's request: list, filters, ordering, records, token and URL. */
export function requestBar (content: BarContent, request: ShownRequest, state: BarState): string {
  const { listRequest } = content
  const size = pageSizeOf(content)
  const isRecord = state === 'record'
  const fields = isRecord ? '' : formFields(content, state === 'invalid')
  const send = '<button type="submit" class="primary" form="options">Send</button>\n'
  const buttons = (fields === '' ? '' : send) + jsonLink(request)
  const options = fields === '' ? '' : optionsForm(listRequest, size, fields)
  const token = request.needsToken && state !== 'invalid' ? tokenInUse : ''
  return html`<div class="request" role="group" aria-label="Request">
!${listsNavigation(listRequest.resource.path)}!${options}!${isRecord ? '' : extent(listRequest, size)}
!${token}!${activeParameters(listRequest)}!${requestLine(request, buttons)}</div>
`
}

/** Returns the size of the pages that were requested; undefined for an unpaged list. */
function pageSizeOf ({ listRequest, page }: BarContent): number | undefined {
  if (listRequest.page === undefined) return undefined
  return page?.size ?? listRequest.resource.pageSize
}

/** Returns the bar of a request that has no form: lists, unless it is outside the API, `content` (HTML) and its URL. */
export function plainBar (path: string, request: ShownRequest, content: string): string {
  return html`<div class="request" role="group" aria-label="Request">
!${path.startsWith('/api/') ? listsNavigation(path) : ''}!${content}!${requestLine(request, jsonLink(request))}</div>
`
}

/** Returns the form that orders and filters a list; the pages of its response keep their size. */
function optionsForm ({ resource }: ListRequest, size: number | undefined, fields: string): string {
  return html`<form id="options" class="controls" action="${resource.path}" method="get"
aria-label="Options of the list">
<input type="hidden" name="format" value="api">
!${size === undefined ? '' : firstPage(size, resource).map(hiddenInput)}!${fields}</form>
`
}

export type ListParameter = readonly [name: string, text: string]

export const hiddenInput = ([name, text]: ListParameter) => html`<input type="hidden" name="${name}" value="${text}">
`

/** Returns the parameters of the first of the pages of a size. */
function firstPage (size: number, { pageSize }: ListRequest['resource']): readonly ListParameter[] {
  const first: ListParameter = ['page', '1']
  return size === pageSize ? [first] : [first, ['page_size', String(size)]]
}

/** Returns the parameters that select and order the records of a list; links do not repeat ignored ones. */
export function selection ({ terms, filters }: ListRequest, ordering = writeOrdering(terms)): readonly ListParameter[] {
  return ordering === '' ? filters : [['ordering', ordering], ...filters]
}

/** Returns the URL of the browsable page of a list with these parameters. */
export function listAddress ({ resource }: ListRequest, parameters: readonly ListParameter[]): string {
  const query = new URLSearchParams({ format: 'api' })
  for (const [name, text] of parameters) query.append(name, text)
  return `${resource.path}?${query}`
}

/** Returns the URL of the first of the pages of a size, in another ordering if one is given. */
export function firstPageAddress (listRequest: ListRequest, size: number | undefined, ordering?: string): string {
  const selected = selection(listRequest, ordering)
  const pages = size === undefined ? [] : firstPage(size, listRequest.resource)
  return listAddress(listRequest, [...selected, ...pages])
}

/** Lists the ordering and the filters, each with a link that removes it. */
function activeParameters (listRequest: ListRequest): string {
  const all = selection(listRequest)
  if (all.length === 0) return ''
  return html`<ul class="chosen" aria-label="Active">
!${all.map(own => activeParameter(listRequest, own, all))}</ul>
`
}

function activeParameter (listRequest: ListRequest, own: ListParameter, all: readonly ListParameter[]): string {
  const [name, text] = own
  const others = all.filter(other => other !== own)
  return html`<li><a href="${listAddress(listRequest, others)}"><span class="hidden">Remove </span>
<code>${name}=<bdi>${text}</bdi></code></a></li>
`
}

/** Returns links to all records, and to pages of each size, as far as the service has them. */
function extent (listRequest: ListRequest, current: number | undefined): string {
  const { paginate, pageSize, pageSizeParameter, maxPageSize } = listRequest.resource
  if (paginate === 'never') return ''
  const sizes = new Set([pageSize, current ?? pageSize])
  if (pageSizeParameter) for (const size of [20, 100]) sizes.add(Math.min(size, maxPageSize))
  const ordered = [...sizes].sort((a, b) => a - b)
  const address = firstPageAddress(listRequest, undefined)
  const whole = html`<a href="${address}"!${currentIf(current === undefined)}>all records</a>
`
  return html`<nav class="extent" aria-label="Records of the response">
!${paginate === 'always' ? '' : whole}<span>pages of</span>
!${ordered.map(size => pagesLink(listRequest, size, size === current))}</nav>
`
}

function pagesLink (listRequest: ListRequest, size: number, isCurrent: boolean): string {
  const address = firstPageAddress(listRequest, size)
  return html`<a href="${address}" aria-label="pages of ${size}"!${currentIf(isCurrent)}>${size}</a>
`
}

const currentIf = (isCurrent: boolean) => isCurrent ? ' aria-current="true"' : ''

/**
 * Returns the fields of the form: search, ordering, and filters folded below them. Of an invalid request, those that
 * were sent.
 */
function formFields (content: BarContent, isInvalid: boolean): string {
  const { resource, terms, filters } = content.listRequest
  const typed = new Map(filters)
  const all = Object.values(resource.filters)
  const searchField = all.filter(isSearch).map(filter => searchInput(filter, typed)).join('')
  const others = all.filter(filter => !isSearch(filter))
  const orderings = [['', 'default'] as const, ...resource.sortable.flatMap(orderingChoices)]
  const isOrdered = resource.sortable.length > 0
  const orderingField = isOrdered ? selectField('ordering', 'ordering', orderings, writeOrdering(terms)) : ''
  const shown = filterGroups(others, typed, isInvalid)
  const filterFields = shown.map(group => groupFields(group, typed, content.summaryOf))
  if (filterFields.length === 0) return searchField + orderingField
  return html`!${searchField}!${orderingField}<details!${isInvalid ? ' open' : ''}><summary>Filters</summary>
<div class="filters">
!${filterFields}</div></details>
`
}

function orderingChoices (field: string): readonly SelectChoice[] {
  return [[field, field], [`-${field}`, `${field}, descending`]]
}

type FilterGroup = [Filter, ...Filter[]]

/** Returns the filters of each field; of an invalid request, those of the fields that it filters by. */
function filterGroups (filters: readonly Filter[], typed: Typed, isInvalid: boolean): readonly FilterGroup[] {
  const groups = [...groupBy(filters, ({ label }) => label).values()]
  if (!isInvalid) return groups
  const isTyped = (group: FilterGroup) => group.some(({ name }) => typed.has(name))
  return groups.filter(isTyped)
}

const isSearch = ({ kind }: Filter) => filterKinds[kind].control === 'search'

function searchInput ({ name }: Filter, typed: Typed): string {
  return textInput(name, typed.get(name), 'type="search" placeholder="title, brand, model, description"')
}

function groupFields (group: FilterGroup, typed: Typed, summaryOf: BarContent['summaryOf']): string {
  const [filter] = group
  const summary = summaryOf(filter.fields[0] as string)
  const { control } = filterKinds[filter.kind]
  if (typeof control === 'object') return rangeInputs(group, control, typed, summary)
  return valuesField(filter, typed, summary)
}

type Typed = ReadonlyMap<string, string>

/** A filter with more values, or of a longer list, has a text field. */
const maxChoices = 30

/** Longer values aren't offered, in characters. */
const maxChoice = 100

/** Returns a field that offers the values of the list, each with its number of records. */
function valuesField ({ name, label }: Filter, typed: Typed, summary?: Summary): string {
  const value = typed.get(name) ?? ''
  const choices = summary && valueChoices(summary)
  if (choices === undefined || choices.length > maxChoices) return textInput(name, value)
  const all: SelectChoice[] = [['', 'any'], ...choices]
  return selectField(name, label, all, value)
}

/** Returns the values of a field as choices, with their numbers of records. */
function valueChoices ({ counts }: Summary): SelectChoice[] {
  const choices: SelectChoice[] = []
  for (const [value, count] of counts) {
    const text = String(value)
    const isOffered = value !== null && text !== '' && text.length <= maxChoice
    if (isOffered) choices.push([text, `${text} (${count})`])
  }
  return choices.sort(([a], [b]) => a.localeCompare(b, 'en'))
}

/**
 * Returns the inputs of one field's filters, with its least and greatest value as placeholders; equality only if typed
 * or alone.
 */
function rangeInputs (filters: FilterGroup, bound: BoundInput, typed: Typed, summary?: Summary): string {
  const [{ label, kind }] = filters
  const { least, greatest } = boundsOf(kind, summary)
  const placeholders = { equal: '', atLeast: least, atMost: greatest }
  const isShown = ({ name, comparison }: Filter) => comparison !== 'equal' || filters.length === 1 || typed.has(name)
  const shown = filters.filter(isShown)
  const inputs = shown.map(filter => boundInput(filter, bound, typed, placeholders[filter.comparison]))
  const dates = html` <span class="muted">${least} to ${greatest}</span>`
  return html`<fieldset><legend>${label}!${kind === 'date' && least !== '' ? dates : ''}</legend>
<span class="between">!${inputs.join(' to ')}</span></fieldset>
`
}

/** Returns the least and the greatest value of a field as text; empty where it has none. */
function boundsOf (kind: FilterKind, summary: Summary | undefined): { least: string, greatest: string } {
  if (summary === undefined || summary.least > summary.greatest) return { least: '', greatest: '' }
  const { least, greatest } = summary
  if (kind !== 'date') return { least: String(least), greatest: String(greatest) }
  return { least: dateOf(least), greatest: dateOf(greatest) }
}

/** Returns a time in microseconds as a date. */
const dateOf = (time: number) => new Date(time / 1000).toISOString().slice(0, 10)

/** Returns the input of a bound; one of its type would drop a value of another form. */
function boundInput (
  { name, words }: Filter, { attributes, form }: BoundInput, typed: Typed, placeholder: string
): string {
  const value = typed.get(name) ?? ''
  const isOfType = value === '' || form.test(value)
  return html`<input name="${name}" !${isOfType ? attributes : 'type="text" aria-invalid="true"'} value="${value}"
placeholder="${placeholder}" aria-label="${words}">`
}

type SelectChoice = readonly [value: string, text: string]

/** Returns a field with choices, among them the selected one. */
function selectField (name: string, label: string, choices: readonly SelectChoice[], selected: string): string {
  const isOffered = choices.some(([value]) => value === selected)
  const all: readonly SelectChoice[] = isOffered ? choices : [...choices, [selected, selected]]
  const options = all.map(([value, text]) => {
    return html`<option value="${value}"!${value === selected ? ' selected' : ''}>${text}</option>
`
  })
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">!${options}</select></div>
`
}

function textInput (name: string, value = '', attributes = 'type="text"'): string {
  return html`<div class="field"><label for="${name}">${name}</label>
<input id="${name}" name="${name}" value="${value}" !${attributes}></div>
`
}

/**
 * Shows in browsable pages of version 2.1 that a token is in use; only the script that stores the token uses the
 * button.
 */
const tokenInUse = html`<p class="in-use small" data-scripted>Sent with the token of this tab
<button type="button" class="slim" data-forget aria-label="Forget the token">Forget</button></p>
`
