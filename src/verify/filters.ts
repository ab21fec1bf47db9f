import type { ServedRecord } from '../catalogue/catalogue.ts'
import { filterPositions, presentFilters, readFilters, type Condition } from '../lists/filter.ts'
import { createTable } from '../lists/table.ts'
import type { JsonObject } from '../settings/json.ts'
import { Untried, type Check, type Probe } from './check.ts'
import { bikesV2, checkList, get, haveSameIds, haveSameOrder, idsOf, jsonOf, named, readList, shown, statusAndBody } from './read.ts'

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
