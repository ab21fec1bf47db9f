import type { FastifyRequest } from 'fastify'
import { counted } from '../base/text.ts'
import { logError } from './log.ts'

/** An error response: its status, its code (the framework's, where it has one) and the framework's text for it. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object

  constructor (
    statusCode: number,
    code: string,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    body: object = { detail }
  ) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0 // wrong clients cause many, and none is logged
    super(detail)
    Error.stackTraceLimit = stackTraceLimit
    this.statusCode = statusCode
    this.code = code
    this.headers = headers
    this.body = body
  }
}

const unauthorized = (code: string, detail: string) => () =>
  new ApiError(401, code, detail, { 'www-authenticate': 'Token' })
const later = (status: number, code: string, seconds: number, detail: string) =>
  new ApiError(status, code, detail, { 'retry-after': String(seconds) })

/** The errors of the contract, with the framework's messages (contract F2, F12, F15, F17). */
export const errors = {
  badRequest: () => new ApiError(400, 'parse_error', 'Bad request.'),
  /** Invalid parameters, each with its messages. */
  badParameters: (messages: Readonly<Record<string, string[]>>) =>
    new ApiError(400, 'invalid', 'Bad request.', {}, messages),
  notAuthenticated: unauthorized('not_authenticated', 'Authentication credentials were not provided.'),
  noCredentials: unauthorized('authentication_failed', 'Invalid token header. No credentials provided.'),
  spacesInToken: unauthorized(
    'authentication_failed', 'Invalid token header. Token string should not contain spaces.'
  ),
  invalidCharacters: unauthorized(
    'authentication_failed', 'Invalid token header. Token string should not contain invalid characters.'
  ),
  invalidToken: unauthorized('authentication_failed', 'Invalid token.'),
  forbidden: () => new ApiError(403, 'permission_denied', 'You do not have permission to perform this action.'),
  notFound: () => new ApiError(404, 'not_found', 'Not found.'),
  invalidPage: () => new ApiError(404, 'not_found', 'Invalid page.'),
  methodNotAllowed: (method: string) => new ApiError(405, 'method_not_allowed', `Method "${method}" not allowed.`),
  notAcceptable: () => new ApiError(406, 'not_acceptable', 'Could not satisfy the request Accept header.'),
  noCodingAcceptable: () =>
    new ApiError(406, 'not_acceptable', 'Could not satisfy the request Accept-Encoding header.'),
  requestTimeout: () => new ApiError(408, 'request_timeout', 'Request timed out.'),
  bodyTooLarge: () => new ApiError(413, 'body_too_large', 'Request body too large.'),
  unsupportedMediaType: (type = '') =>
    new ApiError(415, 'unsupported_media_type', `Unsupported media type "${type}" in request.`),
  throttled: (seconds: number) => {
    const detail = `Request was throttled. Expected available in ${counted(seconds, 'second')}.`
    return later(429, 'throttled', seconds, detail)
  },
  headersTooLarge: () => new ApiError(431, 'headers_too_large', 'Request header fields too large.'),
  internal: () => new ApiError(500, 'error', 'Internal server error.'),
  badGateway: () => new ApiError(502, 'bad_gateway', 'Bad gateway.'),
  unavailable: (seconds: number) =>
    later(503, 'unavailable', seconds, 'Service temporarily unavailable, try again later.'),
  gatewayTimeout: () => new ApiError(504, 'gateway_timeout', 'Gateway timeout.')
}

/** The errors of Fastify and Node that a request body causes, by their codes. */
const bodyErrors = new Map<string | undefined, (request: FastifyRequest) => ApiError>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', errors.bodyTooLarge],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', ({ headers }) => errors.unsupportedMediaType(headers['content-type'])],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', errors.badRequest],
  ['ECONNRESET', errors.badRequest] // the client has left in the middle of its body
])

/** Converts a thrown value into an error of the contract; internal errors are logged and reveal nothing. */
export function toApiError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const bodyError = bodyErrors.get((error as { code?: string }).code)
  if (bodyError !== undefined) return bodyError(request)
  logError(error, request)
  return errors.internal()
}
