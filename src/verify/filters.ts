import type { ServedRecord } from '../catalogue/catalogue.ts'
import { counted } from '../base/text.ts'
import { filterPositions, presentFilters, readFilters, type Condition, type Filter } from '../lists/filter.ts'
import { readerOf } from '../lists/readers.ts'
import { createTable } from '../lists/table.ts'
import { expect, type Found, type Row } from './check.ts'
import { jsonOf, parse, readListed, shown, statusAndBody } from './exchange.ts'
import { misplacedIn } from './orders.ts'
import { from, type Probe, type Probing } from './probes.ts'
import type { Series } from './requests.ts'

/** One filter of each kind and comparison. */
const filters = ['search', 'category', 'brand', 'is_featured', 'year', 'year__gte', 'year__lte', 'price__gte', 'date_added__lte']

/** One field of each type, in either direction. */
const orderings = ['title', '-title', 'price', '-rating', '-date_added']

/** One filter of each kind that has invalid values. */
const invalid = ['is_featured', 'year', 'price', 'date_added']

/** Judges each item, and skips those that can't be tried; if none can, returns the reason. */
const forEach = (items: readonly string[], judge: (probing: Probing, item: string) => Promise<readonly Found[] | string>): Probe['probe'] =>
  async probing => {
    const results: (readonly Found[] | string)[] = []
    for (const item of items) results.push(await judge(probing, item))
    const judged = results.filter(result => typeof result !== 'string')
    return judged.length === 0 ? String(results[0]) : judged.flat()
  }

/** Checks of the filters and orderings of version 2.1, by the first page of each; the specification leaves them open. */
export const filterProbes: readonly (Row & Probe)[] = ([
  ['orderings', 'has our orderings', 'D38', forEach(orderings, judgeOrdering)],
  ['filters', 'has our filters', 'D36', forEach(filters, narrow)],
  ['filters/invalid', 'rejects invalid values of filters with 400', 'D37', forEach(invalid, refuse)]
] as const).map(([id, claim, clause, probe]) => ({ id, claim, clause, probe, of: ({ access }) => access === 'token' }))

async function read ({ get }: Probing, query: string) {
  const response = await get(query)
  const text = response.body.toString()
  return { response, listed: response.status === 200 ? readListed(text, parse(text)) : undefined }
}

async function judgeOrdering (probing: Probing, term: string): Promise<readonly Found[]> {
  const { response, listed } = await read(probing, `?ordering=${term}`)
  if (listed === undefined) return expect(false, '200 with a list', statusAndBody(response), { ...from(response), kind: term })
  const values = (listed.records as ServedRecord[]).map(readerOf(probing.resource.record, term.replace('-', '')))
  const misplaced = misplacedIn(values, term)?.map(shown)
  return expect(misplaced === undefined, `the order by ${term}`, String(misplaced?.join(' before ')), from(response))
}

/** Filters by the first value in the list, and compares the result with that of our own filter. */
async function narrow (probing: Probing, name: string): Promise<readonly Found[] | string> {
  const { own, resource: { fields: readers, filters: rows } } = probing
  const plain = own.get('plain') as Series
  const records = plain.sample as unknown as readonly ServedRecord[]
  if (plain.ids.length > records.length) return 'needs a list of at most 1,000 bikes'
  const table = createTable(records, readers)
  const { kind, fields: [field = ''] } = rows[name] as Filter
  const value = table.values(field).find(value => value !== null && value !== '')
  if (value === undefined) return `needs a bike with ${field}`
  const text = kind === 'date' ? new Date(Number(value) / 1000).toISOString() : String(value).split(' ', 2).join(' ')
  const conditions = readFilters(presentFilters(new URLSearchParams({ [name]: text }), rows), rows) as Condition[]
  const wanted = filterPositions(table, [...records.keys()], conditions).map(position => plain.ids[position] as string)
  if (wanted.length === records.length) return `needs bikes that differ in ${field}`
  const { response, listed } = await read(probing, `?${new URLSearchParams({ [name]: text })}`)
  if (listed === undefined) return expect(false, '200 with a list', statusAndBody(response), { ...from(response), kind: name })
  const { ids, page } = listed
  const first = typeof page?.['next'] === 'string' ? wanted.slice(0, ids.length) : wanted
  const isIgnored = ids.join() === plain.ids.slice(0, ids.length).join() && ids.length > wanted.length
  const got = isIgnored ? 'every record' : `${ids.length}, ${shown(ids.join())}`
  const holds = [...ids].sort().join() === [...first].sort().join()
  return expect(holds, `${counted(wanted.length, 'record')} with ${name}=${text}`, got, from(response))
}

async function refuse (probing: Probing, name: string): Promise<readonly Found[] | string> {
  const { response, listed } = await read(probing, `?${name}=verify`)
  const { own, resource: { filters: rows } } = probing
  const { ids, sizes: [size] } = own.get('plain') as Series
  if (listed?.ids.join() === ids.slice(0, size).join()) return `needs the filter ${name}`
  const expected = JSON.stringify(readFilters([[name, 'verify']], rows))
  const holds = response.status === 400 && JSON.stringify(jsonOf(response)) === expected
  return expect(holds, `400, ${expected}`, statusAndBody(response), from(response))
}
