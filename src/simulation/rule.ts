import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { attempt } from '../base/attempt.ts'
import { resources } from '../lists/resources.ts'
import { nearest, SettingsError } from '../settings/flags.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { type Kind, share, wholeNumber } from '../settings/kinds.ts'
import { parameterOf, preferenceNames, preferences, type PreferenceName } from './preferences.ts'

/** Simulates responses for a client that sends no preferences. A rule with only a path lets requests pass. */
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
  readonly example?: 'empty' | 'one' | 'odd' | 'random'
  /** Beside example random: the same records for the same seed. */
  readonly seed?: number
  readonly fault?: 'reset' | 'empty' | 'truncate' | 'drip' | 'malformed'
  /** The number of requests that it applies to; without it, all until the reset. */
  readonly times?: number
  /** The share of requests that it applies to, 0 to 1, drawn from the server's seed. */
  readonly probability?: number
  /** The response in place of the contract's: any JSON value, or a text with `contentType`. */
  readonly body?: unknown
  readonly contentType?: string
  /** Beside a body: 200 to 599, 200 without it. */
  readonly status?: number
  /** Headers that replace those of the response. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The most characters of a rule as JSON: reading more would hold up other requests. */
export const maxRuleLength = 2 ** 19

/** The most parameters or headers of a rule. */
const maxEntries = 100

/** Names the invalid fields of a rule, each with its messages. */
export class RuleError extends SettingsError {
  readonly faults: Readonly<Record<string, string[]>>

  constructor (faults: Readonly<Record<string, string[]>>) {
    super(`invalid rule: ${Object.entries(faults).map(([field, texts]) => `${field}: ${texts.join(' ')}`).join(' ')}`)
    this.faults = faults
  }
}

/** Returns the field of a rule that holds a preference. */
export const fieldOf = (name: PreferenceName) => name === 'retry-after' ? 'retryAfter' : name

/** The target of CONNECT is no path. */
const methods = new Set(METHODS.filter(method => method !== 'CONNECT'))

/** Returns the check of a field that takes a text or a number. */
const faultsBy = ({ expects, read }: Kind<unknown>) => (value: unknown) =>
  ['string', 'number'].includes(typeof value) && read(String(value)) !== undefined ? [] : [`Must be ${expects}.`]

