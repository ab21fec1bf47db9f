import type { FastifyRequest } from 'fastify'
import type { Random } from '../base/random.ts'
import { authenticate } from '../http/authentication.ts'
import { withoutSecrets } from '../http/log.ts'
import { isStrict } from '../http/prefer.ts'
import type { Settings } from '../settings/settings.ts'
import type { Simulation } from './control.ts'
import { faultOf, maxDelay } from './faults.ts'
import { readPreferred, textsOf, type Preferred } from './preferences.ts'
import type { DelayDistribution, Effect, PreferredEffect } from './rule.ts'
import type { LoggedRequest } from './request-log.ts'
import { describeEffect, type TakenRule } from './rules.ts'

/** What happens to a response, by its preferences, its rule or settings. */
type ResponsePlan = { -readonly [Name in keyof PreferredEffect]: PreferredEffect[Name] } & {
  /** The delay, or the duration of a dripping body. */
  milliseconds: number
  /** The setting that delays or fails the response; undefined if a client or a rule does. */
  setting?: 'delay' | 'failure-rate'
}

/** A request's preferences, rule and plan. A browsable page is only simulated where its own request prefers it. */
export type Simulated = {
  entry: LoggedRequest
  preferred: Preferred
  rule: TakenRule | undefined
  plan: Readonly<ResponsePlan>
  /** What plans it, in words. */
  cause: string
}

/**
 * Plans the response to a request: by its preferences, or else by the rule for it, or else by the settings. Undefined
 * for one that nothing changes.
 */
export function planResponse (
  request: FastifyRequest, entry: LoggedRequest, { settings, tokens, logger, table, random }: Simulation
): Simulated | undefined {
  const { access } = entry
  const isList = access !== undefined
  const isPage = isList && request.negotiated?.format === 'api'
  const isStrictList = isList && isStrict(request)
  let preferred = readPreferred(request, tokens.secrets())
  const hasErrors = Object.keys(preferred.errors).length > 0
  if (hasErrors) request.preferenceErrors = preferred.errors
  // The 400 of a strict request names invalid preferences, and has no others.
  if (hasErrors && isStrictList) preferred = { ...preferred, wanted: {}, sent: [] }
  if (!isStrictList && preferred.ignored !== '') {
    const place = `${request.method} ${withoutSecrets(String(request.target.path), tokens.secrets())}`
    logger.info(`${place}: ignored preferences: ${preferred.ignored}`)
  }

  // A body does not replace the token of version 2.1.
  const canAct = ({ body }: Effect) =>
    body === undefined || access !== 'token' || typeof authenticate(request, tokens) === 'string'
  const isOpen = !(isPage || (hasErrors && isStrictList) || (isList && request.negotiated === null))
  const { sent } = preferred
  const rule = isOpen && sent.length === 0 ? table.take(request, canAct) : undefined
  const isPlain = rule === undefined && sent.length === 0 && settings.failureRate === 0
  if (isPlain && settings.delay === undefined) return undefined
  const plan = planOf(rule?.effect ?? preferred.wanted, isList && !isPage, settings, random)
  const causes = textsOf(sent)
  if (rule !== undefined) {
    const { id, rule: { name } } = rule.acting
    causes.push(`rule ${id}${name === undefined ? '' : ` (${name})`}: ${describeEffect(rule.effect)}`)
  }
  if (plan.setting !== undefined) causes.push(plan.setting)
  return causes.length === 0 ? undefined : { entry, preferred, rule, plan, cause: causes.join('; ') }
}

/** Plans a response. A run is reproducible: the random numbers of lists are drawn by the seed, in their order. */
export function planOf (
  wanted: Effect, isList: boolean, settings: Pick<Settings, 'delay' | 'failureRate'>, random: Random
): ResponsePlan {
  const { code, retryAfter, example, seed, fault, delay } = wanted
  const time = delay ?? (isList ? settings.delay : undefined) ?? faultOf(fault).duration ?? 0
  const milliseconds = Math.round(drawDelay(time, isList ? random : Math.random))
  const plan: ResponsePlan = { code, retryAfter, example, seed, fault, milliseconds }
  const isOfSettings = isList && delay === undefined && settings.delay !== undefined && milliseconds > 0
  if (isOfSettings) plan.setting = 'delay'

  const isPlanned = wanted.body !== undefined || fault !== undefined || code !== undefined
  if (!isList || isPlanned || settings.failureRate === 0) return plan
  const chance = random()
  if (chance >= settings.failureRate) return plan
  plan.setting = 'failure-rate'
  if (chance < settings.failureRate / 2) plan.code = 503
  else plan.fault = 'reset'
  return plan
}

/** Returns a delay in milliseconds: a number, or drawn from a range such as 100-2000 or from a distribution. */
function drawDelay (delay: Exclude<Effect['delay'] | Settings['delay'], undefined>, random: Random): number {
  if (typeof delay === 'number') return delay
  if (typeof delay === 'object' && 'median' in delay) return Math.min(drawFrom(delay, random), maxDelay)
  const [least = 0, most = least] = String(delay).split(/[-,]/).map(Number)
  return least === most ? least : least + random() * (most - least)
}

/** How many standard deviations above the mean the 99th percentile of a normal distribution is. */
const deviationsOfP99 = 2.326_348

/** Draws from a log-normal distribution by two uniform numbers, the first of which must not be 0 (Box–Muller). */
function drawFrom ({ median, p99 }: DelayDistribution, random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  const normal = radius * Math.cos(2 * Math.PI * random())
  const ratio = p99 / median
  return median * ratio ** (normal / deviationsOfP99)
}
