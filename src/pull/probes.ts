import type { Recording, RecordedList } from '../../schemas/stored.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { readRecords, type Records } from '../catalogue/recorded/texts.ts'
import { Unreachable } from '../client/client.ts'
import { plain } from '../lists/fields.ts'
import { orderPositions } from '../lists/ordering.ts'
import type { Resource } from '../lists/resources.ts'
import { createTable } from '../lists/table.ts'
import { readList, type Service } from './lists.ts'

/** A recorded list and its form. */
type Probed = { service: Service, resource: Resource, token: string | undefined, form: RecordedList }

/** Requests a page, and a page of one record; returns the differences from the known form. */
export async function probePages ({ service: { get, base }, resource: { path }, token, form }: Probed): Promise<RecordedList> {
  const { paginate } = form
  const read = async (query: string) => {
    const { status, body } = await get(new URL(`.${path}?${query}`, base), token)
    return status === 200 ? readRecords(body) : undefined
  }
  const first = paginate === 'always' ? undefined : await read('page=1')
  if (first !== undefined && first.page === undefined) return { paginate: 'never' }
  if (first === undefined && paginate !== 'always') return {}
  const { values: { length } = { length: 2 }, envelope: { open, close } = { open: '', close: '' }, page } = first ?? {}
  const one = length > 1 ? await read('page=1&page_size=1') : undefined
  return {
    ...one !== undefined && one.values.length !== 1 && { pageSizeParameter: false },
    ...typeof page?.['next'] === 'string' && { pageSize: length },
    ...page && { envelopes: { 'page=1': { open, close, start: 0, size: length } } }
  }
}

/** The most requests for one order of a paged list. */
const maxPages = 20
const largestPage = 100

/** Fields that a service may sort by where the specification names none. */
const candidatesOf = ({ key, sortable }: Resource) => sortable.length > 0 ? sortable : [key === 'featured' ? 'title' : 'brand']

const isSame = (order: readonly number[] | undefined, other: readonly number[]) => order?.join() === other.join()

/** Requests each remaining order, ascending and descending, and adds differences from ours to the form; `save` stores it. */
export async function probeOrders (
  { service, resource, token, form }: Probed, { values, texts }: Records, save: () => Promise<void>
): Promise<void> {
  const [isPaged, hasSizes] = [form.paginate === 'always', form.pageSizeParameter ?? true]
  if (values.length < 2) return
  if (isPaged && values.length > maxPages * (hasSizes ? largestPage : Number(form.pageSize))) {
    return service.warn(`${resource.key} has too many pages to read its orders, so its records are ordered as in the contract`)
  }
  const asked = form.asked ??= []
  const fields = candidatesOf(resource).filter(field => !asked.includes(field))
  const readers = Object.fromEntries(fields.map(field => [field, resource.fields[field] ?? plain(field)]))
  const table = createTable(values as ServedRecord[], readers)
  const natural = [...values.keys()]

  /** Returns the positions of records in an order of the service; undefined if its records differ. */
  async function orderOf (terms: string): Promise<number[] | undefined> {
    const query = `?ordering=${terms}${isPaged && hasSizes ? `&page_size=${largestPage}` : ''}`
    const list = await readList(service, resource, token, query).catch((error: unknown) => {
      if (error instanceof Unreachable) throw error
      return undefined
    })
    const ordered = list && readRecords(list.content)
    if (ordered?.values.length !== values.length) return undefined
    const places = new Map<string, number[]>(natural.map(index => [texts.textAt(index), []]))
    for (const index of natural.toReversed()) places.get(texts.textAt(index))?.push(index)
    const positions = natural.map(index => places.get(ordered.texts.textAt(index))?.pop())
    if (positions.every(position => position !== undefined)) return positions
    service.warn(`${resource.key} changes with each request, so its order by ${terms} is the one in the contract`)
    return undefined
  }

  const isDefault = async (fields: readonly string[]) => isSame(await orderOf(fields.join()), natural)
  const ignoresAll = fields.length > 1 && await isDefault(fields) && await isDefault(fields.map(field => `-${field}`))
  for (const field of fields) {
    const theirs = ignoresAll ? [natural, natural] : [await orderOf(field), await orderOf(`-${field}`)]
    const ours = [false, true].map(descending => orderPositions(table, [{ field, descending }]))
    const isIgnored = theirs.every(order => isSame(order, natural))
    const sortable = new Set(form.sortable ?? resource.sortable)
    if (!isIgnored && theirs.some(order => order !== undefined)) sortable.add(field)
    else if (isIgnored && !ours.every(order => isSame(order, natural))) sortable.delete(field)
    if ([...sortable].join() !== resource.sortable.join()) form.sortable = [...sortable]
    for (const [index, order] of isIgnored ? [] : theirs.entries()) {
      if (order && !isSame(order, ours[index] as number[])) form.orders = { ...form.orders, [index === 1 ? `-${field}` : field]: order }
    }
    asked.push(field)
    await save()
  }
}

/** Requests version 2.1 without a token and with an invalid one; returns the responses. */
export async function probeRefusals ({ get }: Service, url: URL): Promise<NonNullable<Recording['v2']>> {
  const refusals: NonNullable<Recording['v2']> = {}
  for (const [kind, token] of [['missing', undefined], ['invalid', 'invalid']] as const) {
    const { status, headers, body } = await get(url, token)
    if (status < 400 || status > 499) continue
    const kept = ['content-type', 'www-authenticate', 'cache-control', 'vary'].map(name => [name, headers[name]] as const)
    const present = kept.filter((header): header is [string, string] => typeof header[1] === 'string')
    refusals[kind] = { status, headers: Object.fromEntries(present), body: body.toString() }
  }
  return refusals
}
