import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { developmentTokenOf } from '../settings/read.ts'
import { formLimits } from '../settings/limits.ts'
import { errors } from '../http/errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { addRateLimit, type Limits } from '../http/rate-limit.ts'
import { layout } from './layout.ts'
import { sendJson, useTokenForm } from './responses.ts'
import { commandLine, detailedCurl } from './snippets.ts'

const path = '/tokens/'

/** Adds the form that issues tokens, as HTML or JSON. */
export async function tokenRoutes (app: FastifyInstance, { limits }: { limits: Limits }) {
  const { settings } = app
  app.removeAllContentTypeParsers()
  const parse = async (_: unknown, body: string) => new URLSearchParams(body)
  const options = { parseAs: 'string', bodyLimit: formLimits.bytes } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', options, parse)

  app.route({ method: ['GET', 'HEAD'], url: path, handler: sendForm })
  await app.register(async sent => {
    sent.addHook('onRequest', (request, _reply, done) => {
      if (!negotiateRequest(request)) throw errors.notAcceptable()
      done()
    })
    addRateLimit(sent, limits?.form)
    sent.post(path, issue)
  })

  function sendForm (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const development = developmentTokenOf(settings)
    if (development === undefined) return sendPage(reply, 'Tokens', issueForm)
    const curl = detailedCurl(request.origin, development)
    return sendPage(reply, 'Tokens', developmentHead(development) + useToken(development, curl))
  }

  function issue (request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const label = form.get('label')?.trim() ?? ''
    const isPage = request.negotiated?.format === 'api'
    if ([...label].length > formLimits.labelCharacters) {
      const error = `Ensure this field has no more than ${formLimits.labelCharacters} characters.`
      reply.code(400)
      return isPage ? sendPage(reply, 'Error: Tokens', tooLongHtml(error)) : sendJson(reply, { label: [error] })
    }
    const token = app.tokens.issue()
    const curl = detailedCurl(request.origin, token)
    if (isPage) return sendPage(reply, 'Your token', issuedHead + useToken(token, curl))
    return sendJson(reply, { token, label, curl })
  }

  /** Sends a page, below which is how to use tokens. */
  function sendPage (reply: FastifyReply, title: string, content: string): FastifyReply {
    const isStable = developmentTokenOf(settings) !== undefined || !app.tokens.invalidAfterRestart
    const main = html`!${content}<div class="notice">
<p>Send it in a header: <code>Authorization: Token $TOKEN</code>.</p>
!${isStable ? '' : restartNote}</div>
`
    return reply.headers({ ...pageHeaders, 'cache-control': 'no-store' }).send(layout({ title, path, main, settings }))
  }
}

const restartNote = html`<p>Restarting the server invalidates it.
Start with <code>--token-secret</code> to keep tokens valid.</p>
`

const issueForm = html`<div class="head">
<h1>Tokens</h1>
<p class="lead">Version 2.1 needs a token.
It has every bike in comprehensive detail: prices, weights, reviews, and filters.</p>
</div>
<form method="post" action="/tokens/">
<button type="submit" class="primary">Get a token</button>
</form>
`

const tooLongHtml = (error: string) => html`!${issueForm}<p class="error">label: ${error}</p>
`

const developmentHead = (token: string) => html`<div class="head">
<h1>The token is <code>${token}</code></h1>
<p class="lead">Version 2.1 needs a token. This server runs for development, and always accepts this one.</p>
</div>
`

const issuedHead = html`<div class="head">
<h1>Your token</h1>
<p class="lead">Copy it now: the server does not store it and cannot show it again.</p>
</div>
`

const useToken = (token: string, curl: string) => html`<div class="exchange">
!${commandLine(token, 'the token')}!${commandLine(curl)}</div>
!${useTokenForm('/api/v2/bikes/?format=api', token, 'Open the bikes of version 2.1')}`
