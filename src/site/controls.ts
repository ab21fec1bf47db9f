import { html } from 'ghtml'
import type { Filter, FilterKind } from '../lists/filter.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { maxPageSize, type ListPage } from '../lists/page.ts'
import type { ListRequest } from '../lists/request.ts'
import type { PageContent } from '../lists/renderer.ts'
import type { Value } from '../lists/table.ts'
import type { ServedResource } from '../lists/resources.ts'

/** Returns the form that orders, filters and pages a list. Pages need a checkbox, because a form without scripts can't omit a field. */
export function controls (content: PageContent): string {
  const { listRequest, page } = content
  return html`<form class="controls" action="${listRequest.resource.path}" method="get" aria-label="Options of the list">
<input type="hidden" name="format" value="api">
!${filterFields(content, orderingField(listRequest) + extentField(page, listRequest.resource))}<div class="buttons">
<button type="submit" class="primary">Show</button></div>
</form>
`
}

function orderingField ({ resource, terms }: ListRequest): string {
  if (resource.sortable.length === 0) return ''
  const both = (field: string): Choice[] => [[field, `${labelOf(field)}, ascending`], [`-${field}`, `${labelOf(field)}, descending`]]
  return selectField('ordering', 'Ordering', [['', 'Id (default)'], ...resource.sortable.flatMap(both)], writeOrdering(terms))
}

function extentField (page: ListPage | undefined, { paginate, pageSize, pageSizeParameter }: ServedResource): string {
  if (paginate === 'never') return ''
  const size = page?.size ?? pageSize
  const others = pageSizeParameter ? [20, 50, maxPageSize] : []
  const sizes = others.filter(size => size !== pageSize).map((size): Choice => [String(size), String(size)])
  const [legend, extent] = paginate === 'always'
    ? ['Pages', '<input type="hidden" name="page" value="1">']
    : ['Whole list or pages', html`<label class="check">
<input type="checkbox" name="page" value="1"!${page === undefined ? '' : ' checked'}> In pages</label>`]
  return html`<fieldset><legend>${legend}</legend>
<div class="extent">!${extent}
<span class="size">of <select name="page_size" aria-label="Records a page">
!${options([['', String(pageSize)], ...sizes], size === pageSize ? '' : String(size))}</select> records</span></div></fieldset>
`
}

/** A filter with more values, or of a longer list, has a text field; longer values aren't offered. */
const [maxChoices, maxChoice] = [30, 100]

const inputs: { readonly [kind in FilterKind]?: string } =
  { integer: 'type="number" step="1"', decimal: 'type="number" step="any"', date: 'type="date"' }

/** Returns the fields of a list. With filters, all except the search are folded, because active ones are also listed in words. */
function filterFields ({ listRequest: { resource, filters }, values: valuesOf }: PageContent, others: string): string {
  const all = Object.entries(resource.filters)
  if (all.length === 0) return others
  const values = new Map(filters)
  const value = (name: string) => values.get(name) ?? ''
  const fields = all.filter(([, { kind, comparison }]) => kind !== 'search' && comparison === 'equal')
  const choices = valuesOf(fields.filter(([, { kind }]) => kind === 'anyOf').map(([, { fields: [field = ''] }]) => field))
  return html`!${textField('search', 'Search', value('search'), 'type="search" placeholder="Title, brand, model, description"')}
<details><summary>Filters, ordering and pages</summary>
<div class="filters">
!${fields.map(([name, filter]) => filterField(name, filter, value, choices.get(filter.fields[0] ?? '')))}!${others}</div></details>
`
}

function filterField (name: string, { kind }: Filter, value: (name: string) => string, choices?: ReadonlySet<Value>): string {
  const input = inputs[kind]
  if (input !== undefined) return between(name, input, value)
  if (kind === 'boolean') return selectField(name, labelOf(name), [['', 'Either'], ['true', 'Yes'], ['false', 'No']], value(name))
  if (choices === undefined || choices.size > maxChoices) return textField(name, labelOf(name), value(name))
  return selectField(name, labelOf(name), [['', 'Any'], ...sorted([...choices])], value(name))
}

function sorted (values: readonly Value[]): Choice[] {
  const texts = values.filter(value => value !== null && value !== '').map(String).filter(text => text.length <= maxChoice)
  return texts.sort((a, b) => a.localeCompare(b, 'en')).map(text => [text, text])
}

function between (name: string, input: string, value: (name: string) => string): string {
  const field = (suffix: string, bound: string) =>
    html`<input name="${name}${suffix}" !${input} value="${value(name + suffix)}" aria-label="${labelOf(name)} ${bound}">`
  const exactly = value(name) === '' ? '' : html`<span class="between">exactly !${field('', 'exactly')}</span>`
  return html`<fieldset><legend>${labelOf(name)}</legend>!${exactly}
<span class="between">!${field('__gte', 'at least')} to !${field('__lte', 'at most')}</span></fieldset>
`
}

type Choice = readonly [value: string, text: string]

function selectField (name: string, label: string, choices: readonly Choice[], current: string): string {
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">!${options(choices, current)}</select></div>
`
}

/** Returns options, including the current one, which is selected. */
function options (choices: readonly Choice[], current: string): string {
  const all: readonly Choice[] = choices.some(([value]) => value === current) ? choices : [...choices, [current, current]]
  return all.map(([value, text]) => html`<option value="${value}"!${value === current ? ' selected' : ''}>${text}</option>
`).join('')
}

function textField (name: string, label: string, value: string, attributes = 'type="text"'): string {
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" !${attributes}></div>
`
}

function labelOf (field: string): string {
  const text = field.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
