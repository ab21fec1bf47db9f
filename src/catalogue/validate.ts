import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { below, complain, complainOf, label, shown, type Complaint } from './fault.ts'
import { isTimestamp } from './timestamps.ts'

const ajv = new Ajv({ meta: false, validateSchema: false, allErrors: true, verbose: true }).addFormat('date-time', isTimestamp)

/** What is wrong with the content of a data file; a file of another version gets that one complaint. */
export function validate (schema: TSchema, content: unknown): Complaint[] {
  ajv.validate(schema, content)
  const complaints = explain(ajv.errors ?? [])
  const otherVersion = complaints.find(({ pointer }) => pointer === '/version')
  return otherVersion === undefined ? complaints : [otherVersion]
}

function repetition (pointer: string, items: readonly unknown[], first: number, second: number): Complaint {
  const original = below(pointer, Math.min(first, second))
  return complainOf(below(pointer, Math.max(first, second)), 'uniqueItems', `must differ from ${label(original)}`, items[first])
}

const isNullable = ({ parentSchema }: ErrorObject) => [parentSchema?.['type']].flat().includes('null')

function complaint (error: ErrorObject): Complaint {
  const { instancePath: pointer, keyword: rule, params, data } = error
  switch (rule) {
    case 'required':
      return complain(pointer, rule, `must have the property ${params['missingProperty']}`)
    case 'additionalProperties':
      return { ...complain(below(pointer, params['additionalProperty']), rule, 'is not a known property'), atName: true }
    case 'uniqueItems':
      return repetition(pointer, data as unknown[], params['i'], params['j'])
    default:
      return complainOf(pointer, rule, `${wording(error)}${rule !== 'type' && isNullable(error) ? ' or null' : ''}`, data)
  }
}

const isSaidByConst = ({ keyword, parentSchema }: ErrorObject) => keyword === 'type' && parentSchema?.['const'] !== undefined

/**
 * Turns the errors of ajv (all of them, verbose) into complaints that say what would be right, one for each cause. The data
 * files' schemas have no alternatives: what may be null says so in its `type`.
 */
function explain (errors: readonly ErrorObject[]): Complaint[] {
  const all = errors.filter(error => !isSaidByConst(error)).map(complaint)
  // A pattern and a format that say the same in words are one complaint.
  return all.filter(({ pointer, message }, index) => pointer !== all[index - 1]?.pointer || message !== all[index - 1]?.message)
}

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const either = (alternatives: readonly string[]) => list.format(alternatives)

/** The wanted form of a text whose schema has no description. */
const forms: Readonly<Record<string, string>> = {
  '^[-a-zA-Z0-9_]+$': 'letters, digits, hyphens and underscores'
}

function form ({ keyword, schema, parentSchema }: ErrorObject): string {
  const { description } = parentSchema as { readonly description?: string }
  if (description !== undefined) return description.replace(/^[A-Z](?![A-Z])/, letter => letter.toLowerCase())
  return forms[String(schema)] ?? `text that matches ${String(schema)}`
}

const wordings: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ params }) => `must be ${either([params['type']].flat() as string[])}`,
  const: ({ schema }) => `must be ${shown(schema)}`,
  enum: ({ schema }) => `must be ${either((schema as unknown[]).map(shown))}`,
  pattern: error => `must be ${form(error)}`,
  format: error => `must be ${form(error)}`,
  minimum: ({ schema }) => `must be at least ${String(schema)}`,
  maximum: ({ schema }) => `must be at most ${String(schema)}`,
  minItems: ({ schema }) => `must have at least ${String(schema)} items`,
  maxItems: ({ schema }) => `must have at most ${String(schema)} items`,
  minLength: () => 'must not be empty'
}

/** What would be right in place of the value of an ajv error. */
function wording (error: ErrorObject): string {
  return wordings[error.keyword]?.(error) ?? String(error.message)
}
