import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { errorsIn } from '../catalogue/authored/validate.ts'
import { parts } from '../catalogue/errors/error.ts'
import { resources } from '../lists/resources.ts'
import { parameterOf, preferenceNames, type PreferenceName } from '../http/prefer.ts'
import { nearest, SettingsError } from '../settings/flags.ts'
import { milliseconds, oneOf } from '../settings/kinds.ts'
import { examples } from './examples.ts'
import { codes, faults } from './faults.ts'

/** The most parameters or headers of a rule, and the most unknown fields with an error of their own. */
const [maxEntries, maxUnknown] = [100, 10]

/** CONNECT is excluded, as its target is no path. */
const methods = METHODS.filter(method => method !== 'CONNECT').flatMap(method => [method, method.toLowerCase()])

/** A field that may be missing or undefined; its description follows "Must be". */
const optional = <Schema extends TSchema>(schema: Schema) => Type.ReadonlyOptional(Type.Unsafe<Static<Schema> | undefined>(schema))

const integer = (minimum: number, maximum: number) =>
  optional(Type.Integer({ minimum, maximum, description: `an integer from ${minimum} to ${maximum}` }))

const word = <const Word extends string>(words: readonly Word[], description = oneOf(words).expects) =>
  optional(Type.Unsafe<Word>({ type: 'string', enum: words, description }))

