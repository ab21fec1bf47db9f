import type { FastifyRequest } from 'fastify'
import { ApiError, errors } from '../http/errors.ts'
import { rateLimitHeaders } from '../http/rate-limit.ts'
import { toFields } from '../http/send.ts'

/** A simulated error: its request, the seconds to wait, and the exceeded rate limit. */
type Circumstances = { request: FastifyRequest, seconds: number, limit: number }

/** Every error that can be simulated, as in the contract; 502 and 504 are those of a proxy. */
export const codes = {
  400: errors.badRequest,
  401: ({ request }) => request.headers.authorization === undefined ? errors.notAuthenticated() : errors.invalidToken(),
  403: errors.forbidden,
  404: errors.notFound,
  405: ({ request }) => errors.methodNotAllowed(request.method),
  406: errors.notAcceptable,
  408: errors.requestTimeout,
  413: errors.bodyTooLarge,
  415: ({ request }) => errors.unsupportedMediaType(request.headers['content-type'] ?? ''),
  429: throttled,
  500: errors.internal,
  502: errors.badGateway,
  503: ({ seconds }) => errors.unavailable(seconds),
  504: errors.gatewayTimeout
} satisfies Record<number, (circumstances: Circumstances) => ApiError>

/** Returns a 429 with the same time to wait in its body and headers. */
function throttled ({ seconds, limit }: Circumstances): ApiError {
  const { statusCode, message, headers } = errors.throttled(seconds)
  return new ApiError(statusCode, message, { ...headers, ...toFields(rateLimitHeaders({ limit, remaining: 0, reset: seconds })) })
}
