import { filterKinds, type Comparison, type FilterKind, type Test } from './filter-kinds.ts'
import type { Table, Value } from './table.ts'

/** One filter: the kind of its value, its comparison, and its fields, any of which may fit. */
export type Filter = { kind: FilterKind, comparison: Comparison, fields: readonly string[] }

export type Filters = Readonly<Record<string, Filter>>

/** A filter with its value read: each test must hold for one of the fields. */
export type Condition = { fields: readonly string[], tests: readonly Test[] }

/** The errors of invalid filters by parameter, in the form of Django's form errors. */
export type FilterFaults = Record<string, string[]>

/**
 * Returns the filters of a query in the order of the table, each with its last value, or with all of them joined by commas where the
 * filter takes several. An empty value is absent.
 */
export function presentFilters (query: URLSearchParams, filters: Filters): [name: string, text: string][] {
  const texts = new Map<string, string[]>(Object.keys(filters).map(name => [name, []]))
  for (const [name, text] of query) texts.get(name)?.push(text)
  return [...texts].map(([name, all]): [string, string] => {
    const { takesSeveral } = filterKinds[(filters[name] as Filter).kind]
    return [name, takesSeveral ? all.filter(text => text !== '').join() : all.at(-1) ?? '']
  }).filter(([, text]) => text !== '')
}

/** Reads the values of filters, or returns all their errors. */
export function readFilters (present: readonly [name: string, text: string][], filters: Filters): Condition[] | FilterFaults {
  const conditions: Condition[] = []
  const faults: FilterFaults = {}
  for (const [name, text] of present) {
    const { kind, comparison, fields } = filters[name] as Filter
    const tests = filterKinds[kind].read(text, comparison)
    if (tests === undefined) faults[name] = [filterKinds[kind].fault]
    else if (tests.length > 0) conditions.push({ fields, tests })
  }
  return Object.keys(faults).length === 0 ? conditions : faults
}

/** Returns the positions of the records that meet every condition, in their order. */
export function filterPositions (
  { values }: Pick<Table<unknown>, 'values'>, positions: readonly number[], conditions: readonly Condition[]
): readonly number[] {
  if (conditions.length === 0) return positions
  const columns = conditions.map(({ fields, tests }) => ({ fields: fields.map(values), tests }))
  return positions.filter(position => columns.every(({ fields, tests }) =>
    tests.every(test => fields.some(values => test(values[position] as Value)))))
}
