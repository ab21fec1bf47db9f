import type { TSchema } from '@sinclair/typebox'
import { readDate } from '../base/timestamps.ts'
import { typeAt, type SchemaField } from '../catalogue/schema-fields.ts'
import { readDecimal, type Table, type Value } from './table.ts'

/** Returns whether a value fits; strings are in lower case. */
type Test = (value: Value) => boolean

/** The comparisons of a value with a bound, each with its words. */
export const comparisons = {
  equal: { words: 'equal to', holds: (own: number, bound: number) => own === bound },
  atLeast: { words: 'at least', holds: (own: number, bound: number) => own >= bound },
  atMost: { words: 'at most', holds: (own: number, bound: number) => own <= bound }
}

export type Comparison = keyof typeof comparisons

/** The most different words of a search, so that its time is bounded. */
export const maxSearchWords = 20

/** The input of a form: its attributes, and the form of the values that it accepts. */
type FilterInput = { attributes: string, form: RegExp }

const textInput: FilterInput = { attributes: 'type="text"', form: /^/ }

/** Everything that is true of one kind of filter alone. */
type FilterKindRow = {
  /** The types of the fields whose filters are of this kind. */
  types: readonly SchemaField['type'][]
  /** The schema of its parameter. */
  schema: object
  /** Its input, where a form does not offer values. */
  input: FilterInput
  error: string
  /** Whether all values of a repeated parameter count, as if joined by commas; of others the last one counts. */
  takesSeveral?: true
  /** Returns the tests of a record's value, or undefined for an invalid value. */
  read: (text: string, comparison: Comparison) => readonly Test[] | undefined
}

/** Reads a bound with which numbers are compared. */
const boundReader = (numberOf: (text: string) => number): FilterKindRow['read'] => (text, comparison) => {
  const bound = numberOf(text.trim())
  if (Number.isNaN(bound)) return undefined
  const { holds } = comparisons[comparison]
  return [value => typeof value === 'number' && holds(value, bound)]
}

const integerOf = (text: string) => /^[+-]?\d+$/.test(text) ? Number(text) : NaN

const booleans = new Map([['true', true], ['1', true], ['false', false], ['0', false]])

const contains = (word: string): Test => value => typeof value === 'string' && value.includes(word)

export type FilterKind = 'search' | 'anyOf' | 'boolean' | 'integer' | 'decimal' | 'date'

/** Each kind of filter is a row, which parameters, forms and the OpenAPI document read. */
export const filterKinds: Readonly<Record<FilterKind, FilterKindRow>> = {
  /** Words that must all occur; ignores case. */
  search: {
    types: [],
    schema: { type: 'string' },
    input: { attributes: 'type="search"', form: /^/ },
    error: `Enter at most ${maxSearchWords} different words.`,
    read (text) {
      const words = new Set(text.toLowerCase().split(/\s+/))
      words.delete('')
      return words.size > maxSearchWords ? undefined : [...words].map(contains)
    }
  },
  /** A comma-separated list of strings, one of which must match; ignores case. For fields of all other types. */
  anyOf: {
    types: [],
    schema: { type: 'array', items: { type: 'string' } },
    input: textInput,
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
    types: ['boolean'],
    schema: { type: 'boolean' },
    input: textInput,
    error: 'Must be a valid boolean.',
    read (text) {
      const wanted = booleans.get(text.trim().toLowerCase())
      return wanted === undefined ? undefined : [value => value === wanted]
    }
  },
  integer: {
    types: ['integer'],
    schema: { type: 'integer' },
    input: { attributes: 'type="number" step="1"', form: /^-?\d+$/ },
    error: 'Enter a whole number.',
    read: boundReader(integerOf)
  },
  decimal: {
    types: ['number', 'decimal'],
    schema: { type: 'number' },
    input: { attributes: 'type="number" step="any"', form: /^-?\d+(?:\.\d+)?$/ },
    error: 'Enter a number.',
    read: boundReader(readDecimal)
  },
  /** A date or a date with a time, in UTC by default, as microseconds since 1970. */
  date: {
    types: ['timestamp'],
    schema: { anyOf: [{ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }] },
    input: { attributes: 'type="date"', form: /^\d{4}-\d\d-\d\d$/ },
    error: 'Enter a valid date or date and time.',
    read: boundReader(readDate)
  }
}

type Paths = readonly [string, ...string[]]

/** A filter as a row of a list declares it. */
export type FilterRow = {
  /** Its parameter. */
  name: string
  /** The paths of the fields that it compares, any of which may fit. */
  fields: Paths
  comparison: Comparison
  /** By default it follows from the schema of the field. */
  kind?: FilterKind
}

/** A filter that finds words in any of the fields. */
export const search = (...fields: Paths): FilterRow =>
  ({ name: 'search', fields, comparison: 'equal', kind: 'search' })

/** A filter of a field's value; the parameter has the name of the field unless given. */
export const equal = (name: string, field = name): FilterRow =>
  ({ name, fields: [field], comparison: 'equal' })

/** Three filters of a field: its value, at least and at most. */
export const range = (field: string): FilterRow[] => [
  equal(field),
  { name: `${field}__gte`, fields: [field], comparison: 'atLeast' },
  { name: `${field}__lte`, fields: [field], comparison: 'atMost' }
]

export type Filter = FilterRow & { kind: FilterKind }

export type Filters = Readonly<Record<string, Filter>>

/** Returns the filters of a list by their parameters; the schema of its records says of which kind each is. */
export function filtersOf (rows: readonly FilterRow[], record: TSchema): Filters {
  const filters: Record<string, Filter> = {}
  for (const row of rows) {
    const kind = row.kind ?? filterKindOf(typeAt(record, row.fields[0]))
    filters[row.name] = { ...row, kind }
  }
  return filters
}

function filterKindOf (type: SchemaField['type'] | undefined): FilterKind {
  const kinds = Object.keys(filterKinds) as FilterKind[]
  return kinds.find(kind => filterKinds[kind].types.some(own => own === type)) ?? 'anyOf'
}

/** A filter with its value read: each test must hold for one of the fields. */
export type Condition = { fields: readonly string[], tests: readonly Test[] }

/** The errors of invalid filters by parameter, in the form of Django's form errors. */
export type FilterErrors = Record<string, string[]>

/** A filter of a query, and its value as sent. */
type PresentFilter = [name: string, text: string]

/**
 * Returns the filters of a query in the order of the table, each with the values that count joined by commas. An empty
 * value is absent.
 */
export function presentFilters (query: URLSearchParams, filters: Filters): PresentFilter[] {
  const present: PresentFilter[] = []
  for (const [name, { kind }] of Object.entries(filters)) {
    const texts = query.getAll(name)
    const isJoined = filterKinds[kind].takesSeveral
    const text = isJoined ? texts.filter(text => text !== '').join() : texts.at(-1) ?? ''
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
    const { read, error } = filterKinds[kind]
    const tests = read(text, comparison)
    if (tests === undefined) errors[name] = [error]
    else conditions.push({ fields, tests })
  }
  return Object.keys(errors).length === 0 ? conditions : errors
}

/** Returns the positions of the records that meet every condition, in their order. */
export function filterPositions (
  { values }: Pick<Table<unknown>, 'values'>, positions: readonly number[], conditions: readonly Condition[]
): readonly number[] {
  let matches = positions
  for (const { fields, tests } of conditions) {
    const columns = fields.map(values)
    for (const test of tests) {
      const isMet = (position: number) => columns.some(column => test(column[position] as Value))
      matches = matches.filter(isMet)
    }
  }
  return matches
}
