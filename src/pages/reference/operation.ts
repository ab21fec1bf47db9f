import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'
import { follow, hasTokenForm, type Answer, type Described, type Form, type Operation, type Schema } from '../../openapi/described.ts'
import { commandLine } from '../exchange.ts'
import { parameterFields } from './parameters.ts'
import { prose, provisionalMark, typeOf } from './type.ts'

type Operations = Readonly<Record<string, Operation>>

/** The operation that an address is there for: what is sent to it, or what is read. */
export function mainOf ({ post, get }: Operations): Operation {
  return post ?? get as Operation
}

/** The part of the page that is about one address: how it is read or sent to, and what else it takes. */
export function addressSection (path: string, operations: Operations, document: Described, origin: string): string {
  const { post, options } = operations
  const main = mainOf(operations)
  const method = post === undefined ? 'GET' : 'POST'
  const token = main.security && true
  const address = origin + path
  const { operationId: id, summary, description } = main
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${summary}</h3>
<p class="line"><code><b>${method}</b> ${path}</code>
!${method === 'GET' ? '' : provisionalMark}!${token ? '<span class="tag tag-token">token</span>' : ''}</p>
<p>!${prose(description)}</p>
!${commandLine(curlLine({ address, token, form: exampleForm(main) }))}
!${exampleOf(main, document)}
!${method === 'GET' ? readForm(path, main, document) : sendForm(path, main)}
!${answers(main, document)}
!${options === undefined ? '' : metadata(path, options, document, curlLine({ method: 'OPTIONS', address, token }))}
</section>
`
}

/** What OPTIONS of an address answers. */
function metadata (path: string, operation: Operation, document: Described, command: string): string {
  const type = typeOf({ $ref: 'Metadata' })
  return html`<p class="small muted"><code>OPTIONS ${path}</code> answers the list's own !${type}, or a CORS preflight.</p>
!${commandLine(command)}
!${exampleOf(operation, document)}`
}

/** An answer that has something in it, where the document has one. */
function exampleOf ({ responses }: Operation, { components }: Described): string {
  const { content } = follow(Object.values(responses)[0] as Answer, components.responses)
  const [example] = examplesIn(content).map(value => JSON.stringify(value, null, 2)).filter(text => text !== '[]')
  if (example === undefined) return ''
  return html`<details class="example"><summary>Example</summary>
<div class="code" data-copy-beside><pre tabindex="0" data-json data-copy="the example">${example}</pre></div></details>
`
}

/** The bodies that the document gives as examples. */
export function examplesIn (content: Answer['content']): unknown[] {
  return Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value)
}

function formOf ({ requestBody }: Operation): Form | undefined {
  return requestBody?.content['application/x-www-form-urlencoded']
}

/** The fields that the document gives as an example; none where nothing is sent. */
function exampleForm (operation: Operation): Readonly<Record<string, string>> {
  const [example] = Object.values(formOf(operation)?.examples ?? {})
  return example?.value ?? {}
}

function readForm (path: string, operation: Operation, document: Described): string {
  const { operationId, security } = operation
  return html`<form class="try" method="get" action="${path}" data-try>
<details><summary>Parameters</summary>
!${parameterFields(operation, document)}</details>
!${security === undefined ? '' : tokenField(operationId, hasTokenForm(document))}
<p class="buttons"><button class="primary" aria-label="Try it: GET ${path}">Try it</button></p>
</form>
`
}

function tokenField (id: string, hasForm: boolean): string {
  return html`<div class="field" data-scripted hidden><label for="${id}-token">Token</label>
<input id="${id}-token" data-token-field autocomplete="off" spellcheck="false" placeholder="bct_…" aria-describedby="${id}-token-help">
<p class="small muted" id="${id}-token-help">Kept in this tab only.
!${hasForm ? '<a href="#issueToken">Issue one below</a>, or at <a href="/tokens/">the form</a>.' : ''}</p></div>
`
}

function sendForm (path: string, operation: Operation): string {
  const { operationId } = operation
  const { properties } = formOf(operation)?.schema as { properties: Record<string, Schema> }
  return html`<form class="try" method="post" action="${path}" data-try>
!${Object.entries(properties).map(([name, { description = '' }]) => html`<div class="field">
<label for="${operationId}-${name}"><code>${name}</code></label>
<p class="small" id="${operationId}-${name}-help">!${prose(description)}</p>
<input id="${operationId}-${name}" name="${name}" required maxlength="100" aria-describedby="${operationId}-${name}-help"></div>
`)}<p class="buttons"><button class="primary" aria-label="Try it: POST ${path}">Try it</button></p>
</form>
`
}

/** The answers of an operation; of all but the first only the statuses, which lead to what is said of them once. */
function answers ({ responses }: Operation, { components }: Described): string {
  const [status = '', ...others] = Object.keys(responses)
  const { description, content } = follow(responses[status] as Answer, components.responses)
  const link = (status: string) => html`<a class="status status-${status.charAt(0)}" href="#status-${status}">${status}</a> `
  return html`<dl class="answers">
<div><dt>!${statusTag(status)}</dt><dd>!${prose(description)}<br><span class="muted small">!${bodyOf(content)}</span></dd></div>
<div><dt class="small muted">Others</dt><dd class="others">!${others.map(link)}</dd></div>
</dl>
`
}

/** A status as it stands everywhere. */
export function statusTag (status: string): string {
  return html`<span class="status status-${status.charAt(0)}">${status}</span>`
}

/** What a body holds. */
export function bodyOf (content: Answer['content']): string {
  return content === undefined ? 'no body' : typeOf(content['application/json'].schema)
}
