import { microsecondsOf } from '../catalogue/timestamps.ts'
import { filterKinds, type FilterKind } from '../lists/filter-kinds.ts'
import type { Filter } from '../lists/filter.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Value } from '../lists/column.ts'
import { Untried, type Check, type Probe } from './check.ts'
import { answered, checkOf, get, jsonOf, named, readList, shown, type Sent } from './read.ts'

const filtered = resources.filter(({ filters }) => Object.keys(filters).length > 0)

const source = 'decided by this project, filters'

/** The checks of the filters against the records themselves; a server that knows none of them may ignore them. */
export const filterChecks: readonly Check[] = filtered.flatMap(resource => {
  const { filters } = resource
  const check = checkOf(resource)
  return [
    ...Object.entries(filters).map(([name, filter]) => ({
      ...check(name, `with ${name} narrows to the records that fit`, source, probe => narrow(probe, resource, name, filter)),
      id: `filters/${name}`
    })),
    ...firstOfEachKind(resource).filter(([, filter]) => testsOf(filter, 'verify') === undefined).map(([name, { kind }]) => ({
      ...check(name, `with ${name}=verify is 400`, source, probe => refuse(probe, resource, name, kind)),
      id: `filters/unreadable-${kind}`
    }))
  ]
})

function testsOf ({ kind, comparison }: Filter, text: string) {
  return filterKinds[kind].read(text, comparison)
}

function firstOfEachKind ({ filters }: Resource): [name: string, filter: Filter][] {
  const kinds = new Map<FilterKind, [string, Filter]>()
  for (const [name, filter] of Object.entries(filters)) if (!kinds.has(filter.kind)) kinds.set(filter.kind, [name, filter])
  return [...kinds.values()]
}

/** The fields that stand in a part of a record: in which, and by what name. */
const inParts: Readonly<Record<string, readonly [part: string, name: string]>> = {
  category: ['category', 'slug'],
  is_electronic: ['groupset', 'is_electronic'],
  brake_type: ['wheels', 'brake_type'],
  wheel_brand: ['wheels', 'brand_name'],
  tyre_brand: ['tyre', 'brand_name'],
  groupset_brand: ['groupset', 'brand_name']
}

function sentValue (record: Sent, field: string): unknown {
  const [part = '', name = ''] = inParts[field] ?? []
  return (record[part] as Sent | null | undefined)?.[name] ?? record[field] ?? null
}

/** The value of a field in the form that a filter's tests take: texts in lower case, decimals and dates as numbers. */
function comparable (value: unknown, kind: FilterKind): Value {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  return kind === 'decimal' ? Number(value) : kind === 'date' ? microsecondsOf(value) : value.toLowerCase()
}

/**
 * A text for a filter: the value of the record in the middle, so that it narrows; of texts that are searched, a word.
 * @throws {Untried} where no record has a value
 */
function textFor ({ kind, fields }: Filter, records: readonly Sent[]): string {
  const [field = ''] = fields
  const texts = records.map(record => String(sentValue(record, field) ?? '')).filter(text => text !== '' && !text.includes(',')).sort()
  const middle = texts[Math.floor(texts.length / 2)]
  if (middle === undefined) throw new Untried(`needs a record with a value of ${field}`)
  return kind === 'search' ? middle.split(' ')[0] as string : middle
}

function ids (records: readonly Sent[]): number[] {
  return records.map(({ id }) => Number(id)).sort((a, b) => a - b)
}

async function narrow (probe: Probe, resource: Resource, name: string, filter: Filter): Promise<void> {
  const { records } = await readList(probe, resource)
  const text = textFor(filter, records)
  const tests = testsOf(filter, text)
  if (tests === undefined) throw new Untried(`needs a value of ${name}, which ${shown(text)} is not`)
  const fits = (record: Sent) => tests.every(test => filter.fields.some(field => test(comparable(sentValue(record, field), filter.kind))))
  const wanted = records.filter(fits)
  const { answer, records: got } = await readList(probe, resource, `?${new URLSearchParams({ [name]: text })}`)
  if (ids(got).join() === ids(wanted).join()) return
  const different = [...got.filter(record => !fits(record)), ...wanted.filter(({ id }) => !ids(got).includes(Number(id)))][0]
  const judge = ids(got).join() === ids(records).join() ? 'may' : 'must' // who does not know the filter gives the whole list
  const wrong = different === undefined ? '' : `, wrong for ${named(different)}`
  probe[judge](answer, false, `the ${wanted.length} records that fit`, `${got.length}${wrong}`, different)
}

async function refuse (probe: Probe, resource: Resource, name: string, kind: FilterKind): Promise<void> {
  const answer = await get(probe, resource, `?${name}=verify`)
  const value = jsonOf(answer)
  const { fault } = filterKinds[kind]
  const isAsOurs = answer.status === 400 && JSON.stringify(value) === JSON.stringify({ [name]: [fault] })
  const knowsIt = answer.status !== 200 && !(answer.status === 400 && typeof value === 'object' && value !== null && name in value)
  probe[knowsIt ? 'must' : 'may'](answer, isAsOurs, `400, ${shown({ [name]: [fault] })}`, answered(answer))
}
