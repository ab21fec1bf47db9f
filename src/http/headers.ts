import type { FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders } from './cors.ts'
import { allowedMethods } from './methods.ts'

/** On every answer; the last three as Django's SecurityMiddleware and XFrameOptionsMiddleware send them. */
export const commonHeaders = {
  ...corsHeaders,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY'
}

/** On every answer of an API path, errors too. */
export const listHeaders = { ...commonHeaders, vary: 'Accept', allow: allowedMethods }

/** Sets what every answer to a request says, whatever becomes of it. */
export function setCommonHeaders (request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(request.url.startsWith('/api/') && !request.is404 ? listHeaders : commonHeaders)
}
