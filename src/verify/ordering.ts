import { resources, type Resource } from '../lists/resources.ts'
import type { Check, Probe } from './check.ts'
import { checkOf, named, readList, shown, type List, type Sent } from './read.ts'

/** The checks of `ordering` on the public lists, and of the fields that v2 can be ordered by. */
export const orderingChecks: readonly Check[] = resources.flatMap(resource => {
  const { sortable, access } = resource
  const source = access === 'token' ? 'decided by this project, filters' : 'specification, "Ordering rules"'
  const check = checkOf(resource)
  const ordering = (field: string, sign: string) =>
    check(`ordering/${sign}${field}`, `is ordered by ${field}, ${directionOf(sign)}`, source, probe =>
      ordered(probe, resource, field, sign))
  const [field] = sortable
  return [
    ...sortable.flatMap(field => [ordering(field, ''), ordering(field, '-')]),
    check('ordering/unknown', 'ignores an ordering that is none', source, probe => ignored(probe, resource, '?ordering=nonsense')),
    ...field === undefined
      ? []
      : [check('ordering/last', 'takes the last ordering of several', source, probe =>
          ignored(probe, resource, `?ordering=nonsense&ordering=${field}`, `?ordering=${field}`))]
  ]
})

function directionOf (sign: string): string {
  return sign === '' ? 'ascending' : 'descending'
}

/** The value of a field for comparing: texts of numbers are numbers, as decimals are in JSON. */
function valueOf (record: Sent, field: string): string | number | null {
  const value = record[field]
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  return value !== '' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

const collator = new Intl.Collator('en', { sensitivity: 'accent' })
const comparisons = [
  (a: string, b: string) => collator.compare(a, b),
  (a: string, b: string) => compareUnits(a.toLowerCase(), b.toLowerCase())
]

function compareUnits (a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The place of the first record that is out of order, or -1; any case-insensitive collation will do, nulls may stand at either end. */
function disorder (records: readonly Sent[], field: string, sign: string): number {
  const direction = sign === '' ? 1 : -1
  const known = records.map((record, place) => ({ place, value: valueOf(record, field) })).filter(({ value }) => value !== null)
  const first = comparisons.map(compare => known.find(({ value }, index) => {
    const previous = known[index - 1]?.value ?? value
    const order = typeof previous === 'string' && typeof value === 'string' ? compare(previous, value) : Number(previous) - Number(value)
    return order * direction > 0
  }))
  return Math.min(...first.map(found => found?.place ?? -1))
}

async function ordered (probe: Probe, resource: Resource, field: string, sign: string): Promise<void> {
  const plain = await readList(probe, resource)
  const { answer, records } = await readList(probe, resource, `?ordering=${sign}${field}`)
  if (!isSame(probe, plain, { answer, records })) return
  const place = disorder(records, field, sign)
  const [before, after] = [records[place - 1], records[place]]
  const isOffered = place === -1 || resource.access === 'public' || idsOf(records) !== idsOf(plain.records)
  const expected = `${field} ${directionOf(sign)}, ignoring case`
  const got = `${shown(before?.[field])} before ${shown(after?.[field])}, ${after && named(after)}`
  if (isOffered) probe.must(answer, place === -1, expected, got, after)
  else probe.may(answer, false, expected, 'the order of ids')
}

function idsOf (records: readonly Sent[]): string {
  return records.map(({ id }) => id).join()
}

function isSame (probe: Probe, plain: List, { answer, records }: Pick<List, 'answer' | 'records'>): boolean {
  const sorted = (list: readonly Sent[]) => list.map(({ id }) => Number(id)).sort((a, b) => a - b).join()
  const got = `${records.length} records instead of ${plain.records.length}, or others`
  return probe.must(answer, sorted(records) === sorted(plain.records), 'the same records in another order', got)
}

async function ignored (probe: Probe, resource: Resource, query: string, same = ''): Promise<void> {
  const [plain, { answer, records }] = [await readList(probe, resource, same), await readList(probe, resource, query)]
  probe.must(answer, idsOf(records) === idsOf(plain.records), `the order of ${resource.path}${same}`, `ids ${shown(idsOf(records))}`)
}
