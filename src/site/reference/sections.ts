import { html } from 'ghtml'
import { curlLine } from '../../client/curl.ts'
import { breakable, commandLine } from '../exchange.ts'
import { highlight } from '../json.ts'
import { definition, follow, prose, provisionalMark, typeOf } from './document.ts'
import type { ResponseObject, Described, Header, Operation, Parameter } from './document.ts'

export function parametersSection (document: Described): string {
  const { paths, components } = document
  const [metadata] = Object.values(paths).flatMap(({ options }) => options ?? [])
  const [ordering] = Object.values(paths).flatMap(({ get }) => ownOf(get))
  const { Format, ...others } = components.parameters
  return html`<section><h2 id="parameters">Parameters of every list</h2>
<dl class="parameters">
!${[Format, ordering, ...Object.values(others)].map(parameter => sharedRow(parameter as Parameter))}</dl>
<p class="small muted"><code>OPTIONS</code> of a list returns its !${typeOf({ $ref: 'Metadata' })}; a CORS preflight gets 204.</p>
!${exampleOf(metadata as Operation, document)}</section>
`
}

function sharedRow (parameter: Parameter): string {
  const { name, schema, in: place, description = '' } = parameter
  const type = name === 'ordering' ? 'a field of the list' : typeOf(schema)
  return definition(name, parameter, prose(description), place === 'header' ? `a header, ${type}` : type)
}

/** Returns an operation's ordering and filters; the parameters of every list are references. */
function ownOf ({ parameters = [] }: Pick<Operation, 'parameters'>): Parameter[] {
  return parameters.filter(parameter => 'name' in parameter)
}

export type ListOperation = Operation & { path: string }

/** Returns lists as a table of paths, orderings, responses and examples. */
export function listTable (lists: readonly ListOperation[], document: Described, origin: string): string {
  const [first] = lists as readonly [ListOperation]
  return html`!${commandLine(curlLine({ address: origin + first.path }))}
<div class="scroll"><table class="lists">
<thead><tr><th scope="col">List</th><th scope="col">Ordering</th><th scope="col" class="wide">Response</th></tr></thead>
<tbody>
!${lists.map(({ path, operationId, ...list }) => html`<tr id="${operationId}">
<td><a href="${path}?format=api"><code>!${breakable(path)}</code></a></td>
<td>!${sortableFields(list) || 'none'}</td>
<td class="wide">!${bodyOf(firstResponse(list, document).content)}</td></tr>
`)}</tbody></table></div>
!${responsesOf(first, document)}
!${lists.map(list => exampleOf(list, document, `Example of ${list.summary}`))}`
}

const firstResponse = ({ responses }: Pick<Operation, 'responses'>, { components }: Described) =>
  follow(Object.values(responses)[0] as ResponseObject, components.responses)

function sortableFields (operation: Pick<Operation, 'parameters'>): string {
  const { items, enum: values = items?.enum ?? [] } = ownOf(operation)[0]?.schema ?? {}
  return values.filter(value => !value.startsWith('-')).map(value => html`<code>${value}</code>`).join(', ')
}

/** Describes the parameters of an operation: its ordering, its filters, and a link to those of every list. */
export function ownParameters (operation: Operation): string {
  if (operation.parameters === undefined) return ''
  return html`<details class="example"><summary>Parameters</summary>
<dl class="parameters inline">
!${definition('ordering', {}, 'By', sortableFields(operation))}</dl>
!${filterTable(ownOf(operation).slice(1))}
<p class="small"><a href="#parameters">Parameters of every list</a></p></details>
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

/** Describes the responses of an operation: the first in full, the others as links to their descriptions. */
export function responsesOf (operation: Operation, document: Described): string {
  const [status = '', ...others] = Object.keys(operation.responses)
  const { description, content } = firstResponse(operation, document)
  const link = (status: string) => html`<a class="status status-${status.charAt(0)}" href="#status-${status}">${status}</a> `
  return html`<dl class="responses">
<div><dt>!${statusTag(status)}</dt><dd>!${prose(description)}<br><span class="muted small">!${bodyOf(content)}</span></dd></div>
<div><dt class="small muted">Others</dt><dd class="others">!${others.map(link)}</dd></div>
</dl>
`
}

/** Shows the first example of the first response, the most complete one. */
export function exampleOf (operation: Operation, document: Described, title = 'Example'): string {
  const [example] = examplesIn(firstResponse(operation, document))
  return html`<details class="example"><summary>${title}</summary>
<div class="command"><pre tabindex="0" data-copy="the example">!${highlight(JSON.stringify(example, null, 2))}</pre></div></details>
`
}

/** Describes every status except 200, with its possible bodies. */
export function statusesSection (document: Described): string {
  const statuses = new Map<string, ResponseObject[]>()
  for (const [status, own] of everyResponse(document)) {
    const known = statuses.get(status) ?? []
    if (status !== '200' && !known.some(({ description }) => description === own.description)) statuses.set(status, [...known, own])
  }
  const sorted = [...statuses].sort(([a], [b]) => Number(a) - Number(b))
  return html`<section><h2 id="statuses">Other statuses</h2>
<p class="gap">Errors have a body of one form, or a page for a browser. !${provisionalMark}</p>
<dl class="responses">
!${sorted.map(([status, own]) => html`<div><dt id="status-${status}">!${statusTag(status)}</dt><dd>!${own.map(meaning)}</dd></div>
`)}</dl></section>
`
}

function meaning (response: ResponseObject): string {
  return html`<div><p>!${prose(response.description)} <span class="muted small">!${bodyOf(response.content)}</span></p>
!${examplesIn(response).map(value => html`<p><code>${JSON.stringify(value)}</code></p>`)}</div>
`
}

export function headersSection (document: Described): string {
  const headers = new Map<string, Header>()
  for (const [, response] of everyResponse(document)) {
    for (const [name, header] of Object.entries(response.headers)) {
      if (!headers.has(name)) headers.set(name, follow(header, document.components.headers))
    }
  }
  return html`<section><h2 id="headers">Headers</h2>
<dl class="parameters">
!${[...headers].sort(([a], [b]) => a < b ? -1 : 1).map(([name, header]) => headerRow(name, header))}</dl></section>
`
}

function headerRow (name: string, header: Header): string {
  if (name !== 'Cache-Control') return definition(name, header, prose(header.description), typeOf(header.schema))
  return definition(name, header, 'How long caches may store the response, by list; errors are not stored', 'string')
}

function everyResponse ({ paths, components }: Described): [status: string, response: ResponseObject][] {
  return Object.values(paths).flatMap(operations => Object.values(operations))
    .flatMap(({ responses }) => Object.entries(responses))
    .map(([status, response]) => [status, follow(response, components.responses)])
}

const examplesIn = ({ content }: ResponseObject) => Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value)

const statusTag = (status: string) => html`<span class="status status-${status.charAt(0)}">${status}</span>`

const bodyOf = (content: ResponseObject['content']) => content === undefined ? 'no body' : typeOf(content['application/json'].schema)
