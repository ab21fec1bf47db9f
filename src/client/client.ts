import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from '../settings/kinds.ts'

/** One request; the target is a path with its query. */
export type HttpRequest = { method: string, target: string, headers: Readonly<Record<string, string>> }

export type HttpResponse = { request: HttpRequest, status: number, headers: IncomingHttpHeaders, body: Buffer }

export type Send = (request: HttpRequest) => Promise<HttpResponse>

export class Unreachable extends Error {
  override name = 'Unreachable'
}

export type ClientOptions = {
  /** Requests a second at most. */
  rate: number
  signal: AbortSignal
  onRequest?: (request: HttpRequest) => void
  /** Called with the reason before each wait, except those between requests. */
  onWait?: (reason: string) => void
  /** Repetitions of a request after a broken connection; none by default. */
  retries?: number
  /** Bounds a whole response, in milliseconds; `idleTimeout` bounds the pause between two of its chunks. */
  timeout: number
  idleTimeout?: number
  maxBytes: number
  wait?: (milliseconds: number) => Promise<unknown>
}

export const requestRate: Kind<number> = {
  expects: 'a number of requests a second',
  read: text => Number(text) > 0 ? Number(text) : undefined
}

const hints: Readonly<Record<string, string>> = { ECONNREFUSED: '; is the server running?', ENOTFOUND: '; is its name right?' }

/** Bounds the waits of one request for Retry-After; a response with a longer one is final. */
const maxWaitSeconds = 120

/** The wait after a broken connection; each further one is twice as long. */
const backoffMilliseconds = 500

/**
 * Creates a client for requests one after another to one origin, which waits as Retry-After says and follows no redirect. The origin's
 * user and password are Basic credentials of requests without others. @throws {Unreachable} from each request without a complete response
 */
export function createClient (origin: URL, options: ClientOptions): Send {
  const { rate, signal, onRequest, onWait, retries = 0, wait = milliseconds => sleep(milliseconds, undefined, { signal }) } = options
  let next = 0

  return async function send (request, waited = 0): Promise<HttpResponse> {
    const response = await persist(request)
    const seconds = retryAfter(response)
    const waitedInAll = waited + Math.max(1, seconds) // bounds the retries of a server that says 0
    if (!(waitedInAll <= maxWaitSeconds)) return response
    onWait?.(`waiting ${seconds} s, as Retry-After says`)
    await wait(seconds * 1000)
    return send(request, waitedInAll)
  }

  async function persist (request: HttpRequest, failures = 0): Promise<HttpResponse> {
    const now = performance.now()
    if (next > now) await wait(next - now)
    next = Math.max(now, next) + 1000 / rate
    onRequest?.(request)
    try {
      return await exchange(origin, request, options)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === undefined || failures === retries || signal.aborted) {
        throw new Unreachable(`${request.method} ${addressOf(origin, request.target)}: ${code ?? message}${hints[String(code)] ?? ''}`)
      }
      onWait?.(`trying again: ${code}`)
      await wait(backoffMilliseconds * 2 ** failures)
      return persist(request, failures + 1)
    }
  }
}

/** Returns the Retry-After of a 429 or 503 in seconds, which may be a date (RFC 9110, 10.2.3); NaN without one. */
function retryAfter ({ status, headers: { 'retry-after': value = '' } }: HttpResponse): number {
  if (status !== 429 && status !== 503) return NaN
  if (/^\d+$/.test(value)) return Number(value)
  return value.endsWith(' GMT') ? Math.max(0, Math.ceil((Date.parse(value) - Date.now()) / 1000)) : NaN
}

/** Sends a request and reads the response; an error of the connection has a code. */
async function exchange (origin: URL, request: HttpRequest, { signal, timeout, idleTimeout, maxBytes }: ClientOptions) {
  const { method, target: path, headers } = request
  const late = AbortSignal.timeout(timeout)
  const idle = new AbortController()
  const timer = idleTimeout === undefined ? undefined : setTimeout(() => idle.abort(), idleTimeout).unref()
  const chunks: Buffer[] = []
  let length = 0
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const start = origin.protocol === 'https:' ? requestHttps : requestHttp
      start(origin, { method, path, headers, signal: AbortSignal.any([signal, late, idle.signal]) }, resolve).on('error', reject).end()
    })
    for await (const chunk of response as AsyncIterable<Buffer>) {
      timer?.refresh()
      length += chunk.length
      if (length > maxBytes) throw new Error(`a response of more than ${maxBytes / 2 ** 20} MB`)
      chunks.push(chunk)
    }
    return { request, status: Number(response.statusCode), headers: response.headers, body: Buffer.concat(chunks) }
  } catch (error) {
    if (late.aborted) throw new Error(`no complete response within ${timeout / 1000} s`)
    throw idle.signal.aborted ? new Error(`no data for ${Number(idleTimeout) / 1000} s`) : error
  }
}

/** Returns the address of a target without its password. A target that begins with two slashes is a path and names no host. */
export function addressOf (base: URL, target: string): string {
  const url = new URL(`/.${target}`, base)
  if (url.password !== '') url.password = '***'
  return url.href
}

/** Resolves a link of a server; undefined for an invalid one. */
export function urlOf (link: unknown, base?: URL): URL | undefined {
  return typeof link === 'string' && URL.canParse(link, base?.href) ? new URL(link, base) : undefined
}
