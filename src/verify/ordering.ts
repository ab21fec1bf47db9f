import type { JsonObject } from '../http/client.ts'
import { resources } from '../lists/resources.ts'
import type { Check, Probe } from './check.ts'
import { checkList, haveSameIds, haveSameOrder, idsOf, named, readList, shown, type List, type ListCheck } from './read.ts'

const rules = 'specification, "Ordering rules"'

/** The checks of the default order and of `ordering`. */
export const orderingChecks: readonly Check[] = resources.flatMap(resource => {
  const { sortable, access, key } = resource
  const source = access === 'token' ? 'decided by this project, filters' : rules
  const checks: ListCheck[] = [
    ['default-order', 'comes in ascending id order', rules, async (probe, resource) => {
      const judge = key === 'chains' ? 'must' : 'may' // the specification says it of chains only
      judgeOrder(probe, judge, await readList(probe, resource), 'id', 'ascending')
    }],
    ...sortable.flatMap((field): ListCheck[] => [
      [`ordering/${field}`, `is ordered by ${field}, ascending`, source, ordered(field, 'ascending')],
      [`ordering/-${field}`, `is ordered by ${field}, descending`, source, ordered(field, 'descending')]
    ]),
    ['ordering/unknown', 'ignores an invalid ordering', source, sameOrder('?ordering=nonsense', '')],
    ...sortable.slice(0, 1).map((field): ListCheck => [
      'ordering/last', 'takes the last of several orderings', source,
      sameOrder(`?ordering=nonsense&ordering=${field}`, `?ordering=${field}`)
    ])
  ]
  return checks.map(check => checkList(resource, ...check))
})

type Direction = 'ascending' | 'descending'

function ordered (field: string, direction: Direction): ListCheck[3] {
  return async (probe, resource) => {
    const plain = await readList(probe, resource)
    const list = await readList(probe, resource, `?ordering=${direction === 'ascending' ? '' : '-'}${field}`)
    const different = `${list.records.length} records instead of ${plain.records.length}, or others`
    if (!probe.must(list.response, haveSameIds(list.records, plain.records), 'the same records in another order', different)) return
    const isIgnored = resource.access === 'token' && haveSameOrder(list.records, plain.records) // v2 need not know the field
    judgeOrder(probe, isIgnored ? 'may' : 'must', list, field, direction)
  }
}

function sameOrder (query: string, same: string): ListCheck[3] {
  return async (probe, resource) => {
    const [plain, { response, records }] = [await readList(probe, resource, same), await readList(probe, resource, query)]
    const [expected, got] = [`the order of ${resource.path}${same}`, `ids ${shown(idsOf(records).join())}`]
    probe.must(response, haveSameOrder(records, plain.records), expected, got)
  }
}

/** Two collations of texts in lower case; a server may use either. */
const collations = [new Intl.Collator('en').compare, (a: string, b: string) => Number(a > b) - Number(a < b)]

/** Judges the order of a list by a field; nulls may stand at either end. */
function judgeOrder (probe: Probe, judge: 'must' | 'may', { response, records }: List, field: string, direction: Direction): void {
  const known = records.map((record, index) => ({ index, value: valueOf(record, field) })).filter(({ value }) => value !== null)
  const faults = collations.map(compare => known.find(({ value }, index) => {
    const previous = known[index - 1]?.value ?? value
    const order = typeof previous === 'string' && typeof value === 'string' ? compare(previous, value) : Number(previous) - Number(value)
    return direction === 'ascending' ? order > 0 : order < 0
  }))
  const index = Math.min(...faults.map(fault => fault?.index ?? -1))
  const [before, after = {}] = [records[index - 1], records[index]]
  const got = `${shown(before?.[field])} before ${shown(after[field])}, ${named(after)}`
  probe[judge](response, index === -1, `${field} ${direction}, ignoring case`, got, after)
}

/** Returns the value of a field for comparing; decimals, which JSON has as texts, are numbers. */
function valueOf (record: JsonObject, field: string): string | number | null {
  const value = record[field]
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value.toLowerCase()
}
