import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
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
  415: ({ request }) => errors.unsupportedMediaType(request.headers['content-type']),
  429: throttled,
  500: errors.internal,
  502: errors.badGateway,
  503: ({ seconds }) => errors.unavailable(seconds),
  504: errors.gatewayTimeout
} satisfies Record<number, (circumstances: Circumstances) => ApiError>

/** Returns a 429 with consistent times in its body and headers. */
function throttled ({ seconds, limit }: Circumstances): ApiError {
  const { statusCode, code, message, headers } = errors.throttled(seconds)
  const used = rateLimitHeaders({ limit, remaining: 0, reset: seconds })
  return new ApiError(statusCode, code, message, { ...headers, ...used })
}

/** Waits for a part, from 0 to 1, of the time that a body takes. */
type Pause = (part: number) => Promise<void>

/** A fault: its words, and either `cut`, which ends a connection in place of a response, or `breakBody`. */
type FaultRow = {
  /** Its name on the page, also shown as the response of a request. */
  readonly label: string
  /** The effect on the client, shown next to the label. */
  readonly means: string
  readonly group: 'Data' | 'Slow' | 'Connection'
  /** The row of the reference, as Markdown. */
  readonly effect: string
  /** Resetting TLS requires its TCP socket; without that socket, the connection is closed. */
  readonly cut?: (socket: Socket, tcp: Socket | undefined) => void
  /** Breaks a body, and adapts the headers. */
  readonly breakBody?: (body: Buffer, reply: FastifyReply, pause: Pause) => Buffer | Readable
  /** How long the body takes by default, in milliseconds; a delay is then that of the body, not one before it. */
  readonly duration?: number
  /** Whether a content coding would hide the fault. */
  readonly isUncoded?: boolean
}

const halfOf = (body: Buffer) => body.subarray(0, body.length / 2)

export const faults = {
  reset: {
    label: 'connection reset',
    means: 'before the response',
    group: 'Connection',
    effect: 'the connection is reset before the first byte',
    cut: (socket, tcp) => tcp === undefined ? socket.destroy() : tcp.resetAndDestroy()
  },
  empty: {
    label: 'closed without response',
    means: 'before the response',
    group: 'Connection',
    effect: 'the connection is closed before the first byte',
    cut: socket => socket.destroySoon()
  },
  truncate: {
    label: 'truncated body',
    means: 'half of the body',
    group: 'Connection',
    effect: 'the connection is closed after half of the body; `Content-Length` is that of the whole body',
    breakBody: (body, reply) => {
      const { raw } = reply.header('content-length', String(body.length))
      // Before Node sends the next response of the connection, which would seem to be the rest.
      raw.prependOnceListener('finish', () => raw.socket?.destroy())
      return Readable.from([halfOf(body)], { objectMode: false })
    }
  },
  drip: {
    label: 'slow body',
    means: 'the body takes 3 s',
    group: 'Slow',
    effect: 'the body arrives in small pieces during the `delay`, or during 3 seconds',
    duration: 3_000,
    breakBody: (body, reply, pause) => {
      reply.header('content-length', String(body.length))
      return Readable.from(pieces(body, pause), { objectMode: false })
    }
  },
  malformed: {
    label: 'malformed JSON',
    means: 'JSON that breaks off',
    group: 'Data',
    effect: 'the JSON is truncated, and `Content-Length` matches it',
    isUncoded: true,
    breakBody: (body, reply) => {
      const half = halfOf(body)
      // Half of a number is one, too.
      const { error } = attempt(() => { JSON.parse(half.toString()) })
      const sent = error === undefined ? Buffer.alloc(0) : half
      reply.removeHeader('etag').header('content-length', String(sent.length))
      return sent
    }
  }
} satisfies Record<string, FaultRow>

export type Fault = keyof typeof faults

/** Returns the row of a fault; an empty one without a fault. */
export const faultOf = (fault: Fault | undefined): Partial<FaultRow> => fault === undefined ? {} : faults[fault]

/** The longest delay, in milliseconds. */
export const maxDelay = 60_000

/** The most pieces of a dripping body. */
const dripPieces = 20

async function * pieces (body: Buffer, pause: Pause): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / dripPieces)
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size)
    await pause(piece.length / body.length)
    yield piece
  }
}

/** Creates delays that end early: each by the signal of its request, all when the server closes. */
export function createDelays () {
  const running = new Set<AbortController>()
  let hasEnded = false
  return {
    async wait (milliseconds: number, signal?: AbortSignal): Promise<void> {
      if (milliseconds === 0 || hasEnded || signal?.aborted === true) return
      // One signal of the server in AbortSignal.any would keep 50 bytes of each delay.
      const ending = new AbortController()
      running.add(ending)
      signal?.addEventListener('abort', () => ending.abort(), { once: true })
      await sleep(milliseconds, undefined, { signal: ending.signal }).catch(() => {})
      running.delete(ending)
    },
    /** Ends all delays, including future ones. */
    end () {
      hasEnded = true
      for (const ending of running) ending.abort()
    }
  }
}

export type Delays = ReturnType<typeof createDelays>
