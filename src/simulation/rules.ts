import type { FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { createRandom } from '../base/random.ts'
import { formats } from '../http/negotiation.ts'
import { splitTarget } from '../http/target.ts'
import { jsonError } from '../base/json.ts'
import { parseQuery } from '../http/query.ts'
import { preferenceNames, preferences, type Head, type Wanted } from './preferences.ts'
import { readRule, ruleError, fieldOf, maxRuleLength, RuleError, type Rule } from './rule.ts'

/** A rule, and the number of requests it has been applied to. */
export type CountedRule = Rule & { readonly id: number, readonly used: number }

/** The most rules, the most characters of all as JSON, and the most levels of a rule from a program, which may be circular. */
const [maxRules, maxLength, maxDepth] = [1_000, 2 ** 24, 100]

type RequestParts = {
  method: string, path: string, parameters: ReadonlyMap<string, readonly string[]>, headers: Readonly<Record<string, unknown>>
}

/** A rule, parsed once for all requests. */
export type CompiledRule = {
  counted: Omit<CountedRule, 'body'> & { used: number }
  /** The body as JSON, which takes less memory than its objects. */
  body: string | undefined
  matches: (request: RequestParts) => boolean
  wanted: Wanted
  /** Describes the effect in one line; empty without one. */
  effect: string
  /** Decides by its probability whether the rule applies to the next request. */
  draws: () => boolean
  /** The characters of the rule as JSON. */
  length: number
}

type Requested = Pick<FastifyRequest, 'method' | 'url'> & { headers?: FastifyRequest['headers'] }

/** Returns whether a rule has uses left. */
export const isActive = ({ counted: { used, times = Infinity } }: CompiledRule) => used < times

export type Rules = ReturnType<typeof createRules>

export function createRules (seed = 1) {
  let rules: readonly CompiledRule[] = []
  let presets: readonly CompiledRule[] = []
  let lastId = 0

  return { add, addJson, preset, take, peek, list: () => rules, remove, reset: () => { rules = [] } }

  /** Adds a copy of a rule from a program. @throws {RuleError} */
  function add (given: unknown): CountedRule {
    const text = jsonError(given, 'rule', maxDepth)
    if (text !== undefined) throw ruleError(`The ${text}.`)
    const json = JSON.stringify(given)
    if (json.length > maxRuleLength) throw ruleError(`Must be at most ${maxRuleLength} characters as JSON.`)
    return JSON.parse(jsonOf(addJson(JSON.parse(json)))) as CountedRule
  }

  /** Adds a rule from JSON; it overrides all earlier ones. @throws {RuleError} */
  function addJson (given: unknown): CompiledRule {
    const compiled = compile(readRule(given), lastId + 1, seed)
    replace([...rules, compiled])
    return compiled
  }

  /** Replaces the rules of an earlier call, which all others override. @throws {RuleError} when there are too many with the others */
  function preset (given: readonly CompiledRule[]): void {
    const next = given.map((rule, index) => ({ ...rule, counted: { ...rule.counted, id: lastId + 1 + index } }))
    replace([...next, ...rules.filter(rule => !presets.includes(rule))])
    presets = next
  }

  function replace (next: readonly CompiledRule[]): void {
    if (next.length > maxRules) throw ruleError(`The limit of ${maxRules} rules is reached. Delete some first.`)
    if (next.reduce((sum, { length }) => sum + length, 0) > maxLength) {
      throw ruleError(`The limit of ${maxLength} characters for all rules as JSON is reached. Delete some first.`)
    }
    rules = next
    lastId = Math.max(lastId, ...next.map(({ counted: { id } }) => id))
  }

  /** Counts a request towards its newest active rule and returns the rule, or undefined if the rule lets requests pass. */
  function take (request: Requested, canAct = (_: CompiledRule) => true): CompiledRule | undefined {
    const found = peek(request, rule => canAct(rule) && rule.draws())
    if (found !== undefined) found.counted.used++
    return found?.effect === '' ? undefined : found
  }

  /** Returns the rule for a request, whatever its probability, without counting the request. */
  function peek ({ method, url, headers = {} }: Requested, draws = (_: CompiledRule) => true): CompiledRule | undefined {
    const { path = '', query } = splitTarget(url)
    const parts = { method, path, parameters: parametersOf(query), headers }
    return rules.findLast(rule => isActive(rule) && rule.matches(parts) && draws(rule))
  }

  /** Deletes a rule; returns whether it existed. */
  function remove (id: number): boolean {
    const { length } = rules
    rules = rules.filter(({ counted }) => counted.id !== id)
    return rules.length < length
  }
}

function compile (given: Rule, id: number, seed: number): CompiledRule {
  const { body: content, ...rule } = given
  const { value: json } = attempt(() => JSON.stringify(given))
  if (json === undefined) throw new RuleError({ body: ['Is nested too deeply.'] })
  const random = createRandom(`${seed} ${json}`) // so that the same rule applies to the same share again
  return {
    counted: { id, ...rule, used: 0 },
    body: JSON.stringify(content) as string | undefined,
    matches: matcherOf(rule),
    wanted: Object.fromEntries(preferencesOf(rule).map(([name, value]) => [name, preferences[name].read(String(value))])),
    effect: effectOf(given),
    draws: () => rule.probability === undefined || random() < rule.probability,
    length: json.length
  }
}

function matcherOf ({ method, path: pattern, query = {}, when = {} }: Rule): CompiledRule['matches'] {
  const start = pattern.replace(/\*$/, '')
  const path = splitTarget(start).path ?? start
  const texts = Object.entries(query)
  return request => (method === undefined || method.toUpperCase() === request.method) &&
    (start === pattern ? request.path === path : request.path.startsWith(path)) &&
    texts.every(([name, text]) => request.parameters.get(name)?.includes(text)) &&
    hasHeaders(request.headers, when)
}

/** Returns whether a request has the headers of a rule's `when`. */
export const hasHeaders = (headers: RequestParts['headers'], when: Rule['when'] = {}): boolean =>
  Object.entries(when).map(([name, value]) => [headers[name.toLowerCase()], value])
    .every(([sent, value]) => value === true ? sent !== undefined : sent === value)

export const jsonOf = ({ counted, body }: Pick<CompiledRule, 'counted' | 'body'>) =>
  body === undefined ? JSON.stringify(counted) : `${JSON.stringify(counted).slice(0, -1)},"body":${body}}`

/** Returns the response of a rule; undefined without a body. */
export function responseOf ({ counted: { status = 200, contentType }, body }: CompiledRule) {
  if (body === undefined) return undefined
  const content = contentType === undefined ? body : JSON.parse(body) as string
  return { status, type: contentType ?? formats.json, body: Buffer.from(content) }
}

/** Returns whether a rule changes a response. */
export const hasEffect = ({ body, counted: { headers = {} }, wanted }: CompiledRule, head: Head): boolean => body !== undefined ||
  Object.keys(headers).length > 0 || preferenceNames.some(name => name in wanted && preferences[name].isApplied(wanted, head))

function effectOf (rule: Rule): string {
  const { status, headers = {}, body } = rule
  const names = Object.keys(headers).join(' ')
  const others = [status && `status=${status}`, names && `headers=${names}`, body !== undefined && 'own body']
  return [...preferencesOf(rule).map(([name, value]) => `${name}=${value}`), ...others].filter(Boolean).join(', ')
}

const preferencesOf = (rule: Rule) =>
  preferenceNames.map(name => [name, rule[fieldOf(name)]] as const).filter(([, value]) => value !== undefined)

/** Parses a query that begins with a question mark. */
export function parametersOf (query: string): Map<string, string[]> {
  const groups = groupBy([...parseQuery(query.slice(1)) ?? []], ([name]) => name)
  return new Map([...groups].map(([name, all]) => [name, all.map(([, text]) => text)]))
}
