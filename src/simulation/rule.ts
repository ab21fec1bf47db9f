import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { closed } from '../../schemas/common.ts'
import { accessOf } from '../lists/resources.ts'
import { parameterOf, preferenceNames, type PreferenceName } from '../http/prefer.ts'
import { splitTarget } from '../http/target.ts'
import { SettingsError } from '../settings/flags.ts'
import { milliseconds, oneOf } from '../settings/kinds.ts'
import { examples } from './examples.ts'
import { codes, faultOf, faults, maxDelay } from './faults.ts'
import { pathAdvice } from './path-advice.ts'

/** The most parameters or headers of a rule, or steps of its sequence. */
const maxEntries = 100

/** The most characters of a media type. */
const maxTypeLength = 200

/** The most fields of a rule with an error, and the most errors of each. */
const maxErrors = 10

/** The most characters of a rule as JSON; parsing more would hold up other requests. */
export const maxRuleLength = 2 ** 19

/** Statuses without content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export const withoutContent: ReadonlySet<number | undefined> = new Set([204, 205, 304])

/** CONNECT is excluded, as its target is no path. */
const methods = METHODS.filter(method => method !== 'CONNECT').flatMap(method => [method, method.toLowerCase()])

/** A field that may be missing or undefined; its description follows "Must be". */
const optionalField = <Schema extends TSchema>(schema: Schema) =>
  Type.ReadonlyOptional(Type.Unsafe<Static<Schema> | undefined>(schema))

const integerField = (minimum: number, maximum: number) =>
  optionalField(Type.Integer({ minimum, maximum, description: `an integer from ${minimum} to ${maximum}` }))

function wordField <const Word extends string | number> (words: readonly Word[], description?: string) {
  const expected = description ?? oneOf(words.map(String)).expects
  return optionalField(Type.Unsafe<Word>({ enum: words, description: expected }))
}

function entriesField <Value> (value: object, example: string) {
  const description = `an object of at most ${maxEntries} values such as ${example}`
  const schema = { type: 'object', additionalProperties: value, maxProperties: maxEntries, description }
  return optionalField(Type.Unsafe<Readonly<Record<string, Value>>>(schema))
}

/** What a request must have: a value, true for any value, or null for none. */
export type Condition = string | number | true | null

const conditionsField = (example: string) => entriesField<Condition>(
  { type: ['string', 'number', 'boolean', 'null'], not: { const: false } },
  `${example}; true is any value, null is none`
)

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/**
 * A log-normal distribution of delays in milliseconds: half of them are shorter than the median, 99 % shorter than
 * `p99`.
 */
export type DelayDistribution = { readonly median: number, readonly p99: number }

/** What a rule, or a step of its sequence, does with a response. */
const effectFields = {
  code: wordField(namesOf(codes).map(Number)),
  /** Seconds, with code 429 or 503. */
  retryAfter: integerField(1, 3600),
  /** Milliseconds, a string such as '100-2000', or a distribution. */
  delay: optionalField(Type.Unsafe<number | string | DelayDistribution>({
    type: ['integer', 'string', 'object'],
    minimum: 0,
    maximum: maxDelay,
    format: 'delay',
    properties: { median: { type: 'integer', minimum: 1 }, p99: { type: 'integer', maximum: maxDelay } },
    required: ['median', 'p99'],
    additionalProperties: false,
    description: `${milliseconds.expects}, or {"median": 200, "p99": 2000}`
  })),
  example: wordField(namesOf(examples)),
  /** Alongside example random: the same records for the same seed. */
  seed: integerField(0, 999_999),
  fault: wordField(namesOf(faults)),
  /** Alongside fault drip: bytes a second. */
  rate: integerField(1, 1_000_000_000),
  /** Alongside a body; 200 by default. */
  status: integerField(200, 599),
  contentType: optionalField(Type.String({
    format: 'media-type', description: 'a media type in UTF-8 such as text/html; charset=utf-8'
  })),
  /** Headers that replace those of the response. */
  headers: entriesField<string>({ type: 'string' }, '{"deprecation": "true"}'),
  /** Changes every record: a JSON merge patch (RFC 7396). */
  patch: optionalField(Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object', description: 'an object such as {"title": null}'
  })),
  /** The body of the response: any JSON value, or a string with `contentType`. */
  body: Type.ReadonlyOptional(Type.Unknown())
}

export const effectNames = namesOf(effectFields)

/** Changes a response; an empty one lets the request pass. */
export type Effect = Static<TObject<typeof effectFields>>

