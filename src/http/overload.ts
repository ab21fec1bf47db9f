import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { errors } from './errors.ts'

/**
 * A request is refused when those before it took more CPU time, in milliseconds, while the server has been busy for two breaths. CPU time,
 * because on a machine that others use every server is slow and none is to blame.
 */
const patience = 250

/** How long a breath is, in milliseconds. */
export const breath = 1_000

/** In what share of a breath a busy server had something to do. */
const busyShare = 0.98

/** When a client that was refused may come back, in seconds; it is not heard before. */
const retryAfter = 1

/** How much CPU time the process has used, in milliseconds, and how busy the event loop has been since some moment. */
type Clock = { spent: () => number, used: (since?: EventLoopUtilization) => EventLoopUtilization }

const clock: Clock = {
  spent () {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  used: since => performance.eventLoopUtilization(since)
}

/** What keeps a server from slowing down for all when too many ask at once. */
export type Overload = {
  /** A handler that answers with 503 in place of another where a request is one too many, unless its address is spared. */
  guard: (handler: RequestListener, spared: ReadonlySet<string>) => RequestListener
  /** Draws a breath: looks how busy it was, and tells how many were refused. */
  look: () => void
}

/**
 * Knows when requests are too many. What has arrived when the event loop looks is answered in one turn of it, so a request has waited
 * at least for those of its turn before it. `headOf` gives the headers of a refusal, of which `tell` is told.
 */
export function createOverload (
  journal: Logger,
  headOf: (request: IncomingMessage) => Readonly<Record<string, string>>,
  tell: () => void,
  { spent, used }: Clock = clock
): Overload {
  const { statusCode, headers, body } = errors.unavailable(retryAfter)
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { ...headers, 'content-type': 'application/json', 'content-length': bytes.length, 'cache-control': 'no-store' }
  let [last, breathsBusy, refused] = [used(), 0, 0]
  /** What had been spent when this turn of the loop began. */
  let atFirst: number | undefined

  return { guard, look }

  function guard (handler: RequestListener, spared: ReadonlySet<string>): RequestListener {
    return (request, response) => {
      if (breathsBusy < 2 || spentBefore() <= patience || spared.has(String(request.url))) handler(request, response)
      else refuse(request, response)
    }
  }

  /** What the requests of this turn have taken. */
  function spentBefore (): number {
    const sum = spent()
    if (atFirst === undefined) setImmediate(() => { atFirst = undefined })
    atFirst ??= sum
    return sum - atFirst
  }

  function refuse (request: IncomingMessage, response: ServerResponse): void {
    refused++
    tell()
    response.writeHead(statusCode, { ...headOf(request), ...own }).end(bytes)
    response.once('finish', () => setImmediate(ignore, request.socket)) // Node starts to read on when it has finished
  }

  function look (): void {
    breathsBusy = used(last).utilization > busyShare ? breathsBusy + 1 : 0
    last = used()
    if (refused > 0) journal.warn(`too many requests: ${refused} of the last second were refused with 503`)
    refused = 0
  }
}

/** Reads nothing more for a while: to refuse again and again would cost as much as answers that are kept. */
function ignore (socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), 1000 * retryAfter).unref()
}
