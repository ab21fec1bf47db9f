import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { withoutSecrets } from '../http/log.ts'
import { splitTarget } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import { strictErrors } from '../lists/strict.ts'
import type { Rule } from './rule.ts'
import { hasHeaders } from './rules.ts'

/** Says in one sentence what a client does wrong by the contract. */
export type Advice = { readonly id: 'retry-after' | 'token' | 'slash' | 'parameter' | 'ordering' | 'page', readonly text: string }

const maxWaits = 1_000

/** Advises clients, which may not know that the contract ignores a parameter, redirects a path or makes them wait. */
export function createAdviser (secrets: () => readonly string[]) {
  const waits = new LRUCache<string, { at: number, seconds: number, when: Rule['when'] }>({ max: maxWaits })
  /** An unknown parameter may have the name of a secret. */
  const adviceOf = (id: Advice['id'], text: string): Advice => ({ id, text: withoutSecrets(text, secrets()) })
  const keyOf = ({ method, url, ip, headers: { authorization } }: FastifyRequest) => JSON.stringify([method, url, ip, authorization])

  return {
    /** Returns advice on a request, before its response is known. */
    onRequest (request: FastifyRequest): Advice[] {
      const { path = '' } = splitTarget(request.url)
      const [keyword = ''] = (request.headers.authorization ?? '').trim().split(/\s+/)
      const wait = waits.get(keyOf(request))
      const waited = wait === undefined ? 0 : performance.now() - wait.at
      return [
        wait !== undefined && waited < 1000 * wait.seconds && hasHeaders(request.headers, wait.when) &&
          adviceOf('retry-after', `repeated after ${Math.round(waited) / 1000} s; Retry-After was ${wait.seconds} s`),
        accessOf.get(path) === 'token' && keyword !== '' && keyword.toLowerCase() !== 'token' &&
          adviceOf('token', `Authorization must be: Token, a space, and the token${/^bearer$/i.test(keyword) ? '; got Bearer' : ''}`),
        isRedirected(path) && adviceOf('slash', `the path ends with a slash: ${path}/; without it, each request costs a redirect`)
      ].filter(advice => advice !== false)
    },
    /** Returns advice on the parameters of a list that its response ignores, and remembers for how long a client is asked to wait. */
    onResponse (request: FastifyRequest, reply: FastifyReply): Advice[] {
      const seconds = Number(reply.getHeader('retry-after'))
      if ([429, 503].includes(reply.statusCode) && seconds > 0) {
        waits.set(keyOf(request), { at: performance.now(), seconds, when: request.simulated?.rule?.counted.when })
      }
      const listRequest = request.listRequest as typeof request.listRequest | undefined // other routes have none
      if (listRequest === undefined) return []
      const { page, resource: { filters, isReplayed } } = listRequest
      const plan = request.simulated?.plan
      const isBeyond = reply.statusCode === 404 && page !== undefined && plan?.code === undefined && plan?.example === undefined
      // The links of a recorded service may have parameters of its own.
      const ignored = Object.entries(strictErrors(listRequest) ?? {})
        .filter(([name]) => !Object.hasOwn(filters, name) && !(isReplayed && idOf(name) === 'parameter'))
      return [
        ...ignored.map(([name, texts]) => adviceOf(idOf(name), `${name}: ${texts.join(' ')}`)),
        ...isBeyond ? [adviceOf('page', `page: there is no page ${page}; follow next until it is null`)] : []
      ]
    },
    reset: () => { waits.clear() }
  }
}

/** Returns whether a path is that of a list without its slash. */
export const isRedirected = (path: string): boolean => accessOf.has(`${path}/`)

const idOf = (name: string) => name === 'page_size' ? 'page' : name === 'ordering' ? name : 'parameter'
