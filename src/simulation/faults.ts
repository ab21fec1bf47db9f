import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sleep } from '../base/timers.ts'
import { ApiError, errors } from '../http/errors.ts'
import { rateLimitHeaders } from '../http/rate-limit.ts'

/** The origin of a simulated error: its request, the seconds to wait, and the exceeded rate limit. */
type Circumstances = { request: FastifyRequest, seconds: number, limit: number }

/** The errors that can be simulated, as in the contract; 502 and 504 come from a proxy. */
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

/** Returns a 429 with consistent times in its body and headers. */
function throttled ({ seconds, limit }: Circumstances): ApiError {
  const { statusCode, message, headers } = errors.throttled(seconds)
  const used = rateLimitHeaders({ limit, remaining: 0, reset: seconds })
  return new ApiError(statusCode, message, { ...headers, ...used })
}

export const faults = {
  reset: 'The connection is reset before the first byte.',
  empty: 'The connection is closed before the first byte.',
  truncate: 'The connection is closed in the middle of the body.',
  drip: 'The body arrives in small pieces during the delay, or during 3 seconds.',
  malformed: 'Truncated JSON with a matching Content-Length.'
} as const

type Fault = keyof typeof faults

/** A fault in place of a response. */
export type CutFault = 'reset' | 'empty'

/** A fault of a body. */
export type BodyFault = Exclude<Fault, CutFault>

/** A dripping body: its default duration, in milliseconds, and the number of its pieces. */
export const defaultDrip = 3_000
const dripPieces = 20

/** The longest delay, in milliseconds. */
export const maxDelay = 60_000

export const isCut = (fault: unknown): fault is CutFault => fault === 'reset' || fault === 'empty'

/**
 * Resets or closes a connection. Resetting TLS requires its TCP socket; without that socket, the connection is closed.
 */
export function cutConnection (fault: CutFault, socket: Socket, tcp: Socket | undefined): void {
  if (fault === 'empty') socket.destroySoon()
  else if (tcp === undefined) socket.destroy()
  else tcp.resetAndDestroy()
}

/** Breaks a body, and adapts the headers; `pause` waits between the pieces of a dripping body. */
export function breakBody (
  body: Buffer, reply: FastifyReply, fault: BodyFault, pause: (part: number) => Promise<void>
): Buffer | Readable {
  const { raw } = reply
  const half = body.subarray(0, body.length / 2)
  if (fault === 'malformed') {
    reply.removeHeader('etag').header('content-length', String(half.length))
    return half
  }
  reply.header('content-length', String(body.length))
  // Before Node sends the next response of the connection, which would seem to be the rest.
  if (fault === 'truncate') raw.prependOnceListener('finish', () => raw.socket?.destroy())
  return Readable.from(fault === 'truncate' ? [half] : pieces(), { objectMode: false })

  async function * pieces (): AsyncGenerator<Buffer> {
    const size = Math.ceil(body.length / dripPieces)
    for (let at = 0; at < body.length; at += size) {
      await pause(1 / dripPieces)
      yield body.subarray(at, at + size)
    }
  }
}

/** Creates delays that end early: each by the signal of its request, all when the server closes. */
export function createDelays () {
  const closing = new AbortController()
  return {
    async wait (milliseconds: number, signal = closing.signal): Promise<void> {
      if (milliseconds === 0) return
      const ending = AbortSignal.any([closing.signal, signal])
      await sleep(milliseconds, undefined, { signal: ending }).catch(() => {})
    },
    /** Ends all delays, including future ones. */
    end: () => closing.abort()
  }
}