const entries = <Value>(value: object, description: string) =>
  optional(Type.Unsafe<Readonly<Record<string, Value>>>({
    type: 'object', additionalProperties: value, maxProperties: maxEntries, description
  }))

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/** Named unlike its type, so that the package exports a type only. */
const ruleSchema = Type.Object({
  /** Any method by default. */
  method: word<string>(methods, 'a method such as GET'),
  /** A path, or the beginning of a path followed by an asterisk. */
  path: Type.Readonly(Type.String({
    pattern: '^(?:\\*|/[^?#*]*\\*?)$', description: 'a path such as /api/v1/bikes/, or the beginning of paths such as /media/*'
  })),
  /** Parameters that the request must have. */
  query: entries<string>({ type: 'string' }, 'an object of strings such as {"page": "2"}'),
  /** Headers that the request must have: their values, or true for any. */
  when: entries<string | true>(
    { anyOf: [{ type: 'string' }, { const: true }] }, 'an object of headers such as {"x-test": "a"}, or true for any value'
  ),
  code: optional(Type.Unsafe<number>({
    type: 'integer', enum: Object.keys(codes).map(Number), description: oneOf(Object.keys(codes)).expects
  })),
  /** Seconds, with code 429 or 503. */
  retryAfter: integer(1, 3600),
  /** Milliseconds, or a string such as '100-2000'. */
  delay: optional(Type.Unsafe<number | string>({ type: ['integer', 'string'], description: milliseconds.expects })),
  example: word(keysOf(examples)),
  /** Alongside example random: the same records for the same seed. */
  seed: integer(0, 999_999),
  fault: word(keysOf(faults)),
  /** The number of requests to apply to; unlimited by default. */
  times: integer(1, 1_000_000),
  /** The share of requests to apply to; the server's seed selects them. */
  probability: optional(Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1, such as 0.1' })),
  /** Alongside a body; 200 by default. */
  status: integer(200, 599),
  contentType: optional(Type.String({ description: 'a media type in UTF-8 such as text/html; charset=utf-8' })),
  /** Headers that replace those of the response. */
  headers: entries<string>({ type: 'string' }, 'an object of strings such as {"deprecation": "true"}'),
  /** The body of the response: any JSON value, or a string with `contentType`. */
  body: Type.ReadonlyOptional(Type.Unknown())
}, { additionalProperties: false })

/** Simulates responses to requests without preferences. A rule with only a path lets requests pass. */
export type Rule = Static<typeof ruleSchema>

const properties: Readonly<Record<string, { readonly type?: unknown, readonly description?: string }>> = ruleSchema.properties

/** The most characters of a rule as JSON; parsing more would hold up other requests. */
export const maxRuleLength = 2 ** 19

/** Lists the invalid fields of a rule with their messages. */
export class RuleError extends SettingsError {
  readonly errors: Readonly<Record<string, string[]>>

  constructor (errors: Readonly<Record<string, string[]>>) {
    super(`invalid rule: ${Object.entries(errors).map(([field, texts]) => `${field}: ${texts.join(' ')}`).join(' ')}`)
    this.errors = errors
  }
}

/** Returns the field of a rule for a preference, which has the same values. */
export const fieldOf = (name: PreferenceName) => name === 'retry-after' ? 'retryAfter' : name

/** The fields of a rule that are preferences, too. */
export type Wanted = Pick<Rule, ReturnType<typeof fieldOf>>

/** Reads the value of a preference; undefined if it is invalid. */
export function readPreference (name: PreferenceName, text: string): unknown {
  const field = fieldOf(name)
  const value = isNumeric(field, text) ? Number(text) : text
  const isValid = errorsIn(ruleSchema.properties[field], value).length === 0 && (name !== 'delay' || isDelay(text))
  return isValid ? value : undefined
}

const isDelay = (value: unknown) => milliseconds.read(String(value)) !== undefined

/** Returns a rule without undefined fields, and with numbers for strings such as "503". @throws {RuleError} with every invalid field */
export function readRule (given: unknown): Rule {
  if (!isPlainObject(given)) throw ruleError('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  const rule: JsonObject = Object.fromEntries(Object.entries(given)
    .filter(([, value]) => value !== undefined).map(([field, value]) => [field, isNumeric(field, value) ? Number(value) : value]))
  const found = errorsIn(ruleSchema, rule)
  const more = new Set(found.filter(({ keyword }) => keyword === 'additionalProperties').slice(maxUnknown))
  const errors: Record<string, string[]> = Object.fromEntries(found.filter(error => !more.has(error))
    .map(error => [fieldOfError(error), [textOf(error)]]))
  if (more.size > 0) errors['non_field_errors'] = [`${more.size} more fields are unknown.`]
  for (const [field, errorsOf] of checks) {
    const texts = rule[field] === undefined || Object.hasOwn(errors, field) ? [] : errorsOf(rule)
    if (texts.length > 0) errors[field] = texts
  }
  if (Object.keys(errors).length > 0) throw new RuleError(errors)
  return rule as Rule
}

export const ruleError = (text: string) => new RuleError({ non_field_errors: [text] })

export const isField = (name: string): boolean => Object.hasOwn(properties, name)

const isNumeric = (field: string, value: unknown): boolean => typeof value === 'string' && /^\d*\.?\d+$/.test(value) &&
  isField(field) && ['integer', 'number'].includes(String(properties[field]?.type))

const fieldOfError = ({ params, instancePath }: ErrorObject): string =>
  String(params['missingProperty'] ?? params['additionalProperty'] ?? parts(instancePath)[0])

function textOf (error: ErrorObject): string {
  const field = fieldOfError(error)
  switch (error.keyword) {
    case 'required': return 'This field is required.'
    case 'additionalProperties': return `Unknown field. A rule has: ${Object.keys(properties).join(', ')}.`
    case 'maxProperties': return `Must have at most ${maxEntries} ${field === 'query' ? 'parameters' : 'headers'}.`
    default: return mustBe(field as keyof Rule)
  }
}

export const expects = (field: keyof Rule) => String(properties[field]?.description)

const mustBe = (field: keyof Rule) => `Must be ${expects(field)}.`

const isBodiless = ({ method, status }: JsonObject) => /^head$/i.test(String(method)) || status === 204 || status === 304

/** Matches a media type without another charset than UTF-8. */
const mediaType = /^[\w.+-]+\/[\w.+-]+(?!.*charset=(?!"?utf-8\b))[\x20-\x7e]*$/i

const check = (field: keyof Rule, isInvalid: (rule: JsonObject) => boolean, text = mustBe(field)) =>
  [field, (rule: JsonObject) => isInvalid(rule) ? [text] : []] as const

/** Errors that the schema can't express; most are fields without a clear effect, because of another field or its absence. */
const checks: readonly (readonly [field: keyof Rule, errorsOf: (rule: JsonObject) => string[]])[] = [
  ['path', ({ path }) => unreachable(String(path))],
  ['query', ({ query }) => preferenceNames.map(parameterOf).filter(name => Object.hasOwn(query as object, name))
    .map(name => `${name} is a preference; rules cannot match preferences.`)],
  ['headers', ({ headers }) => Object.entries(headers as Record<string, string>).flatMap(headerErrors)],
  check('delay', ({ delay }) => !isDelay(delay)),
  check('contentType', ({ contentType }) => !mediaType.test(String(contentType))),
  check('status', ({ body }) => body === undefined, 'Needs a body; did you mean code?'),
  check('contentType', ({ body }) => body === undefined, 'Needs a body.'),
  check('body', ({ body, contentType: type }) => type !== undefined && typeof body !== 'string', 'Must be a string alongside contentType.'),
  check('code', ({ body }) => body !== undefined, 'Cannot be combined with body.'),
  check('example', ({ body }) => body !== undefined, 'Cannot be combined with body.'),
  check('example', ({ path }) => String(path).startsWith('/media/'), 'Images have no examples.'),
  check('example', ({ method = 'GET' }) => !/^(?:get|head)$/i.test(String(method)), 'Only responses to GET and HEAD have examples.'),
  check('fault', rule => !/^(?:reset|empty)$/.test(String(rule['fault'])) && isBodiless(rule), 'The response has no body to break.'),
  check('seed', ({ example }) => example !== 'random', 'Needs example random.'),
  check('retryAfter', ({ code }) => code !== 429 && code !== 503, 'Needs code 429 or 503.')
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

/** Matches headers that concern the connection (RFC 9110, 7.6.1). */
const framing = /^(?:connection|content-length|date|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

function headerErrors ([name, text]: [string, string]): string[] {
  if (framing.test(name)) return [`${name} is set by the server.`]
  const { error } = attempt(() => {
    validateHeaderName(name)
    validateHeaderValue(name, text)
  })
  return error === undefined ? [] : [`${error.message}.`]
}
