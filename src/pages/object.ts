import { html } from 'ghtml'
import { objectBody } from './body.ts'
import { exchange, ownAddress } from './exchange.ts'
import { layout, listsNavigation } from './layout.ts'
import { tokenForm } from './tokens.ts'

/** An answer that is one object and no list: an error, or the metadata of OPTIONS. */
export type ObjectAnswer = {
  title: string
  method: string
  /** The path and query as sent. */
  target: string
  origin: string
  status: number
  headers: Readonly<Record<string, unknown>>
  content: Readonly<Record<string, unknown>>
  hasTokenForm: boolean
}

/** The browsable page of an answer that is one object: its exchange, what to do next, and its JSON. */
export function objectPage ({ title, method, target, origin, status, headers, content, hasTokenForm }: ObjectAnswer): string {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const shownTarget = query === '' ? path : withoutFormat(path, query)
  const needsToken = path.startsWith('/api/v2/')
  const shownHeaders = { ...headers, 'content-type': 'application/json' }
  const advise = advice[status]
  const said = { path: ownAddress(path), target: ownAddress(target), headers, content, hasTokenForm }
  const main = html`!${path.startsWith('/api/') ? listsNavigation(path) : ''}<div class="head">
<h1!${status < 400 ? '' : ' class="calm"'}>${title}</h1>
</div>
!${advise === undefined ? '' : html`<div class="notice">!${advise(said)}</div>`}
!${exchange({ method, target: shownTarget, origin, status, headers: shownHeaders, needsToken, isOpen: true })}
!${objectBody(content)}`
  return layout({ title: `${title} · Bicycle Catalogue`, path, main, hasTokenForm })
}

/** Takes the parameter away that asked for this page. */
function withoutFormat (path: string, query: string): string {
  const others = query.split('&').filter(parameter => !/^format=/.test(parameter))
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** What advice can speak of; path and target are addresses on this server. */
type Said = Pick<ObjectAnswer, 'target' | 'headers' | 'content' | 'hasTokenForm'> & { path: string }

/** What to do next, by status; HTML. */
const advice: Readonly<Record<number, (said: Said) => string>> = {
  400: ({ path, content }) => 'detail' in content
    ? html`<p>The server could not read this request. Check the host name, and how many parameters there are.</p>`
    : html`<p>Some parameters hold what they don't take:</p>
<ul>!${Object.entries(content).map(([name, faults]) => html`<li><code>${name}</code>: ${faults}</li>`)}</ul>
<p><a href="${path}?format=api">Start again without filters</a></p>`,
  401: ({ target, hasTokenForm }) => html`<p>Version 2.1 is open to those who send a token.</p>
!${tokenForm(target, hasTokenForm)}`,
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
