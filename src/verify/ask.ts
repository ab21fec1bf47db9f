import { request as askHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as askHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/** One request of a check; the target is a path with its query. */
export type Asked = { method: string, target: string, headers: Readonly<Record<string, string>> }

/** What came back; header names are in lower case. */
export type Answer = { asked: Asked, status: number, headers: IncomingHttpHeaders, body: Buffer }

/** Asks the server once for each distinct request, however many checks want the answer. */
export type Ask = (asked: Asked) => Promise<Answer>

/** Is thrown when a server cannot be asked at all, or no longer. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** A server that asks for more patience than this is not waited for, in seconds; its 429 is the answer. */
const patience = 120

type Politeness = {
  /** Requests a second at most. */
  rate: number
  /** Hears of each request that is sent. */
  sent: (asked: Asked) => void
  /** Hears of each wait that the server asks for. */
  waits: (seconds: number) => void
  wait?: (milliseconds: number) => Promise<unknown>
  signal: AbortSignal
  /** A server that says nothing for so long is given up, in milliseconds. */
  silence?: number
}

/**
 * Makes the client of a run: one request at a time, at most `rate` a second, Retry-After is honoured (RFC 9110, 10.2.3),
 * no redirect is followed.
 * @throws {Unreachable} from each request that gets no answer
 */
export function createClient (base: URL, { rate, sent, waits, signal, silence = 15_000, wait = pauseUntil(signal) }: Politeness): Ask {
  const known = new Map<string, Promise<Answer>>()
  let last: Promise<unknown> = Promise.resolve()
  let next = 0

  async function paced (asked: Asked): Promise<Answer> {
    const now = performance.now()
    if (next > now) await wait(next - now)
    next = Math.max(now, next) + 1000 / rate
    sent(asked)
    const answer = await send(base, asked, { signal, timeout: silence })
    const seconds = answer.status === 429 ? Number(answer.headers['retry-after']) : NaN
    if (!(seconds <= patience)) return answer
    waits(seconds)
    await wait(seconds * 1000)
    return paced(asked)
  }

  return asked => {
    const key = JSON.stringify([asked.method, asked.target, Object.entries(asked.headers).sort()])
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    const answer = last.catch(() => {}).then(() => paced(asked))
    known.set(key, answer)
    last = answer
    return answer
  }
}

function pauseUntil (signal: AbortSignal): (milliseconds: number) => Promise<void> {
  return milliseconds => pause(milliseconds, undefined, { signal })
}

function send (base: URL, asked: Asked, limits: Pick<RequestOptions, 'signal' | 'timeout'>): Promise<Answer> {
  const { method, target, headers } = asked
  const options: RequestOptions = { method, path: target, headers, ...limits }
  return new Promise((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Unreachable(`${method} ${new URL(target, base)}: ${code ?? message}`))
    const request = (base.protocol === 'https:' ? askHttps : askHttp)(base, options, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', fail)
      response.on('end', () => {
        const { statusCode, headers } = response
        resolve({ asked, status: Number(statusCode), headers, body: Buffer.concat(pieces) })
      })
    })
    request.on('timeout', () => request.destroy(new Error(`no answer for ${Number(limits.timeout) / 1000} s`))).on('error', fail).end()
  })
}
