import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRandom } from '../base/random.ts'
import { authenticate } from '../http/authentication.ts'
import { withoutSecrets } from '../http/log.ts'
import { isStrict } from '../http/prefer.ts'
import { accessOf, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { defaultDrip } from './faults.ts'
import { readPreferred, textsOf, type Preferred, type Sent } from './preferences.ts'
import type { Rule, Wanted } from './rule.ts'
import { effectOf, type ActingRule, type Rules } from './rules.ts'

/** A simulated response: its delay, or the duration of a dripping body, and its origin unless a client or rule requests it. */
type Plan = Wanted & { milliseconds: number, origin?: string }

/** A request's preferences, rule and plan. A browsable page is only simulated where its own request prefers it. */
export type Simulated = {
  /** Undefined for an image. */
  access: Resource['access'] | undefined
  /** False for an image and a browsable page. */
  isList: boolean
  preferred: Preferred
  rule: ActingRule | undefined
  plan: Plan
}

/** Returns a function that plans the response to a request: by its preferences, or else by the rule for it, or else by the settings. */
export function createPlanner (app: FastifyInstance, settings: Settings, { take }: Pick<Rules, 'take'>) {
  const random = createRandom(settings.seed)
  return (request: FastifyRequest, path: string): Simulated => {
    const access = accessOf.get(path)
    const isPage = access !== undefined && request.negotiated?.format === 'api'
    const read = readPreferred(request, app.tokens.secrets())
    const hasStrict = access !== undefined && isStrict(request)
    if (read.ignored !== '' && !hasStrict) { // the 400 of a strict list names them
      app.logger.info(`${request.method} ${withoutSecrets(path, app.tokens.secrets())}: ignored preferences: ${read.ignored}`)
    }
    const isRefused = hasStrict && Object.keys(read.errors).length > 0
    const preferred = isRefused ? { ...read, wanted: {}, sent: [] } : read
    // A body does not replace the token of version 2.1.
    const canAct = ({ body }: Rule) => body === undefined || access !== 'token' || typeof authenticate(request, app.tokens) === 'string'
    const rule = isPage || isRefused || preferred.sent.length > 0 ? undefined : take(request, canAct)
    const isList = access !== undefined && !isPage
    return { access, isList, preferred, rule, plan: planOf(rule?.counted ?? preferred.wanted, isList, settings, random) }
  }
}

/** Plans a response. Every request for a list draws two random numbers, used or not, so that a run is reproducible. */
export function planOf (
  { code, retryAfter, example, seed, fault, delay, body }: Partial<Rule>, isList: boolean,
  settings: Pick<Settings, 'delay' | 'failureRate'>, random: () => number
): Plan {
  const [chance, part] = isList ? [random(), random()] : [1, Math.random()]
  const ownDelay = isList ? settings.delay : undefined
  const time = delay ?? ownDelay ?? (fault === 'drip' ? defaultDrip : 0)
  const [least = 0, most = least] = String(time).split(/[-,]/).map(Number)
  const milliseconds = Math.round(least + part * (most - least))
  const plan = { code, retryAfter, example, seed, fault, milliseconds, ...time === ownDelay && milliseconds > 0 ? { origin: 'delay' } : {} }
  if (body !== undefined || fault !== undefined || code !== undefined || chance >= settings.failureRate) return plan
  return { ...plan, origin: 'failure-rate', ...chance < settings.failureRate / 2 ? { code: 503 } : { fault: 'reset' } }
}

/** Describes the cause of a simulated response; null for any other. */
export function describe ({ plan: { origin }, rule }: Simulated, applied: readonly Sent[]): string | null {
  const { prefer, query } = textsOf(applied)
  const ruled = rule && `rule ${rule.counted.id}: ${effectOf(rule.counted)}`
  return [ruled, prefer && `Prefer: ${prefer}`, query, origin].filter(Boolean).join('; ') || null
}
