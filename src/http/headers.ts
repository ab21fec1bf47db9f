import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'
import { corsHeaders } from './cors.ts'
import { allowedMethods } from './methods.ts'

/** On every answer; the last three as Django's SecurityMiddleware and XFrameOptionsMiddleware send them. */
export const commonHeaders = {
  ...corsHeaders,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY'
}

/** On every answer of an address whose answers can be compressed, errors too. */
export const codedHeaders = { vary: 'Accept, Accept-Encoding' }

/** On every answer of an API path, errors too. */
export function listHeadersOf ({ compress }: Pick<Settings, 'compress'>) {
  return { ...commonHeaders, vary: 'Accept', ...compress ? codedHeaders : {}, allow: allowedMethods }
}

/** Sets what every answer to a request says, whatever becomes of it. */
export function setCommonHeaders (request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(request.url.startsWith('/api/') && !request.is404 ? request.server.listHeaders : commonHeaders)
}
