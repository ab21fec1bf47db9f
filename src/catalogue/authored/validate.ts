import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { valueAt } from '../../base/json.ts'
import { below, label, brief, type DataError } from '../errors/error.ts'
import { errorAt, type DataPlace, type Source } from '../errors/source.ts'
import { dataAjv } from './ajv.ts'

/** Returns the errors of the content of a file; for a file of another version only that error. */
export function validate (source: Source, schema: TSchema, content: unknown): DataError[] {
  const errors: DataError[] = []
  for (const schemaError of ajvErrors(schema, content)) {
    const error = describeError(pointer => ({ source, pointer }), schemaError)
    if (error.pointer === '/version') return [error]
    errors.push(error)
  }
  return errors
}

/** Returns the errors of Ajv, each once: a pattern and a format with the same description are one error. */
export function ajvErrors (schema: TSchema, content: unknown): ErrorObject[] {
  dataAjv.validate(schema, content)
  const errors = dataAjv.errors ?? []
  return errors.filter((error, index) => {
    const previous = errors[index - 1]
    const isOfSameValue = previous?.instancePath === error.instancePath
    const isSameForm = isOfSameValue && isOfForm(error) && isOfForm(previous)
    return !isVague(error) && !isSameForm
  })
}

/** Returns whether an error says that a value does not have the form that its schema describes. */
const isOfForm = ({ keyword, parentSchema }: ErrorObject) =>
  ['format', 'pattern'].includes(keyword) && parentSchema?.['description'] !== undefined

/** Returns whether another error says more: the one of a constant, or of the object in a nullable schema. */
function isVague ({ keyword, params, parentSchema, schemaPath }: ErrorObject): boolean {
  if (keyword === 'anyOf') return true
  if (keyword === 'type' && parentSchema?.['const'] !== undefined) return true
  return params['type'] === 'null' && schemaPath.includes('/anyOf/1/')
}

/**
 * Returns an error of Ajv in our words, at the place of the part of a value at a JSON Pointer; a missing property is
 * one of the object that lacks it.
 */
export function describeError (placeOf: (pointer: string) => DataPlace, error: ErrorObject): DataError {
  const { instancePath: pointer, keyword: rule, params, data } = error
  switch (rule) {
    case 'required': {
      const name: string = params['missingProperty']
      const { source, pointer: missing } = placeOf(below(pointer, name))
      const object = missing.slice(0, -below('', name).length)
      return errorAt({ source, pointer: object }, rule, `must have the property ${name}`)
    }
    case 'additionalProperties':
      return errorAt(placeOf(below(pointer, params['additionalProperty'])), rule, 'is not a known property')
    case 'uniqueItems': {
      const first: number = Math.min(params['i'], params['j'])
      const second: number = Math.max(params['i'], params['j'])
      const other = placeOf(below(pointer, first))
      const must = `must differ from ${label(other.pointer)}`
      return errorAt(placeOf(below(pointer, second)), rule, must, valueAt(data, [String(first)]))
    }
    default:
      return errorAt(placeOf(pointer), rule, requirementOf(error), data)
  }
}

/** The types of JSON with their articles. */
const nouns: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
  null: 'null'
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Describes the form of a string by the description of its schema, if it has one. */
function describedForm ({ schema, parentSchema }: ErrorObject): string {
  const { description } = parentSchema as { readonly description?: string }
  const capital = /^[A-Z](?![A-Z])/ // not that of UTC
  if (description !== undefined) return description.replace(capital, letter => letter.toLowerCase())
  if (schema === '^[-a-zA-Z0-9_]+$') return 'letters, digits, hyphens and underscores'
  return `a string that matches ${String(schema)}`
}

const wordings: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ params }) => {
    const types = [params['type']].flat() as string[]
    return `must be ${either.format(types.map(type => nouns[type] as string))}`
  },
  const: ({ schema }) => `must be ${brief(schema)}`,
  enum: ({ schema }) => `must be ${either.format((schema as unknown[]).map(brief))}`,
  pattern: error => `must be ${describedForm(error)}`,
  format: error => `must be ${describedForm(error)}`,
  minimum: ({ schema }) => `must be at least ${String(schema)}`,
  maximum: ({ schema }) => `must be at most ${String(schema)}`,
  minItems: ({ schema }) => `must have at least ${String(schema)} items`,
  maxItems: ({ schema }) => `must have at most ${String(schema)} items`,
  minLength: () => 'must not be empty'
}

/** Returns the requirement behind an Ajv error: "must be an integer or null", where a schema has two types. */
export function requirementOf (error: ErrorObject): string {
  const requirement = wordings[error.keyword]?.(error) ?? String(error.message)
  const isNullable = [error.parentSchema?.['type']].flat().includes('null')
  return error.keyword !== 'type' && isNullable ? `${requirement} or null` : requirement
}
