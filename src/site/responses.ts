import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { errors, type ApiError } from '../http/errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { formats } from '../http/negotiation.ts'
import { originForm, withoutBase } from '../http/target.ts'
import { basePathOf } from '../settings/read.ts'
import { controls, tokenForm } from './controls.ts'
import { exchange, ownAddress, withQuery } from './exchange.ts'
import { jsonSection } from './json.ts'
import { layout, simulatedNotice, type PageSettings } from './layout.ts'

/** Sends JSON with exactly this Content-Type; `no-store`. */
export function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type(formats.json).send(Buffer.from(JSON.stringify(content)))
}

/** Sends a single object (an error, the metadata of OPTIONS) in the negotiated format. */
export function sendObject (request: FastifyRequest, reply: FastifyReply, title: string, content: object): FastifyReply {
  const { format, indent } = request.negotiated ?? { format: 'json', indent: 0 }
  if (format === 'json') return reply.type(formats.json).send(Buffer.from(JSON.stringify(content, null, indent)))
  const page = objectPage(request, reply, title, { ...content })
  return reply.headers(pageHeaders).send(page)
}

/** Sends an error in the negotiated format, `no-store`. */
export function sendError (request: FastifyRequest, reply: FastifyReply, { statusCode, message, headers, body }: ApiError): FastifyReply {
  const others = reply.getHeaders() as Readonly<Record<string, string>>
  // The headers of an error override those of its route.
  if (!reply.hasHeader('cache-control')) for (const name of Object.keys(others)) reply.removeHeader(name)
  const own = { ...headers, 'cache-control': 'no-store' }
  reply.code(statusCode).headers({ ...own, ...others, ...own })
  return sendObject(request, reply, message, body)
}

type Content = Readonly<Record<string, unknown>>

/** Returns the browsable page of a single object: its cause if simulated, advice, the form of an invalid request, its exchange and JSON. */
function objectPage (request: FastifyRequest, reply: FastifyReply, title: string, content: Content): string {
  const { origin, server: { settings, tokens, simulation, formOf } } = request
  const status = reply.statusCode
  const target = withoutSecrets(withoutBase(originForm(request.originalUrl), basePathOf(settings)), tokens.secrets())
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const plain = withQuery(path, query.split('&').filter(parameter => !/^format=/.test(parameter)).join('&'))
  const headers = reply.getHeaders()
  const simulated = simulation?.errorCauseOf(request, status)
  const form = status === 400 ? formOf?.(request) : undefined
  const advise = advice[status]
  const panel = exchange({
    method: request.method === 'HEAD' ? 'GET' : request.method, // so that both have the same length
    target: plain, origin, status, headers: { ...headers, 'content-type': formats.json },
    needsToken: path.startsWith('/api/v2/'), isOpen: true
  })
  const own = { path: ownAddress(path), target: ownAddress(target), headers, content, settings }
  const main = html`!${simulatedNotice(simulated)}<div class="head">
<h1>${title}</h1>
</div>
!${advise === undefined ? '' : html`<div class="notice notice-${Math.floor(status / 100)}">!${advise(own)}</div>`}
!${form === undefined ? '' : controls(form, true)}!${panel}
!${jsonSection('JSON', JSON.stringify(content, null, 2))}`
  return layout({ title: status < 400 ? title : `${status} ${STATUS_CODES[status]}`, path, main, settings })
}

type Advised = { path: string, target: string, headers: Content, content: Content, settings: PageSettings }

/** Advice by status, as HTML; path and target are on this server. */
const advice: Readonly<Record<number, (response: Advised) => string>> = {
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
