import { html } from 'ghtml'
import { tokenForm } from './token-form.ts'

/** What an answer says that is no list. */
export type Said = { status: number, path: string, target: string, headers: Readonly<Record<string, unknown>>, content: Readonly<Record<string, unknown>> }

/** What to do next, by status; HTML. */
const advice: Readonly<Record<number, (said: Said) => string>> = {
  400: ({ path, content }) => 'detail' in content
    ? html`<p>The server could not read this request. Check the host name, and how many parameters there are.</p>`
    : html`<p>Some parameters hold what they don't take:</p>
<ul>!${Object.entries(content).map(([name, faults]) => html`<li><code>${name}</code>: ${faults}</li>`)}</ul>
<p><a href="${path}?format=api">Start again without filters</a></p>`,
  401: ({ target }) => html`<p>Version 2.1 is open to those who send a token.</p>
!${tokenForm(target)}`,
  404: ({ path, content }) => content['detail'] === 'Invalid page.'
    ? html`<p>The list has no such page. <a href="${path}?format=api&amp;page=1">Go to its first page</a> or <a href="${path}?format=api">read it as a whole</a>.</p>`
    : html`<p>Nothing is at this address. The catalogue is made of lists only; a single record has no address of its own. <a href="/#endpoints">See what there is</a>.</p>`,
  405: ({ headers, path }) => html`<p>This address takes ${headers['allow']}. Nothing can be written. <a href="${path}">Read it</a>.</p>`,
  429: ({ headers }) => html`<p>Too many requests in this minute. Wait ${headers['retry-after']} seconds; the headers <code>X-RateLimit-*</code> of each answer say how many are left.</p>`,
  500: () => html`<p>The fault is the server's, and its log tells more. The same request may well fail again.</p>`
}

/** Gives what to do next after an answer that is no list, or nothing where there is nothing to do. */
export function adviceOn (said: Said): string {
  const advise = advice[said.status]
  return advise === undefined
    ? ''
    : html`<div class="notice">
!${advise(said)}
</div>
`
}
