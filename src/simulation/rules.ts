import type { FastifyRequest } from 'fastify'
import { groupBy } from '../base/group.ts'
import { createRandom } from '../base/random.ts'
import { formats } from '../http/negotiation.ts'
import { preferenceNames } from '../http/prefer.ts'
import { splitTarget, parseQuery } from '../http/target.ts'
import { jsonError } from '../base/json.ts'
import { isApplied, type Head } from './preferences.ts'
import { readRule, ruleError, fieldOf, maxRuleLength, type Rule } from './rule.ts'

/** A rule, and the number of requests it has been applied to. */
export type CountedRule = Rule & { readonly id: number, readonly used: number }

/** The most rules, the most characters of all as JSON, and the most levels of a rule, which may be circular. */
const [maxRules, maxLength, maxDepth] = [1_000, 2 ** 24, 100]

export type ActingRule = {
  counted: Rule & { id: number, used: number }
  /** Decides by its probability whether the rule applies to the next request. */
  draws: () => boolean
  /** The characters of the rule as JSON. */
  length: number
}

type Requested = Pick<FastifyRequest, 'method' | 'url'> & { headers?: FastifyRequest['headers'] }

/** Returns whether a rule has uses left. */
export const isActive = ({ counted: { used, times = Infinity } }: ActingRule) => used < times

export type Rules = ReturnType<typeof createRules>

export function createRules (seed = 1) {
  let rules: readonly ActingRule[] = []
  let presets: readonly ActingRule[] = []
  let lastId = 0

  return { add, preset, take, peek, list: () => rules, remove, reset: () => { rules = [] } }

  /** Adds a copy of a rule; it overrides all earlier ones. @throws {RuleError} */
  function add (given: unknown): CountedRule {
    const text = jsonError(given, 'rule', maxDepth)
    if (text !== undefined) throw ruleError(`The ${text}.`)
    const json = JSON.stringify(given)
    if (json.length > maxRuleLength) throw ruleError(`Must be at most ${maxRuleLength} characters as JSON.`)
    const rule = readRule(JSON.parse(json))
    const { body, ...others } = rule
    const counted = { id: lastId + 1, ...others, used: 0, ...body === undefined ? {} : { body } }
    const random = createRandom(`${seed} ${JSON.stringify(rule)}`) // so that the same rule applies to the same share again
    const draws = () => rule.probability === undefined || random() < rule.probability
    replace([...rules, { counted, draws, length: json.length }])
    return JSON.parse(JSON.stringify(counted)) as CountedRule
  }

  /** Replaces the rules of an earlier call, which all others override. @throws {RuleError} when there are too many with the others */
  function preset (given: readonly ActingRule[]): void {
    const next = given.map((rule, index) => ({ ...rule, counted: { ...rule.counted, id: lastId + 1 + index } }))
    replace([...next, ...rules.filter(rule => !presets.includes(rule))])
    presets = next
  }

  function replace (next: readonly ActingRule[]): void {
    if (next.length > maxRules) throw ruleError(`The limit of ${maxRules} rules is reached. Delete some first.`)
    if (next.reduce((sum, { length }) => sum + length, 0) > maxLength) {
      throw ruleError(`The limit of ${maxLength} characters for all rules as JSON is reached. Delete some first.`)
    }
    rules = next
    lastId = Math.max(lastId, ...next.map(({ counted: { id } }) => id))
  }

  /** Counts a request towards its newest active rule and returns the rule, or undefined if the rule lets requests pass. */
  function take (request: Requested, canAct = (_: Rule) => true): ActingRule | undefined {
    const found = peek(request, ({ counted, draws }) => canAct(counted) && draws())
    if (found === undefined) return undefined
    found.counted.used++
    return effectOf(found.counted) === '' ? undefined : found
  }

  /** Returns the rule for a request, whatever its probability, without counting the request. */
  function peek ({ method, url, headers = {} }: Requested, draws = (_: ActingRule) => true): ActingRule | undefined {
    const { path = '', query } = splitTarget(url)
    const parts = { method, path, parameters: parametersOf(query), headers }
    return rules.findLast(rule => isActive(rule) && matches(rule.counted, parts) && draws(rule))
  }

  /** Deletes a rule; returns whether it existed. */
  function remove (id: number): boolean {
    const { length } = rules
    rules = rules.filter(({ counted }) => counted.id !== id)
    return rules.length < length
  }
}

type Headers = Readonly<Record<string, unknown>>

type RequestParts = { method: string, path: string, parameters: ReadonlyMap<string, readonly string[]>, headers: Headers }

function matches ({ method, path: pattern, query = {}, when }: Rule, request: RequestParts): boolean {
  const start = pattern.replace(/\*$/, '')
  const path = splitTarget(start).path ?? start
  return (method === undefined || method.toUpperCase() === request.method) &&
    (start === pattern ? request.path === path : request.path.startsWith(path)) &&
    Object.entries(query).every(([name, text]) => request.parameters.get(name)?.includes(text)) &&
    hasHeaders(request.headers, when)
}

/** Returns whether a request has the headers of a rule's `when`. */
export const hasHeaders = (headers: Headers, when: Rule['when'] = {}): boolean =>
  Object.entries(when).map(([name, value]) => [headers[name.toLowerCase()], value])
    .every(([sent, value]) => value === true ? sent !== undefined : sent === value)

/** Returns the response of a rule; undefined without a body. */
export function responseOf ({ status = 200, contentType, body }: Rule) {
  if (body === undefined) return undefined
  return { status, type: contentType ?? formats.json, body: Buffer.from(contentType === undefined ? JSON.stringify(body) : body as string) }
}

/** Returns whether a rule changes a response. */
export const hasEffect = (rule: Rule, head: Head): boolean =>
  rule.body !== undefined || Object.keys(rule.headers ?? {}).length > 0 || preferenceNames.some(name => isApplied(name, rule, head))

/** Describes the effect of a rule in one line; empty without one. */
export function effectOf (rule: Rule): string {
  const { status, headers = {}, body } = rule
  const names = Object.keys(headers).join(' ')
  const others = [status && `status=${status}`, names && `headers=${names}`, body !== undefined && 'own body']
  const wanted = preferenceNames.map(name => rule[fieldOf(name)] !== undefined && `${name}=${rule[fieldOf(name)]}`)
  return [...wanted, ...others].filter(Boolean).join(', ')
}

/** Parses a query that begins with a question mark. */
export function parametersOf (query: string): Map<string, string[]> {
  const groups = groupBy([...parseQuery(query.slice(1)) ?? []], ([name]) => name)
  return new Map([...groups].map(([name, all]) => [name, all.map(([, text]) => text)]))
}
