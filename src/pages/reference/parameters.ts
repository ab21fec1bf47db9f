import { html } from 'ghtml'
import { exampleOf } from './answers.ts'
import { definition, prose, provisionalMark, typeOf, type Described, type Operation, type Parameter } from './document.ts'

/** Describes the parameters of every list. */
export function parametersSection (document: Described): string {
  const { paths, components } = document
  const [metadata] = Object.values(paths).flatMap(({ options }) => options ?? [])
  const [ordering] = Object.values(paths).flatMap(({ get }) => ownOf(get))
  const { Format, ...others } = components.parameters
  return html`<section><h2 id="parameters">Parameters of every list</h2>
<dl class="parameters">
!${[Format, ordering, ...Object.values(others)].map(parameter => commonRow(parameter as Parameter))}</dl>
<p class="small muted"><code>OPTIONS</code> of a list returns its !${typeOf({ $ref: 'Metadata' })}; a CORS preflight gets 204.</p>
!${exampleOf(metadata as Operation, document)}</section>
`
}

function commonRow (parameter: Parameter): string {
  const { name, schema, in: place, description = '' } = parameter
  const type = name === 'ordering' ? 'a field of the list' : typeOf(schema)
  return definition(name, parameter, prose(description), place === 'header' ? `a header, ${type}` : type)
}

/** Returns an operation's ordering and filters; the parameters of every list are references. */
function ownOf ({ parameters = [] }: Operation): Parameter[] {
  return parameters.filter(parameter => 'name' in parameter)
}

/** Describes the parameters of an operation: its ordering, its filters, and a link to those of every list. */
export function ownParameters (operation: Operation): string {
  if (operation.parameters === undefined) return ''
  const [ordering, ...filters] = ownOf(operation)
  const shared = '<p class="small"><a href="#parameters">Parameters of every list</a></p>'
  if (ordering === undefined) return shared
  const { schema: { items, enum: values = items?.enum } } = ordering
  const fields = (values as string[]).filter(value => !value.startsWith('-')).map(value => html`<code>${value}</code>`)
  return html`<details class="example"><summary>Parameters</summary>
<dl class="parameters inline">
!${definition('ordering', {}, 'By', fields.join(', '))}</dl>
!${filters.length === 0 ? '' : filterTable(filters)}
!${shared}</details>
`
}

function filterTable (filters: readonly Parameter[]): string {
  const names = new Set(filters.map(({ name }) => name))
  const own = filters.filter(({ name }) => !name.includes('__'))
  const aboutOf = ({ name, description = '' }: Parameter) => names.has(`${name}__gte`)
    ? html`Equal; also <code>${name}__gte</code>, <code>${name}__lte</code>.`
    : prose(description)
  return html`<h4>Filters !${provisionalMark}</h4>
<p class="small">Several combine with AND. <code>__gte</code> after a name means at least, <code>__lte</code> at most.</p>
<dl class="parameters inline">
!${own.map(filter => definition(filter.name, {}, aboutOf(filter), typeOf(filter.schema)))}</dl>
`
}
