import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { ajvErrors } from '../catalogue/authored/validate.ts'
import { parts } from '../catalogue/errors/error.ts'
import { resources } from '../lists/resources.ts'
import { parameterOf, preferenceNames, type PreferenceName } from '../http/prefer.ts'
import { nearest, SettingsError } from '../settings/flags.ts'
import { milliseconds, oneOf } from '../settings/kinds.ts'
import { examples } from './examples.ts'
import { codes, faults, isCut, maxDelay } from './faults.ts'

/** The most parameters or headers of a rule, or steps of its sequence. */
const maxEntries = 100

/** The most characters of a number that is a string, and of a media type. */
const maxNumberLength = 20
const maxTypeLength = 200

/** The most unknown fields of a rule with an error of their own. */
const maxUnknown = 10

/** CONNECT is excluded, as its target is no path. */
const methods = METHODS.filter(method => method !== 'CONNECT').flatMap(method => [method, method.toLowerCase()])

/** A field that may be missing or undefined; its description follows "Must be". */
const optionalField = <Schema extends TSchema>(schema: Schema) =>
  Type.ReadonlyOptional(Type.Unsafe<Static<Schema> | undefined>(schema))

const integerField = (minimum: number, maximum: number) =>
  optionalField(Type.Integer({ minimum, maximum, description: `an integer from ${minimum} to ${maximum}` }))

function wordField <const Word extends string> (words: readonly Word[], description = oneOf(words).expects) {
  return optionalField(Type.Unsafe<Word>({ type: 'string', enum: words, description }))
}

function entriesField <Value> (value: object, description: string) {
  const schema = {
    type: 'object',
    additionalProperties: value,
    maxProperties: maxEntries,
    description
  }
  return optionalField(Type.Unsafe<Readonly<Record<string, Value>>>(schema))
}

function codeField () {
  const values = Object.keys(codes)
  const schema = { type: 'integer', enum: values.map(Number), description: oneOf(values).expects }
  return optionalField(Type.Unsafe<number>(schema))
}

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/**
 * A log-normal distribution of delays in milliseconds: half of them are shorter than the median, 99 % shorter than
 * `p99`.
 */
export type DelayDistribution = { readonly median: number, readonly p99: number }

const delayDescription = `${milliseconds.expects}, or {"median": 200, "p99": 2000}`

/** What a rule, or a step of its sequence, does with a response. */
const effectFields = {
  code: codeField(),
  /** Seconds, with code 429 or 503. */
  retryAfter: integerField(1, 3600),
  /** Milliseconds, a string such as '100-2000', or a distribution. */
  delay: optionalField(Type.Unsafe<number | string | DelayDistribution>({
    type: ['integer', 'string', 'object'], description: delayDescription
  })),
  example: wordField(namesOf(examples)),
  /** Alongside example random: the same records for the same seed. */
  seed: integerField(0, 999_999),
  fault: wordField(namesOf(faults)),
  /** Alongside fault drip: bytes a second. */
  rate: integerField(1, 1_000_000_000),
  /** Alongside a body; 200 by default. */
  status: integerField(200, 599),
  contentType: optionalField(Type.String({ description: 'a media type in UTF-8 such as text/html; charset=utf-8' })),
  /** Headers that replace those of the response. */
  headers: entriesField<string>({ type: 'string' }, 'an object of strings such as {"deprecation": "true"}'),
  /** The body of the response: any JSON value, or a string with `contentType`. */
  body: Type.ReadonlyOptional(Type.Unknown())
}

const effectNames = namesOf(effectFields)

/** Changes a response; an empty one lets the request pass. */
export type Effect = Static<TObject<typeof effectFields>>

