import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formLimits, type Settings } from '../settings/settings.ts'
import { curlLine } from '../client/curl.ts'
import { errors } from '../http/errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { rateLimitHooks, type Limits } from '../http/rate-limit.ts'
import { tokenFormPage, tokenPage } from './tokens.ts'
import { sendJson } from './responses.ts'

const path = '/tokens/'

/** Adds the form that issues tokens, as HTML or JSON. */
export async function tokenRoutes (app: FastifyInstance, { settings, limits }: { settings: Settings, limits: Limits }) {
  app.removeAllContentTypeParsers()
  const parse = async (_: unknown, body: string) => new URLSearchParams(body)
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: formLimits.bytes }, parse)

  const terms = { invalidAfterRestart: app.tokens.invalidAfterRestart, settings }
  app.route({ method: ['GET', 'HEAD'], url: path, handler: (_, reply) => sendPage(reply, tokenFormPage({ ...terms, label: '' })) })
  app.route({ method: 'POST', url: path, onRequest: [negotiateForm, ...rateLimitHooks(limits?.form)], handler: issue })

  async function negotiateForm (request: FastifyRequest): Promise<void> {
    if (!negotiateRequest(request)) throw errors.notAcceptable()
  }

  function issue (request: FastifyRequest, reply: FastifyReply) {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const label = form.get('label')?.trim() ?? ''
    const error = errorOf(label)
    const isPage = request.negotiated?.format === 'api'
    if (error !== undefined) {
      reply.code(400)
      return isPage ? sendPage(reply, tokenFormPage({ ...terms, label, error })) : sendJson(reply, { label: [error] })
    }
    const token = app.tokens.issue()
    const curl = curlLine({ address: `${request.origin}/api/v2/bikes/?page=1`, token })
    return isPage ? sendPage(reply, tokenPage({ ...terms, token, label, curl })) : sendJson(reply, { token, label, curl })
  }
}

function errorOf (label: string) {
  if (label === '') return 'This field is required.'
  const { labelCharacters: most } = formLimits
  return [...label].length > most ? `Ensure this field has no more than ${most} characters.` : undefined
}

function sendPage (reply: FastifyReply, page: string): FastifyReply {
  return reply.headers({ ...pageHeaders, 'cache-control': 'no-store' }).send(page)
}
