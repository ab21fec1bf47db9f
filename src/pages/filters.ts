import { html } from 'ghtml'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Asked } from '../lists/question.ts'
import type { FilterKind } from '../lists/filter-kinds.ts'
import { lastValue } from '../lists/query.ts'
import type { Value } from '../lists/table.ts'
import type { Resource } from '../lists/resources.ts'
import { select, textField, words, type Choice } from './form.ts'
import { keptFor } from './kept.ts'

/** How a field of the form takes a value that is compared; undefined for the kinds that have a control of their own. */
const inputs: Readonly<Record<FilterKind, string | undefined>> = {
  search: undefined,
  anyOf: undefined,
  boolean: undefined,
  integer: 'type="number" step="1"',
  decimal: 'type="number" step="any"',
  date: 'type="date"'
}

/** A list with more values than this is not offered as choices. */
const maxChoices = 30

/** Gives the fields of a list's filters with their current values; folded but for the search while none is set. */
export function filterFields ({ resource, query, filters }: Asked, catalogue: Catalogue): string {
  const all = Object.entries(resource.filters)
  if (all.length === 0) return ''
  const value = (name: string) => lastValue(query, name) ?? ''
  const fields = all.filter(([, { kind, comparison }]) => kind !== 'search' && comparison === '').map(([name, { kind }]) => {
    const input = inputs[kind]
    if (input !== undefined) return between(name, input, value)
    if (kind === 'boolean') return select(name, words(name), [['', 'Either'], ['true', 'Yes'], ['false', 'No']], value(name))
    const choices = choicesOf(resource, catalogue, name)
    return choices.length > maxChoices ? textField(name, words(name), value(name)) : select(name, words(name), choices, value(name))
  })
  const isSet = filters.some(([name]) => name !== 'search')
  return html`!${textField('search', 'Search title, brand, model and description', value('search'), 'search')}<details!${isSet ? ' open' : ''}><summary>Filters!${filters.length === 0 ? '' : html`: ${filters.length} set`}</summary>
<div class="filters">
!${fields}</div></details>
`
}

function between (name: string, input: string, value: (name: string) => string): string {
  const field = (suffix: string, label: string) => html`<input name="${name}${suffix}" !${input} value="${value(name + suffix)}" aria-label="${words(name)} ${label}">`
  const exactly = value(name) === '' ? '' : html`<span class="between">exactly !${field('', 'exactly')}</span>`
  return html`<fieldset><legend>${words(name)}</legend>!${exactly}
<span class="between">!${field('__gte', 'at least')} to !${field('__lte', 'at most')}</span></fieldset>
`
}

/** The choices that were made for a catalogue, by list and field. */
const choicesFor = keptFor((_: Catalogue) => new Map<string, Choice[]>())

/** Gives the values that records have in a field, in alphabetical order. */
function choicesOf (resource: Resource, catalogue: Catalogue, name: string): Choice[] {
  const known = choicesFor(catalogue)
  const choices = known.get(`${resource.path} ${name}`) ?? makeChoices(resource, catalogue, name)
  known.set(`${resource.path} ${name}`, choices)
  return choices
}

function makeChoices (resource: Resource, catalogue: Catalogue, name: string): Choice[] {
  const valueOf = resource.fields(catalogue)[name] as (record: object) => Value
  const values = new Set(resource.records(catalogue).map(record => String(valueOf(record) ?? '')))
  values.delete('')
  const sorted = [...values].sort((a, b) => a.localeCompare(b, 'en'))
  return [['', 'Any'], ...sorted.map((value): Choice => [value, value])]
}
