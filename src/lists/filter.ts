import type { TSchema } from '@sinclair/typebox'
import { readDate } from '../base/timestamps.ts'
import { typeAt, type SchemaField } from '../catalogue/schema-fields.ts'
import { readDecimal, type Table, type Value } from './table.ts'

/** Returns whether a value fits; texts come in lower case. */
type Test = (value: Value) => boolean

const comparisons = {
  equal: (own: number, bound: number) => own === bound,
  atLeast: (own: number, bound: number) => own >= bound,
  atMost: (own: number, bound: number) => own <= bound
}

export type Comparison = keyof typeof comparisons

/** The most different words of a search, so that its time is bounded. */
export const maxWords = 20

type FilterReader = {
  error: string
  /** Whether all values of a repeated parameter count, as if joined by commas; of others the last one counts. */
  takesSeveral?: true
  /** Returns the tests of a record's value, or undefined for an invalid value. */
  read: (text: string, comparison: Comparison) => readonly Test[] | undefined
}

/** The kinds that have an order, so that all comparisons apply. */
const compared = (error: string, numberOf: (text: string) => number): FilterReader => ({
  error,
  read: (text, comparison) => {
    const bound = numberOf(text.trim())
    const holds = comparisons[comparison]
    return Number.isNaN(bound) ? undefined : [value => typeof value === 'number' && holds(value, bound)]
  }
})

const booleans = new Map([['true', true], ['1', true], ['false', false], ['0', false]])

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(word => word !== '')
const contains = (word: string): Test => value => typeof value === 'string' && value.includes(word)

const filterKinds = {
  /** Words that must all occur; ignores case. */
  search: {
    error: `Enter at most ${maxWords} different words.`,
    read (text) {
      const words = [...new Set(wordsOf(text))]
      return words.length > maxWords ? undefined : words.map(contains)
    }
  },
  /** A comma-separated list of texts, one of which must match; ignores case. */
  anyOf: {
    error: '',
    takesSeveral: true,
    read (text) {
      const items = text.toLowerCase().split(',')
      const wanted = new Set<Value>(items.map(item => item.trim()))
      return [value => wanted.has(value)]
    }
  },
  /** `true`, `false`, `1` or `0`; ignores case. */
  boolean: {
    error: 'Must be a valid boolean.',
    read: text => {
      const wanted = booleans.get(text.trim().toLowerCase())
      return wanted === undefined ? undefined : [value => value === wanted]
    }
  },
  integer: compared('Enter a whole number.', text => /^[+-]?\d+$/.test(text) ? Number(text) : NaN),
  decimal: compared('Enter a number.', readDecimal),
  /** A date or a date with a time, in UTC by default, as microseconds since 1970. */
  date: compared('Enter a valid date or date and time.', readDate)
} satisfies Record<string, FilterReader>

export type FilterKind = keyof typeof filterKinds

/**
 * A filter as a row of a list declares it: its parameter, and the paths of the fields that it compares, any of which
 * may fit.
 */
export type FilterRow = { name: string, fields: readonly string[], comparison?: Comparison }

/** A filter that finds words in any of the fields. */
export const search = (...fields: string[]): FilterRow => ({ name: 'search', fields })

/** A filter of a field's value; the parameter has the name of the field unless given. */
export const equal = (name: string, field = name): FilterRow => ({ name, fields: [field], comparison: 'equal' })

/** Three filters of a field: its value, at least and at most. */
export const range = (field: string): FilterRow[] => [
  equal(field),
  { name: `${field}__gte`, fields: [field], comparison: 'atLeast' },
  { name: `${field}__lte`, fields: [field], comparison: 'atMost' }
]

export type Filter = Required<FilterRow> & {
  kind: FilterKind
  /** The name of its field in a form; the filters of one fieldset share it. */
  label: string
  /** The filter in words, before its value: `year at least`. */
  words: string
}

export type Filters = Readonly<Record<string, Filter>>

const kinds: { readonly [type in SchemaField['type']]?: FilterKind } =
  { boolean: 'boolean', integer: 'integer', number: 'decimal', decimal: 'decimal', timestamp: 'date' }

const comparisonWords: Readonly<Record<Comparison, string>> = { equal: '', atLeast: ' at least', atMost: ' at most' }

/** Returns the filters of a list by their parameters; the schema of its records says of which kind each is. */
export function filtersOf (rows: readonly FilterRow[], record: TSchema): Filters {
  const filters: Record<string, Filter> = {}
  for (const row of rows) filters[row.name] = filterOf(row, record)
  return filters
}

function filterOf (row: FilterRow, record: TSchema): Filter {
  const { name, fields: [field = ''], comparison = 'equal' } = row
  const label = comparison === 'equal' ? name : field
  return { ...row, kind: kindOf(row, record), comparison, label, words: label + comparisonWords[comparison] }
}

function kindOf ({ fields: [field = ''], comparison }: FilterRow, record: TSchema): FilterKind {
  if (comparison === undefined) return 'search'
  const type = typeAt(record, field) as SchemaField['type']
  return kinds[type] ?? 'anyOf'
}

/** A filter with its value read: each test must hold for one of the fields. */
export type Condition = { fields: readonly string[], tests: readonly Test[] }

/** The errors of invalid filters by parameter, in the form of Django's form errors. */
export type FilterErrors = Record<string, string[]>

/** A filter of a query, and its value as sent. */
export type PresentFilter = [name: string, text: string]

/**
 * Returns the filters of a query in the order of the table, each with the values that count joined by commas. An empty
 * value is absent.
 */
export function presentFilters (query: URLSearchParams, filters: Filters): PresentFilter[] {
  const texts = new Map<string, string[]>(Object.keys(filters).map(name => [name, []]))
  for (const [name, text] of query) texts.get(name)?.push(text)
  const present: PresentFilter[] = []
  for (const [name, all] of texts) {
    const { kind } = filters[name] as Filter
    const { takesSeveral }: FilterReader = filterKinds[kind]
    const text = takesSeveral ? all.filter(text => text !== '').join() : all.at(-1) ?? ''
    if (text !== '') present.push([name, text])
  }
  return present
}

/** Reads the values of filters, or returns all their errors. */
export function readFilters (present: readonly PresentFilter[], filters: Filters): Condition[] | FilterErrors {
  const conditions: Condition[] = []
  const errors: FilterErrors = {}
  for (const [name, text] of present) {
    const { kind, comparison, fields } = filters[name] as Filter
    const { read, error }: FilterReader = filterKinds[kind]
    const tests = read(text, comparison)
    if (tests === undefined) errors[name] = [error]
    else if (tests.length > 0) conditions.push({ fields, tests })
  }
  return Object.keys(errors).length === 0 ? conditions : errors
}

/** Returns the positions of the records that meet every condition, in their order. */
export function filterPositions (
  { values }: Pick<Table<unknown>, 'values'>, positions: readonly number[], conditions: readonly Condition[]
): readonly number[] {
  if (conditions.length === 0) return positions
  const predicates = conditions.flatMap(({ fields, tests }) => {
    const columns = fields.map(values)
    return tests.map(test => (position: number) => columns.some(column => test(column[position] as Value)))
  })
  return positions.filter(position => predicates.every(holds => holds(position)))
}