/** Named unlike its type, so that the package exports a type only. */
const ruleSchema = Type.Object({
  /** Shown on the page and in the log. */
  name: optionalField(Type.String({
    minLength: 1, maxLength: 100, description: 'a string of 1 to 100 characters'
  })),
  /** Whether it applies to requests; true by default. */
  enabled: optionalField(Type.Boolean({ description: 'true or false' })),
  /** Any method by default. */
  method: wordField<string>(methods, 'a method such as GET'),
  /** A path, or the beginning of a path followed by an asterisk. */
  path: Type.Readonly(Type.String({
    pattern: '^(?:\\*|/[^?#*]*\\*?)$',
    description: 'a path such as /api/v1/bikes/, or the beginning of paths such as /media/*'
  })),
  /** Parameters that the request must have: their values, true for any value, or null for a missing one. */
  query: conditionsField('{"page": 2}'),
  /** Headers that the request must have: their values, true for any value, or null for a missing one. */
  when: conditionsField('{"x-test": "a"}'),
  ...effectFields,
  /** The number of requests to apply to; unlimited by default. */
  times: integerField(1, 1_000_000),
  /** The share of requests to apply to; the server's seed selects them. */
  probability: optionalField(Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1, such as 0.1' })),
  /** One effect for each of the next requests; after the last one, the rule is used up. */
  sequence: optionalField(Type.Unsafe<readonly Effect[]>(Type.Array(Type.Object({}), {
    minItems: 1,
    maxItems: maxEntries,
    description: `an array of 1 to ${maxEntries} steps such as [{"code": 503}, {}]`
  })))
}, closed)

/** Simulates responses to requests without preferences. A rule with only a path lets requests pass. */
export type Rule = Static<typeof ruleSchema>

const ruleFields: Readonly<Record<string, { description?: string }>> = ruleSchema.properties

const stepSchema = Type.Object(effectFields, closed)

const ajv = new Ajv({
  meta: false,
  validateSchema: false,
  allErrors: true,
  allowUnionTypes: true,
  formats: { delay: text => milliseconds.read(text) !== undefined, 'media-type': isMediaType }
})

/** Returns whether a string is a media type, such as `text/html; charset=utf-8`; not with another charset. */
function isMediaType (text: string): boolean {
  return text.length <= maxTypeLength && /^[\w.+-]+\/[\w.+-]+(?!.*charset=(?!"?utf-8\b))[\x20-\x7e]*$/i.test(text)
}

/** Lists the invalid fields of a rule with their messages. */
export class RuleError extends SettingsError {
  readonly errors: Readonly<Record<string, string[]>>

  constructor (errors: RuleError['errors']) {
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
  const isNumber = name !== 'delay' && /^\d{1,9}$/.test(text)
  const value = isNumber ? Number(text) : text
  return ajv.validate(ruleSchema.properties[ruleFieldOf(name)], value) ? value : undefined
}

/** Returns what a preference must be. */
export function preferenceExpects (name: PreferenceName): string {
  return name === 'delay' ? milliseconds.expects : String(ruleFields[ruleFieldOf(name)]?.description)
}

/** Fields of a rule as a server returns it, which are ignored in a rule that is added. */
const stateFields: ReadonlySet<string> = new Set(['id', 'used'])

/** Returns a rule without read-only fields. @throws {RuleError} with every invalid field */
export function readRule (given: unknown): Rule {
  if (!isPlainObject(given)) throw ruleError('Must be an object such as {"path": "/api/v1/bikes/", "code": 503}.')
  const rule = Object.fromEntries(Object.entries(given).filter(([name]) => !stateFields.has(name)))
  const errors = new Map<string, Set<string>>()
  for (const [field, text] of fieldErrors(rule, ruleSchema)) {
    const texts = errors.get(field) ?? new Set()
    if (errors.size < maxErrors && texts.size < maxErrors) errors.set(field, texts.add(text))
    else if (!texts.has(text)) errors.set('non_field_errors', new Set(['There are more errors.']))
  }
  if (errors.size === 0) return rule as Rule
  throw new RuleError(Object.fromEntries([...errors].map(([field, texts]) => [field, [...texts]])))
}

type FieldError = readonly [field: string, text: string]

/** Returns the errors of a rule, or of a step of one: those of its schema, and those of `checks` for valid fields. */
function fieldErrors (fields: JsonObject, schema: TObject, whole: PartialRule = {}): FieldError[] {
  ajv.validate(schema, fields)
  const errors = (ajv.errors ?? []).map(({ instancePath, params }): FieldError => {
    const [, field = ''] = instancePath.split('/')
    if (field !== '') return [field, mustBe(field)]
    const { missingProperty, additionalProperty } = params as Record<string, string>
    if (missingProperty !== undefined) return [missingProperty, 'This field is required.']
    return [String(additionalProperty), `Unknown field. The fields are: ${Object.keys(schema.properties).join(', ')}.`]
  })
  const invalid = new Set(errors.map(([field]) => field))
  const valid: PartialRule = Object.fromEntries(Object.entries(fields).filter(([field]) => !invalid.has(field)))
  for (const [field, check] of checks) {
    if (valid[field] === undefined) continue
    for (const text of [check({ ...whole, ...valid }) || []].flat()) errors.push([field, text])
  }
  const { method, path, sequence = [] } = valid
  for (const [index, step] of sequence.entries()) {
    for (const [field, text] of fieldErrors(step, stepSchema, { method, path })) {
      errors.push(['sequence', `Step ${index + 1}: ${field}: ${text}`])
    }
  }
  return errors
}

const mustBe = (field: string) => `Must be ${ruleFields[field]?.description}.`

type PartialRule = { readonly [Field in keyof Rule]?: Rule[Field] | undefined }

/** Returns the errors of a field that is set, if it has any. */
type Check = readonly [field: keyof Rule, check: (rule: PartialRule) => string | readonly string[] | false | undefined]

const needsRecords = (field: 'example' | 'patch'): readonly Check[] => [
  [field, ({ body }) => body !== undefined && 'Cannot be combined with body.'],
  [field, ({ path = '' }) => path.startsWith('/media/') && 'Images have no records.'],
  [field, ({ method = 'GET' }) => !/^(?:get|head)$/i.test(method) && 'Only responses to GET and HEAD have records.']
]

/** What the schema can't express: mostly fields without a clear effect, because of another field or its absence. */
const checks: readonly Check[] = [
  ['path', ({ path = '' }) => {
    const isReachable = [...accessOf.keys(), '/media/'].some(known => matchesPath(path, known))
    return !isReachable && !path.startsWith('/media/') && `Applies to no request: ${pathAdvice(path)}`
  }],
  ['query', ({ query = {} }) => preferenceNames.map(parameterOf).filter(name => Object.hasOwn(query, name))
    .map(name => `${name} is a preference; rules cannot match preferences.`)],
  ['headers', ({ headers = {} }) => Object.entries(headers).flatMap(headerErrors)],
  ...effectNames.map((field): Check => [
    field, ({ sequence }) => sequence && 'Cannot be combined with sequence; put it into a step.'
  ]),
  ['times', ({ sequence }) => sequence && 'Cannot be combined with sequence, which has a step for each request.'],
  ['delay', ({ delay }) => typeof delay === 'object' && delay.median > delay.p99 && mustBe('delay')],
  ['status', ({ body }) => body === undefined && 'Needs a body; did you mean code?'],
  ['contentType', ({ body }) => body === undefined && 'Needs a body.'],
  ['body', ({ body, contentType }) =>
    contentType !== undefined && typeof body !== 'string' && 'Must be a string alongside contentType.'],
  ['code', ({ body }) => body !== undefined && 'Cannot be combined with body.'],
  ...needsRecords('example'),
  ...needsRecords('patch'),
  ['patch', ({ code }) => code !== undefined && 'Cannot be combined with code.'],
  ['fault', ({ fault, method = 'GET', status }) => {
    const isBodiless = method.toUpperCase() === 'HEAD' || withoutContent.has(status)
    return isBodiless && faultOf(fault).breakBody !== undefined && 'The response has no body to break.'
  }],
  ['rate', ({ fault }) => faultOf(fault).duration === undefined && 'Needs fault drip.'],
  ['rate', ({ delay }) => delay !== undefined && 'Cannot be combined with delay.'],
  ['seed', ({ example }) => example !== 'random' && 'Needs example random.'],
  ['retryAfter', ({ code }) => code !== 429 && code !== 503 && 'Needs code 429 or 503.']
]

/** Returns whether a path is that of a rule: the same one, or one that begins so. */
export function matchesPath (pattern: string, requested: string): boolean {
  const start = pattern.replace(/\*$/, '')
  const path = splitTarget(start).path ?? start
  return start === pattern ? requested === path : requested.startsWith(path)
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
