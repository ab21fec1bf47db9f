import type { FastifyRequest } from 'fastify'
import type { Note } from '../lists/request.ts'
import { appliedHeaders, appliedTo, asHeader, textsOf, type Preferred, type Wanted } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import type { CompiledRule } from './rules.ts'

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
export function noteOf ({ simulated }: FastifyRequest, status: number, headers: object): Note | undefined {
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
