import type { ServedRecord } from '../catalogue/catalogue.ts'
import { number } from '../lists/fields.ts'
import { filterPositions, presentFilters, readFilters, type Condition } from '../lists/filter.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { createTable } from '../lists/table.ts'
import type { JsonObject } from '../base/json.ts'
import { Untried, type Check, type Probe } from './check.ts'
import {
  bikesV2, checkList, get, haveSameIds, haveSameOrder, idsOf, jsonOf, named, readList, shown, statusAndBody, type List, type ListCheck
} from './read.ts'

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

function ordered (field: string, direction: 'ascending' | 'descending', source: string): ListCheck {
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
function judgeOrder (probe: Probe, { fields }: Resource, { response, records }: List, field: string, direction: string, isDefault = false) {
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
  const index = Math.min(...[clear ?? strict].flat().map(error => error?.index ?? -1))
  const [before, after = {}] = [records[index - 1], records[index]]
  const [expected, got] = isDefault
    ? ['an order of its own', 'the default order']
    : [`${field} ${direction}, ignoring case`, `${shown(before?.[field])} before ${shown(after[field])}, ${named(after)}`]
  probe[clear === undefined ? 'may' : 'must'](response, index === -1, expected, got, after)
}

const { fields, filters } = bikesV2

/** Returns a query for each of the three filters of a field. */
const compared = (field: string, equal: string, least: string, most: string) =>
  [`${field}=${equal}`, `${field}__gte=${least}`, `${field}__lte=${most}`]

/** A query for each filter. */
export const queries: readonly string[] = [
  'search=gravel BIKE', 'category=gravel', 'brand=TREK,canyon', 'bike_type=Road', 'frame_material=steel', 'colour=olive,teal',
  'status=draft', 'is_featured=true', 'is_electronic=1',
  'brake_type=rim brake', 'wheel_brand=Bontrager,Zipp', 'tyre_brand=continental', 'groupset_brand=SRAM',
  ...compared('year', '2023', '2023', '2021'),
  ...compared('price', '5299', '4499.00', '3000'),
  ...compared('weight_kg', '8.6', '9', '8.20'),
  ...compared('rating', '4', '4.3', '3.8'),
  ...compared('review_count', '4', '6', '3'),
  ...compared('view_count', '1760', '2000', '1669'),
  ...compared('favorites_count', '110', '112', '90'),
  ...compared('date_added', '2024-05-12T21:20:48Z', '2024-06-01', '2024-05-31T23:20:00-02:00'),
  ...compared('date_updated', '2024-06-16T05:44:44Z', '2026-01-01T00:00', '2025-12-31')
]

/** The kinds of filters that have invalid values, and one filter of each. */
const invalid = { boolean: 'is_featured', integer: 'year', decimal: 'price', date: 'date_added' }

const check = (name: string, claim: string, source: string, run: (probe: Probe) => Promise<void>): Check =>
  ({ ...checkList(bikesV2, '', claim, source, run), id: `filters/${name}` })

/** The checks of the filters; a server without one may ignore it. */
export const filterChecks: readonly Check[] = [
  ...queries.map(query =>
    check(query.replace(/=.*/, ''), `with ${query} narrows to the records that fit`, 'D36', probe => narrow(probe, query))),
  ...Object.entries(invalid).map(([kind, name]) =>
    check(`unreadable-${kind}`, `with ${name}=verify is 400`, 'D37', probe => refuse(probe, name)))
]

async function narrow (probe: Probe, query: string): Promise<void> {
  const { records } = await readList(probe, bikesV2)
  const table = createTable(records as readonly ServedRecord[], fields)
  const parameters = new URLSearchParams(query)
  const conditions = readFilters(presentFilters(parameters, filters), filters) as Condition[]
  const wanted = filterPositions(table, [...records.keys()], conditions).map(position => records[position] as JsonObject)
  if (wanted.length === records.length) throw new Untried(`needs a bike that does not fit ${query}`)
  const own = conditions.flatMap(({ fields }) => fields)
  if (own.every(field => table.values(field).every(value => value === null))) throw new Untried(`needs a bike with ${own.join(' or ')}`)
  const { response, records: got } = await readList(probe, bikesV2, `?${parameters}`)
  if (haveSameIds(got, wanted)) return
  const [idsWanted, ids] = [wanted, got].map(records => new Set(idsOf(records))) as [Set<string>, Set<string>]
  const wrong = got.find(({ id }) => !idsWanted.has(shown(id))) ?? wanted.find(({ id }) => !ids.has(shown(id)))
  const about = wrong === undefined ? '' : `, wrong for ${named(wrong)}`
  if (haveSameOrder(got, records)) probe.must(response, false, 'the records that fit', 'every record')
  else probe.must(response, false, `the ${wanted.length} records that fit`, `${got.length}${about}`, wrong)
}

async function refuse (probe: Probe, name: string): Promise<void> {
  const query = `?${name}=verify`
  const response = await get(probe, bikesV2, query)
  if (response.status === 200) {
    const [all, found] = [await readList(probe, bikesV2), await readList(probe, bikesV2, query)]
    if (haveSameOrder(found.records, all.records)) throw new Untried(`needs the filter ${name}`)
  }
  const expected = JSON.stringify(readFilters([[name, 'verify']], filters))
  const holds = response.status === 400 && JSON.stringify(jsonOf(response)) === expected
  probe.must(response, holds, `400, ${expected}`, statusAndBody(response))
}
