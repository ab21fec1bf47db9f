import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { formLimits, type Settings } from '../settings/settings.ts'
import { curlLine } from '../client/curl.ts'
import { errors } from '../http/errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { rateLimitHooks, type Limits } from '../http/rate-limit.ts'
import { commandLine } from './exchange.ts'
import { layout } from './layout.ts'
import { sendJson } from './responses.ts'

const path = '/tokens/'

/** Adds the form that issues tokens, as HTML or JSON. */
export async function tokenRoutes (app: FastifyInstance, { settings, limits }: { settings: Settings, limits: Limits }) {
  app.removeAllContentTypeParsers()
  const parse = async (_: unknown, body: string) => new URLSearchParams(body)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: formLimits.bytes }, parse)

  app.route({ method: ['GET', 'HEAD'], url: path, handler: (_, reply) => sendPage(reply, 'Tokens', formHtml('')) })
  app.route({ method: 'POST', url: path, onRequest: [negotiateForm, ...rateLimitHooks(limits?.form)], handler: issue })

  function negotiateForm (request: FastifyRequest, _: FastifyReply, done: () => void): void {
    if (!negotiateRequest(request)) throw errors.notAcceptable()
    done()
  }

  function issue (request: FastifyRequest, reply: FastifyReply) {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const label = form.get('label')?.trim() ?? ''
    const error = errorOf(label)
    const isPage = request.negotiated?.format === 'api'
    if (error !== undefined) {
      reply.code(400)
      return isPage ? sendPage(reply, 'Error: Tokens', formHtml(label, error)) : sendJson(reply, { label: [error] })
    }
    const token = app.tokens.issue()
    const curl = curlLine({ address: `${request.origin}/api/v2/bikes/?page=1`, token })
    return isPage ? sendPage(reply, 'Your token', tokenHtml(token, label, curl)) : sendJson(reply, { token, label, curl })
  }

  /** Sends a page, below which is how to use tokens. */
  function sendPage (reply: FastifyReply, title: string, content: string): FastifyReply {
    const restart = '<li>It is invalid after a restart of this server, which has no <code>--token-secret</code>.</li>'
    const main = html`!${content}<div class="notice"><ul>
<li>Send it in a header: <code>Authorization: Token $TOKEN</code>.</li>
!${app.tokens.invalidAfterRestart ? restart : ''}</ul></div>
`
    return reply.headers({ ...pageHeaders, 'cache-control': 'no-store' }).send(layout({ title, path, main, settings }))
  }
}

function errorOf (label: string) {
  if (label === '') return 'This field is required.'
  const { labelCharacters: most } = formLimits
  return [...label].length > most ? `Ensure this field has no more than ${most} characters.` : undefined
}

/** Returns the token form; an error appears below the field. */
function formHtml (label: string, error?: string): string {
  const described = error === undefined ? 'aria-describedby="label-help"' : 'aria-describedby="label-error label-help" aria-invalid="true"'
  return html`<div class="head">
<h1>Tokens</h1>
<p class="lead">Version 2.1 needs a token. It has every bike in comprehensive detail: prices, weights, reviews, and filters.</p>
</div>
<form class="controls" method="post" action="/tokens/">
<div class="fields">
<div class="field"><label for="label">Label</label>
<input id="label" name="label" type="text" required maxlength="${formLimits.labelCharacters}"
value="${label}" placeholder="my phone" !${described}></div>
<div class="buttons"><button type="submit" class="primary">Get a token</button></div>
</div>
!${error === undefined ? '' : html`<p class="error" id="label-error">${error}</p>`}
<p class="small muted" id="label-help">A name for the token. The server stores neither the label nor the token.</p>
</form>
`
}

/** Shows an issued token, once. */
function tokenHtml (token: string, label: string, curl: string): string {
  return html`<div class="head">
<h1>Your token</h1>
<p class="lead">For <b>${label}</b>. Copy it now: the server does not store it and cannot show it again.</p>
</div>
<div class="exchange">
!${commandLine(token, 'the token')}!${commandLine(curl)}</div>
<form class="use" data-token="/api/v2/bikes/?format=api" data-scripted>
<input type="hidden" name="token" value="${token}">
<button type="submit" class="primary">Open the bikes of version 2.1</button>
</form>
`
}
