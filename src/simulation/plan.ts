import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRandom } from '../base/random.ts'
import { authenticate } from '../http/authentication.ts'
import { withoutSecrets } from '../http/log.ts'
import { isStrict } from '../http/prefer.ts'
import { accessOf } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { defaultDrip } from './faults.ts'
import { readPreferred, textsOf, type Preferred, type Wanted } from './preferences.ts'
import type { LoggedRequest } from './request-log.ts'
import type { CompiledRule, Rules } from './rules.ts'

/** What asks for a simulation; `isList` is false for a browsable page, which is only simulated where its own request prefers it. */
export type Wishes = { isList: boolean, preferred: Preferred, rule: CompiledRule | undefined }

/** A simulated response: its delay, or the duration of a dripping body, and its origin unless a client or rule requests it. */
export type Plan = Wanted & { milliseconds: number, origin?: string }

/** A request for a list or an image, and its plan. */
export type Simulated = Wishes & { plan: Plan, recorded: LoggedRequest }

export function createPlanner (app: FastifyInstance, { delay: listDelay, failureRate, seed }: Settings, rules: Pick<Rules, 'take'>) {
  const random = createRandom(seed)
  return { readWishes, choosePlan }

  /** The preferences of a request, or else the rule for it; a rule with a body does not replace the token of version 2.1. */
  function readWishes (request: FastifyRequest, path: string, isPage: boolean): Wishes {
    const read = readPreferred(request, app.tokens.secrets())
    const hasStrict = accessOf.has(path) && isStrict(request)
    if (read.ignored !== '' && !hasStrict) { // the 400 of a strict list names them
      app.logger.info(`${request.method} ${withoutSecrets(path, app.tokens.secrets())}: ignored preferences: ${read.ignored}`)
    }
    const isRefused = hasStrict && Object.keys(read.errors).length > 0
    const preferred = isRefused ? { ...read, wanted: {}, sent: [] } : read
    const isList = accessOf.has(path) && !isPage
    if (isPage || isRefused || preferred.sent.length > 0) return { isList, preferred, rule: undefined }
    const canAct = ({ body }: CompiledRule) =>
      body === undefined || accessOf.get(path) !== 'token' || typeof authenticate(request, app.tokens) === 'string'
    return { isList, preferred, rule: rules.take(request, canAct) }
  }

  /** Plans a response from the preferences of its request or rule, or else from the settings. */
  function choosePlan ({ isList, preferred, rule }: Wishes): Plan {
    const wanted: Wanted = { ...rule?.wanted, ...preferred.wanted }
    // Every request for a list draws two random numbers, used or not, so that a run is reproducible.
    const [chance, part] = isList ? [random(), random()] : [1, Math.random()]
    const ownDelay = isList ? listDelay : undefined
    const { delay = ownDelay ?? (wanted.fault === 'drip' ? defaultDrip : 0) } = wanted
    const [least, most] = typeof delay === 'number' ? [delay, delay] : delay
    const milliseconds = Math.round(least + part * (most - least))
    const plan = { ...wanted, milliseconds, ...delay === ownDelay && milliseconds > 0 ? { origin: 'delay' } : {} }
    if (rule?.body !== undefined || wanted.fault !== undefined || wanted.code !== undefined || chance >= failureRate) return plan
    return { ...plan, origin: 'failure-rate', ...chance < failureRate / 2 ? { code: '503' } : { fault: 'reset' } }
  }
}

/** Describes the cause of a simulated response; null for any other. */
export function describe ({ plan: { origin }, rule }: Simulated, applied: Preferred['sent']): string | null {
  const { prefer, query } = textsOf(applied)
  const ruled = rule && `rule ${rule.counted.id}: ${rule.effect}`
  return [ruled, prefer && `Prefer: ${prefer}`, query, origin].filter(Boolean).join('; ') || null
}
