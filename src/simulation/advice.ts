import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { now } from '../base/timers.ts'
import { withoutSecrets } from '../http/log.ts'
import { accessOf } from '../lists/resources.ts'
import type { ListRequest } from '../lists/request.ts'
import type { Connections } from '../http/server.ts'
import { strictErrors } from '../lists/strict.ts'
import { pathAdvice } from './path-advice.ts'
import type { Advice } from './request-log.ts'
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

const costsRedirect = 'without it, each request costs a redirect'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Advises clients, which may not know that the contract ignores a parameter, redirects a path or makes them wait. */
export function createAdviser (secrets: () => readonly string[], { openedAt }: Connections) {
  const waits = new LRUCache<string, Wait[]>({ max: maxWaits })
  let lastEnd = 0 // of all waits, so that nothing identifies a client unless one must wait

  return { adviseOnRequest, adviseOnResponse, rememberWait, reset: () => waits.clear() }

  /** Returns advice on a request, before its response is known. */
  function adviseOnRequest (request: FastifyRequest, path: string): Advice[] {
    const { method, headers } = request
    const advice: Advice[] = []
    const add = (id: Advice['id'], text: string) => advice.push({ id, text })
    const access = accessOf.get(path)
    if (access === undefined) {
      if (isRedirected(path)) add('slash', `the path ends with a slash: ${path}/; ${costsRedirect}`)
      else if (!path.startsWith('/media/')) add('path', pathAdvice(path))
    }
    if (!safeMethods.has(method)) add('method', 'the service is read-only: it knows GET, HEAD and OPTIONS')
    const token = access === 'token' ? tokenAdvice(headers.authorization) : undefined
    if (token !== undefined) add('token', token)
    const wait = waitAdvice(request)
    if (wait !== undefined) add('retry-after', wait)
    return advice
  }

  /**
   * Returns advice on a request that is repeated too early. Each repetition is the one of one response, whose wait is
   * over or else has been ignored.
   */
  function waitAdvice (request: FastifyRequest): string | undefined {
    const time = now()
    if (time >= lastEnd) return undefined
    const waiting = waits.get(waitKeyOf(request)) ?? []
    const obeyed = waiting.findIndex(({ at, seconds }) => at + 1000 * seconds <= time)
    const found = obeyed >= 0 ? obeyed : waiting.findIndex(wait => isReceived(wait, request))
    const wait = waiting[found]
    if (wait === undefined) return undefined
    const { origin, 'sec-fetch-site': site } = request.headers
    const isBrowser = origin !== undefined || site !== undefined
    if (obeyed < 0 && isBrowser && wait.mayBeQueued) {
      wait.mayBeQueued = false // browsers send the second of two equal requests after the response to the first
      return undefined
    }
    waiting.splice(found, 1)
    if (obeyed >= 0) return undefined
    return `repeated after ${Math.round(time - wait.at) / 1000} s; Retry-After was ${wait.seconds} s`
  }

  /** Returns whether a client certainly had a response when it sent a request; not on another open connection. */
  function isReceived ({ endedAt, socket, when }: Wait, { raw, headers }: FastifyRequest): boolean {
    const isLater = raw.socket === socket || (openedAt(raw.socket) ?? Infinity) > endedAt
    return isLater && hasHeaders(headers, when)
  }

  /** Returns advice on a request by its response. */
  function adviseOnResponse (request: FastifyRequest, reply: FastifyReply): Advice[] {
    const listRequest = request.listRequest as ListRequest | undefined // other routes have none
    const advice = listRequest === undefined ? [] : [...parameterAdvice(listRequest)]
    if (reply.statusCode === 404 && isUnchanged(request)) advice.push(...missingAdvice(request))
    // An unknown parameter may have the name of a secret.
    return advice.map(({ id, text }) => ({ id, text: withoutSecrets(text, secrets()) }))
  }

  /** Remembers the Retry-After of a response that has been sent. */
  function rememberWait (request: FastifyRequest, reply: FastifyReply, at: number): void {
    if (![429, 503].includes(reply.statusCode)) return
    const seconds = secondsOf(reply.getHeader('retry-after'))
    if (!(seconds > 0)) return
    const key = waitKeyOf(request)
    const when = request.simulated?.rule?.acting.rule.when
    const wait = { at, endedAt: now(), seconds, when, socket: request.raw.socket, mayBeQueued: true }
    waits.set(key, [...waits.get(key) ?? [], wait].slice(-maxWaitsOfRequest))
    lastEnd = Math.max(lastEnd, at + 1000 * seconds)
  }
}

/** Returns whether no simulation replaces a response. */
function isUnchanged ({ simulated }: FastifyRequest): boolean {
  const { plan, rule } = simulated ?? {}
  return plan?.code === undefined && plan?.example === undefined && rule?.effect.body === undefined
}

/** Returns advice on a page or an image that does not exist. */
function missingAdvice ({ listRequest, simulated }: FastifyRequest): Advice[] {
  const { page } = listRequest as ListRequest | undefined ?? {}
  if (page !== undefined) return [{ id: 'page', text: `page: there is no page ${page}; follow next until it is null` }]
  const isImage = simulated !== null && simulated.access === undefined
  return isImage ? [{ id: 'path', text: 'no image has this path; use the URLs in image_url and images' }] : []
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
    const id = parameterAdviceId(name)
    // The links of a recorded service may have parameters of its own.
    const isOfService = id === 'parameter' && resource.source.verbatim !== undefined
    if (!isOfService && !Object.hasOwn(resource.filters, name)) advice.push({ id, text: `${name}: ${texts.join(' ')}` })
  }
  return advice
}

function parameterAdviceId (name: string): Advice['id'] {
  if (name === 'page_size') return 'page'
  return name === 'ordering' ? 'ordering' : 'parameter'
}

/** Returns whether a path is that of a list without its slash. */
export const isRedirected = (path: string): boolean => accessOf.has(`${path}/`)

function tokenAdvice (authorization = ''): string | undefined {
  const [keyword = ''] = authorization.trim().split(/\s+/)
  if (keyword === '' || keyword.toLowerCase() === 'token') return undefined
  const got = keyword.toLowerCase() === 'bearer' ? '; got Bearer' : ''
  return `Authorization must be: Token, a space, and the token${got}`
}

/** Returns the seconds of a Retry-After, which may be a date (RFC 9110, 10.2.3); not a number without one. */
function secondsOf (header: unknown): number {
  const text = String(header)
  return /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
}

function waitKeyOf ({ method, url, ip, headers }: FastifyRequest): string {
  return JSON.stringify([method, url, ip, headers.authorization])
}
