import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { errors } from '../http/errors.ts'
import { controls, type FormContent } from './controls.ts'
import { exchange, ownAddress, withQuery, type Exchange } from './exchange.ts'
import { jsonSection } from './json.ts'
import { layout, type PageSettings } from './layout.ts'
import { tokenForm } from './tokens.ts'

/** A response with a single object: an error, or the metadata of OPTIONS. Its target is as sent. */
type ObjectResponse = Omit<Exchange, 'needsToken' | 'isOpen'> & {
  title: string, content: Readonly<Record<string, unknown>>, settings: PageSettings
  simulated?: string | null | undefined
  /** Repeats the invalid parameters of a list. */
  form?: FormContent | undefined
}

/** Returns the browsable page of a single object: its exchange, advice, and its JSON. */
export function objectPage (response: ObjectResponse): string {
  const { title, target, status, headers, content, settings, simulated, form } = response
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const needsToken = path.startsWith('/api/v2/')
  const plain = withQuery(path, query.split('&').filter(parameter => !/^format=/.test(parameter)).join('&'))
  const shown = { ...response, target: plain, headers: { ...headers, 'content-type': 'application/json' }, needsToken, isOpen: true }
  const own = { ...response, path: ownAddress(path), target: ownAddress(target) }
  const advise = advice[status]
  const cause = html`<p class="simulated">Simulated: <code>${simulated}</code>. <a href="/__simulate">Simulation</a></p>
`
  const main = html`!${simulated ? cause : ''}<div class="head">
<h1>${title}</h1>
</div>
!${advise === undefined ? '' : html`<div class="notice notice-${Math.floor(status / 100)}">!${advise(own)}</div>`}
!${form === undefined ? '' : controls(form, true)}!${exchange(shown)}
!${jsonSection('JSON', JSON.stringify(content, null, 2))}`
  return layout({ title: status < 400 ? title : `${status} ${STATUS_CODES[status]}`, path, main, settings })
}

/** Advice by status, as HTML; path and target are on this server. */
const advice: Readonly<Record<number, (response: ObjectResponse & { path: string }) => string>> = {
  400: ({ path, content }) => 'detail' in content
    ? html`<p>The server cannot parse this request. Check its host name and the number of its parameters.</p>`
    : html`<p>These parameters are invalid:</p>
<ul>!${Object.entries(content).map(([name, messages]) => html`<li><code>${name}</code>: ${messages}</li>`)}</ul>
<p><a href="${path}?format=api">Show the list without parameters</a></p>`,
  401: ({ target, settings, content }) => {
    const isRefused = content['detail'] !== errors.notAuthenticated().message
    return html`<p>${isRefused ? 'The server does not accept this token. Check that it is complete.' : 'Version 2.1 needs a token.'}</p>
!${tokenForm(target, settings.tokenForm, isRefused)}`
  },
  404: ({ path, content }) => content['detail'] === 'Invalid page.'
    ? html`<p>The list has no such page. <a href="${path}?format=api&amp;page=1">Show its first page</a>
or <a href="${path}?format=api">the whole list</a>.</p>`
    : html`<p>This URL has no content. Only lists have a URL, single records have none. <a href="/#lists">Show all lists</a></p>`,
  405: ({ headers, path }) => html`<p>This URL accepts ${headers['allow']}: the catalogue is read-only. <a href="${path}">Open it</a></p>`,
  429: ({ headers }) => html`<p>The rate limit is exceeded. Try again in ${headers['retry-after']} s.
The headers <code>X-RateLimit-*</code> of every response tell how many requests are left.</p>`,
  500: () => html`<p>The server failed. Its log has the cause.</p>`,
  503: ({ headers }) => html`<p>The service is unavailable for a moment. Try again in ${headers['retry-after']} s.</p>`
}
