import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { errors } from '../http/errors.ts'
import { command } from '../package.ts'
import { developmentTokenOf, isLoopback } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { classOf } from './exchange.ts'
import { simulatedNotice } from './layout.ts'
import { commandLine } from './snippets.ts'

/** A response that is a single object: path and target are links to this server, `cause` is that of a simulation. */
type Advised = {
  status: number
  path: string
  target: string
  headers: Readonly<Record<string, unknown>>
  content: ObjectContent
  cause: string | undefined
  settings: Settings
}

/** The properties of a single object. */
export type ObjectContent = Readonly<Record<string, unknown>>

/**
 * What a page says about a response besides its title, as HTML: above the request, or in its bar; `isWhole` if there is
 * no request.
 */
type PageAdvice = { heading?: string, advice: string, inBar?: string, isWhole?: true }

/** Returns what to do after a response; of a simulated one only its cause, as nothing else led to it. */
export function adviceOf (response: Advised): PageAdvice {
  const { status, cause } = response
  if (cause !== undefined) return { heading: `${status} ${STATUS_CODES[status]}`, advice: simulatedNotice(cause) }
  if (status === 401) {
    const isRefused = response.content['detail'] !== errors.notAuthenticated().message
    const heading = isRefused ? 'This token is not valid' : 'Version 2.1 needs a token'
    return { heading, advice: '', inBar: tokenForms(response, isRefused) }
  }
  if (status === 404) return notFoundAdvice(response)
  const text = adviceByStatus[status]?.(response)
  return { advice: text === undefined ? '' : notice(status, text) }
}

const notice = (status: number, text: string) => html`<div class="notice notice-${classOf(status)}">!${text}</div>
`

const adviceByStatus: Readonly<Record<number, (response: Advised) => string>> = {
  400: ({ path, content }) => html`<p>These parameters are invalid:</p>
<ul>!${Object.entries(content).map(([name, errors]) => html`<li><code>${name}</code>: ${errors}</li>`)}</ul>
<p><a href="${path}?format=api">Show the list without parameters</a></p>`,
  405: ({ headers, path }) => html`<p>This URL accepts ${headers['allow']}: the catalogue is read-only.
<a href="${path}">Open it</a></p>`,
  429: ({ headers }) => html`<p>The rate limit is exceeded. Try again in ${headers['retry-after']} s.
The headers <code>X-RateLimit-*</code> of every response tell how many requests are left.</p>`,
  500: () => '<p>The server failed. Its log has the cause.</p>'
}

/** Returns a button that takes the token of `dev`, if there is one, and the field for a token. */
function tokenForms ({ target, settings }: Advised, isRefused: boolean): string {
  const development = developmentTokenOf(settings)
  const isOpen = development !== undefined
  const useDevelopment = isOpen ? useTokenForm(target, development, `Use the token ${development}`) : ''
  const offersToken = settings.tokenForm && !isOpen
  const getToken = offersToken ? '<a class="button" href="/tokens/">Get a token</a>' : ''
  const invalid = isRefused ? ' aria-invalid="true"' : ''
  const refusal = isRefused ? '<p>The server does not accept it. Check that it is complete.</p>' : ''
  return html`<div class="tokens">!${refusal}
!${useDevelopment}<form class="ask-token" data-token="${target}" data-scripted>
<div class="fields">
<div class="field"><label for="token">Token</label>
<input id="token" name="token" type="text" required autocomplete="off" spellcheck="false"
placeholder="bct_&hellip;" aria-describedby="token-help"!${invalid}></div>
<div class="buttons"><button type="submit"!${isOpen ? '' : ' class="primary"'}>Open the list</button>
!${getToken}</div>
</div>
<p class="small muted" id="token-help">This tab stores the token, and sends it as
<code>Authorization: Token $TOKEN</code>.</p>
</form>
<noscript><p>Without scripts, a browser cannot send a token.
!${offersToken ? '<a href="/tokens/">Get a token</a> and use' : 'Use'}
the <a href="#code">command below</a>.</p></noscript></div>
`
}

/** Returns a button that stores a token in the tab and opens a page with it. */
export function useTokenForm (target: string, token: string, label: string): string {
  return html`<form class="use" data-token="${target}" data-scripted>
<input type="hidden" name="token" value="${token}">
<button type="submit" class="primary">${label}</button>
</form>
`
}

function notFoundAdvice ({ path, content, settings }: Advised): PageAdvice {
  if (content['detail'] === errors.invalidPage().message) {
    const advice = html`<p><a href="${path}?format=api&amp;page=1">Show the first page</a>
or <a href="${path}?format=api">the whole list</a>.</p>`
    return { heading: 'The list has no such page', advice: notice(404, advice) }
  }
  if (path.startsWith('/docs/')) {
    const advice = '<p class="lead"><a href="/docs/">Show all documents</a></p>\n'
    return { heading: 'No such document', advice, isWhole: true }
  }
  if (path === '/__simulate' && !settings.simulate && isLoopback(settings.host)) return simulationOff
  const advice = html`<p class="lead">The API has lists only; single records have no URL.
<a href="/#lists">Show all lists</a></p>
`
  return { heading: 'There is nothing at this URL', advice, isWhole: true }
}

const simulationOff: PageAdvice = {
  heading: 'The simulation is off',
  advice: html`<p class="lead">Start the server with <code>--simulate</code>,
or with its defaults for app development:</p>
<div class="exchange">!${commandLine(`${command} dev`)}</div>
<p><a href="/docs/guides/simulate/">What it simulates</a></p>
`,
  isWhole: true
}
