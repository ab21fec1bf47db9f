import type { FastifyRequest } from 'fastify'
import { counted } from '../base/text.ts'
import { logError } from './log.ts'

/** An error response: its status, and the framework's text for it. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object

  constructor (
    statusCode: number, detail: string, headers: Readonly<Record<string, string>> = {}, body: object = { detail }
  ) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0 // wrong clients cause many, and none is logged
    super(detail)
    Error.stackTraceLimit = stackTraceLimit
    this.statusCode = statusCode
    this.headers = headers
    this.body = body
  }
}

const later = (status: number, seconds: number, detail: string) =>
  new ApiError(status, detail, { 'retry-after': String(seconds) })
const unauthorized = (detail: string) => () => new ApiError(401, detail, { 'www-authenticate': 'Token' })

/** The errors of the contract, with the framework's messages (contract F2, F12, F15, F17). */
export const errors = {
  badRequest: () => new ApiError(400, 'Bad request.'),
  /** Invalid parameters, each with its messages. */
  badParameters: (messages: Readonly<Record<string, string[]>>) => new ApiError(400, 'Bad request.', {}, messages),
  notAuthenticated: unauthorized('Authentication credentials were not provided.'),
  noCredentials: unauthorized('Invalid token header. No credentials provided.'),
  spacesInToken: unauthorized('Invalid token header. Token string should not contain spaces.'),
  invalidCharacters: unauthorized('Invalid token header. Token string should not contain invalid characters.'),
  invalidToken: unauthorized('Invalid token.'),
  forbidden: () => new ApiError(403, 'You do not have permission to perform this action.'),
  notFound: () => new ApiError(404, 'Not found.'),
  invalidPage: () => new ApiError(404, 'Invalid page.'),
  methodNotAllowed: (method: string) => new ApiError(405, `Method "${method}" not allowed.`),
  notAcceptable: () => new ApiError(406, 'Could not satisfy the request Accept header.'),
  noCodingAcceptable: () => new ApiError(406, 'Could not satisfy the request Accept-Encoding header.'),
  requestTimeout: () => new ApiError(408, 'Request timed out.'),
  bodyTooLarge: () => new ApiError(413, 'Request body too large.'),
  unsupportedMediaType: (type: string) => new ApiError(415, `Unsupported media type "${type}" in request.`),
  throttled: (seconds: number) =>
    later(429, seconds, `Request was throttled. Expected available in ${counted(seconds, 'second')}.`),
  headersTooLarge: () => new ApiError(431, 'Request header fields too large.'),
  internal: () => new ApiError(500, 'Internal server error.'),
  badGateway: () => new ApiError(502, 'Bad gateway.'),
  unavailable: (seconds: number) => later(503, seconds, 'Service temporarily unavailable, try again later.'),
  gatewayTimeout: () => new ApiError(504, 'Gateway timeout.')
}

/** Converts a thrown value into an error of the contract; internal errors are logged and reveal nothing. */
export function toApiError (error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status === 413) return errors.bodyTooLarge()
  if (status === 415) return errors.unsupportedMediaType(request.headers['content-type'] ?? '')
  if (status >= 400 && status < 500) return errors.badRequest()
  logError(error, request)
  return errors.internal()
}
