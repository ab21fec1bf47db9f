import type { TSchema } from '@sinclair/typebox'
import type { Selection } from '../lists/selection.ts'
import { randomLists, type Parts } from './random.ts'

export type Example = {
  means: string
  /** Replaces the records of a list; invalid questions still throw. */
  select: (list: Selection, seed?: number) => Selection
}

/** The lists that replace those of the catalogue. */
export const examples = {
  empty: { means: 'the list without records', select: list => first(list, 0) },
  one: { means: 'the list with its first record', select: list => first(list, 1) },
  odd: {
    means: 'the list with one record whose fields are null, empty or the least valid number',
    select: list => ({
      ...list,
      positionsOf: question => list.positionsOf(question) && [0],
      recordAt: resource => leastOf(list.schemaOf(resource)) as object
    })
  },
  random: {
    means: 'a list of random records: null, empty, long and right-to-left, valid all the same',
    select: (list, seed) => randomLists(list, seed)
  }
} satisfies Record<string, Example>

function first (list: Selection, most: number): Selection {
  return { ...list, positionsOf: question => list.positionsOf(question).slice(0, most) }
}

/** Texts for a field, which takes the first valid one. */
const texts = ['', '-', '0.00', '1970-01-01T00:00:00Z']

/** A picture that does not exist; the list adds the origin of the request. */
const missingPicture = '/media/missing.jpg'

/** Returns the least value of a schema; a boolean is true, because featured bikes have no other. */
export function leastOf (schema: TSchema): unknown {
  const { type, anyOf, properties, format, pattern = '', minLength = 0, minimum = 0, enum: words } = schema as Parts
  if (anyOf !== undefined || type === 'null' || Array.isArray(type)) return null
  if ('const' in schema) return schema['const']
  if (words !== undefined) return words[0]
  if (type === 'array') return []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return minimum
  if (type === 'object') return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, leastOf(field)]))
  if (format === 'uri') return missingPicture
  return texts.find(text => text.length >= minLength && new RegExp(pattern).test(text))
}
