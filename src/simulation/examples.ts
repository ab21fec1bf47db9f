import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Keywords } from '../../schemas/common.ts'
import type { Resource } from '../lists/resources.ts'
import type { ListReader } from '../lists/reader.ts'
import { createRandom, pick, type Random } from '../base/random.ts'

export type Example = {
  means: string
  /** Replaces the records of a list; invalid list requests still throw. */
  select: (list: ListReader, seed?: number) => ListReader
}

/** An example that a request gets; `cause` is its preference or rule. */
export type RequestedExample = { select: (list: ListReader) => ListReader, cause: string }

export const examples = {
  empty: { means: 'No records.', select: list => first(list, 0) },
  one: { means: 'The first record only.', select: list => first(list, 1) },
  odd: {
    means: 'One record with the least in every field: null, an empty string or array, or the lowest valid number.',
    select: list => made(list, 1, resource => leastOf(list.schemaOf(resource)) as object)
  },
  random: {
    means: '12 valid records unlike the data: null, empty, very long, right-to-left.',
    select: (list, seed) => made(list, 12, (resource, position) => randomRecord(list, resource, position, seed))
  }
} satisfies Record<string, Example>

const maxElements = 5

/** Returns a function that replaces the records of a requested list, with the cause; undefined without an example. */
export function exampleOf ({ simulated }: FastifyRequest): RequestedExample | undefined {
  const { plan, cause } = simulated as NonNullable<typeof simulated> // every GET of a list has one
  const { example, seed } = plan
  if (example === undefined) return undefined
  const { select }: Example = examples[example]
  return { select: list => select(list, seed), cause }
}

const first = (list: ListReader, most: number): ListReader => ({
  ...list,
  positionsOf: asked => list.positionsOf(asked).slice(0, most),
  formOf: resource => ({ ...list.formOf(resource), isReplayed: false })
})

function made (list: ListReader, count: number, recordAt: ListReader['recordAt']): ListReader {
  const positions = [...Array(count).keys()]
  return {
    ...list,
    positionsOf: asked => list.positionsOf(asked) && positions,
    recordAt,
    formOf: resource => ({ ...list.formOf(resource), isReplayed: false, textAt: undefined })
  }
}

/** Returns the smallest valid value; a boolean is true, as featured bikes require it. */
export const leastOf = (schema: TSchema): unknown => randomValue(schema, () => 0)

/** Strings that clients seldom expect, the least expected first; a field gets valid ones only. */
const oddTexts = [
  '', '-', 'x', 'word '.repeat(60).trim(), 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5),
  'دراجة هوائية للطرق السريعة', '🚲🚵🏽‍♀️👩‍🔧', '自転車',
  '<b>&amp; "quoted"</b> \\ \'', 'first line\r\nsecond line\ttab', ' space around ', 'null', '0', 'a-b_C9'.repeat(20),
  '0.00', '0.1', '12.50', '99999999.99', '1970-01-01T00:00:00Z', '2024-02-29T23:59:59.999999Z', '9999-12-31T23:59:59Z'
]
/** Missing images; the list adds the origin of the request. */
const oddImages = ['/media/missing.jpg', `/media/${'long-'.repeat(40)}name.jpg`, '/media/%F0%9F%9A%B2.jpg?size=2&x=%20']

/** Returns a record that is valid but as unlike the data as possible; the same one for the same seed. */
function randomRecord (list: ListReader, resource: Resource, position: number, seed = 1): object {
  return {
    ...randomValue(list.schemaOf(resource), createRandom(`${seed} ${resource.key} ${position}`)) as object,
    id: position % 2 === 0 ? position + 1 : Number.MAX_SAFE_INTEGER - position,
    ...resource.key === 'featured' ? { is_featured: true } : {}
  }
}

/** Returns a random valid value; null, or the first or smallest value, for the random number 0. */
function randomValue (schema: TSchema, random: Random): unknown {
  const { type, anyOf, enum: words } = schema as Keywords
  if (anyOf !== undefined) return random() < 0.5 ? null : randomValue(anyOf[0] as TSchema, random) // nullable
  if (Array.isArray(type)) return random() < 0.5 ? null : randomValue({ ...schema, type: type[0] }, random)
  if ('const' in schema) return schema['const']
  if (words !== undefined) return pick(random, words)
  return valueOfType[type as keyof typeof valueOfType](schema, random)
}

/** Returns a random valid value of each type of JSON. */
const valueOfType = {
  null: () => null,
  boolean: (_: Keywords, random: Random) => random() < 0.5,
  integer: ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Keywords, random: Random) =>
    pick(random, [minimum, minimum + 1, maximum]),
  number: ({ minimum = 0, maximum }: Keywords, random: Random) =>
    pick(random, [minimum, maximum as number, Math.round(10 * (minimum + random())) / 10]),
  array: randomArray,
  object: randomObject,
  string: randomText
}

/** Returns an array without equal elements. */
function randomArray ({ items, maxItems = maxElements }: Keywords, random: Random): unknown[] {
  const length = Math.min(maxItems, pick(random, [0, 1, maxElements]))
  const elements = new Set<unknown>()
  for (let count = 0; count < length; count++) elements.add(randomValue(items as TSchema, random))
  return [...elements]
}

function randomObject ({ properties = {} }: Keywords, random: Random): object {
  const fields = Object.entries(properties)
  return Object.fromEntries(fields.map(([name, field]) => [name, randomValue(field, random)]))
}

function randomText (schema: Keywords, random: Random): string {
  if (schema.format === 'uri') return pick(random, oddImages)
  return pick(random, oddTexts.filter(text => isValidText(text, schema)))
}

function isValidText (text: string, { format, pattern = '', minLength = 0 }: Keywords): boolean {
  const isOfForm = text.length >= minLength && new RegExp(pattern).test(text)
  return isOfForm && (format !== 'date-time' || /^\d{4}-/.test(text))
}
