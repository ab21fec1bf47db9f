import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { attempt } from '../base/attempt.ts'
import { resources } from '../lists/resources.ts'
import { nearest, SettingsError } from '../settings/flags.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { type Kind, share, wholeNumber } from '../settings/kinds.ts'
import { parameterOf, preferenceNames, preferences, type PreferenceName } from './preferences.ts'

/** Simulates responses to requests without preferences. A rule with only a path lets requests pass. */
export type Rule = {
  /** Any method by default. */
  readonly method?: string | undefined
  /** A path, or the beginning of a path followed by an asterisk. */
  readonly path: string
  /** Parameters that the request must have. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Headers that the request must have: their values, or true for any. */
  readonly when?: Readonly<Record<string, string | true>> | undefined
  readonly code?: number | undefined
  /** Seconds, with code 429 or 503. */
  readonly retryAfter?: number | undefined
  /** Milliseconds, or a string such as '100-2000'. */
  readonly delay?: number | string | undefined
  readonly example?: 'empty' | 'one' | 'odd' | 'random' | undefined
  /** Alongside example random: the same records for the same seed. */
  readonly seed?: number | undefined
  readonly fault?: 'reset' | 'empty' | 'truncate' | 'drip' | 'malformed' | undefined
  /** The number of requests to apply to; unlimited by default. */
  readonly times?: number | undefined
  /** The share of requests to apply to, 0 to 1; the server's seed selects them. */
  readonly probability?: number | undefined
  /** The body of the response: any JSON value, or a string with `contentType`. */
  readonly body?: unknown
  readonly contentType?: string | undefined
  /** Alongside a body: 200 to 599; 200 by default. */
  readonly status?: number | undefined
  /** Headers that replace those of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The most characters of a rule as JSON; parsing more would hold up other requests. */
export const maxRuleLength = 2 ** 19

/** The most parameters or headers of a rule. */
const maxEntries = 100

/** Lists the invalid fields of a rule with their messages. */
export class RuleError extends SettingsError {
  readonly errors: Readonly<Record<string, string[]>>

  constructor (errors: Readonly<Record<string, string[]>>) {
    super(`invalid rule: ${Object.entries(errors).map(([field, texts]) => `${field}: ${texts.join(' ')}`).join(' ')}`)
    this.errors = errors
  }
}

/** Returns the field of a rule for a preference. */
export const fieldOf = (name: PreferenceName) => name === 'retry-after' ? 'retryAfter' : name

/** CONNECT is excluded, as its target is no path. */
const methods = new Set(METHODS.filter(method => method !== 'CONNECT'))

/** Returns the check of a field that accepts a string or a number. */
const errorsBy = ({ expects, read }: Kind<unknown>) => (value: unknown) =>
  ['string', 'number'].includes(typeof value) && read(String(value)) !== undefined ? [] : [`Must be ${expects}.`]

/** The fields of a rule, each with a function that returns the errors of its value. */
const fields: Readonly<Record<string, (value: unknown) => string[]>> = {
  method: errorsBy({ expects: 'a method such as GET', read: text => methods.has(text.toUpperCase()) ? text : undefined }),
  path: value => typeof value === 'string' && /^(?:\*|\/[^?#*]*\*?)$/.test(value)
    ? unreachable(value)
    : ['Must be a path such as /api/v1/bikes/, or the beginning of paths such as /media/*.'],
  query: value => {
    if (!areTexts(value)) return ['Must be an object of strings such as {"page": "2"}.']
    const preference = preferenceNames.find(name => Object.hasOwn(value, parameterOf(name)))
    if (preference !== undefined) return [`${parameterOf(preference)} is a preference; rules cannot match preferences.`]
    return Object.keys(value).length > maxEntries ? [`Must have at most ${maxEntries} parameters.`] : []
  },
  when: value => {
    if (!isPlainObject(value) || !Object.values(value).every(text => typeof text === 'string' || text === true)) {
      return ['Must be an object of headers such as {"x-test": "a"}, or true for any value.']
    }
    return Object.keys(value).length > maxEntries ? [`Must have at most ${maxEntries} headers.`] : []
  },
  ...Object.fromEntries(preferenceNames.map(name => [fieldOf(name), errorsBy(preferences[name])])),
  times: errorsBy(wholeNumber(1, 1_000_000)),
  probability: errorsBy(share),
  status: errorsBy(wholeNumber(200, 599)),
  contentType: errorsBy({
    expects: 'a media type in UTF-8 such as text/html; charset=utf-8',
    read: text => /^[\w.+-]+\/[\w.+-]+(?!.*charset=(?!"?utf-8\b))[\x20-\x7e]*$/i.test(text) ? text : undefined
  }),
  headers: value => {
    if (!areTexts(value)) return ['Must be an object of strings such as {"deprecation": "true"}.']
    const entries = Object.entries(value)
    return entries.length > maxEntries ? [`Must have at most ${maxEntries} headers.`] : entries.flatMap(headerErrors)
  },
  body: () => []
}

/** Throws a RuleError with every invalid field. */
export function assertRule (given: unknown): asserts given is Rule {
  if (!isPlainObject(given)) throw ruleError('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  const present = Object.keys(given).filter(field => given[field] !== undefined)
  const unknown = present.filter(field => !Object.hasOwn(fields, field))
  const errors = [
    ...given['path'] === undefined ? [['path', ['This field is required.']] as const] : [],
    ...together.filter(([field, isInvalid]) => present.includes(field) && isInvalid(given))
      .map(([field, , text]) => [field, [text]] as const),
    ...Object.entries(fields).map(([field, check]) => [field, given[field] === undefined ? [] : check(given[field])] as const),
    ...unknown.slice(0, 10).map(field => [field, [`Unknown field. A rule has: ${Object.keys(fields).join(', ')}.`]] as const),
    ...unknown.length > 10 ? [['non_field_errors', [`${unknown.length - 10} more fields are unknown.`]] as const] : []
  ].filter(([, texts]) => texts.length > 0)
  if (errors.length > 0) throw new RuleError(Object.fromEntries(errors))
}

/** Returns the error for a rule as a whole. */
export const ruleError = (text: string) => new RuleError({ non_field_errors: [text] })

/** Matches headers that concern the connection (RFC 9110, 7.6.1). */
const framing = /^(?:connection|content-length|date|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

function headerErrors ([name, text]: [string, string]): string[] {
  if (name === '__proto__') return ['__proto__ cannot be sent.']
  if (framing.test(name)) return [`${name} is set by the server.`]
  const { error } = attempt(() => {
    validateHeaderName(name)
    validateHeaderValue(name, text)
  })
  return error === undefined ? [] : [`${error.message}.`]
}

const isBodiless = ({ method, status }: JsonObject) => /^head$/i.test(String(method)) || /^[23]04$/.test(String(status))

/** Fields without a clear effect, because of another field or its absence. */
const together: readonly [field: keyof Rule, isInvalid: (rule: JsonObject) => boolean, text: string][] = [
  ['status', ({ body }) => body === undefined, 'Needs a body; did you mean code?'],
  ['contentType', ({ body }) => body === undefined, 'Needs a body.'],
  ['body', ({ body, contentType }) => contentType !== undefined && typeof body !== 'string', 'Must be a string alongside contentType.'],
  ['code', ({ body }) => body !== undefined, 'Cannot be combined with body.'],
  ['example', ({ body }) => body !== undefined, 'Cannot be combined with body.'],
  ['example', ({ path }) => String(path).startsWith('/media/'), 'Images have no examples.'],
  ['example', ({ method = 'GET' }) => !/^(?:get|head)$/i.test(String(method)), 'Only responses to GET and HEAD have examples.'],
  ['fault', rule => !/^(?:reset|empty)$/.test(String(rule['fault'])) && isBodiless(rule), 'The response has no body to break.'],
  ['seed', ({ example }) => example !== 'random', 'Needs example random.'],
  ['retryAfter', ({ code }) => !['429', '503'].includes(String(code)), 'Needs code 429 or 503.']
]

/** Returns the error for a path without a list or image. */
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
