import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { curlLine } from '#assets/curl.js'
import { errors } from '../http/errors.ts'
import { negotiate } from '../http/negotiation.ts'
import { pageHeaders } from '../http/headers.ts'
import { limit, type Limits } from '../http/rate-limit.ts'
import { formTaken } from '../http/token-form.ts'
import { tokenFormPage, tokenPage, type IssuedTokenView } from '../pages/tokens.ts'
import type { Settings } from '../settings/settings.ts'
import { refuseMethod } from './answer.ts'

type Options = { settings: Settings, limits: Limits | undefined }

const path = '/tokens/'

/** Adds the form that issues tokens: a page for a person, JSON for a program that asks for it. */
export async function tokenRoutes (app: FastifyInstance, { settings, limits }: Options) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: formTaken.bytes }, (_, body, done) => {
    done(null, new URLSearchParams(body as string))
  })

  const rateLimit = limits === undefined ? [] : [limit(limits.form)]
  const page = { endWithProcess: app.tokens.endWithProcess, lifetime: settings.tokenLifetime }

  app.route({ method: ['GET', 'HEAD'], url: path, handler: (_, reply) => sendPage(reply, tokenFormPage({ ...page, label: '' })) })
  const config = { refuse: refuseMethod({ allow: formTaken.methods }) }
  app.route({ method: 'POST', url: path, config, onRequest: [negotiateForm, ...rateLimit], handler: issue })

  function issue (request: FastifyRequest, reply: FastifyReply) {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const label = form.get('label')?.trim() ?? ''
    const fault = faultOf(label)
    const isPage = request.negotiated?.format === 'api'
    if (fault !== undefined) {
      reply.code(400)
      return isPage ? sendPage(reply, tokenFormPage({ ...page, label, fault })) : sendJson(reply, { label: [fault] })
    }
    const token = app.tokens.issue()
    const issued: IssuedTokenView = { token, label, curl: curlLine({ address: `${request.origin}/api/v2/bikes/?page=1`, token }), ...page }
    return isPage ? sendPage(reply, tokenPage(issued)) : sendJson(reply, { token, label, curl: issued.curl })
  }
}

function faultOf (label: string): string | undefined {
  if (label === '') return 'This field is required.'
  const { labelCharacters: most } = formTaken
  return [...label].length > most ? `Ensure this field has no more than ${most} characters.` : undefined
}

const negotiateForm: onRequestHookHandler = (request, _reply, done) => {
  const negotiated = negotiate(undefined, request.headers.accept)
  if (typeof negotiated === 'number') throw errors.notAcceptable()
  request.negotiated = negotiated
  done()
}

function sendJson (reply: FastifyReply, content: object): FastifyReply {
  return reply.header('cache-control', 'no-store').type('application/json').send(Buffer.from(JSON.stringify(content)))
}

function sendPage (reply: FastifyReply, page: string): FastifyReply {
  return reply.headers({ ...pageHeaders, 'cache-control': 'no-store' }).send(page)
}
