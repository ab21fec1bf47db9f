import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'
import { follow, hasTokenForm, type Answer, type Described, type Operation, type Schema } from '../../openapi/described.ts'
import { commandLine } from '../exchange.ts'
import { parameterFields } from './parameters.ts'
import { prose, provisionalMark, typeOf } from './type.ts'

/** The part of the page that is about one address: how it is read or sent to, and what else it takes. */
export function addressSection (
  path: string, { post, get, options }: Readonly<Record<string, Operation>>, document: Described, origin: string
): string {
  const main = post ?? get as Operation
  const address = origin + path
  const token = main.security && true
  const form = post === undefined ? {} : { label: 'my phone' }
  return html`<section class="operation" id="${main.operationId}" aria-labelledby="${main.operationId}-title">
<h3 id="${main.operationId}-title">${main.summary}</h3>
<p class="line"><code><b>${post === undefined ? 'GET' : 'POST'}</b> ${path}</code>!${
  post === undefined ? '' : html` !${provisionalMark}`
}!${
  main.security === undefined ? '' : '<span class="tag tag-token">token</span>'
}</p>
<p>!${prose(main.description)}</p>
!${exampleOf(main, document, curlLine({ address, token, form }))}
!${post === undefined ? readForm(path, main, document) : sendForm(path, main)}
!${answers(main, document)}
!${options === undefined
? ''
: html`<p class="small muted"><code>OPTIONS ${path}</code> answers the list's own !${typeOf({ $ref: 'Metadata' })}, or a CORS preflight.</p>
!${commandLine(curlLine({ method: 'OPTIONS', address, token }))}`}</section>
`
}

/** The command that asks for what an operation gives, and an answer that has something in it, where the document has one. */
function exampleOf ({ responses }: Operation, { components }: Described, command: string): string {
  const answer = follow(Object.values(responses)[0] as Answer, components.responses)
  const examples = Object.values(answer.content?.['application/json'].examples ?? {}).map(({ value }) => JSON.stringify(value, null, 2))
  const [example] = examples.filter(text => text !== '[]')
  return html`!${commandLine(command)}!${example === undefined
? ''
: html`<details class="example"><summary>Example</summary>
<div class="code" data-copy-beside><pre tabindex="0" data-json data-copy="the example">${example}</pre></div></details>
`}`
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
  const help = hasForm ? ' <a href="#issueToken">Issue one below</a>, or at <a href="/tokens/">the form</a>.' : ''
  return html`<div class="field" data-scripted hidden><label for="${id}-token">Token</label>
<input id="${id}-token" data-token-field autocomplete="off" spellcheck="false" placeholder="bct_…" aria-describedby="${id}-token-help">
<p class="small muted" id="${id}-token-help">Kept in this tab only.!${help}</p></div>
`
}

function sendForm (path: string, { operationId, requestBody }: Operation): string {
  const { properties } = requestBody?.content['application/x-www-form-urlencoded'].schema as { properties: Record<string, Schema> }
  return html`<form class="try" method="post" action="${path}" data-try>
!${Object.entries(properties).map(([name, { description = '' }]) => {
  const id = `${operationId}-${name}`
  return html`<div class="field"><label for="${id}"><code>${name}</code></label>
<p class="small" id="${id}-help">!${prose(description)}</p>
<input id="${id}" name="${name}" required maxlength="100" aria-describedby="${id}-help"></div>
`
})}<p class="buttons"><button class="primary" aria-label="Try it: POST ${path}">Try it</button></p>
</form>
`
}

/** The answers of an operation; of all but the first only the statuses, which lead to what is said of them once. */
function answers ({ responses }: Operation, { components }: Described): string {
  const [status = '', ...others] = Object.keys(responses)
  const { description, content } = follow(responses[status] as Answer, components.responses)
  return html`<dl class="answers">
<div><dt>!${statusTag(status)}</dt><dd>!${prose(description)}<br><span class="muted small">!${bodyOf(content)}</span></dd></div>
<div><dt class="small muted">Others</dt><dd class="others">!${others.map(status =>
  html`<a class="status status-${status.charAt(0)}" href="#status-${status}">${status}</a> `)}</dd></div>
</dl>
`
}

/** A status as it stands everywhere. */
export function statusTag (status: string): string {
  return html`<span class="status status-${status.charAt(0)}">${status}</span>`
}

/** What a body holds, or that there is none. */
export function bodyOf (content: Answer['content']): string {
  return content === undefined ? 'no body' : typeOf(content['application/json'].schema)
}
