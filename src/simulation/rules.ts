import type { FastifyRequest } from 'fastify'
import { groupBy } from '../base/group.ts'
import { createRandom } from '../base/random.ts'
import { nextTurn, now } from '../base/timers.ts'
import type { Connections } from '../http/server.ts'
import { splitTarget, parseQuery } from '../http/target.ts'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, jsonError } from '../base/json.ts'
import { faultOf } from './faults.ts'
import {
  effectNames, matchesPath, maxRuleLength, readRule, ruleError, RuleError, type Condition, type Effect, type Rule
} from './rule.ts'

/** A rule as a server returns it; `used` is always the number of requests that it has been applied to so far. */
export type CountedRule = Rule & { readonly id: number, readonly used: number }

const maxRules = 1_000

/** The most characters of all rules as JSON. */
export const maxRulesLength = 2 ** 24

/** The most levels of a rule, which may be circular. */
const maxDepth = 100

/** After so many invalid fields, no further rule is read. */
const maxFields = 100

export type ActingRule = {
  readonly id: number
  readonly rule: Rule
  /** The number of requests that the rule has been applied to. */
  used: number
  readonly seed: number
  /** Decides by its probability whether the rule applies to the next request. */
  readonly draws: () => boolean
  /** The characters of the rule as JSON. */
  readonly length: number
}

/** A rule that applies to a request, and its effect: that of the rule, or of a step of its sequence. */
export type TakenRule = { readonly acting: ActingRule, readonly effect: Effect }

type RuleRequest = Pick<FastifyRequest, 'method' | 'url'> & { headers?: FastifyRequest['headers'] }

/** Returns how many requests a rule is for. */
export const maxUses = ({ rule: { sequence, times = Infinity } }: ActingRule) => sequence?.length ?? times

/** Returns whether a rule applies to no further request. */
export const isUsedUp = (acting: ActingRule) => acting.used >= maxUses(acting)

/** Returns whether a rule is for a number of requests. */
export const isLimited = (acting: ActingRule) => maxUses(acting) !== Infinity

/** Returns whether a rule applies to further requests. */
export const isActive = (acting: ActingRule) => acting.rule.enabled !== false && !isUsedUp(acting)

export function createRules ({ closeIdle }: Pick<Connections, 'closeIdle'>) {
  let rules: readonly ActingRule[] = []
  let presets: readonly ActingRule[] = []
  let lastId = 0
  let closing = Promise.resolve()

  return {
    add,
    preset,
    replace,
    take,
    peek,
    /** Whether an active rule cuts connections. */
    isCutting: () => rules.some(isCuttingRule),
    /** Resolves when the connections are closed that were idle when the last rule was added. */
    closed: () => closing,
    list: () => rules,
    change,
    remove,
    /** Leads back to the rules of a file or a program, unused. */
    reset: () => {
      presets = replace(presets)
    }
  }

  /** Adds rules; each overrides all earlier ones. @throws {RuleError} when there are too many */
  function add (given: readonly ActingRule[]): readonly ActingRule[] {
    const added = numbered(given)
    set([...rules, ...added])
    return added
  }

  /** Puts rules in place of all others. @throws {RuleError} when there are too many */
  function replace (given: readonly ActingRule[]): readonly ActingRule[] {
    set(numbered(given))
    return rules
  }

  /**
   * Replaces the rules of an earlier call, which all others override.
   *
   * @throws {RuleError} when there are too many with the others
   */
  function preset (given: readonly ActingRule[]): void {
    const next = numbered(given)
    set([...next, ...rules.filter(rule => !presets.includes(rule))])
    presets = next
  }

  function numbered (given: readonly ActingRule[]): readonly ActingRule[] {
    return given.map(rule => ({ ...rule, id: ++lastId, used: 0, draws: drawsOf(rule) }))
  }

  function set (next: readonly ActingRule[]): void {
    if (next.length > maxRules) throw ruleError(`The limit of ${maxRules} rules is reached. Delete some first.`)
    if (next.reduce((sum, { length }) => sum + length, 0) > maxRulesLength) {
      throw ruleError(`The limit of ${maxRulesLength} characters for all rules as JSON is reached. Delete some first.`)
    }
    rules = next
    if (rules.some(isCuttingRule)) closing = closeSoon()
  }

  /** Closes idle connections after requests that have been sent on them, perhaps by this process. */
  async function closeSoon (): Promise<void> {
    const time = now()
    await nextTurn()
    await nextTurn()
    closeIdle(time)
  }

  /**
   * Counts a request for the newest active rule that can act on it; undefined without a rule, and for one that lets the
   * request pass.
   */
  function take (request: RuleRequest, canAct: (effect: Effect) => boolean): TakenRule | undefined {
    const acting = peek(request, acting => canAct(nextEffect(acting)) && acting.draws())
    if (acting === undefined) return undefined
    const effect = nextEffect(acting)
    acting.used++
    return describeEffect(effect) === '' ? undefined : { acting, effect }
  }

  /** Returns the rule for a request, whatever its probability, without counting the request. */
  function peek (request: RuleRequest, draws = (_: ActingRule) => true): ActingRule | undefined {
    if (rules.length === 0) return undefined
    const { method, url, headers = {} } = request
    const { path = '', query } = splitTarget(url)
    const parameters = groupBy([...parseQuery(query.slice(1)) ?? []], ([name]) => name)
    return rules.findLast(acting => {
      const { rule } = acting
      if (!isActive(acting) || !matchesPath(rule.path, path) || !hasHeaders(headers, rule.when)) return false
      if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false
      const hasQuery = Object.entries(rule.query ?? {}).every(([name, condition]) => {
        return isMet(condition, parameters.get(name)?.map(([, value]) => value))
      })
      return hasQuery && draws(acting)
    })
  }

  /** Puts a rule in the place of another one, unused; undefined if there is none with this id. */
  function change (id: number, given: ActingRule): ActingRule | undefined {
    if (!rules.some(rule => rule.id === id)) return undefined
    const changed = { ...given, id }
    set(rules.map(rule => rule.id === id ? changed : rule))
    return changed
  }

  /** Deletes a rule; returns whether it existed. */
  function remove (id: number): boolean {
    const { length } = rules
    set(rules.filter(rule => rule.id !== id))
    return rules.length < length
  }
}

