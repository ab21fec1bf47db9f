import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { errors, type ApiError } from '../http/errors.ts'
import { pageHeaders, setHeaders } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { formats } from '../http/negotiation.ts'
import { originForm, withoutBase } from '../http/target.ts'
import { command } from '../package.ts'
import { basePathOf, developmentTokenOf, isLoopback } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { listBar } from './controls.ts'
import { classOf, exchangePage, inJson, ownAddress } from './exchange.ts'
import { jsonPanel } from './json.ts'
import { layout, simulatedNotice } from './layout.ts'
import { commandLine, type ShownRequest } from './snippets.ts'

/** Sends JSON with exactly this Content-Type; `no-store`. */
export function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type(formats.json).send(Buffer.from(JSON.stringify(content)))
}

/** Sends an error in the negotiated format, `no-store`. */
export function sendError (request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  setHeaders(reply.code(error.statusCode), error.headers).header('cache-control', 'no-store')
  return sendObject(request, reply, error.message, error.body)
}

/**
 * Sends a single object (an error, the metadata of OPTIONS) in the negotiated format. As a page: what to do next, or
 * the cause if it is simulated, then the request and the response.
 */
export function sendObject (
  request: FastifyRequest, reply: FastifyReply, title: string, content: object
): FastifyReply {
  const { server, method, negotiated } = request
  if (negotiated?.format !== 'api') {
    const json = JSON.stringify(content, null, negotiated?.indent)
    return reply.type(formats.json).send(Buffer.from(json))
  }

  const { settings, tokens } = server
  const status = reply.statusCode
  const sent = withoutSecrets(withoutBase(originForm(request.originalUrl), basePathOf(settings)), tokens.secrets())
  const [path = '', query = ''] = sent.split(/\?(.*)/s)
  const parameters = query.split('&').filter(parameter => parameter !== '' && !parameter.startsWith('format='))
  const shown: ShownRequest = {
    method: method === 'HEAD' ? 'GET' : method, // so that both have the same length
    target: parameters.length === 0 ? path : `${path}?${parameters.join('&')}`,
    origin: request.origin,
    needsToken: path.startsWith('/api/v2/')
  }
  const headers = reply.getHeaders()
  const failure = { path: ownAddress(path), target: ownAddress(sent), headers, content: { ...content }, settings }
  const cause = request.simulatedError
  const advice = cause === undefined ? adviceByStatus[status]?.(failure) ?? {} : { heading: statusText(status) }
  const { heading = title, notice, inBar = '', instead } = advice

  const page = { title: status < 400 ? title : statusText(status), path, settings }
  const head = html`<h1>${heading}</h1>`
  reply.headers(pageHeaders)
  if (instead !== undefined) {
    return reply.send(layout({ ...page, main: html`<div class="head">!${head}</div>!${instead}` }))
  }
  const above = html`<div class="notice notice-${classOf(status)}">!${notice}</div>
`
  const form = status === 400 ? server.formOf?.(request) : undefined
  return reply.send(exchangePage({
    ...page,
    head,
    notice: notice === undefined ? simulatedNotice(cause) : above,
    request: shown,
    bar: form === undefined ? { content: inBar } : listBar(form, 'invalid'),
    status,
    summary: '',
    headers: { ...headers, 'content-type': formats.json },
    panels: [{ id: 'json', name: 'JSON', content: jsonPanel(JSON.stringify(content, null, 2), inJson(shown.target)) }]
  }))
}

const statusText = (status: number) => `${status} ${STATUS_CODES[status]}`

/** A failed request: path and target are links to this server. */
type Failure = {
  path: string
  target: string
  headers: Readonly<Record<string, unknown>>
  content: Readonly<Record<string, unknown>>
  settings: Settings
}

/**
 * The HTML of a page about a failure: above the request, in its bar, or instead of the request and the response.
 */
type Advice = { heading?: string, notice?: string, inBar?: string, instead?: string }

