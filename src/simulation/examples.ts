import type { TSchema } from '@sinclair/typebox'
import type { Keywords } from '../../schemas/common.ts'
import { indentJson } from '../base/json-text.ts'
import type { ListReader } from '../lists/reader.ts'
import { absoluteJson } from '../lists/serialise.ts'
import { createRandom, pick, type Random } from '../base/random.ts'

export type Example = {
  /** Its name on the page, and its content. */
  label: string
  means: string
  /** The row of the reference, as Markdown. */
  records: string
  /** Replaces the records of a list; invalid list requests still throw. */
  select: (list: ListReader, seed?: number) => ListReader
}

export const examples = {
  empty: { label: 'empty list', means: 'no records', records: 'none', select: list => first(list, 0) },
  one: {
    label: 'one record', means: 'the first record only', records: 'the first record', select: list => first(list, 1)
  },
  odd: {
    label: 'odd record',
    means: 'null, empty and lowest values',
    records: 'one record with the least value in every field: null, an empty string, an empty array, or the lowest ' +
      'number that the schema allows',
    select: list => made(list, 1, resource => leastOf(list.schemaOf(resource)) as object)
  },
  random: {
    label: 'random records',
    means: '12 valid ones unlike the data',
    records: '12 valid records with unusual values: null, empty and very long strings, right-to-left text, emoji, ' +
      'lowest and highest numbers, empty and long arrays',
    select: randomRecords
  }
} satisfies Record<string, Example>

const maxElements = 5

const first = (list: ListReader, most: number): ListReader => ({
  ...list,
  positionsOf: asked => list.positionsOf(asked).slice(0, most),
  sourceOf: resource => ({ ...list.sourceOf(resource), verbatim: undefined })
})

function made (list: ListReader, count: number, recordAt: ListReader['recordAt']): ListReader {
  const positions = [...Array(count).keys()]
  return {
    ...list,
    positionsOf: asked => list.positionsOf(asked) && positions,
    recordAt,
    sourceOf: resource => ({
      ...list.sourceOf(resource),
      verbatim: undefined,
      json (position, origin, indent) {
        const text = absoluteJson(JSON.stringify(recordAt(resource, position)), origin)
        return Buffer.from(indent === 0 ? text : indentJson(text, indent))
      }
    })
  }
}

/** Returns the smallest valid value; a boolean is true, as featured bikes require it. */
export const leastOf = (schema: TSchema): unknown => randomValue(schema, () => 0)

const shortTexts = ['', '-', 'x']
const longTexts = ['word '.repeat(60).trim(), 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5)]
const foreignTexts = ['دراجة هوائية للطرق السريعة', '🚲🚵🏽‍♀️👩‍🔧', '自転車']
const markup = '<b>&amp; "quoted"</b> \\ \''
const specialTexts = [markup, 'first line\r\nsecond line\ttab', ' space around ', 'null', '0']
const slugs = ['a-b_C9'.repeat(20)]
const decimals = ['0.00', '0.1', '12.50', '99999999.99']
const times = ['1970-01-01T00:00:00Z', '2024-02-29T23:59:59.999999Z', '9999-12-31T23:59:59Z']

/** Strings that clients seldom expect, the least expected first; a field gets valid ones only. */
const oddTexts = [shortTexts, longTexts, foreignTexts, specialTexts, slugs, decimals, times].flat()

/** Missing images; the list adds the origin of the request. */
const oddImages = ['/media/missing.jpg', `/media/${'long-'.repeat(40)}name.jpg`, '/media/%F0%9F%9A%B2.jpg?size=2&x=%20']

/** Replaces a list by records that are valid but as unlike the data as possible; the same ones for the same seed. */
function randomRecords (list: ListReader, seed = 1): ListReader {
  return made(list, 12, (resource, position) => {
    const random = createRandom(`${seed} ${resource.key} ${position}`)
    const record = randomValue(list.schemaOf(resource), random) as Record<string, unknown>
    record['id'] = position % 2 === 0 ? position + 1 : Number.MAX_SAFE_INTEGER - position
    if (resource.key === 'featured') record['is_featured'] = true
    return record
  })
}

/** Returns a random valid value; null, or the first or smallest value, for the random number 0. */
function randomValue (schema: TSchema, random: Random): unknown {
  const { type, enum: words } = schema as Keywords
  const nonNull = nonNullOf(schema)
  if (nonNull !== undefined) return random() < 0.5 ? null : randomValue(nonNull, random)
  if ('const' in schema) return schema['const']
  if (words !== undefined) return pick(random, words)
  return valueOfType[type as keyof typeof valueOfType](schema, random)
}

/** Returns the schema of a nullable field's other values; undefined for any other field. */
function nonNullOf (schema: TSchema): TSchema | undefined {
  const { type, anyOf } = schema as Keywords
  if (anyOf !== undefined) return anyOf[0] as TSchema
  return Array.isArray(type) ? { ...schema, type: type[0] } : undefined
}

/** Returns a random valid value of each type of JSON. */
const valueOfType = {
  null: () => null,
  boolean: (_: Keywords, random: Random) => random() < 0.5,
  integer: ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: TSchema, random: Random) =>
    pick(random, [minimum, minimum + 1, maximum]),
  number: ({ minimum, maximum }: TSchema, random: Random) =>
    pick(random, [minimum, maximum, Math.round(10 * (minimum + random())) / 10]),
  array ({ items, maxItems = maxElements }: Keywords, random: Random) {
    const length = Math.min(maxItems, pick(random, [0, 1, maxElements]))
    const elements = Array.from({ length }, () => randomValue(items as TSchema, random))
    return [...new Set(elements)]
  },
  object ({ properties = {} }: Keywords, random: Random) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, randomValue(field, random)]))
  },
  string ({ format, pattern = '', minLength = 0 }: Keywords, random: Random) {
    if (format === 'uri') return pick(random, oddImages)
    const texts = format === 'date-time' ? times : oddTexts
    return pick(random, texts.filter(text => text.length >= minLength && new RegExp(pattern).test(text)))
  }
}
