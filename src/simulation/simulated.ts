import type { FastifyReply, FastifyRequest } from 'fastify'
import { counted } from '../base/text.ts'
import { isPreflight } from '../http/headers.ts'
import { splitTarget, withoutBase } from '../http/target.ts'
import type { SimulationNote } from '../lists/request.ts'
import { resources } from '../lists/resources.ts'
import { appliedHeaders, appliedTo, asHeader, textsOf, type Preferred, type Wanted } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import { isActive, type CompiledRule, type Rules } from './rules.ts'

/** A simulated response: its delay, or the duration of a dripping body, and its origin unless a client or rule requests it. */
export type Plan = Wanted & { milliseconds: number, origin?: string }

/** A request for a list or an image, and its plan. */
export type Simulated = {
  isList: boolean, plan: Plan, preferred: Preferred, rule: CompiledRule | undefined, recorded: LoggedRequest
  /** In a browsable page: the rule for its list. */
  next: CompiledRule | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a preflight and for other paths. */
    simulated: Simulated | null
  }
}

/** Describes the simulation of a browsable page; undefined for a plain response. */
export function noteOf ({ simulated }: FastifyRequest, status: number, headers: object): SimulationNote | undefined {
  if (simulated === null) return undefined
  const { isList, preferred, next } = simulated
  const applied = appliedTo(preferred, { status, isList, hasBody: true })
  const announced = next?.effect ? announcementOf(next) : undefined // a rule without an effect lets requests pass
  if (announced === undefined && applied.length === 0) return undefined
  return {
    text: asHeader(applied),
    ...textsOf(preferred.sent),
    next: announced,
    headers: applied.length === 0 ? {} : appliedHeaders(applied, { ...headers })
  }
}

/** Describes the response to the next request: `Rule 8 answers the next request with 503`. */
function announcementOf ({ counted: { id, used, times, probability }, effect }: CompiledRule): string {
  const left = times === undefined ? 'every request' : times - used === 1 ? 'the next request' : `the next ${times - used} requests`
  const share = probability === undefined ? '' : ` with a probability of ${probability}`
  return `Rule ${id} answers ${left} with ${effect.replace(/^code=/, '')}${share}`
}

/** Describes the cause of a simulated response; null for any other. */
export function describe ({ plan: { origin }, rule }: Simulated, applied: Preferred['sent']): string | null {
  const { prefer, query } = textsOf(applied)
  const ruled = rule && `rule ${rule.counted.id}: ${rule.effect}`
  return [ruled, prefer && `Prefer: ${prefer}`, query, origin].filter(Boolean).join('; ') || null
}

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

/** Returns an onSend hook that shows the number of active rules in every HTML page, and adds a rule's headers to preflights. */
export function showRules ({ list, peek }: Pick<Rules, 'list' | 'peek'>, isSimulated: (path: string) => boolean, noActiveRules: string) {
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