const adviceByStatus: Readonly<Record<number, (failure: Failure) => Advice>> = {
  400: ({ path, content }) => ({
    notice: html`<p>These parameters are invalid:</p>
<ul>!${Object.entries(content).map(([name, errors]) => html`<li><code>${name}</code>: ${errors}</li>`)}</ul>
<p><a href="${path}?format=api">Show the list without parameters</a></p>`
  }),

  401 ({ target, content, settings }) {
    const isRefused = content['detail'] !== errors.notAuthenticated().message
    const development = developmentTokenOf(settings)
    const use = development === undefined ? '' : useTokenForm(target, development, `Use the token ${development}`)
    const isOffered = settings.tokenForm && development === undefined
    const inBar = html`<div class="tokens">
!${isRefused ? '<p>The server does not accept it. Check that it is complete.</p>' : ''}
!${use}<form class="ask-token" data-token="${target}" data-scripted>
<div class="fields">
<div class="field"><label for="token">Token</label>
<input id="token" name="token" type="text" required autocomplete="off" spellcheck="false"
pattern=" *[!-~]+ *" title="Letters, digits and signs of ASCII, without spaces"
placeholder="bct_&hellip;" aria-describedby="token-help"!${isRefused ? ' aria-invalid="true"' : ''}></div>
<div class="buttons"><button type="submit"!${development === undefined ? ' class="primary"' : ''}>Open the list</button>
!${isOffered ? '<a class="button" href="/tokens/">Get a token</a>' : ''}</div>
</div>
<p class="small muted" id="token-help">This tab stores the token, and sends it as
<code>Authorization: Token $TOKEN</code>.</p>
</form>
<noscript><p>Without scripts, a browser cannot send a token.
!${isOffered ? '<a href="/tokens/">Get a token</a> and use' : 'Use'}
the <a href="#code">command below</a>.</p></noscript></div>
`
    return { heading: isRefused ? 'This token is not valid' : 'Version 2.1 needs a token', inBar }
  },

  404 ({ path, content, settings }) {
    if (content['detail'] === errors.invalidPage().message) {
      const notice = html`<p><a href="${path}?format=api&amp;page=1">Show the first page</a>
or <a href="${path}?format=api">the whole list</a>.</p>`
      return { heading: 'The list has no such page', notice }
    }
    if (path.startsWith('/docs/')) {
      const instead = '<p class="lead"><a href="/docs/">Show all documents</a></p>\n'
      return { heading: 'No such document', instead }
    }
    if (path === '/__simulate' && !settings.simulate && isLoopback(settings.host)) {
      const instead = html`<p class="lead">Start the server with <code>--simulate</code>,
or with its defaults for app development:</p>
<div class="exchange">!${commandLine(`${command} dev`)}</div>
<p><a href="/docs/guides/simulate/">What it simulates</a></p>
`
      return { heading: 'The simulation is off', instead }
    }
    const instead = html`<p class="lead">The API has lists only; single records have no URL.
<a href="/#lists">Show all lists</a></p>
`
    return { heading: 'There is nothing at this URL', instead }
  },

  405: ({ headers, path }) => ({
    notice: html`<p>This URL accepts ${headers['allow']}: the catalogue is read-only.
<a href="${path}">Open it</a></p>`
  }),

  429: ({ headers }) => ({
    heading: 'The rate limit is exceeded',
    notice: html`<p>Try again in ${headers['retry-after']} s.
The headers <code>X-RateLimit-*</code> of every response tell how many requests are left.</p>`
  }),

  500: () => ({ notice: '<p>The server failed. Its log has the cause.</p>' })
}

/** Returns a button that stores a token in the tab and opens a page with it. */
export function useTokenForm (target: string, token: string, label: string): string {
  return html`<form class="use" data-token="${target}" data-scripted>
<input type="hidden" name="token" value="${token}">
<button type="submit" class="primary">${label}</button>
</form>
`
}
