import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRandom, type Random } from '../base/random.ts'
import { authenticate } from '../http/authentication.ts'
import { withoutSecrets } from '../http/log.ts'
import { isStrict } from '../http/prefer.ts'
import { accessOf, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { defaultDrip, maxDelay } from './faults.ts'
import { readPreferred, textsOf, type Preferred, type SentPreference } from './preferences.ts'
import type { DelayDistribution, Effect, PreferredEffect } from './rule.ts'
import { describeEffect, type RuleTable, type TakenRule } from './rules.ts'

/** What happens to a response, by its preferences, its rule or settings. */
type ResponsePlan = { -readonly [Name in keyof PreferredEffect]: PreferredEffect[Name] } & {
  /** The delay, or the duration of a dripping body. */
  milliseconds: number
  /** The setting that delays or fails the response; undefined if a client or a rule does. */
  setting?: 'delay' | 'failure-rate'
}

/** A request's preferences, rule and plan. A browsable page is only simulated where its own request prefers it. */
export type Simulated = {
  /** Undefined for an image. */
  access: Resource['access'] | undefined
  preferred: Preferred
  rule: TakenRule | undefined
  plan: ResponsePlan
  /** What plans it, in words; empty without a plan. */
  cause: string
}

type PlanSettings = Pick<Settings, 'delay' | 'failureRate'>

/**
 * Returns a function that plans the response to a request: by its preferences, or else by the rule for it, or else by
 * the settings.
 */
export function createPlanner (app: FastifyInstance, settings: Settings, { take }: Pick<RuleTable, 'take'>) {
  const random = createRandom(settings.seed)

  return (request: FastifyRequest, path: string): Simulated => {
    const access = accessOf.get(path)
    const isPage = access !== undefined && request.negotiated?.format === 'api'
    const isStrictList = access !== undefined && isStrict(request)
    const preferred = preferredBy(request, path, isStrictList)
    const isRefused = isStrictList && hasErrors(preferred)
    const isAcceptable = access === undefined || request.negotiated !== null
    const takesRule = !isPage && preferred.sent.length === 0 && !isRefused && isAcceptable
    // A body does not replace the token of version 2.1.
    const canAct = ({ body }: Effect) => body === undefined || access !== 'token' || hasToken(request)
    const rule = takesRule ? take(request, canAct) : undefined
    const isDelayed = access !== undefined && !isPage
    const plan = planOf(rule?.effect ?? preferred.wanted, isDelayed, settings, random)
    return { access, preferred, rule, plan, cause: causeOf({ plan, rule }, preferred.sent) }
  }

  /** Reads preferences, and logs ignored ones. The 400 of a strict request names them, and has no others. */
  function preferredBy (request: FastifyRequest, path: string, isStrictList: boolean): Preferred {
    const secrets = app.tokens.secrets()
    const preferred = readPreferred(request, secrets)
    if (isStrictList) return hasErrors(preferred) ? { ...preferred, wanted: {}, sent: [] } : preferred
    if (preferred.ignored !== '') {
      const place = `${request.method} ${withoutSecrets(path, secrets)}`
      app.logger.info(`${place}: ignored preferences: ${preferred.ignored}`)
    }
    return preferred
  }

  function hasToken (request: FastifyRequest): boolean {
    return typeof authenticate(request, app.tokens) === 'string'
  }
}

const hasErrors = ({ errors }: Preferred) => Object.keys(errors).length > 0

/** Plans a response. Every request for a list draws two random numbers, used or not, so that a run is reproducible. */
export function planOf (wanted: Effect, isList: boolean, settings: PlanSettings, random: Random): ResponsePlan {
  const chance = isList ? random() : 1
  const part = isList ? random() : Math.random()
  const plan = delayedPlan(wanted, isList ? settings.delay : undefined, part, random)
  const isPlanned = wanted.body !== undefined || wanted.fault !== undefined || wanted.code !== undefined
  if (isPlanned || chance >= settings.failureRate) return plan
  plan.setting = 'failure-rate'
  if (chance < settings.failureRate / 2) plan.code = 503
  else plan.fault = 'reset'
  return plan
}

/** Returns the plan of an effect: after its own delay, or else that of the settings. */
function delayedPlan (wanted: Effect, settingDelay: Settings['delay'], part: number, random: Random): ResponsePlan {
  const { code, retryAfter, example, seed, fault, delay } = wanted
  const defaultDelay = fault === 'drip' ? defaultDrip : 0
  const time = delay ?? settingDelay ?? defaultDelay
  const milliseconds = Math.round(drawDelay(time, part, random))
  const plan: ResponsePlan = { code, retryAfter, example, seed, fault, milliseconds }
  if (delay === undefined && settingDelay !== undefined && milliseconds > 0) plan.setting = 'delay'
  return plan
}

/**
 * Returns a delay in milliseconds: from a range such as 100-2000, or from a distribution, which draws another random
 * number.
 */
function drawDelay (delay: AnyDelay, part: number, random: Random): number {
  if (typeof delay === 'object' && 'median' in delay) {
    const milliseconds = drawFrom(delay, 1 - part, random())
    return Math.min(milliseconds, maxDelay)
  }
  const bounds = String(delay).split(/[-,]/)
  const [least = 0, most = least] = bounds.map(Number)
  return least + part * (most - least)
}

type AnyDelay = Exclude<Effect['delay'] | Settings['delay'], undefined>

/** How many standard deviations above the mean the 99th percentile of a normal distribution is. */
const deviationsOfP99 = 2.326_348

/** Draws from a log-normal distribution by two uniform numbers, the first of which is not 0 (Box–Muller). */
function drawFrom ({ median, p99 }: DelayDistribution, first: number, second: number): number {
  const radius = Math.sqrt(-2 * Math.log(first))
  const normal = radius * Math.cos(2 * Math.PI * second)
  const ratio = p99 / median
  return median * ratio ** (normal / deviationsOfP99)
}

/** Describes the cause of a simulated response; empty for any other. */
export function causeOf (
  { plan, rule }: Pick<Simulated, 'plan' | 'rule'>, applied: readonly SentPreference[]
): string {
  const { prefer, query } = textsOf(applied)
  const causes: string[] = []
  if (rule !== undefined) causes.push(`rule ${rule.acting.id}: ${describeEffect(rule.effect)}`)
  if (prefer !== '') causes.push(`Prefer: ${prefer}`)
  if (query !== '') causes.push(query)
  if (plan.setting !== undefined) causes.push(plan.setting)
  return causes.join('; ')
}
