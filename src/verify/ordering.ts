import type { ServedRecord } from '../catalogue/catalogue.ts'
import { number } from '../lists/fields.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { Untried, type Check, type Probe } from './check.ts'
import { checkList, haveSameIds, haveSameOrder, idsOf, named, readList, shown, type List, type ListCheck } from './read.ts'

/** The checks of the default order and of `ordering`. */
export const orderingChecks: readonly Check[] = resources.flatMap(resource => {
  const { sortable, access, key } = resource
  const [source, byField] = access === 'token' ? ['D38', 'D38'] : ['F9', `S13, ${key === 'bikes' ? 'S14' : 'S15'}, D4`]
  const checks: ListCheck[] = [
    ['default-order', 'comes in ascending id order', key === 'chains' ? 'S16' : 'D5', async (probe, resource) => {
      judgeOrder(probe, resource, await readList(probe, resource), 'id', 'ascending')
    }],
    ...sortable.flatMap(field => [ordered(field, 'ascending', byField), ordered(field, 'descending', byField)]),
    ['ordering/unknown', 'ignores an invalid ordering', source, sameOrder('?ordering=nonsense', '')],
    ...key === 'featured' ? [['ordering/ignored', 'ignores ordering by title', 'D6', sameOrder('?ordering=title', '')] as const] : [],
    ...sortable.slice(0, 1).map(field => ['ordering/last', 'takes the last of several orderings', source,
      sameOrder(`?ordering=nonsense&ordering=${field}`, `?ordering=${field}`, field)] as const)
  ]
  return checks.map(check => checkList(resource, ...check))
})

type Direction = 'ascending' | 'descending'

function ordered (field: string, direction: Direction, source: string): ListCheck {
  const ordering = direction === 'ascending' ? field : `-${field}`
  return [`ordering/${ordering}`, `is ordered by ${field}, ${direction}`, source, async (probe, resource) => {
    const [plain, list] = [await readList(probe, resource), await readList(probe, resource, `?ordering=${ordering}`)]
    const different = `${list.records.length} records instead of ${plain.records.length}, or others`
    if (!probe.must(list.response, haveSameIds(list.records, plain.records), 'the same records in another order', different)) return
    judgeOrder(probe, resource, list, field, direction, haveSameOrder(list.records, plain.records))
  }]
}

/** Compares two orders of a list; records with equal values of the field may come in any (contract S17). */
function sameOrder (query: string, same: string, field = 'id'): ListCheck[3] {
  return async (probe, resource) => {
    const valuesOf = ({ records }: List) => records.map(record => shown(record[field])).join()
    const [plain, list] = [await readList(probe, resource, same), await readList(probe, resource, query)]
    if (valuesOf(list) === valuesOf(plain)) return
    const again = same === '' ? await readList(probe, resource, '?&') : plain
    if (valuesOf(again) !== valuesOf(plain)) throw new Untried('needs a list with the same order each time')
    probe.must(list.response, false, `the order of ${resource.path}${same}`, `ids ${shown(idsOf(list.records).join())}`)
  }
}

type Compare = (a: string, b: string) => number

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)

/** Two collations that ignore case; a server may use either. */
const collations = [new Intl.Collator('en').compare, byCodeUnit]
  .map((compare): Compare => (a, b) => compare(a.toLowerCase(), b.toLowerCase()))

/** Collations that differ from these only in the place of punctuation and accents. */
const others: readonly Compare[] = [(a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase()), byLetters]

/** Compares letters and digits only; 0 where an accented letter, which languages sort differently, makes the first difference. */
function byLetters (a: string, b: string): number {
  const [one, other] = [a, b].map(text => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) as [string, string]
  const index = [...one, ' '].findIndex((letter, index) => letter !== other[index])
  const areAscii = [one[index], other[index]].every(letter => letter === undefined || letter <= '~')
  return areAscii ? byCodeUnit(one, other) : 0
}

/** Judges the order of a list by a field; nulls may stand at either end. */
function judgeOrder (
  probe: Probe, { fields }: Resource, { response, records }: List, field: string, direction: Direction, isDefault = false
): void {
  const valueOf = fields[field] ?? number(field)
  const known = records.map((record, index) => ({ index, value: valueOf(record as ServedRecord) })).filter(({ value }) => value !== null)
  const sign = direction === 'ascending' ? 1 : -1
  /** Returns the first record that each of some collations sorts before the one that precedes it. */
  const misplaced = (compares: readonly Compare[]) => known.find(({ value }, index) => {
    const previous = known[index - 1]?.value ?? value
    const isText = typeof previous === 'string' && typeof value === 'string'
    return compares.every(compare => sign * (isText ? compare(previous, value) : Number(previous) - Number(value)) > 0)
  })
  const strict = collations.map(compare => misplaced([compare]))
  const clear = misplaced([...collations, ...others, ...field === 'title' ? [byCodeUnit] : []])
  const index = Math.min(...[clear ?? strict].flat().map(fault => fault?.index ?? -1))
  const [before, after = {}] = [records[index - 1], records[index]]
  const [expected, got] = isDefault
    ? ['an order of its own', 'the default order']
    : [`${field} ${direction}, ignoring case`, `${shown(before?.[field])} before ${shown(after[field])}, ${named(after)}`]
  probe[clear === undefined ? 'may' : 'must'](response, index === -1, expected, got, after)
}
