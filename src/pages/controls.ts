import { html } from 'ghtml'
import type { FilterKind } from '../lists/filter-kinds.ts'
import type { Asked } from '../lists/question.ts'
import { writeOrdering } from '../lists/ordering.ts'
import { defaultPageSize, maxPageSize, type PagePlace } from '../lists/page.ts'
import type { Browsed } from '../lists/representation.ts'
import type { Value } from '../lists/column.ts'

/**
 * The form that asks the same list in another order, in pages or whole, and narrowed by its filters. A checkbox says whether in pages:
 * without scripts each choice of radio buttons sends its `page`, and the whole list has none.
 */
export function controls (browsed: Browsed): string {
  const { asked, place } = browsed
  return html`<form class="controls" action="${asked.resource.path}" method="get" aria-label="Ask differently">
<input type="hidden" name="format" value="api">
!${filterFields(browsed)}!${orderingField(asked)}!${extentField(place)}<div class="buttons"><button class="primary">Show</button></div>
</form>
`
}

function orderingField ({ resource, terms }: Asked): string {
  if (resource.sortable.length === 0) return ''
  const both = (field: string): Choice[] => [[field, `${labelOf(field)}, ascending`], [`-${field}`, `${labelOf(field)}, descending`]]
  return select('ordering', 'Ordering', [['', 'Id (default)'], ...resource.sortable.flatMap(both)], writeOrdering(terms))
}

/** The choice between the whole list and its pages, whose size can be chosen once they are. */
function extentField (place: PagePlace | undefined): string {
  const size = place?.size ?? defaultPageSize
  const sizes = [20, 50, maxPageSize].map((size): Choice => [String(size), String(size)])
  const choices = options([['', String(defaultPageSize)], ...sizes], size === defaultPageSize ? '' : String(size))
  return html`<fieldset><legend>Whole list or pages</legend>
<div class="extent"><label class="check">
<input type="checkbox" name="page" value="1"!${place === undefined ? '' : ' checked'}> In pages</label>
<span class="size">of <select name="page_size" aria-label="Records a page">!${choices}</select> records</span></div></fieldset>
`
}

/** A field with more values than this is not offered as choices. */
const maxChoices = 30

/** How a field of the form takes a value that is compared; undefined for the kinds that have a control of their own. */
const inputs: Readonly<Record<FilterKind, string | undefined>> = {
  search: undefined,
  anyOf: undefined,
  boolean: undefined,
  integer: 'type="number" step="1"',
  decimal: 'type="number" step="any"',
  date: 'type="date"'
}

/** The fields of a list's filters with their current values; folded but for the search while none is set. */
function filterFields ({ asked: { resource, filters }, values: valuesOf }: Browsed): string {
  const all = Object.entries(resource.filters)
  if (all.length === 0) return ''
  const values = new Map(filters)
  const value = (name: string) => values.get(name) ?? ''
  const fields = all.filter(([, { kind, comparison }]) => kind !== 'search' && comparison === '').map(([name, { kind }]) => {
    const input = inputs[kind]
    if (input !== undefined) return between(name, input, value)
    if (kind === 'boolean') return select(name, labelOf(name), [['', 'Either'], ['true', 'Yes'], ['false', 'No']], value(name))
    const choices = valuesOf(name)
    if (choices.length > maxChoices) return textField(name, labelOf(name), value(name))
    return select(name, labelOf(name), [['', 'Any'], ...sorted(choices)], value(name))
  })
  const isSet = filters.some(([name]) => name !== 'search')
  const set = filters.length === 0 ? '' : `: ${filters.length} set`
  return html`!${textField('search', 'Search title, brand, model and description', value('search'), 'search')}
<details!${isSet ? ' open' : ''}><summary>Filters${set}</summary>
<div class="filters">
!${fields}</div></details>
`
}

function sorted (values: readonly Value[]): Choice[] {
  const texts = values.filter(value => value !== null && value !== '').map(String)
  return texts.sort((a, b) => a.localeCompare(b, 'en')).map(text => [text, text])
}

function between (name: string, input: string, value: (name: string) => string): string {
  const field = (suffix: string, what: string) =>
    html`<input name="${name}${suffix}" !${input} value="${value(name + suffix)}" aria-label="${labelOf(name)} ${what}">`
  const exactly = value(name) === '' ? '' : html`<span class="between">exactly !${field('', 'exactly')}</span>`
  return html`<fieldset><legend>${labelOf(name)}</legend>!${exactly}
<span class="between">!${field('__gte', 'at least')} to !${field('__lte', 'at most')}</span></fieldset>
`
}

/** A value to choose and the words for it. */
type Choice = readonly [value: string, text: string]

/** A labelled list of choices with the current one chosen. */
export function select (name: string, label: string, choices: readonly Choice[], current: string): string {
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">!${options(choices, current)}</select></div>
`
}

/** Choices with the current one chosen, which is added where it is none of them. */
function options (choices: readonly Choice[], current: string): string {
  const all: readonly Choice[] = choices.some(([value]) => value === current) ? choices : [...choices, [current, current]]
  const chosen = (value: string) => value === current ? ' selected' : ''
  return all.map(([value, text]) => html`<option value="${value}"!${chosen(value)}>${text}</option>
`).join('')
}

/** A labelled text field. */
export function textField (name: string, label: string, value: string, type = 'text'): string {
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}"></div>
`
}

/** The name of a field in plain words. */
export function labelOf (field: string): string {
  const text = field.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
