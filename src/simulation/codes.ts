import type { FastifyRequest } from 'fastify'
import { ApiError, errors } from '../http/errors.ts'
import { oneOf } from '../settings/kinds.ts'

/** What an error may say of its request: how many seconds to wait, and the allowance that is used up. */
type Circumstances = { request: FastifyRequest, seconds: number, limit: number }

/** Every error that can be asked for, as the contract has it; a network has those of 502 and 504 between a client and its server. */
const rows = {
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

/** The status of an error that can be asked for. */
export type Code = `${keyof typeof rows}`

export const codes = Object.keys(rows) as Code[]

export const code = oneOf(codes)

/** The error with a status: body and headers agree about how long to wait. */
export function errorOf (code: Code, circumstances: Circumstances): ApiError {
  return rows[code](circumstances)
}

function throttled ({ seconds, limit }: Circumstances): ApiError {
  const { statusCode, message, headers } = errors.throttled(seconds)
  return new ApiError(statusCode, message, {
    ...headers,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds)
  })
}
