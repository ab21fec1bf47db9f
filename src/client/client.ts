import { type Agent, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { attempt } from '../base/attempt.ts'
import { decoders } from '../base/decoders.ts'
import { clearInterval, now, setInterval, sleep } from '../base/timers.ts'
import { proxyFor } from './proxy.ts'

/** A request; the target is a path with its query. */
export type HttpRequest = { method: string, target: string, headers: Readonly<Record<string, string>> }

export type HttpResponse = {
  request: HttpRequest
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Send = (request: HttpRequest) => Promise<HttpResponse>

export class Unreachable extends Error {
  override name: string = 'Unreachable'
}

/** Thrown when a service still limits requests (429, 502, 503, 504) after the longest wait. */
export class Limited extends Unreachable {
  override name = 'Limited'
}

export type ClientOptions = {
  /** The most requests a second. */
  rate: number
  signal: AbortSignal
  headers?: HttpRequest['headers']
  /** Headers that only requests below the path of the origin have, as they may be secret. */
  ownHeaders?: HttpRequest['headers'] | undefined
  /** Called before each attempt, and before the wait for the rate; an error ends the request. */
  onRequest?: (request: HttpRequest) => void
  /** Called with each response of 429, 502, 503 or 504. */
  onLimited?: (response: HttpResponse) => void
  /** Called with the reason before each wait, except waits between requests. */
  onWait?: (reason: string) => void
  /** Retries after a broken connection, at most 3 before the first response; none by default. */
  retries?: number
  /**
   * The most requests in a row that may fail after the first response; none by default. Each has a response with the
   * status 0 and the error as its body.
   */
  maxBroken?: number
  /** The most milliseconds to wait for a 429, 502, 503 or 504 to end, in all since the last other response. */
  maxWait: number
  /** The most milliseconds for a whole response; `idleTimeout` limits the pause between two chunks. */
  timeout: number
  idleTimeout?: number
  maxBytes: number
  wait?: ((milliseconds: number) => Promise<unknown>) | undefined
  /** The clock of waits, in milliseconds. */
  now?: () => number
}

const untrusted = '; if you trust its certificate, name the file of its CA in the variable NODE_EXTRA_CA_CERTS'

const errorHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: '; is the server running?',
  ENOTFOUND: '; is its name right?',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted
}

/** The statuses of a service that limits requests, or whose gateway does. */
const limiting = [429, 502, 503, 504]

/** The first wait after a broken connection, or a 429 or 503 without Retry-After; each further one is twice as long. */
const backoffMilliseconds = { broken: 500, limited: 1000 }

/**
 * Creates a client of one origin. It sends one request at a time, through the proxy of the environment if there is one,
 * waits while the service limits requests, decodes bodies, and follows no redirects. A user and a password in the URL
 * are the default credentials (Basic).
 * @throws {Unreachable} from a request without a complete response, and {@link Limited} from one that is limited for
 * too long
 */
export function createClient (origin: URL, options: ClientOptions): Send {
  const { rate, signal, maxWait, onRequest, onLimited, onWait, retries = 0, maxBroken = 0 } = options
  const { wait = milliseconds => sleep(milliseconds, undefined, { signal }), now: clock = now } = options
  const agent = proxyFor(origin)
  const exchange = createExchange(origin, agent, options)
  let next = 0
  let hasResponded = false
  let broken = 0
  let waits = 0
  let waited = 0
  /**
   * The errors of each path that was limited for too long. The next two requests don't wait, and later ones aren't
   * sent.
   */
  const refusals = new Map<string, Limited[]>()

  return async function send (request): Promise<HttpResponse> {
    const path = pathIn(request.target)
    const refused = refusals.get(path) ?? []
    if (refused[2] !== undefined) throw refused[2]
    const response = await persist(request)
    const { status, headers } = response
    if (!limiting.includes(status)) {
      waits = 0
      waited = 0
      return response
    }
    onLimited?.(response)
    const stated = headers['retry-after']
    const retryAfter = delayOf(stated)
    const delay = retryAfter ?? Math.min(backoffMilliseconds.limited * 2 ** waits++, maxWait - waited)
    const total = waited + Math.max(1000, delay) // bounds the retries of a server that says 0
    if (!(total <= maxWait) || refused.length > 0) {
      const after = stated === undefined ? '' : `, Retry-After: ${stated}`
      const address = addressOf(origin, request.target)
      const error = new Limited(`${request.method} ${address}: ${status}${after}; the service limits requests`)
      refusals.set(path, [...refused, error])
      throw error
    }
    waited = total
    onWait?.(`waiting ${delay / 1000} s${retryAfter === undefined ? ` after ${status}` : ', as Retry-After says'}`)
    await wait(delay)
    return send(request)
  }

  /** Sends a request when the rate allows it, and again after broken connections. */
  async function persist (request: HttpRequest, failures = 0): Promise<HttpResponse> {
    onRequest?.(request)
    const time = clock()
    if (next > time) await wait(next - time)
    next = Math.max(time, next) + 1000 / rate
    const { response, error } = await exchange(request).then(response => ({ response, error: undefined }), toFailure)
    if (response !== undefined) {
      hasResponded = true
      broken = 0
      return response
    }
    const most = hasResponded ? retries : Math.min(retries, 3)
    const { code, message } = error
    if (code === undefined || failures === most || signal.aborted) {
      const address = addressOf(origin, request.target)
      const words = `${request.method} ${address}: ${code ?? message}${connectionHint(code, agent)}`
      if (!hasResponded || signal.aborted || ++broken > maxBroken) throw new Unreachable(words)
      return { request, status: 0, headers: {}, body: Buffer.from(words) }
    }
    onWait?.(`trying again: ${code}`)
    await wait(backoffMilliseconds.broken * 2 ** failures)
    return persist(request, failures + 1)
  }
}

const toFailure = (error: NodeJS.ErrnoException) => ({ response: undefined, error })

/** Returns what to do about the error of a connection. */
function connectionHint (code: string | undefined, proxy: Agent | undefined): string {
  const isUnreachable = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
  if (proxy !== undefined && isUnreachable) return '; is the proxy in HTTP_PROXY or HTTPS_PROXY right?'
  return errorHints[String(code)] ?? ''
}

/** Returns a Retry-After, in seconds or as a date (RFC 9110, 10.2.3), in milliseconds; undefined for an invalid one. */
function delayOf (value = ''): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const time = value.endsWith(' GMT') ? Date.parse(value) : NaN
  if (Number.isNaN(time)) return undefined
  const seconds = Math.ceil((time - Date.now()) / 1000)
  return Math.max(0, seconds * 1000)
}

