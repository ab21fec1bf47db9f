import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { ApiError } from '../http/errors.ts'
import { pageHeaders, setHeaders } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { formats } from '../http/negotiation.ts'
import { originForm, withoutBase } from '../http/target.ts'
import { basePathOf } from '../settings/read.ts'
import { adviceOf, type ObjectContent } from './advice.ts'
import { plainBar, requestBar } from './controls.ts'
import { ownAddress, responseTabs, withQuery } from './exchange.ts'
import { jsonPanel } from './json.ts'
import { layout } from './layout.ts'
import type { ShownRequest } from './snippets.ts'

/** Sends JSON with exactly this Content-Type; `no-store`. */
export function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type(formats.json).send(Buffer.from(JSON.stringify(content)))
}

/** Sends a single object (an error, the metadata of OPTIONS) in the negotiated format. */
export function sendObject (
  request: FastifyRequest, reply: FastifyReply, title: string, content: object
): FastifyReply {
  const { negotiated } = request
  if (negotiated?.format === 'api') {
    return reply.headers(pageHeaders).send(objectPage(request, reply, title, { ...content }))
  }
  const json = JSON.stringify(content, null, negotiated?.indent)
  return reply.type(formats.json).send(Buffer.from(json))
}

/** Sends an error in the negotiated format, `no-store`. */
export function sendError (request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  setHeaders(reply.code(error.statusCode), error.headers).header('cache-control', 'no-store')
  return sendObject(request, reply, error.message, error.body)
}

/** Returns the browsable page of a single object: its cause if simulated, advice, the request and the response. */
function objectPage (request: FastifyRequest, reply: FastifyReply, title: string, content: ObjectContent): string {
  const { server, origin, method } = request
  const { settings, tokens, simulation } = server
  const status = reply.statusCode
  const target = withoutSecrets(withoutBase(originForm(request.originalUrl), basePathOf(settings)), tokens.secrets())
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const headers = reply.getHeaders()
  const links = { path: ownAddress(path), target: ownAddress(target) }
  const cause = simulation?.errorCauseOf(request, status)
  const advised = adviceOf({ ...links, status, headers, content, cause, settings })
  const { heading = title, advice, inBar = '', isWhole } = advised

  const parameters = query.split('&').filter(parameter => !parameter.startsWith('format='))
  const shown: ShownRequest = {
    method: method === 'HEAD' ? 'GET' : method, // so that both have the same length
    target: withQuery(path, parameters.join('&')),
    origin,
    needsToken: path.startsWith('/api/v2/')
  }
  const form = status === 400 ? server.formOf?.(request) : undefined
  const bar = form === undefined ? plainBar(path, shown, inBar) : requestBar(form, shown, 'invalid')
  const json = jsonPanel(JSON.stringify(content, null, 2))
  const response = responseTabs(shown, {
    status,
    summary: '',
    headers: { ...headers, 'content-type': formats.json },
    panels: [{ id: 'json', name: 'JSON', content: json }]
  })
  const main = html`<div class="head">
<h1>${heading}</h1>
</div>
!${advice}!${isWhole ? '' : bar + response}`
  return layout({ title: status < 400 ? title : `${status} ${STATUS_CODES[status]}`, path, main, settings })
}
