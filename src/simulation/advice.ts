import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { withoutSecrets } from '../http/log.ts'
import { accessOf } from '../lists/resources.ts'
import type { ListRequest } from '../lists/request.ts'
import { strictErrors } from '../lists/strict.ts'
import { pathAdvice } from './path-advice.ts'
import type { Advice, LoggedRequest } from './request-log.ts'
import type { Rule } from './rule.ts'
import { hasHeaders } from './rules.ts'

/** How long the client of a request is asked to wait. */
type Wait = { at: number, seconds: number, when: Rule['when'] }

const maxWaits = 1_000

const costsRedirect = 'without it, each request costs a redirect'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Advises clients, which may not know that the contract ignores a parameter, redirects a path or makes them wait. */
export function createAdviser (secrets: () => readonly string[]) {
  const waits = new LRUCache<string, Wait>({ max: maxWaits })

  return { adviseOnRequest, adviseOnResponse, reset: () => waits.clear() }

  /** Returns advice on a request, before its response is known. */
  function adviseOnRequest (request: FastifyRequest, path: string): Advice[] {
    const { method, headers } = request
    const advice: Advice[] = []
    const add = (id: Advice['id'], text: string) => advice.push({ id, text })
    if (isUnknown(path)) add('path', pathAdvice(path))
    if (isRedirected(path)) add('slash', `the path ends with a slash: ${path}/; ${costsRedirect}`)
    if (!safeMethods.has(method)) add('method', 'the service is read-only: it knows GET, HEAD and OPTIONS')
    const token = accessOf.get(path) === 'token' ? tokenAdvice(headers.authorization) : undefined
    if (token !== undefined) add('token', token)
    const wait = waitAdvice(request)
    if (wait !== undefined) add('retry-after', wait)
    return advice
  }

  function waitAdvice (request: FastifyRequest): string | undefined {
    const wait = request.recorded?.twinOf === undefined ? waits.get(waitKeyOf(request)) : undefined
    if (wait === undefined || !hasHeaders(request.headers, wait.when)) return undefined
    const waited = performance.now() - wait.at
    return `repeated after ${Math.round(waited) / 1000} s; Retry-After was ${wait.seconds} s`
  }

  /** Returns advice on a request by its response, whose Retry-After is remembered. */
  function adviseOnResponse (request: FastifyRequest, reply: FastifyReply): Advice[] {
    rememberWait(request, reply)
    const advice = parameterAdvice(request)
    if (reply.statusCode === 404 && isUnchanged(request)) advice.push(...missingAdvice(request))
    // An unknown parameter may have the name of a secret.
    return advice.map(({ id, text }) => ({ id, text: withoutSecrets(text, secrets()) }))
  }

  function rememberWait (request: FastifyRequest, reply: FastifyReply): void {
    const seconds = Number(reply.getHeader('retry-after')) // not a number without one, and for a date
    const asksToWait = [429, 503].includes(reply.statusCode) && seconds > 0
    if (!asksToWait) return
    const when = request.simulated?.rule?.acting.rule.when
    waits.set(waitKeyOf(request), { at: performance.now(), seconds, when }, { ttl: 1000 * seconds })
  }
}

/**
 * Returns advice on two requests that a client sent at once, of which a rule applied to the first only; React does so
 * in development.
 */
export function twinAdvice (first: LoggedRequest, second: LoggedRequest): Advice[] {
  if (first.limitedRule === undefined || first.limitedRule === second.limitedRule) return []
  const sentTwice = "sent twice at once, as React's StrictMode does"
  return [{ id: 'twin', text: `${sentTwice}; rule ${first.limitedRule} applied to the first only: choose the next 2` }]
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

/** Returns advice on the parameters of a list that its response ignores. */
function parameterAdvice ({ listRequest }: FastifyRequest): Advice[] {
  const { resource } = listRequest as ListRequest | undefined ?? {} // other routes have none
  if (resource === undefined) return []
  const advice: Advice[] = []
  for (const [name, texts] of Object.entries(strictErrors(listRequest) ?? {})) {
    const id = parameterAdviceId(name)
    // The links of a recorded service may have parameters of its own.
    const isKnown = Object.hasOwn(resource.filters, name) || (resource.isReplayed && id === 'parameter')
    if (!isKnown) advice.push({ id, text: `${name}: ${texts.join(' ')}` })
  }
  return advice
}

function parameterAdviceId (name: string): Advice['id'] {
  if (name === 'page_size') return 'page'
  return name === 'ordering' ? 'ordering' : 'parameter'
}

/** Returns whether a path is that of a list without its slash. */
export const isRedirected = (path: string): boolean => accessOf.has(`${path}/`)

/** Returns whether a recorded path is that of neither a list nor an image. */
const isUnknown = (path: string): boolean => !accessOf.has(path) && !isRedirected(path) && !path.startsWith('/media/')

function tokenAdvice (authorization = ''): string | undefined {
  const [keyword = ''] = authorization.trim().split(/\s+/)
  if (keyword === '' || keyword.toLowerCase() === 'token') return undefined
  const got = keyword.toLowerCase() === 'bearer' ? '; got Bearer' : ''
  return `Authorization must be: Token, a space, and the token${got}`
}

function waitKeyOf ({ method, url, ip, headers }: FastifyRequest): string {
  return JSON.stringify([method, url, ip, headers.authorization])
}