/** Named unlike its type, so that the package exports a type only. */
const ruleSchema = Type.Object({
  /** Any method by default. */
  method: wordField<string>(methods, 'a method such as GET'),
  /** A path, or the beginning of a path followed by an asterisk. */
  path: Type.Readonly(Type.String({
    pattern: '^(?:\\*|/[^?#*]*\\*?)$',
    description: 'a path such as /api/v1/bikes/, or the beginning of paths such as /media/*'
  })),
  /** Parameters that the request must have. */
  query: entriesField<string>({ type: 'string' }, 'an object of strings such as {"page": "2"}'),
  /** Headers that the request must have: their values, or true for any. */
  when: entriesField<string | true>(
    { anyOf: [{ type: 'string' }, { const: true }] },
    'an object of headers such as {"x-test": "a"}, or true for any value'
  ),
  ...effectFields,
  /** The number of requests to apply to; unlimited by default. */
  times: integerField(1, 1_000_000),
  /** The share of requests to apply to; the server's seed selects them. */
  probability: optionalField(Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1, such as 0.1' })),
  /** One effect for each of the next requests; after the last one, the rule is used up. */
  sequence: optionalField(Type.Unsafe<readonly Effect[]>({
    type: 'array', minItems: 1, maxItems: maxEntries, items: { type: 'object' },
    description: `an array of 1 to ${maxEntries} steps such as [{"code": 503}, {}]`
  }))
}, { additionalProperties: false })

/** Simulates responses to requests without preferences. A rule with only a path lets requests pass. */
export type Rule = Static<typeof ruleSchema>

type FieldSchema = { readonly type?: unknown, readonly description?: string }

const ruleFields: Readonly<Record<string, FieldSchema>> = ruleSchema.properties

/** Fields of a rule as a server returns it, which are ignored in a rule that is added. */
const stateFields: ReadonlySet<string> = new Set(['id', 'used'])

/** The most characters of a rule as JSON; parsing more would hold up other requests. */
export const maxRuleLength = 2 ** 19

type FieldErrors = Readonly<Record<string, string[]>>

/** Lists the invalid fields of a rule with their messages. */
export class RuleError extends SettingsError {
  readonly errors: FieldErrors

  constructor (errors: FieldErrors) {
    const texts = Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    super(`invalid rule: ${texts.join(' ')}`)
    this.errors = errors
  }
}

/** Returns an error that concerns a rule as a whole. */
export const ruleError = (text: string) => new RuleError({ non_field_errors: [text] })

/** Returns the field of a rule for a preference, which has the same values. */
export const ruleFieldOf = (name: PreferenceName) => name === 'retry-after' ? 'retryAfter' : name

/** The fields of a rule that are preferences, too. */
export type PreferredEffect = Pick<Effect, ReturnType<typeof ruleFieldOf>>

/** Reads the value of a preference; undefined if it is invalid. */
export function readPreference (name: PreferenceName, text: string): unknown {
  const field = ruleFieldOf(name)
  const value = isNumeric(field, text) ? Number(text) : text
  const isValid = ajvErrors(ruleSchema.properties[field], value).length === 0 && (name !== 'delay' || isDelay(text))
  return isValid ? value : undefined
}

/** Returns what a preference must be. */
export function preferenceExpects (name: PreferenceName): string {
  return name === 'delay' ? milliseconds.expects : descriptionOf(ruleFieldOf(name))
}

/**
 * Returns a rule without undefined and read-only fields, and with numbers for strings such as "503".
 *
 * @throws {RuleError} with every invalid field
 */
export function readRule (given: unknown): Rule {
  if (!isPlainObject(given)) throw ruleError('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  const rule = withNumbers(given, stateFields)
  const errors = fieldErrors(rule)
  if (errors.size > 0) throw new RuleError(Object.fromEntries(errors))
  return rule as Rule
}

function withNumbers (given: JsonObject, ignored: ReadonlySet<string> = new Set()): JsonObject {
  const fields: [name: string, value: unknown][] = []
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !ignored.has(name)) fields.push([name, withNumber(name, value)])
  }
  return Object.fromEntries(fields)
}

function withNumber (field: string, value: unknown): unknown {
  if (field === 'sequence' && Array.isArray(value)) {
    return value.map((step: unknown) => isPlainObject(step) ? withNumbers(step) : step)
  }
  return isNumeric(field, value) ? Number(value) : value
}

