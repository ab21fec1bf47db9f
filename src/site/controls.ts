import { html } from 'ghtml'
import { filterKinds, type Filter } from '../lists/filter.ts'
import { writeOrdering } from '../lists/ordering.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Summary } from '../lists/table.ts'
import type { RequestBar } from './exchange.ts'

/** The content that the bar of a list needs; of an invalid request there is no page. */
type BarContent = Pick<PageContent, 'listRequest' | 'page' | 'summaryOf'>

/** The states of a bar: of a record it has no form, and of an invalid request the filters that were sent, unfolded. */
type BarState = 'list' | 'record' | 'invalid'

/** Returns the bar of a list's request: search, ordering, filters, records, token, and what is active. */
export function listBar (content: BarContent, state: BarState): RequestBar {
  const { listRequest, page } = content
  const { resource } = listRequest
  let size: number | undefined
  if (listRequest.page !== undefined) size = page?.size ?? resource.pageSize
  const fields = state === 'record' ? '' : formFields(content, state === 'invalid')
  const form = html`<form id="options" class="controls" action="${resource.path}" method="get"
aria-label="Options of the list">
<input type="hidden" name="format" value="api">
!${size === undefined ? '' : firstPage(size, resource).map(hiddenInput)}!${fields}</form>
`
  const selected = selection(listRequest)
  const active = selected.map(parameter => {
    const [name, text] = parameter
    const others = selected.filter(other => other !== parameter)
    return html`<li><a href="${listAddress(listRequest, others)}"><span class="hidden">Remove </span>
<code>${name}=<bdi>${text}</bdi></code></a></li>
`
  })
  const chosen = html`<ul class="chosen" aria-label="Active">
!${active}</ul>
`
  const barContent = html`!${fields === '' ? '' : form}!${state === 'record' ? '' : extent(listRequest, size)}
!${resource.access === 'token' && state !== 'invalid' ? tokenInUse : ''}!${active.length === 0 ? '' : chosen}`
  return { content: barContent, form: fields === '' ? undefined : 'options' }
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

/** Returns links to all records, and to pages of each size, as far as the service has them. */
function extent (listRequest: ListRequest, current: number | undefined): string {
  const { paginate, pageSize, pageSizeParameter, maxPageSize } = listRequest.resource
  if (paginate === 'never') return ''
  const sizes = new Set([pageSize, current ?? pageSize])
  if (pageSizeParameter) for (const size of [20, 100]) sizes.add(Math.min(size, maxPageSize))
  const currentIf = (size: number | undefined) => size === current ? ' aria-current="true"' : ''
  const all = html`<a href="${firstPageAddress(listRequest, undefined)}"!${currentIf(undefined)}>all records</a>
`
  const pages = [...sizes].sort((a, b) => a - b).map(size => {
    const address = firstPageAddress(listRequest, size)
    return html`<a href="${address}" aria-label="pages of ${size}"!${currentIf(size)}>${size}</a>
`
  })
  return html`<nav class="extent" aria-label="Records of the response">
!${paginate === 'always' ? '' : all}<span>pages of</span>
!${pages}</nav>
`
}

/** Returns the fields of the form: search, ordering, and folded the filters; of an invalid request, those sent. */
function formFields ({ listRequest, summaryOf }: BarContent, isInvalid: boolean): string {
  const { resource, terms, filters } = listRequest
  const values = new Map(filters)
  let search = ''
  const folded: string[] = []
  for (const filter of Object.values(resource.filters)) {
    const value = values.get(filter.name)
    const isSearch = filter.kind === 'search'
    if (isSearch) search = filterField(filter, value)
    else if (value !== undefined || !isInvalid) folded.push(filterField(filter, value, summaryOf(filter.fields[0])))
  }
  const orderings: SelectChoice[] = [['', 'default']]
  for (const field of resource.sortable) orderings.push([field, field], [`-${field}`, `${field}, descending`])
  const ordering = orderings.length > 1 ? selectField('ordering', orderings, writeOrdering(terms)) : ''
  const details = html`<details!${isInvalid ? ' open' : ''}><summary>Filters</summary>
<div class="filters">
!${folded}</div></details>
`
  return search + ordering + (folded.length > 0 ? details : '')
}

/** A filter with more values, or of a longer list, has an input. */
const maxChoices = 30

/** Longer values aren't offered, in characters. */
const maxChoice = 100

/**
 * Returns the field of a filter: the values of the list, each with its number of records; an input where there are
 * none, or too many, with the bound of the list.
 */
function filterField (filter: Filter, value = '', summary?: Summary): string {
  const { name, kind, comparison, fields } = filter
  // A filter ignores case, splits its value at commas, and ignores white space around the parts.
  const offered = new Map<string, readonly [text: string, count: number]>()
  for (const [choice, count] of summary?.counts ?? []) {
    const text = String(choice)
    const isOfKind = kind === 'boolean' ? typeof choice === 'boolean' : typeof choice === 'string'
    const isSelectable = isOfKind && text !== '' && text === text.trim() && !text.includes(',')
    if (!isSelectable || text.length > maxChoice) continue
    const [first, sum] = offered.get(text.toLowerCase()) ?? [text, 0]
    offered.set(text.toLowerCase(), [first, sum + count])
  }
  const choices = Array.from(offered.values(), ([text, count]): SelectChoice => [text, `${text} (${count})`])
  if (choices.length > 0 && choices.length <= maxChoices) {
    choices.sort(([a], [b]) => a.localeCompare(b, 'en'))
    return selectField(name, [['', 'any'], ...choices], value)
  }

  let placeholder = kind === 'search' ? fields.join(', ') : ''
  let range = ''
  if (comparison !== 'equal' && summary !== undefined && summary.least <= summary.greatest) {
    const bound = comparison === 'atLeast' ? summary.least : summary.greatest
    placeholder = String(bound)
    if (kind === 'date') {
      // An input of a date has no placeholder; the bound is in microseconds.
      const date = new Date(bound / 1000).toISOString().slice(0, 10)
      range = html` <span class="muted">${date}</span>`
    }
  }
  // An input of its type would drop a value of another form.
  const { attributes, form } = filterKinds[kind].input
  const isOfType = value === '' || form.test(value)
  return html`<div class="field"><label for="${name}">${name}!${range}</label>
<input id="${name}" name="${name}" !${isOfType ? attributes : 'type="text" aria-invalid="true"'} value="${value}"
placeholder="${placeholder}"></div>
`
}

type SelectChoice = readonly [value: string, text: string]

/** Returns a field with choices, among them the selected one. */
function selectField (name: string, choices: readonly SelectChoice[], selected: string): string {
  const isOffered = choices.some(([value]) => value === selected)
  const all: readonly SelectChoice[] = isOffered ? choices : [...choices, [selected, selected]]
  const options = all.map(([value, text]) => {
    return html`<option value="${value}"!${value === selected ? ' selected' : ''}>${text}</option>
`
  })
  return html`<div class="field"><label for="${name}">${name}</label>
<select id="${name}" name="${name}">!${options}</select></div>
`
}

/**
 * Shows in browsable pages of version 2.1 that a token is in use; only the script that stores the token uses the
 * button.
 */
const tokenInUse = html`<p class="in-use small" data-scripted>Sent with the token of this tab
<button type="button" class="slim" data-forget aria-label="Forget the token">Forget</button></p>
`
