import type { ErrorObject } from 'ajv'
import { shown } from './complaint.ts'

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Joins alternatives: `integer or null`. */
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

/** Says what would be right in place of the value of an ajv error. */
export function wording (error: ErrorObject): string {
  return wordings[error.keyword]?.(error) ?? String(error.message)
}