export const isRuleField = (name: string): boolean => Object.hasOwn(ruleFields, name)

function isNumeric (field: string, value: unknown): boolean {
  if (typeof value !== 'string' || !isRuleField(field)) return false
  const isNumber = ['integer', 'number'].includes(String(ruleFields[field]?.type))
  return isNumber && value.length <= maxNumberLength && /^(?:\d+|\d*\.\d+)$/.test(value)
}

function isDelay (value: unknown): boolean {
  return isPlainObject(value) ? isDistribution(value) : milliseconds.read(String(value)) !== undefined
}

function isDistribution ({ median, p99, ...others }: JsonObject): boolean {
  const isComplete = Number.isInteger(median) && Number.isInteger(p99)
  if (!isComplete || Object.keys(others).length > 0) return false
  const isOrdered = Number(median) <= Number(p99)
  return isOrdered && Number(median) >= 1 && Number(p99) <= maxDelay
}

/** Returns the errors of a rule by field. */
function fieldErrors (rule: JsonObject): Map<string, string[]> {
  const errors = schemaErrors(rule)
  for (const [field, errorsOf] of ruleChecks) {
    if (rule[field] === undefined || errors.has(field)) continue
    const texts = errorsOf(rule)
    if (texts.length > 0) errors.set(field, texts)
  }
  return errors
}

function schemaErrors (rule: JsonObject): Map<string, string[]> {
  const errors = new Map<string, string[]>()
  let unknown = 0
  for (const error of ajvErrors(ruleSchema, rule)) {
    if (error.keyword === 'additionalProperties') unknown++
    const isOmitted = error.keyword === 'additionalProperties' && unknown > maxUnknown
    if (!isOmitted) errors.set(fieldOfError(error), [messageOf(error)])
  }
  if (unknown > maxUnknown) errors.set('non_field_errors', [`${unknown - maxUnknown} more fields are unknown.`])
  return errors
}

const fieldOfError = ({ params, instancePath }: ErrorObject): string =>
  String(params['missingProperty'] ?? params['additionalProperty'] ?? parts(instancePath)[0])

function messageOf (error: ErrorObject): string {
  const field = fieldOfError(error)
  switch (error.keyword) {
    case 'required': return 'This field is required.'
    case 'additionalProperties': return `Unknown field. A rule has: ${Object.keys(ruleFields).join(', ')}.`
    case 'maxProperties': return `Must have at most ${maxEntries} ${field === 'query' ? 'parameters' : 'headers'}.`
    default: return mustBe(field as keyof Rule)
  }
}

const descriptionOf = (field: keyof Rule) => String(ruleFields[field]?.description)

const mustBe = (field: keyof Rule) => `Must be ${descriptionOf(field)}.`

const methodOf = ({ method = 'GET' }: JsonObject) => String(method).toUpperCase()

const isBodiless = (rule: JsonObject) => methodOf(rule) === 'HEAD' || rule['status'] === 204 || rule['status'] === 304

