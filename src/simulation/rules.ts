import type { FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { secretName, withoutSecrets } from '../http/log.ts'
import { splitTarget } from '../http/target.ts'
import { parseQuery } from '../lists/query.ts'
import { type Kind, wholeNumber } from '../settings/kinds.ts'
import { preferences, type Wanted } from './preferences.ts'

/** Simulates responses for a client that sends no preferences. A rule without code, delay, example and fault lets requests pass. */
export type Rule = {
  /** Any method without it. */
  readonly method?: string
  /** An exact path, or the start of paths before an asterisk. */
  readonly path: string
  /** Texts that must be among the request's parameters. */
  readonly query?: Readonly<Record<string, string>>
  readonly code?: number
  /** Seconds, with code 429 or 503. */
  readonly retryAfter?: number
  /** Milliseconds, or a text such as '100-2000'. */
  readonly delay?: number | string
  readonly example?: 'empty' | 'one' | 'odd'
  readonly fault?: 'reset' | 'empty' | 'truncate' | 'drip' | 'malformed'
  /** The number of requests that it applies to; without it, all until the reset. */
  readonly times?: number
}

/** A rule with the number of requests that it has been applied to. */
export type CountedRule = Rule & { readonly id: number, readonly used: number }

/** Headers by lower-case name; an array for repeated ones. No type of Node's, because consumers of the package may lack them. */
type Headers = Record<string, string | string[] | undefined>

/** A request of a list or a picture, without credentials. */
export type RecordedRequest = {
  readonly method: string
  readonly path: string
  /** A repeated parameter has several texts. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly headers: Headers
  /** Null until the response begins, and for a connection that was closed before. */
  readonly status: number | null
  /** When the request arrived, such as 2026-01-31T12:00:00.000Z. */
  readonly time: string
}

/** The most rules, and the most requests that are recorded; the oldest requests go first. */
const [maxRules, maxRequests] = [1_000, 1_000]

const preferenceOf = { code: 'code', retryAfter: 'retry-after', delay: 'delay', example: 'example', fault: 'fault' } as const

/** The fields of a rule that take a text or a number. */
const kinds: Readonly<Record<string, Kind<unknown>>> = {
  method: { takes: 'a method such as GET', read: text => /^[A-Z]+$/i.test(text) ? text : undefined },
  path: {
    takes: 'a path such as /api/v1/bikes/, or the beginning of paths such as /media/*',
    read: text => /^(?:\*|\/[^?#*]*\*?)$/.test(text) ? text : undefined
  },
  ...Object.fromEntries(Object.entries(preferenceOf).map(([field, name]) => [field, preferences[name]])),
  times: wholeNumber(1, 1_000_000)
}

/** Reads a rule; throws the 400 that names every invalid field. */
function readRule (given: unknown): Rule {
  if (!isObject(given)) throw invalid({ non_field_errors: ['Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.'] })
  const rule = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const checked = Object.entries({ path: undefined, ...rule }).map(([field, value]) => [field, faultsOf(field, value)] as const)
  const faults = checked.filter(([, texts]) => texts.length > 0)
  if (faults.length > 0) throw invalid(Object.fromEntries(faults))
  return rule as Rule
}

function faultsOf (field: string, value: unknown): string[] {
  if (value === undefined) return ['This field is required.']
  if (field === 'query') return areTexts(value) ? [] : ['Must be an object of texts such as {"page": "2"}.']
  const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined
  if (kind === undefined) return [`Unknown field. A rule has: ${Object.keys(kinds).join(', ')}, query.`]
  const isRead = (typeof value === 'string' || typeof value === 'number') && kind.read(String(value)) !== undefined
  return isRead ? [] : [`Must be ${kind.takes}.`]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const areTexts = (value: unknown) => isObject(value) && Object.values(value).every(text => typeof text === 'string')

function invalid (faults: Readonly<Record<string, string[]>>): ApiError {
  const message = Object.entries(faults).map(([field, texts]) => `${field}: ${texts.join(' ')}`).join(' ')
  return new ApiError(400, `invalid rule: ${message}`, {}, faults)
}

/** Returns the preferences that a rule applies to a request. */
function preferencesOf (rule: Readonly<Record<string, unknown>>): Wanted {
  const own = Object.entries(preferenceOf).filter(([field]) => field in rule)
  return Object.fromEntries(own.map(([field, name]) => [name, preferences[name].read(String(rule[field]))]))
}

type Request = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

/** A recorded request; its query is parsed when it is read, which takes less memory. */
type Recorded = Omit<RecordedRequest, 'query' | 'status'> & { query: string, status: number | null }

export type Rules = ReturnType<typeof createRules>

/** Creates the rules and the recorded requests of one server. */
export function createRules (secrets: () => readonly string[] = () => []) {
  let rules: (CountedRule & { used: number })[] = []
  let recorded: Recorded[] = []
  let lastId = 0

  return { add, take, list: (): readonly CountedRule[] => rules, record, requests, reset }

  /** Adds a rule, which beats all earlier ones; throws a 400 for an invalid one. */
  function add (given: unknown): CountedRule {
    const rule = readRule(given)
    if (rules.length >= maxRules) throw invalid({ non_field_errors: [`There are ${maxRules} rules, which is the limit until a reset.`] })
    const counted = { id: ++lastId, ...rule, used: 0 }
    rules.push(counted)
    return { ...counted }
  }

  /** Applies the newest rule that matches a request and is not used up; returns no preferences without one. */
  function take (request: Omit<Request, 'headers'>): Wanted {
    const found = rules.findLast(rule => rule.used < (rule.times ?? Infinity) && matches(rule, request))
    if (found === undefined) return {}
    found.used++
    return preferencesOf(found)
  }

  /** Records a request without its credentials; the caller sets the status when the response begins. */
  function record ({ method, url, headers }: Request): Recorded {
    const shown = withoutSecrets(url, secrets())
    const { path = shown, query } = splitTarget(shown)
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !isCredential(name)))
    if (kept['referer'] !== undefined) kept['referer'] = withoutSecrets(String(kept['referer']), secrets())
    const request = { method, path, query, headers: kept, status: null, time: new Date().toISOString() }
    recorded.push(request)
    if (recorded.length > maxRequests) recorded.shift()
    return request
  }

  function requests (): RecordedRequest[] {
    return recorded.map(request => ({ ...request, query: textsOf(request.query) }))
  }

  /** Forgets all rules and recorded requests. */
  function reset (): void {
    rules = []
    recorded = []
  }
}

function matches ({ method, path, query = {} }: Rule, request: Omit<Request, 'headers'>): boolean {
  const { path: own = '', query: ownQuery } = splitTarget(request.url)
  const isPath = path.endsWith('*') ? own.startsWith(decoded(path.slice(0, -1))) : own === decoded(path)
  if (!isPath || (method !== undefined && method.toUpperCase() !== request.method)) return false
  const parameters = parametersIn(ownQuery)
  return Object.entries(query).every(([name, text]) => parameters.getAll(name).includes(text))
}

const decoded = (path: string) => splitTarget(path).path ?? path

const parametersIn = (query: string) => parseQuery(query.slice(1)) ?? new URLSearchParams()

/** Returns parameters by name; a repeated one has several texts. */
function textsOf (query: string): RecordedRequest['query'] {
  const parameters = parametersIn(query)
  return Object.fromEntries([...new Set(parameters.keys())].map(name => {
    const texts = parameters.getAll(name)
    return [name, texts.length === 1 ? texts[0] as string : texts]
  }))
}

const isCredential = (name: string) => secretName.test(name) || /cookie/i.test(name)
