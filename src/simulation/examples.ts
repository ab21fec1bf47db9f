import type { TSchema } from '@sinclair/typebox'
import type { Selection } from '../lists/selection.ts'
import { oneOf } from '../settings/kinds.ts'

type Example = {
  means: string
  /** Makes of what a list has what the example has in its place; a question that cannot be answered still is refused. */
  select: (list: Selection) => Selection
}

/** The lists that can be asked for in place of those of the catalogue. */
export const examples = {
  empty: { means: 'the list without records', select: list => first(list, 0) },
  one: { means: 'the list with its first record', select: list => first(list, 1) },
  odd: {
    means: 'the list with one record in which all is null, empty or the least number that may be',
    select: list => ({
      ...list,
      positionsOf: asked => {
        list.positionsOf(asked)
        return Uint32Array.of(0)
      },
      countOf: () => 1,
      recordAt: ({ record }) => leastOf(record) as object
    })
  }
} satisfies Record<string, Example>

export type ExampleName = keyof typeof examples

export const exampleNames = Object.keys(examples) as ExampleName[]

export const example = oneOf(exampleNames)

function first (list: Selection, most: number): Selection {
  return {
    ...list,
    positionsOf: asked => list.positionsOf(asked).subarray(0, most),
    countOf: resource => Math.min(most, list.countOf(resource))
  }
}

/** What stands for a text that may not be empty: the first that its schema takes. */
const texts = ['', '-', '0.00', '1970-01-01T00:00:00Z']

/** A picture that is not there; addresses begin with the origin of the request. */
const missingPicture = '/media/missing.jpg'

type Parts = TSchema & {
  type?: string | string[]
  anyOf?: TSchema[]
  properties?: Record<string, TSchema>
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  enum?: unknown[]
}

/** The value of a schema that a client is least prepared for; a boolean is true, so that it may stand among the featured bikes. */
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
