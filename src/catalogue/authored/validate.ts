import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { below, label, brief, type DataError } from '../errors/error.ts'
import { errorAt, type Place } from '../errors/source.ts'
import { isTimestamp } from '../../base/timestamps.ts'

/** Validates by the schemas, which a test holds against their meta-schema, so that a start need not. */
export const ajv = new Ajv({ meta: false, validateSchema: false, allErrors: true, verbose: true, allowUnionTypes: true })
ajv.addFormat('date-time', isTimestamp)
ajv.addFormat('uri', text => text.startsWith('/media/') || /^https?:/.test(text))

/** Returns the errors of a value, with the places of its parts; for a file of another version only that error. */
export function validate (placeOf: PlaceOf, schema: TSchema, content: unknown): DataError[] {
  const all = errorsIn(schema, content).map(error => describe(placeOf, error))
  const otherVersion = all.find(({ pointer }) => pointer === '/version')
  return otherVersion === undefined ? all : [otherVersion]
}

/** Returns the errors of Ajv, each once: a pattern and a format with the same description are one error. */
export function errorsIn (schema: TSchema, content: unknown): ErrorObject[] {
  ajv.validate(schema, content)
  const errors = ajv.errors ?? []
  return errors.filter((error, index) => !isVague(error) && !isSameForm(error, errors[index - 1]))
}

/** Returns whether both errors say that a value does not have the form that its schema describes. */
function isSameForm (error: ErrorObject, previous: ErrorObject | undefined): boolean {
  return previous?.instancePath === error.instancePath && isOfForm(error) && isOfForm(previous)
}

const isOfForm = ({ keyword, parentSchema }: ErrorObject) =>
  ['format', 'pattern'].includes(keyword) && parentSchema?.['description'] !== undefined

/** Returns whether another error says more: the one of a constant, or of the object in a nullable schema. */
function isVague ({ keyword, params, parentSchema, schemaPath }: ErrorObject): boolean {
  if (keyword === 'anyOf') return true
  if (keyword === 'type' && parentSchema?.['const'] !== undefined) return true
  return params['type'] === 'null' && schemaPath.includes('/anyOf/1/')
}

/** Returns the place of the part of a value at a JSON Pointer. */
type PlaceOf = (pointer: string) => Place

export function describe (placeOf: PlaceOf, error: ErrorObject): DataError {
  const { instancePath: pointer, keyword: rule, params, data } = error
  switch (rule) {
    case 'required': {
      const name: string = params['missingProperty']
      const { source, pointer: missing } = placeOf(below(pointer, name))
      return errorAt({ source, pointer: missing.slice(0, -below('', name).length) }, rule, `must have the property ${name}`)
    }
    case 'additionalProperties':
      return errorAt(placeOf(below(pointer, params['additionalProperty'])), rule, 'is not a known property')
    case 'uniqueItems': {
      const [first, second] = [params['i'], params['j']].sort((a, b) => a - b)
      const must = `must differ from ${label(placeOf(below(pointer, first)).pointer)}`
      return errorAt(placeOf(below(pointer, second)), rule, must, (data as unknown[])[first])
    }
    default:
      return errorAt(placeOf(pointer), rule, requirementOf(error), data)
  }
}

/** The types of JSON with their articles. */
const nouns: Readonly<Record<string, string>> = {
  array: 'an array', boolean: 'a boolean', integer: 'an integer', number: 'a number', object: 'an object', string: 'a string', null: 'null'
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function form ({ schema, parentSchema }: ErrorObject): string {
  const { description } = parentSchema as { readonly description?: string }
  if (description !== undefined) return description.replace(/^[A-Z](?![A-Z])/, letter => letter.toLowerCase()) // UTC stays
  return schema === '^[-a-zA-Z0-9_]+$' ? 'letters, digits, hyphens and underscores' : `a string that matches ${String(schema)}`
}

const wordings: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ params }) => {
    const types = [params['type']].flat() as string[]
    return `must be ${either.format(types.map(type => nouns[type] as string))}`
  },
  const: ({ schema }) => `must be ${brief(schema)}`,
  enum: ({ schema }) => `must be ${either.format((schema as unknown[]).map(brief))}`,
  pattern: error => `must be ${form(error)}`,
  format: error => `must be ${form(error)}`,
  minimum: ({ schema }) => `must be at least ${String(schema)}`,
  maximum: ({ schema }) => `must be at most ${String(schema)}`,
  minItems: ({ schema }) => `must have at least ${String(schema)} items`,
  maxItems: ({ schema }) => `must have at most ${String(schema)} items`,
  minLength: () => 'must not be empty'
}

/** Returns the requirement behind an Ajv error, such as "must be an integer or null"; schemas allow null by `type`, not by alternatives. */
export function requirementOf (error: ErrorObject): string {
  const requirement = wordings[error.keyword]?.(error) ?? String(error.message)
  const isNullable = [error.parentSchema?.['type']].flat().includes('null')
  return error.keyword !== 'type' && isNullable ? `${requirement} or null` : requirement
}
