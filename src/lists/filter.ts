import type { Column, Value } from './column.ts'
import { filterKinds, type Comparison, type FilterKind, type Test } from './filter-kinds.ts'
import type { Table } from './table.ts'

/** One filter: what kind of value it takes, how that is compared, and the fields that it looks at, any of which may fit. */
export type Filter = { kind: FilterKind, comparison: Comparison, fields: readonly string[] }

export type Filters = Readonly<Record<string, Filter>>

/** What one filter of a query asks for: for each test one of the fields must fit. */
export type Condition = { fields: readonly string[], tests: readonly Test[] }

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
    else if (tests.length > 0) conditions.push({ fields, tests })
  }
  return Object.keys(faults).length === 0 ? conditions : faults
}

/** Those positions, in their order, whose records meet every condition; each distinct value of a field is tested once. */
export function selectPositions<T> ({ column }: Table<T>, positions: Uint32Array, conditions: readonly Condition[]): Uint32Array {
  if (conditions.length === 0) return positions
  const left = positions.slice()
  let count = left.length
  for (const { fields, tests } of conditions) {
    const every = 2 ** tests.length - 1
    const tested = fields.map(field => testColumn(column(field), tests))
    if (tested.some(({ passed }) => passed.every(bits => bits === every))) continue
    const [first, ...others] = tested.filter(({ passed }) => passed.some(bits => bits > 0))
    if (first === undefined) return new Uint32Array()
    count = others.length === 0 ? narrow(left, count, first, every) : narrowByAny(left, count, [first, ...others], every)
  }
  return left.slice(0, count) // a part of it would keep all of it
}

/** A column, and for each of its codes which tests the value passes: the first test is the lowest bit. */
type Tested = { codes: Uint32Array, passed: Uint32Array }

function testColumn ({ codes, values }: Column, tests: readonly Test[]): Tested {
  const passed = new Uint32Array(values.length)
  for (const [index, test] of tests.entries()) {
    for (let code = 0; code < passed.length; code++) passed[code]! += Number(test(values[code] as Value)) << index
  }
  return { codes, passed }
}

// Plain loops without branches, because all the time of a filter over a large catalogue is spent in what follows.

/** Moves those of the first `count` positions to the front that pass every test; says how many there are. */
function narrow (positions: Uint32Array, count: number, { codes, passed }: Tested, every: number): number {
  let left = 0
  for (let index = 0; index < count; index++) {
    const position = positions[index]!
    positions[left] = position
    left += Number(passed[codes[position]!] === every)
  }
  return left
}

/** Does the same for those that pass every test by one or another of several columns. */
function narrowByAny (positions: Uint32Array, count: number, columns: readonly Tested[], every: number): number {
  const together = new Uint32Array(count)
  for (const { codes, passed } of columns) {
    for (let index = 0; index < count; index++) together[index]! |= passed[codes[positions[index]!]!]!
  }
  let left = 0
  for (let index = 0; index < count; index++) {
    positions[left] = positions[index]!
    left += Number(together[index] === every)
  }
  return left
}
