import type { FastifyRequest } from 'fastify'
import { formats } from '../http/negotiation.ts'
import { splitTarget } from '../http/target.ts'
import { parametersOf } from './journal.ts'
import { preferences, type Wanted } from './preferences.ts'
import { fault, maxRuleLength, preferenceOf, readRule, type Rule } from './rule.ts'

/** A rule with the number of requests that it has been applied to. */
export type CountedRule = Rule & { readonly id: number, readonly used: number }

/** The most rules, and the most characters of all of them as JSON. */
const [maxRules, maxLength] = [1_000, 16 * maxRuleLength]

/** A rule, read once for all requests. */
export type Applied = {
  counted: CountedRule & { used: number }
  path: string
  isPrefix: boolean
  query: readonly [string, string][]
  wanted: Wanted
  /** The response in place of the contract's. */
  answer: { status: number, type: string, body: Buffer } | undefined
  /** Describes the effect in one line; empty without one. */
  effect: string
}

export type Rules = ReturnType<typeof createRules>

/** Creates the rules of one server. */
export function createRules () {
  let rules: Applied[] = []
  let lastId = 0
  let length = 0

  return { add, take, list: (): readonly CountedRule[] => rules.map(({ counted }) => counted), reset }

  /** Adds a rule, which beats all earlier ones. @throws {RuleError} */
  function add (given: unknown): CountedRule {
    const { rule, length: own } = readRule(given)
    if (rules.length >= maxRules) throw fault(`There are ${maxRules} rules, which is the limit until a reset.`)
    if (length + own > maxLength) throw fault(`All rules have ${maxLength} characters as JSON, which is the limit until a reset.`)
    const counted = { id: ++lastId, ...rule, used: 0 }
    const isPrefix = rule.path.endsWith('*')
    const path = isPrefix ? rule.path.slice(0, -1) : rule.path
    rules.push({
      counted,
      isPrefix,
      path: splitTarget(path).path ?? path,
      query: Object.entries(rule.query ?? {}),
      wanted: preferencesOf(rule),
      answer: answerOf(rule),
      effect: effectOf(rule)
    })
    length += own
    return { ...counted }
  }

  /** Applies the newest rule that matches a request and is not used up. */
  function take ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): Applied | undefined {
    const { path = '', query } = splitTarget(url)
    const parameters = parametersOf(query)
    const found = rules.findLast(rule => {
      const { used, times = Infinity, method: own = method } = rule.counted
      return used < times && own.toUpperCase() === method && (rule.isPrefix ? path.startsWith(rule.path) : path === rule.path) &&
        rule.query.every(([name, text]) => parameters.get(name)?.includes(text))
    })
    if (found !== undefined) found.counted.used++
    return found
  }

  function reset (): void {
    rules = []
    length = 0
  }
}

function answerOf ({ status = 200, body, contentType }: Rule): Applied['answer'] {
  if (body === undefined) return undefined
  return { status, type: contentType ?? formats.json, body: Buffer.from(contentType === undefined ? JSON.stringify(body) : String(body)) }
}

/** Describes the effect of a rule in one line; empty without one. */
export function effectOf (rule: Rule): string {
  const { status, headers, body } = rule
  const wanted = Object.entries(preferenceOf).map(([field, name]) => [name, rule[field as keyof typeof preferenceOf]] as const)
  return [...wanted, ['status', status] as const, ['headers', headers && Object.keys(headers).join(' ')] as const]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .concat(body === undefined ? [] : ['own body'])
    .join(', ')
}

/** Returns the preferences that a rule applies to a request. */
function preferencesOf (rule: Readonly<Record<string, unknown>>): Wanted {
  const own = Object.entries(preferenceOf).filter(([field]) => field in rule)
  return Object.fromEntries(own.map(([field, name]) => [name, preferences[name].read(String(rule[field]))]))
}
