import { lastValue } from './query.ts'
import type { Column, Table, Value } from './table.ts'

/** Tells whether a value fits; texts come in lower case. */
type Test = (value: Value) => boolean

/** How the text of a filter is read; undefined for text that cannot be, when `fault` says what would be right. */
export type Reader = { read: (text: string) => Test[] | undefined, fault: string }

/** One filter: the fields that it looks at, any of which may fit, and how its value is read. */
export type Filter = Reader & { fields: readonly string[] }

/** What a query asks for: for each test one of the fields must fit. */
export type Condition = { fields: readonly string[], test: Test }

/** Why a query's filters cannot be read, by parameter: the form of Django's form errors. */
export type FilterFaults = Record<string, string[]>

/** Reads words, each of which must occur; ignores case. */
export const words: Reader = {
  fault: '',
  read: text => text.toLowerCase().split(/\s+/).filter(Boolean).map(word => value => typeof value === 'string' && value.includes(word))
}

/** Reads a comma list of texts, any of which the value may be; ignores case. */
export const anyOf: Reader = {
  fault: '',
  read: text => {
    const wanted = new Set<Value>(text.toLowerCase().split(',').map(item => item.trim()))
    return [value => wanted.has(value)]
  }
}

/** Reads `true` or `false`, in any case, or `1` or `0`. */
export const boolean: Reader = {
  fault: 'Must be a valid boolean.',
  read: text => {
    const wanted = new Map([['true', true], ['1', true], ['false', false], ['0', false]]).get(text.trim().toLowerCase())
    return wanted === undefined ? undefined : [value => value === wanted]
  }
}

/** How a number is compared with that of a filter. */
export const comparisons = {
  '': (value: number, bound: number) => value === bound,
  __gte: (value: number, bound: number) => value >= bound,
  __lte: (value: number, bound: number) => value <= bound
}

type NumberReader = { number: (text: string) => number | undefined, fault: string }

const numeric = (form: RegExp): NumberReader['number'] => text => form.test(text.trim()) ? Number(text) : undefined

export const wholeNumber: NumberReader = { number: numeric(/^[+-]?\d+$/), fault: 'Enter a whole number.' }
export const decimal: NumberReader = { number: numeric(/^[+-]?(\d+\.?\d*|\.\d+)$/), fault: 'Enter a number.' }

const momentForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads a date or a date with time, UTC unless it says otherwise, as milliseconds since 1970. */
export const moment: NumberReader = {
  fault: 'Enter a valid date or date and time.',
  number: text => {
    const trimmed = text.trim().toUpperCase().replace(' ', 'T')
    if (!momentForm.test(trimmed)) return undefined
    const zoned = /T/.test(trimmed) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(trimmed) ? `${trimmed}Z` : trimmed
    const time = Date.parse(zoned)
    return Number.isNaN(time) ? undefined : time
  }
}

/** Gives the three filters of a field that holds numbers: equality, `__gte` and `__lte`. */
export function range (field: string, { number, fault }: NumberReader): Record<string, Filter> {
  return Object.fromEntries(Object.entries(comparisons).map(([suffix, holds]) => [field + suffix, {
    fields: [field],
    fault,
    read: (text: string) => {
      const bound = number(text)
      return bound === undefined ? undefined : [(value: Value) => typeof value === 'number' && holds(value, bound)]
    }
  }]))
}

/** The filters of a query that are present, with the text that counts: the last one; an empty value is absent. */
export function askedFilters (query: URLSearchParams, filters: Readonly<Record<string, Filter>>): [name: string, text: string][] {
  return Object.keys(filters).map((name): [string, string] => [name, lastValue(query, name) ?? '']).filter(([, text]) => text !== '')
}

/** Reads what the filters of a query ask for, or everything that is wrong with them. */
export function readFilters (asked: readonly [name: string, text: string][], filters: Readonly<Record<string, Filter>>): Condition[] | FilterFaults {
  const conditions: Condition[] = []
  const faults: FilterFaults = {}
  for (const [name, text] of asked) {
    const { fields, fault, read } = filters[name] as Filter
    const tests = read(text)
    if (tests === undefined) faults[name] = [fault]
    else conditions.push(...tests.map(test => ({ fields, test })))
  }
  return Object.keys(faults).length === 0 ? conditions : faults
}

/** Gives those positions, in their order, whose records meet every condition; each distinct value is tested once. */
export function selectPositions<T> ({ columns }: Table<T>, positions: Uint32Array, conditions: readonly Condition[]): Uint32Array {
  if (conditions.length === 0) return positions
  const left = positions.slice()
  const count = conditions.reduce((count, { fields, test }) => {
    const [first, ...others] = fields.map(field => testColumn(columns.get(field) as Column, test)).filter(({ passing }) => passing.includes(1))
    if (first === undefined) return 0
    return others.length === 0 ? narrow(left, count, first) : narrowByAny(left, count, [first, ...others])
  }, left.length)
  return left.subarray(0, count)
}

/** A column, and for each of its codes 1 if the value passes a test, otherwise 0. */
type Tested = { codes: Uint32Array, passing: Uint8Array }

function testColumn ({ codes, values }: Column, test: Test): Tested {
  const passing = new Uint8Array(values.length)
  for (let code = 0; code < passing.length; code++) passing[code] = Number(test(values[code] as Value))
  return { codes, passing }
}

// Plain loops without branches, because all the time of a filter over a large catalogue is spent in what follows.

/** Moves those of the first `count` positions that pass to the front; gives how many there are. */
function narrow (positions: Uint32Array, count: number, { codes, passing }: Tested): number {
  let left = 0
  for (let index = 0; index < count; index++) {
    const position = positions[index]!
    positions[left] = position
    left += passing[codes[position]!]!
  }
  return left
}

/** Does the same for those that pass by any of several columns. */
function narrowByAny (positions: Uint32Array, count: number, columns: readonly Tested[]): number {
  const any = new Uint8Array(count)
  for (const column of columns) mark(any, positions, column)
  let left = 0
  for (let index = 0; index < count; index++) {
    positions[left] = positions[index]!
    left += any[index]!
  }
  return left
}

function mark (any: Uint8Array, positions: Uint32Array, { codes, passing }: Tested): void {
  for (let index = 0; index < any.length; index++) any[index]! |= passing[codes[positions[index]!]!]!
}