/** Returns whether a string is a media type, such as `text/html; charset=utf-8`; not with another charset. */
function isMediaType (value: unknown): boolean {
  const text = String(value)
  return text.length <= maxTypeLength && /^[\w.+-]+\/[\w.+-]+(?!.*charset=(?!"?utf-8\b))[\x20-\x7e]*$/i.test(text)
}

type RuleCheck = readonly [field: keyof Rule, errorsOf: (rule: JsonObject) => string[]]

function ruleCheck (field: keyof Rule, text: string, isInvalid: (rule: JsonObject) => boolean): RuleCheck {
  return [field, rule => isInvalid(rule) ? [text] : []]
}

const hasSequence = ({ sequence }: JsonObject) => sequence !== undefined

const hasBody = ({ body }: JsonObject) => body !== undefined

const needsText = ({ body, contentType }: JsonObject) => contentType !== undefined && typeof body !== 'string'

const isUnsafe = (rule: JsonObject) => !['GET', 'HEAD'].includes(methodOf(rule))

const ofStep = 'Cannot be combined with sequence; put it into a step.'

/**
 * Errors that the schema can't express; most are fields without a clear effect, because of another field or its
 * absence.
 */
const ruleChecks: readonly RuleCheck[] = [
  ['path', ({ path }) => unreachable(String(path))],
  ['query', ({ query }) => preferencesIn(query as object)],
  ['headers', ({ headers }) => Object.entries(headers as Record<string, string>).flatMap(headerErrors)],
  ['sequence', sequenceErrors],
  ...effectNames.map(field => ruleCheck(field, ofStep, hasSequence)),
  ruleCheck('times', 'Cannot be combined with sequence, which has a step for each request.', hasSequence),
  ruleCheck('delay', mustBe('delay'), ({ delay }) => !isDelay(delay)),
  ruleCheck('contentType', mustBe('contentType'), ({ contentType }) => !isMediaType(contentType)),
  ruleCheck('status', 'Needs a body; did you mean code?', rule => !hasBody(rule)),
  ruleCheck('contentType', 'Needs a body.', rule => !hasBody(rule)),
  ruleCheck('body', 'Must be a string alongside contentType.', needsText),
  ruleCheck('code', 'Cannot be combined with body.', hasBody),
  ruleCheck('example', 'Cannot be combined with body.', hasBody),
  ruleCheck('example', 'Images have no examples.', ({ path }) => String(path).startsWith('/media/')),
  ruleCheck('example', 'Only responses to GET and HEAD have examples.', isUnsafe),
  ruleCheck('fault', 'The response has no body to break.', rule => !isCut(rule['fault']) && isBodiless(rule)),
  ruleCheck('rate', 'Needs fault drip.', ({ fault }) => fault !== 'drip'),
  ruleCheck('rate', 'Cannot be combined with delay.', ({ delay }) => delay !== undefined),
  ruleCheck('seed', 'Needs example random.', ({ example }) => example !== 'random'),
  ruleCheck('retryAfter', 'Needs code 429 or 503.', ({ code }) => code !== 429 && code !== 503)
]

/** Returns the errors of the first invalid step. */
function sequenceErrors ({ sequence, method, path }: JsonObject): string[] {
  for (const [index, step] of (sequence as readonly JsonObject[]).entries()) {
    const errors = stepErrors({ method, path, ...step }, Object.keys(step))
    if (errors.length > 0) return errors.map(error => `Step ${index + 1}: ${error}`)
  }
  return []
}

function stepErrors (step: JsonObject, fields: readonly string[]): string[] {
  const foreign = fields.find(field => !Object.hasOwn(effectFields, field))
  if (foreign !== undefined) return [`${foreign}: Unknown field. A step has: ${effectNames.join(', ')}.`]
  const messages: string[] = []
  const errors = fieldErrors(step)
  for (const field of fields) {
    const texts = errors.get(field)
    if (texts !== undefined) messages.push(`${field}: ${texts.join(' ')}`)
  }
  return messages
}

/** Returns an error for each preference among the parameters that a rule matches. */
function preferencesIn (query: object): string[] {
  const names = preferenceNames.map(parameterOf).filter(name => Object.hasOwn(query, name))
  return names.map(name => `${name} is a preference; rules cannot match preferences.`)
}

/** Returns the error for a path without a list or image. */
function unreachable (path: string): string[] {
  const lists = resources.map(({ path }) => path)
  const paths = [...lists, '/media/']
  const start = path.replace(/\*$/, '')
  const isListed = start === path ? paths.includes(path) : paths.some(listed => listed.startsWith(start))
  if (isListed || start.startsWith('/media/')) return []
  const isBelowPublicUrl = (listed: string) => start.includes(listed)
  const near = nearest(start, paths) ?? paths.findLast(isBelowPublicUrl)
  const hint = near === undefined ? `. The lists are ${lists.join(', ')}.` : `; did you mean ${near}?`
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
