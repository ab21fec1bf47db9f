import { constants } from 'node:buffer'
import { request as askHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as askHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/** One request of a check; the target is a path with its query. */
export type Asked = { method: string, target: string, headers: Readonly<Record<string, string>> }

/** The address of a target; one that begins with two slashes is a path too, and names no host. */
export function addressOf (base: URL, target: string): string {
  return new URL(`/.${target}`, base).href
}

/** What came back; header names are in lower case. */
export type Answer = { asked: Asked, status: number, headers: IncomingHttpHeaders, body: Buffer }

/** Asks the server once for each distinct request, however many checks want the answer. */
export type Ask = (asked: Asked) => Promise<Answer>

/** Is thrown when a server cannot be asked at all, or no longer. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** A server that asks for more patience than this for one answer is not waited for, in seconds; its 429 is the answer. */
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
  /** One whose answer takes longer than this in all is given up, in milliseconds. */
  time?: number
  /** One whose answer is longer than this is given up, in bytes; what is longer cannot be read as one text. */
  size?: number
}

/**
 * Makes the client of a run: one request at a time, at most `rate` a second, Retry-After is honoured (RFC 9110, 10.2.3),
 * no redirect is followed.
 * @throws {Unreachable} from each request that gets no answer
 */
export function createClient (base: URL, politeness: Politeness): Ask {
  const { rate, sent, waits, signal, wait = pauseUntil(signal) } = politeness
  const known = new Map<string, Promise<Answer>>()
  let last: Promise<unknown> = Promise.resolve()
  let next = 0

  async function paced (asked: Asked, waited = 0): Promise<Answer> {
    const now = performance.now()
    if (next > now) await wait(next - now)
    next = Math.max(now, next) + 1000 / rate
    sent(asked)
    const answer = await send(base, asked, politeness)
    const after = answer.headers['retry-after'] ?? ''
    const seconds = Number(after)
    const inAll = waited + Math.max(1, seconds) // who says 0 again and again is not asked for ever
    if (answer.status !== 429 || !/^\d+$/.test(after) || inAll > patience) return answer
    waits(seconds)
    await wait(seconds * 1000)
    return paced(asked, inAll)
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

function send (base: URL, asked: Asked, limits: Pick<Politeness, 'signal' | 'silence' | 'time' | 'size'>): Promise<Answer> {
  const { signal, silence = 15_000, time = 300_000, size = constants.MAX_STRING_LENGTH } = limits
  const { method, target, headers } = asked
  const options: RequestOptions = { method, path: target, headers, signal, timeout: silence }
  return new Promise((resolve, reject) => {
    const request = (base.protocol === 'https:' ? askHttps : askHttp)(base, options, response => {
      const pieces: Buffer[] = []
      let length = 0
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        length += piece.length
        if (length > size) giveUp(`an answer of more than ${size} bytes`)
      })
      response.on('error', fail).on('end', () => {
        const { statusCode, headers } = response
        resolve({ asked, status: Number(statusCode), headers, body: Buffer.concat(pieces) })
      })
    })
    const late = setTimeout(() => giveUp(`an answer that takes longer than ${time / 1000} s`), time)
    request.on('timeout', () => giveUp(`no answer for ${silence / 1000} s`)).on('close', () => clearTimeout(late)).on('error', fail).end()

    function giveUp (reason: string): void {
      request.destroy(new Error(reason))
    }

    function fail ({ code, message }: NodeJS.ErrnoException): void {
      reject(new Unreachable(`${method} ${addressOf(base, target)}: ${code ?? message}`))
    }
  })
}
