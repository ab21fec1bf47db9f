import { html } from 'ghtml'
import { resources } from '../lists/resources.ts'
import { objectBody } from './body.ts'
import { exchange, ownAddress, withQuery, type Exchange } from './exchange.ts'
import { layout, listsNavigation, type PageSettings } from './layout.ts'
import type { trials } from './simulation.ts'
import { tokenForm } from './tokens.ts'

/** A response that is one object: an error, or the metadata of OPTIONS. Its target is as sent. */
type ObjectAnswer = Omit<Exchange, 'needsToken' | 'isOpen'> & {
  title: string
  content: Readonly<Record<string, unknown>>
  settings: PageSettings
  /** Returns the simulations to try of a list. */
  tried?: typeof trials | undefined
}

/** Returns the browsable page of a single object: its exchange, advice, and its JSON. */
export function objectPage (answer: ObjectAnswer): string {
  const { title, target, origin, status, headers, content, settings, note, tried } = answer
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const needsToken = path.startsWith('/api/v2/')
  const plain = without(note === undefined ? /^format=/ : /^(?:format|__[^=]*)=/, path, query)
  const shown = { ...answer, target: plain, headers: { ...headers, 'content-type': 'application/json' }, needsToken, isOpen: true }
  const isList = resources.some(list => list.path === path)
  const own = { ...answer, path: ownAddress(path), target: ownAddress(target) }
  const advise = advice[status]
  const main = html`!${path.startsWith('/api/') ? listsNavigation(path) : ''}<div class="head">
<h1!${status < 400 ? '' : ' class="calm"'}>${title}</h1>
</div>
!${advise === undefined ? '' : html`<div class="notice">!${advise(own)}</div>`}
!${exchange(shown)}
!${isList && tried !== undefined ? tried({ target: plain, origin, needsToken }) : ''}
!${objectBody(content)}`
  return layout({ title: `${title} · Bicycle Catalogue`, path, main, settings })
}

function without (names: RegExp, path: string, query: string): string {
  return withQuery(path, query.split('&').filter(parameter => !names.test(parameter)).join('&'))
}

/** Advice by status, as HTML; path and target are on this server. */
const advice: Readonly<Record<number, (answer: ObjectAnswer & { path: string }) => string>> = {
  400: ({ path, content }) => 'detail' in content
    ? html`<p>The server could not read this request. Check the host name, and how many parameters there are.</p>`
    : html`<p>Some parameters hold what they don't take:</p>
<ul>!${Object.entries(content).map(([name, faults]) => html`<li><code>${name}</code>: ${faults}</li>`)}</ul>
<p><a href="${path}?format=api">Start again without filters</a></p>`,
  401: ({ target, settings }) => html`<p>Version 2.1 is open to those who send a token.</p>
!${tokenForm(target, settings.tokenForm)}`,
  404: ({ path, content }) => content['detail'] === 'Invalid page.'
    ? html`<p>The list has no such page. <a href="${path}?format=api&amp;page=1">Go to its first page</a>
or <a href="${path}?format=api">read it as a whole</a>.</p>`
    : html`<p>Nothing is at this address. The catalogue is made of lists only; a single record has no address of its own.
<a href="/#endpoints">See what there is</a>.</p>`,
  405: ({ headers, path }) => html`<p>This address takes ${headers['allow']}. Nothing can be written. <a href="${path}">Read it</a>.</p>`,
  429: ({ headers }) => html`<p>Too many requests in this minute. Wait ${headers['retry-after']} seconds;
the headers <code>X-RateLimit-*</code> of each answer say how many are left.</p>`,
  500: () => html`<p>The fault is the server's, and its log tells more. The same request may well fail again.</p>`
}
