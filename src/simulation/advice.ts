import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { now } from '../base/timers.ts'
import { allowedMethods } from '../http/headers.ts'
import { withoutSecrets } from '../http/log.ts'
import { accessOf } from '../lists/resources.ts'
import type { ListRequest } from '../lists/request.ts'
import type { Connections } from '../http/server.ts'
import type { Tokens } from '../http/tokens.ts'
import { strictErrors } from '../lists/strict.ts'
import { pathAdvice } from './path-advice.ts'
import type { Advice, LoggedRequest } from './request-log.ts'
import type { Rule } from './rule.ts'
import { hasHeaders } from './rules.ts'

/** A response that asks its client to wait. */
type Wait = {
  /** When it began, and when it ended. */
  at: number
  endedAt: number
  seconds: number
  socket: Socket
  when: Rule['when']
  /** Whether a browser's next request may have been queued behind this one. */
  mayBeQueued: boolean
}

/** The most requests with waits, and the most waits of each. */
const maxWaits = 1_000
const maxWaitsOfRequest = 10

/** Returns whether a path is that of a list without its slash. */
export const isRedirected = (path: string): boolean => accessOf.has(`${path}/`)

/** Advises the client of a request before its response is known. */
export function adviseOnRequest ({ method, headers }: FastifyRequest, path: string, entry: LoggedRequest): void {
  const { access } = entry
  if (access === undefined && isRedirected(path)) {
    entry.advise('slash', `the path ends with a slash: ${path}/; without it, each request costs a redirect`)
  } else if (access === undefined && !path.startsWith('/media/')) {
    entry.advise('path', pathAdvice(path))
  }
  const isAllowed = allowedMethods.includes(method)
  if (!isAllowed) entry.advise('method', 'the service is read-only: it knows GET, HEAD and OPTIONS')
  if (access !== 'token') return
  const [keyword = ''] = headers.authorization?.trim().toLowerCase().split(/\s+/) ?? []
  if (keyword === '' || keyword === 'token') return
  const got = keyword === 'bearer' ? '; got Bearer' : ''
  entry.advise('token', `Authorization must be: Token, a space, and the token${got}`)
}

/** Advises the client of a request that is ignored in part, or that got a 404 without a simulation. */
export function adviseOnResponse (
  request: FastifyRequest, { statusCode }: FastifyReply, entry: LoggedRequest, { secrets }: Tokens
): void {
  const listRequest = request.listRequest as ListRequest | undefined // other routes have none
  // What the client sent may be a secret.
  const advise = ({ id, text }: Advice) => entry.advise(id, withoutSecrets(text, secrets()))
  if (listRequest !== undefined) for (const advice of parameterAdvice(listRequest)) advise(advice)
  if (statusCode !== 404) return
  const { plan, rule } = request.simulated ?? {}
  if ((plan?.code ?? plan?.example ?? rule?.effect.body) !== undefined) return
  if (listRequest?.page !== undefined) {
    advise({ id: 'page', text: `page: there is no page ${listRequest.page}; follow next until it is null` })
  } else if (request.target.path?.startsWith('/media/')) {
    entry.advise('path', 'no image has this path; use the URLs in image_url and images')
  }
}

export type Waits = ReturnType<typeof createWaits>

/** Creates the waits that responses have asked for; a client that repeats its request before its end is advised. */
export function createWaits ({ openedAt }: Connections) {
  const waits = new LRUCache<string, Wait[]>({ max: maxWaits })
  let lastEnd = 0 // of all waits, so that nothing identifies a client unless one must wait

  return { judge, remember, reset: () => waits.clear() }

  /** Judges a request. Each repetition is the one of one response, whose wait is over or else has been ignored. */
  function judge (request: FastifyRequest, entry: LoggedRequest): void {
    const { arrivedAt: time } = entry
    if (time >= lastEnd) return
    const { raw: { socket }, headers } = request
    const pending = waits.get(keyOf(request)) ?? []
    const obeyed = pending.find(({ at, seconds }) => at + 1000 * seconds <= time)
    // Its client certainly had the response: not on another connection that was open already.
    const isReceived = (wait: Wait) => socket === wait.socket || (openedAt(socket) ?? Infinity) > wait.endedAt
    const wait = obeyed ?? pending.find(wait => isReceived(wait) && hasHeaders(headers, wait.when))
    if (wait === undefined) return
    const isBrowser = (headers.origin ?? headers['sec-fetch-site']) !== undefined
    if (obeyed === undefined && isBrowser && wait.mayBeQueued) {
      wait.mayBeQueued = false // browsers send the second of two equal requests after the response to the first
      return
    }
    pending.splice(pending.indexOf(wait), 1)
    if (obeyed !== undefined) return
    const seconds = Math.round(time - wait.at) / 1000
    entry.advise('retry-after', `repeated after ${seconds} s; Retry-After was ${wait.seconds} s`)
  }

  /** Remembers the Retry-After of a response that began at a time: seconds, or a date (RFC 9110, 10.2.3). */
  function remember (request: FastifyRequest, reply: FastifyReply, at: number): void {
    const text = String(reply.getHeader('retry-after'))
    const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
    if (!(seconds > 0)) return
    const key = keyOf(request)
    const when = request.simulated?.rule?.acting.rule.when
    const wait = { at, endedAt: now(), seconds, when, socket: request.raw.socket, mayBeQueued: true }
    waits.set(key, [...waits.get(key) ?? [], wait].slice(-maxWaitsOfRequest))
    lastEnd = Math.max(lastEnd, at + 1000 * seconds)
  }
}

function keyOf ({ method, url, ip, headers }: FastifyRequest): string {
  return JSON.stringify([method, url, ip, headers.authorization])
}

/** The advice on the parameters of list requests, which lists keep too. */
const parameterAdvices = new WeakMap<ListRequest, readonly Advice[]>()

/** Returns advice on the parameters of a list that its response ignores. */
function parameterAdvice (listRequest: ListRequest): readonly Advice[] {
  const known = parameterAdvices.get(listRequest)
  if (known !== undefined) return known
  const { resource } = listRequest
  const advice: Advice[] = []
  parameterAdvices.set(listRequest, advice)
  for (const [name, texts] of Object.entries(strictErrors(listRequest) ?? {})) {
    const id = parameterIds.get(name) ?? 'parameter'
    // The links of a recorded service may have parameters of its own.
    const isOfService = id === 'parameter' && resource.source.verbatim !== undefined
    if (!isOfService && !Object.hasOwn(resource.filters, name)) advice.push({ id, text: `${name}: ${texts.join(' ')}` })
  }
  return advice
}

/** The ids of advice on parameters that a list knows. */
const parameterIds = new Map<string, Advice['id']>([['page_size', 'page'], ['ordering', 'ordering']])
