import type { FastifyInstance } from 'fastify'
import type { InvalidCredentials } from '../catalogue/catalogue.ts'
import { authenticate } from '../http/authentication.ts'
import { rateLimitHeaders, type Limits } from '../http/rate-limit.ts'
import { sendStored, type StoredResponse } from '../http/stored.ts'
import type { ListRequest } from './request.ts'

/** Returns the response that the source of a list has to missing or invalid credentials. */
type RefusalOf = (request: ListRequest, credentials: InvalidCredentials) => StoredResponse | undefined

/**
 * Asks clients of a list for a token. Without a valid one they get 401, unless the source of the list has another
 * response, or needs no token.
 */
export function addAuthentication (list: FastifyInstance, limits: Limits, refusalOf: RefusalOf): void {
  list.addHook('onRequest', (request, reply, done) => {
    const client = authenticate(request, list.tokens)
    if (typeof client === 'string') {
      request.client = client
      done()
      return
    }
    const refuse = () => {
      const { format, resource: { source } } = request.listRequest
      const credentials = client.code === 'not_authenticated' ? 'missing' : 'invalid'
      if (source.form.openTo?.includes(credentials) === true) {
        request.client = request.ip
        done()
        return
      }
      const refusal = format === 'api' ? undefined : refusalOf(request.listRequest, credentials)
      if (refusal === undefined) done(client)
      else sendStored(request, reply, refusal)
    }
    // Guessing tokens counts against the rate limit of the address, but the answer is always 401 (contract D29).
    if (limits === undefined || request.headers.authorization === undefined) refuse()
    else {
      limits.address(request, rateLimit => {
        reply.headers(rateLimitHeaders(rateLimit))
        refuse()
      })
    }
  })
}
