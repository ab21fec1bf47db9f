import { filterKinds, type Comparison, type FilterKind, type Test } from './filter-kinds.ts'
import type { Column, Table, Value } from './table.ts'

/** One filter: what kind of value it takes, how that is compared, and the fields that it looks at, any of which may fit. */
export type Filter = { kind: FilterKind, comparison: Comparison, fields: readonly string[] }

export type Filters = Readonly<Record<string, Filter>>

/** What a query asks for: for each test one of the fields must fit. */
export type Condition = { fields: readonly string[], test: Test }

/** Why a query's filters cannot be read, by parameter: the form of Django's form errors. */
export type FilterFaults = Record<string, string[]>

/**
 * The filters of a query that are present, in the order of the table, with the text that counts: the last one, or all of them
 * between commas where the filter takes several values. An empty value is absent.
 */
export function askedFilters (query: URLSearchParams, filters: Filters): [name: string, text: string][] {
  const texts = new Map<string, string[]>(Object.keys(filters).map(name => [name, []]))
  for (const [name, text] of query) texts.get(name)?.push(text)
  return [...texts].map(([name, all]): [string, string] => [name, textOf(filters[name] as Filter, all)]).filter(([, text]) => text !== '')
}

function textOf ({ kind }: Filter, texts: readonly string[]): string {
  return filterKinds[kind].takesSeveral ? texts.filter(text => text !== '').join() : texts.at(-1) ?? ''
}

/** Reads what the filters of a query ask for, or everything that is wrong with them. */
export function readFilters (asked: readonly [name: string, text: string][], filters: Filters): Condition[] | FilterFaults {
  const conditions: Condition[] = []
  const faults: FilterFaults = {}
  for (const [name, text] of asked) {
    const { kind, comparison, fields } = filters[name] as Filter
    const tests = filterKinds[kind].read(text, comparison)
    if (tests === undefined) faults[name] = [filterKinds[kind].fault]
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
