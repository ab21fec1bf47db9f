import type { ServedRecord } from '../catalogue/catalogue.ts'
import { numberField } from '../lists/readers.ts'
import { filterPositions, presentFilters, readFilters, type Condition, type Filter } from '../lists/filter.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { createTable, type Value } from '../lists/table.ts'
import type { JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import { urlOf } from '../client/client.ts'
import { reasonOf, Untried, type Check, type Probe } from './check.ts'
import {
  bikesV2, checkList, get, haveSameIds, haveSameOrder, idsOf, jsonOf, listIn, named, readList, shown, statusAndBody,
  type List, type ListCheck
} from './read.ts'

export const orderingChecks: readonly Check[] = resources.flatMap(resource => {
  const { sortable, access, key } = resource
  const checks: ListCheck[] = [
    ['default-order', 'comes in ascending id order', key === 'chains' ? 'S16' : 'D5', async (probe, resource) => {
      judgeOrder(probe, resource, await readList(probe, resource), 'id', anyCollation)
    }],
    ...sortable.filter(() => access === 'public').flatMap(field => [field, `-${field}`]).map((ordering): ListCheck => [
      `ordering/${ordering}`, `sorts by ${ordering}`, `S13, ${key === 'bikes' ? 'S14' : 'S15'}`,
      (probe, resource) => judgeOrdering(probe, resource, ordering)
    ]),
    ['ordering/unknown', 'ignores an invalid ordering', 'F9', sameOrder('?ordering=nonsense', '')],
    ...key === 'featured' ? [['ordering/ignored', 'ignores ordering by title', 'D6', sameOrder('?ordering=title', '')] as const] : [],
    ...sortable.slice(0, access === 'token' ? 0 : 1).flatMap((field): ListCheck[] => [
      ['ordering/last', 'takes the last of several orderings', 'F9',
        sameOrder(`?ordering=nonsense&ordering=${field}`, `?ordering=${field}`, field)],
      ['ordering/collation', `sorts ${field} in English or by code points, ignoring case`, 'D4', async (probe, resource) => {
        const list = await readList(probe, resource, `?ordering=${field}`)
        if (misplacedIn(resource, list, field, anyCollation) !== undefined) throw new Untried('needs an alphabetical order')
        judgeOrder(probe, resource, list, field, collations)
      }]
    ])
  ]
  return checks.map(check => checkList(resource, ...check))
})

/** Checks an ordering such as `title` or `-title`. */
async function judgeOrdering (probe: Probe, resource: Resource, ordering: string, most?: number): Promise<void> {
  const [plain, list] = [await readList(probe, resource, '', most), await readList(probe, resource, `?ordering=${ordering}`, most)]
  const lost = list.pages.slice(0, -1).findIndex(({ next }) => urlOf(next, probe.base)?.searchParams.get('ordering') !== ordering)
  const reason = lost === -1 ? undefined : `page ${lost + 2} starts over: next has lost ordering`
  const different = reason ?? `${list.records.length} records instead of ${plain.records.length}, or others`
  // Across pages, records with equal values may repeat or be missing.
  const isSame = list.pages.length > 1 ? list.records.length === plain.records.length : haveSameIds(list.records, plain.records)
  if (!probe.expect(list.response, isSame || !plain.isWhole, 'the same records in another order', different)) return
  judgeOrder(probe, resource, list, ordering, anyCollation, haveSameOrder(list.records, plain.records) ? 'the default order' : reason)
}

/** Compares two orders of a list by their first pages; records with equal values may be in any order (contract S17). */
function sameOrder (query: string, same: string, field = 'id'): ListCheck[3] {
  return async (probe, resource) => {
    const valuesOf = ({ records }: List) => records.map(record => shown(record[field])).join()
    const [plain, list] = [await readList(probe, resource, same, 1), await readList(probe, resource, query, 1)]
    if (valuesOf(list) === valuesOf(plain)) return
    const again = same === '' ? await readList(probe, resource, '?&', 1) : plain
    if (valuesOf(again) !== valuesOf(plain)) throw new Untried('needs a list with the same order each time')
    probe.expect(list.response, false, `the order of ${resource.path}${same}`, `ids ${shown(idsOf(list.records).join())}`)
  }
}

type Compare = (a: string, b: string) => number

const byCodeUnit: Compare = (a, b) => Number(a > b) - Number(a < b)

/** Our own collation, and its closest variants. */
const collations = [new Intl.Collator('en').compare, byCodeUnit]
  .map((compare): Compare => (a, b) => compare(a.toLowerCase(), b.toLowerCase()))

/** Languages that sort some letters without accents, or digraphs, differently. */
const languages = ['en', 'cs', 'cy', 'da', 'es-u-co-trad', 'et', 'hr', 'hu', 'lt', 'sq', 'sv']

/** Every order that a database may call alphabetical, including case-sensitive code points. */
const anyCollation: readonly Compare[] = [
  ...collations, byLetters, (a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase()),
  ...languages.flatMap(language => [{}, { numeric: true }, { ignorePunctuation: true }, { numeric: true, ignorePunctuation: true }]
    .map(options => new Intl.Collator(language, options).compare))
]

/** Compares letters and digits only; returns 0 if the first difference is an accented letter, as languages sort those differently. */
function byLetters (a: string, b: string): number {
  const [one, other] = [a, b].map(text => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) as [string, string]
  const index = [...one, ' '].findIndex((letter, index) => letter !== other[index])
  const areAscii = [one[index], other[index]].every(letter => letter === undefined || letter <= '~')
  return areAscii ? byCodeUnit(one, other) : 0
}

/** Returns the first neighbours that are in the wrong order by every collation. Nulls may be at either end. */
function misplacedIn ({ fields }: Resource, { records }: List, ordering: string, compares: readonly Compare[]) {
  const [field, sign] = ordering.startsWith('-') ? [ordering.slice(1), -1] : [ordering, 1]
  const valueOf = fields[field] ?? numberField(field)
  const all = field === 'title' && compares === anyCollation ? [...compares, byCodeUnit] : compares
  const known = records.filter(record => valueOf(record as ServedRecord) !== null)
  for (const [index, after] of known.slice(1).entries()) {
    const before = known[index] as JsonObject
    const [a, b] = [before, after].map(record => valueOf(record as ServedRecord)) as [Value, Value]
    const isText = typeof a === 'string' && typeof b === 'string'
    if (all.every(compare => sign * (isText ? compare(a, b) : Number(a) - Number(b)) > 0)) return { field, sign, before, after }
  }
  return undefined
}

function judgeOrder (probe: Probe, resource: Resource, list: List, ordering: string, compares: readonly Compare[], reason?: string) {
  const misplaced = misplacedIn(resource, list, ordering, compares)
  if (misplaced === undefined) return
  const { field, sign, before, after } = misplaced
  const got = reason ?? `${shown(before[field])} before ${shown(after[field])}, ${named(after)}`
  const expected = `${field} ${sign === 1 ? 'ascending' : 'descending'}${typeof after[field] === 'string' ? ', ignoring case' : ''}`
  probe.expect(list.response, false, expected, got, after)
}

const { fields, filters } = bikesV2

/** One filter of each kind that has invalid values. */
const invalid = { boolean: 'is_featured', integer: 'year', decimal: 'price', date: 'date_added' }

/** Returns a check of all items. It skips items that can't be tried, and throws if none can. */
const forEach = (items: readonly string[], judge: (probe: Probe, item: string) => Promise<void>): ListCheck[3] => async probe => {
  const reasons: string[] = []
  for (const item of items) await judge(probe, item).catch((error: unknown) => reasons.push(reasonOf(error)))
  if (reasons.length === items.length) throw new Untried(String(reasons[0]))
}

/** Checks of the filters and orderings of version 2.1, by the first page of each; the specification leaves them open. */
export const filterChecks: readonly Check[] = ([
  ['orderings', 'has our orderings', 'D38', forEach(bikesV2.sortable.flatMap(field => [field, `-${field}`]),
    (probe, ordering) => judgeOrdering(probe, bikesV2, ordering, 1))],
  ['filters', 'has our filters', 'D36', forEach(Object.keys(filters), narrow)],
  ['filters/invalid', 'rejects invalid values of filters with 400', 'D37', forEach(Object.values(invalid), refuse)]
] satisfies ListCheck[]).map(check => checkList(bikesV2, ...check))

/** Filters by the first value in the list, and compares the result with that of our own filter. */
async function narrow (probe: Probe, name: string): Promise<void> {
  const { records } = await readList(probe, bikesV2)
  const table = createTable(records as readonly ServedRecord[], fields)
  const { kind, fields: [field = ''] } = filters[name] as Filter
  const value = table.values(field).find(value => value !== null && value !== '')
  if (value === undefined) throw new Untried(`needs a bike with ${field}`)
  const text = kind === 'date' ? new Date(Number(value) / 1000).toISOString() : String(value).split(' ', 2).join(' ')
  const conditions = readFilters(presentFilters(new URLSearchParams({ [name]: text }), filters), filters) as Condition[]
  const wanted = filterPositions(table, [...records.keys()], conditions).map(position => records[position] as JsonObject)
  if (wanted.length === records.length) throw new Untried(`needs bikes that differ in ${field}`)
  const { response, records: got, pages: [page] } = await readList(probe, bikesV2, `?${new URLSearchParams({ [name]: text })}`, 1)
  const first = typeof page?.next === 'string' ? wanted.slice(0, got.length) : wanted
  const [idsWanted, ids] = [first, got].map(records => new Set(idsOf(records))) as [Set<string>, Set<string>]
  const wrong = got.find(({ id }) => !idsWanted.has(shown(id))) ?? first.find(({ id }) => !ids.has(shown(id)))
  const isIgnored = haveSameOrder(got, records.slice(0, got.length)) && got.length >= Math.min(wanted.length + 1, records.length)
  const sent = isIgnored ? 'every record' : `${got.length}${wrong === undefined ? '' : `, wrong for ${named(wrong)}`}`
  probe.expect(response, haveSameIds(got, first), `${counted(wanted.length, 'record')} with ${name}=${text}`, sent, wrong)
}

async function refuse (probe: Probe, name: string): Promise<void> {
  const response = await get(probe, bikesV2, `?${name}=verify`)
  const { results } = await readList(probe, bikesV2, '', 1)
  if (haveSameOrder(listIn(response)?.results ?? [], results)) throw new Untried(`needs the filter ${name}`)
  const expected = JSON.stringify(readFilters([[name, 'verify']], filters))
  const holds = response.status === 400 && JSON.stringify(jsonOf(response)) === expected
  probe.expect(response, holds, `400, ${expected}`, statusAndBody(response))
}
