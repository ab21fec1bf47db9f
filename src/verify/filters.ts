import type { JsonObject } from '../settings/json.ts'
import { Untried, type Check, type Probe } from './check.ts'
import { bikesV2, checkList, get, haveSameIds, haveSameOrder, idsOf, jsonOf, named, readList, shown, statusAndBody } from './read.ts'

type Fits = (value: unknown) => boolean

/** A query for a filter, the field of a bike that it reads, and whether a value of the field fits. */
type Query = readonly [query: string, field: string, fits: Fits]

const lower = (value: unknown) => typeof value === 'string' ? value.toLowerCase() : ''

const oneOf = (...words: string[]): Fits => value => words.includes(lower(value))

const isTrue: Fits = value => value === true

/** Returns NaN unless the value is a number, or a decimal in a text. */
const number = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : NaN

/** Returns NaN unless the value is a time; one without an offset is in UTC. */
const time = (value: unknown) => typeof value === 'string' ? Date.parse(value.replace(/T[\d:]+$/, '$&Z')) : NaN

/** Returns a query for each of the three filters of a field. */
function comparisons (field: string, read: (value: unknown) => number, equal: string, least: string, most: string): Query[] {
  return [
    [`${field}=${equal}`, field, value => read(value) === read(equal)],
    [`${field}__gte=${least}`, field, value => read(value) >= read(least)],
    [`${field}__lte=${most}`, field, value => read(value) <= read(most)]
  ]
}

/** A query for each filter. */
export const queries: readonly Query[] = [
  ['search=gravel BIKE', 'title brand model_name description', value => ['gravel', 'bike'].every(word => lower(value).includes(word))],
  ['category=gravel', 'category.slug', oneOf('gravel')],
  ['brand=TREK,canyon', 'brand', oneOf('trek', 'canyon')],
  ['bike_type=Road', 'bike_type', oneOf('road')],
  ['frame_material=steel', 'frame_material', oneOf('steel')],
  ['colour=olive,teal', 'colour', oneOf('olive', 'teal')],
  ['status=draft', 'status', oneOf('draft')],
  ['is_featured=true', 'is_featured', isTrue],
  ['is_electronic=1', 'groupset.is_electronic', isTrue],
  ['brake_type=rim brake', 'wheels.brake_type', oneOf('rim brake')],
  ['wheel_brand=Bontrager,Zipp', 'wheels.brand_name', oneOf('bontrager', 'zipp')],
  ['tyre_brand=continental', 'tyre.brand_name', oneOf('continental')],
  ['groupset_brand=SRAM', 'groupset.brand_name', oneOf('sram')],
  ...comparisons('year', number, '2023', '2023', '2021'),
  ...comparisons('price', number, '5299', '4499.00', '3000'),
  ...comparisons('weight_kg', number, '8.6', '9', '8.20'),
  ...comparisons('rating', number, '4', '4.3', '3.8'),
  ...comparisons('review_count', number, '4', '6', '3'),
  ...comparisons('view_count', number, '1760', '2000', '1669'),
  ...comparisons('favorites_count', number, '110', '112', '90'),
  ...comparisons('date_added', time, '2024-05-12T21:20:48Z', '2024-06-01', '2024-05-31T23:20:00-02:00'),
  ...comparisons('date_updated', time, '2024-06-16T05:44:44Z', '2026-01-01T00:00', '2025-12-31')
]

/** An invalid query for each kind of filter that has one, and the error of its field. */
const invalid = [
  ['boolean', 'is_featured', 'Must be a valid boolean.'],
  ['integer', 'year', 'Enter a whole number.'],
  ['decimal', 'price', 'Enter a number.'],
  ['date', 'date_added', 'Enter a valid date or date and time.']
] as const

/** The checks of the filters; a server without one may ignore it. */
export const filterChecks: readonly Check[] = [
  ...queries.map(query => ({
    ...checkList(bikesV2, '', `with ${query[0]} narrows to the records that fit`, 'D36', probe => narrow(probe, ...query)),
    id: `filters/${query[0].split('=')[0]}`
  })),
  ...invalid.map(([kind, name, message]) => ({
    ...checkList(bikesV2, '', `with ${name}=verify is 400`, 'D37', probe => refuse(probe, name, message)),
    id: `filters/unreadable-${kind}`
  }))
]

/** Returns the value at a path of a bike, such as `wheels.brake_type`; of several fields their lines. */
function valueOf (bike: JsonObject, field: string): unknown {
  if (field.includes(' ')) return field.split(' ').map(name => lower(bike[name])).join('\n')
  return field.split('.').reduce<unknown>((value, name) => (value as JsonObject | null | undefined)?.[name], bike)
}

async function narrow (probe: Probe, ...[query, field, fits]: Query): Promise<void> {
  const { records } = await readList(probe, bikesV2)
  const values = records.map(bike => valueOf(bike, field))
  const wanted = records.filter((_, index) => fits(values[index]))
  if (wanted.length === records.length) throw new Untried(`needs a bike that does not fit ${query}`)
  if (values.every(value => (value ?? null) === null)) throw new Untried(`needs a bike with ${field}`)
  const { response, records: got } = await readList(probe, bikesV2, `?${new URLSearchParams(query)}`)
  if (haveSameIds(got, wanted)) return
  if (haveSameOrder(got, records)) {
    probe.must(response, false, 'the records that fit', 'every record')
    return
  }
  const ids = new Set(idsOf(got))
  const wrong = got.find(bike => !fits(valueOf(bike, field))) ?? wanted.find(({ id }) => !ids.has(shown(id)))
  const about = wrong === undefined ? '' : `, wrong for ${named(wrong)}`
  probe.must(response, false, `the ${wanted.length} records that fit`, `${got.length}${about}`, wrong)
}

async function refuse (probe: Probe, name: string, message: string): Promise<void> {
  const response = await get(probe, bikesV2, `?${name}=verify`)
  if (response.status === 200) {
    const [all, found] = [await readList(probe, bikesV2), await readList(probe, bikesV2, `?${name}=verify`)]
    if (haveSameOrder(found.records, all.records)) throw new Untried(`needs the filter ${name}`)
  }
  const expected = JSON.stringify({ [name]: [message] })
  const holds = response.status === 400 && JSON.stringify(jsonOf(response)) === expected
  probe.must(response, holds, `400, ${expected}`, statusAndBody(response))
}