/** How often a pause of a response is checked before it is too long. */
const idleTicks = 10

/** Returns a function that sends a request and reads the response; connection errors have a code. */
function createExchange (origin: URL, agent: Agent | undefined, options: ClientOptions) {
  const { signal, timeout, idleTimeout, maxBytes } = options

  return async (request: HttpRequest): Promise<HttpResponse> => {
    const late = AbortSignal.timeout(timeout)
    const idle = new AbortController()
    // A busy or suspended process misses ticks, so that its own pauses are not those of the service.
    let ticks = 0
    const tick = () => { if (++ticks === idleTicks) idle.abort() }
    const timer = idleTimeout === undefined ? undefined : setInterval(tick, idleTimeout / idleTicks).unref()
    const chunks: Buffer[] = []
    let length = 0
    try {
      const response = await begin(request, AbortSignal.any([signal, late, idle.signal]))
      for await (const chunk of response as AsyncIterable<Buffer>) {
        ticks = 0
        length += chunk.length
        if (length > maxBytes) throw new Error(`a response larger than ${maxBytes / 2 ** 20} MB`)
        chunks.push(chunk)
      }
      clearInterval(timer)
      const body = decodeBody(Buffer.concat(chunks), response.headers['content-encoding'], maxBytes)
      const { statusCode, headers, headersDistinct } = response
      const types = headersDistinct['content-type'] // `headers` has the first of two lines
      const all = types === undefined ? headers : { ...headers, 'content-type': types.join(', ') }
      return { request, status: Number(statusCode), headers: all, body }
    } catch (error) {
      clearInterval(timer)
      if (late.aborted) throw new Error(`no complete response within ${timeout / 1000} s`)
      throw idle.signal.aborted ? new Error(`no data for ${Number(idleTimeout) / 1000} s`) : error
    }
  }

  /** Sends a request and returns the response, whose body follows. */
  function begin (request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const start = origin.protocol === 'https:' ? requestHttps : requestHttp
    const { method, target: path } = request
    const headers = headersFor(request, origin, options)
    return new Promise((resolve, reject) => {
      const sent = start(origin, { method, path, headers, agent, signal }, resolve)
      sent.on('error', reject)
      // After 101 Switching Protocols no response follows.
      sent.on('close', () => reject(new Error('the connection ended without a response')))
      sent.end()
    })
  }
}

/** Returns the headers of a request; secret ones are left out of those that lead outside the path of the origin. */
function headersFor ({ target, headers }: HttpRequest, origin: URL, options: ClientOptions): HttpRequest['headers'] {
  const { headers: common, ownHeaders } = options
  if (isBelow(target, origin)) return { ...common, ...ownHeaders, ...headers }
  const { authorization, ...others } = headers
  return { ...common, ...others }
}

const pathIn = (target: string) => target.replace(/\?.*$/s, '')

/** Returns whether a target is a URL's path or below it, for servers too that decode its dots and slashes. */
export function isBelow (target: string, { pathname }: URL): boolean {
  const ownPath = pathname.replace(/\/*$/, '/')
  if (ownPath === '/') return true
  const path = pathIn(target)
  const decoded = attempt(() => decodeURIComponent(path)).value
  const leadsUp = decoded === undefined || decoded.split(/[/\\]/).includes('..')
  return `${path}/`.startsWith(ownPath) && !leadsUp
}

/**
 * Decodes a body, as some services compress although no request asks for it (RFC 9110, 12.5.3). @throws {Error} for
 * other codings
 */
function decodeBody (body: Buffer, codings = '', maxOutputLength: number): Buffer {
  if (body.length === 0) return body // of HEAD
  const names = codings.split(',').map(coding => coding.trim().toLowerCase())
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue
    const decoder = decoders.get(name)
    if (decoder === undefined) throw new Error(`a response with the unsupported content coding ${codings}`)
    const input = body
    const { value, error } = attempt(() => decoder.decode(input, { maxOutputLength }))
    if (value === undefined) throw new Error(`a response that cannot be decoded as ${name}: ${error.code}`)
    body = value
  }
  return body
}

/** Returns the URL of a target, without credentials. A target that begins with two slashes is a path without a host. */
export function addressOf (base: URL, target: string): string {
  const url = new URL(`/.${target}`, base)
  if (url.password !== '') url.password = '***'
  return url.href
}

/** Resolves a link; undefined for an invalid one. */
export function urlOf (link: unknown, base?: URL): URL | undefined {
  return typeof link === 'string' && URL.canParse(link, base?.href) ? new URL(link, base) : undefined
}
