import type { FastifyReply, FastifyRequest } from 'fastify'
import { counted } from '../base/text.ts'
import { isPreflight } from '../http/headers.ts'
import { splitTarget } from '../http/target.ts'
import { isActive, type CompiledRule, type Rules } from './rules.ts'

/** Tells what the next request gets: `Rule 8 answers the next request with 503`. */
export function announcementOf ({ counted: { id, used, times, probability }, effect }: CompiledRule): string {
  const left = times === undefined ? 'every request' : times - used === 1 ? 'the next request' : `the next ${times - used} requests`
  const share = probability === undefined ? '' : ` with a probability of ${probability}`
  return `Rule ${id} answers ${left} with ${effect.replace(/^code=/, '')}${share}`
}

/** Returns how many rules are active, in words. */
export const activeRules = (rules: readonly CompiledRule[]) => `${counted(rules.filter(isActive).length, 'rule')} active`

type ShownRules = Pick<Rules, 'list' | 'peek'>

/** Returns an onSend hook that shows the number of active rules on every page, and adds a rule's headers to preflights. */
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
