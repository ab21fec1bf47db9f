import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'
import { commandLine } from '../exchange.ts'
import { answersOf, exampleOf } from './answers.ts'
import { hasTokenForm, prose, provisionalMark, typeOf, type Described, type Form, type Operation, type Schema } from './document.ts'
import { parameterFields } from './parameters.ts'

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
!${answersOf(main, document)}
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
<input id="${id}-token" data-token-field autocomplete="off" spellcheck="false"
placeholder="bct_&hellip;" aria-describedby="${id}-token-help">
<p class="small muted" id="${id}-token-help">Kept in this tab only.
!${hasForm ? '<a href="#issueToken">Issue one below</a>, or at <a href="/tokens/">the form</a>.' : ''}</p></div>
`
}

function sendForm (path: string, operation: Operation): string {
  const { operationId } = operation
  const { properties } = formOf(operation)?.schema as { properties: Record<string, Schema> }
  return html`<form class="try" method="post" action="${path}" data-try>
!${Object.entries(properties).map(([name, { description = '', maxLength }]) => html`<div class="field">
<label for="${operationId}-${name}"><code>${name}</code></label>
<p class="small" id="${operationId}-${name}-help">!${prose(description)}</p>
<input id="${operationId}-${name}" name="${name}" required maxlength="${maxLength}" aria-describedby="${operationId}-${name}-help"></div>
`)}<p class="buttons"><button class="primary" aria-label="Try it: POST ${path}">Try it</button></p>
</form>
`
}