/** Returns whether a rule cuts the connection of one of the next requests. */
function isCuttingRule (acting: ActingRule): boolean {
  const { rule, used } = acting
  if (!isActive(acting)) return false
  return [rule, ...rule.sequence?.slice(used) ?? []].some(({ fault }) => faultOf(fault).cut !== undefined)
}

/** Returns the effect of a rule on the next request. */
export function nextEffect ({ rule, used }: ActingRule): Effect {
  return rule.sequence?.[used] ?? rule
}

/**
 * Returns the rules of a list, as files have it, or of an object that has them, as a server returns it; undefined for
 * anything else.
 */
export function rulesIn (given: unknown): readonly unknown[] | undefined {
  const list = isPlainObject(given) ? given['rules'] : given
  return Array.isArray(list) ? list : undefined
}

/** Compiles several rules. @throws {RuleError} with the fields of all invalid ones, up to many */
export function compileRules (given: readonly unknown[], seed: number): ActingRule[] {
  const compiled: ActingRule[] = []
  const errors: Record<string, string[]> = {}
  for (const [index, rule] of given.entries()) {
    const { value, error } = attempt(() => compileRule(rule, seed))
    if (value !== undefined) compiled.push(value)
    for (const [field, texts] of Object.entries(error instanceof RuleError ? error.errors : {})) {
      errors[field === 'non_field_errors' ? `rules[${index}]` : `rules[${index}].${field}`] = texts
    }
    if (Object.keys(errors).length >= maxFields) break
  }
  if (Object.keys(errors).length > 0) throw new RuleError(errors)
  return compiled
}

/** Compiles a copy of a rule, without a number yet. @throws {RuleError} */
export function compileRule (given: unknown, seed: number): ActingRule {
  const text = jsonError(given, 'rule', maxDepth)
  if (text !== undefined) throw ruleError(`The ${text}.`)
  const json = JSON.stringify(given)
  if (json.length > maxRuleLength) throw ruleError(`Must be at most ${maxRuleLength} characters as JSON.`)
  const rule = readRule(JSON.parse(json))
  return { id: 0, rule, used: 0, seed, draws: drawsOf({ rule, seed }), length: json.length }
}

/** Returns the draws of a rule from their beginning: the same rule applies to the same share again. */
function drawsOf ({ rule, seed }: Pick<ActingRule, 'rule' | 'seed'>): ActingRule['draws'] {
  const random = createRandom(`${seed} ${JSON.stringify(rule)}`)
  return () => rule.probability === undefined || random() < rule.probability
}

/** Returns a rule as a server returns it: a copy with its number and a live count. */
export function countedRule (acting: ActingRule): CountedRule {
  const copy = JSON.parse(JSON.stringify(acting.rule)) as Rule // jsdom has no structuredClone
  return { id: acting.id, ...copy, get used () { return acting.used } }
}

/** Returns whether a request has the headers of a rule's `when`. */
export function hasHeaders (headers: Readonly<Record<string, unknown>>, when: Rule['when'] = {}): boolean {
  return Object.entries(when).every(([name, condition]) => {
    const own = name.toLowerCase()
    const sent = Object.hasOwn(headers, own) ? headers[own] : undefined
    return isMet(condition, sent === undefined ? [] : [String(sent)])
  })
}

function isMet (condition: Condition, values: readonly string[] = []): boolean {
  if (condition === null) return values.length === 0
  return condition === true ? values.length > 0 : values.includes(String(condition))
}

/** Describes an effect in one line; empty for one that lets requests pass. */
export function describeEffect (effect: Effect): string {
  const texts: string[] = []
  for (const field of effectNames) {
    const value: unknown = effect[field]
    if (value === undefined) continue
    let text = String(value)
    // The names of headers, or of what a patch changes.
    if (isPlainObject(value)) text = Object.keys(value).join(' ')
    if (isPlainObject(value) && field === 'delay') text = `median ${value['median']} p99 ${value['p99']}`
    if (field === 'body') texts.push('own body')
    else if (text !== '') texts.push(`${field === 'retryAfter' ? 'retry-after' : field}=${text}`)
  }
  return texts.join(', ')
}
