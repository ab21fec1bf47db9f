import type { FastifyReply, FastifyRequest } from 'fastify'
import { counted } from '../base/text.ts'
import { isPreflight } from '../http/headers.ts'
import { splitTarget, withoutBase } from '../http/target.ts'
import { resources } from '../lists/resources.ts'
import { isActive, type CompiledRule, type Rules } from './rules.ts'

/** The most hosts with a remembered home page. */
const maxHosts = 100

/** Recognises requests of our own HTML pages by Referer: a list, or our home page on that host. A development proxy serves another one. */
export function createOwnPages (basePath: string) {
  const hosts = new Set<string>()
  return {
    visitHome ({ host }: Pick<FastifyRequest, 'host'>): void {
      if (hosts.size < maxHosts) hosts.add(host)
    },
    hasSent ({ headers: { referer = '' } }: Pick<FastifyRequest, 'headers'>): boolean {
      if (!URL.canParse(referer)) return false
      const { host, pathname } = new URL(referer)
      const path = withoutBase(pathname, basePath)
      return resources.some(list => list.path === path) || (path === '/' && hosts.has(host))
    }
  }
}

/** Returns the number of active rules in words. */
export const activeRules = (rules: readonly CompiledRule[]) => `${counted(rules.filter(isActive).length, 'rule')} active`

type ShownRules = Pick<Rules, 'list' | 'peek'>

/** Returns an onSend hook that shows the number of active rules in every HTML page, and adds a rule's headers to preflights. */
export function showRules ({ list, peek }: ShownRules, isSimulated: (path: string) => boolean, noActiveRules: string) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { url } = request
    if (isPreflight(request) && isSimulated(String(splitTarget(url).path))) {
      reply.headers({ ...peek({ method: String(request.headers['access-control-request-method']), url })?.counted.headers })
    }
    if (!String(reply.getHeader('content-type')).startsWith('text/html') || reply.hasHeader('content-encoding')) return payload
    reply.header('cache-control', 'no-store').removeHeader('etag').removeHeader('last-modified').removeHeader('content-length')
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || !list().some(isActive)) return payload
    const [number, ...words] = activeRules(list()).split(' ')
    return Buffer.from(payload.toString().replace(noActiveRules, `>${number}<span> ${words.join(' ')}</span><`)) // phones show the number
  }
}