/** The fields of a rule, each with a function that returns the faults of its value. */
const fields: Readonly<Record<string, (value: unknown) => string[]>> = {
  method: faultsBy({ expects: 'a method such as GET', read: text => methods.has(text.toUpperCase()) ? text : undefined }),
  path: value => typeof value === 'string' && /^(?:\*|\/[^?#*]*\*?)$/.test(value)
    ? unreachable(value)
    : ['Must be a path such as /api/v1/bikes/, or the beginning of paths such as /media/*.'],
  query: value => {
    if (!areTexts(value)) return ['Must be an object of texts such as {"page": "2"}.']
    const preference = preferenceNames.find(name => Object.hasOwn(value, parameterOf(name)))
    if (preference !== undefined) return [`${parameterOf(preference)} is a preference, which no rule matches.`]
    return Object.keys(value).length > maxEntries ? [`Must have at most ${maxEntries} parameters.`] : []
  },
  ...Object.fromEntries(preferenceNames.map(name => [fieldOf(name), faultsBy(preferences[name])])),
  times: faultsBy(wholeNumber(1, 1_000_000)),
  probability: faultsBy(share),
  status: faultsBy(wholeNumber(200, 599)),
  contentType: faultsBy({
    expects: 'a media type in UTF-8 such as text/html; charset=utf-8',
    read: text => /^[\w.+-]+\/[\w.+-]+(?!.*charset=(?!"?utf-8\b))[\x20-\x7e]*$/i.test(text) ? text : undefined
  }),
  headers: value => {
    if (!areTexts(value)) return ['Must be an object of texts such as {"deprecation": "true"}.']
    const entries = Object.entries(value)
    return entries.length > maxEntries ? [`Must have at most ${maxEntries} headers.`] : entries.flatMap(headerFaults)
  },
  body: () => []
}

/** Throws a RuleError with every invalid field. */
export function assertRule (given: unknown): asserts given is Rule {
  if (!isPlainObject(given)) throw fault('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  const present = Object.keys(given).filter(field => given[field] !== undefined)
  const unknown = present.filter(field => !Object.hasOwn(fields, field))
  const faults = [
    ...given['path'] === undefined ? [['path', ['This field is required.']] as const] : [],
    ...together.filter(([field, isFault]) => present.includes(field) && isFault(given)).map(([field, , text]) => [field, [text]] as const),
    ...Object.entries(fields).map(([field, check]) => [field, given[field] === undefined ? [] : check(given[field])] as const),
    ...unknown.slice(0, 10).map(field => [field, [`Unknown field. A rule has: ${Object.keys(fields).join(', ')}.`]] as const),
    ...unknown.length > 10 ? [['non_field_errors', [`${unknown.length - 10} more fields are unknown.`]] as const] : []
  ].filter(([, texts]) => texts.length > 0)
  if (faults.length > 0) throw new RuleError(Object.fromEntries(faults))
}

/** Returns the error for a rule as a whole. */
export const fault = (text: string) => new RuleError({ non_field_errors: [text] })

/** Matches headers of the connection, which frame a message (RFC 9110, 7.6.1). */
const framing = /^(?:connection|content-length|date|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

function headerFaults ([name, text]: [string, string]): string[] {
  if (name === '__proto__') return ['__proto__ cannot be sent.']
  if (framing.test(name)) return [`${name} is set by the server.`]
  const { error } = attempt(() => {
    validateHeaderName(name)
    validateHeaderValue(name, text)
  })
  return error === undefined ? [] : [`${error.message}.`]
}

const isBodiless = ({ method, status }: JsonObject) => /^head$/i.test(String(method)) || /^[23]04$/.test(String(status))

/** Fields that have no effect, or none that is clear, beside others or without them. */
const together: readonly [field: keyof Rule, isFault: (rule: JsonObject) => boolean, text: string][] = [
  ['status', ({ body }) => body === undefined, 'Needs a body; did you mean code?'],
  ['contentType', ({ body }) => body === undefined, 'Needs a body.'],
  ['body', ({ body, contentType }) => contentType !== undefined && typeof body !== 'string', 'Must be a text beside contentType.'],
  ['code', ({ body }) => body !== undefined, 'Cannot stand beside body.'],
  ['example', ({ body }) => body !== undefined, 'Cannot stand beside body.'],
  ['example', ({ path }) => String(path).startsWith('/media/'), 'Images have no examples.'],
  ['example', ({ method = 'GET' }) => !/^(?:get|head)$/i.test(String(method)), 'Only responses to GET and HEAD have examples.'],
  ['fault', rule => !/^(?:reset|empty)$/.test(String(rule['fault'])) && isBodiless(rule), 'There is no body that it could change.'],
  ['seed', ({ example }) => example !== 'random', 'Needs example random.'],
  ['retryAfter', ({ code }) => !['429', '503'].includes(String(code)), 'Needs code 429 or 503.']
]

/** Returns the fault of a path that no list and no image has. */
function unreachable (path: string): string[] {
  const paths = [...resources.map(({ path }) => path), '/media/']
  const start = path.replace(/\*$/, '')
  const isReached = start.startsWith('/media/') || (start === path ? paths.includes(path) : paths.some(path => path.startsWith(start)))
  if (isReached) return []
  const near = nearest(start, paths) ?? paths.findLast(path => start.includes(path)) // below the path of the public URL
  const hint = near === undefined ? `. The lists are ${paths.slice(0, -1).join(', ')}.` : `; did you mean ${near}?`
  return [`No list or image has this path${hint}`]
}

const areTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isPlainObject(value) && Object.values(value).every(text => typeof text === 'string')
