import type { RecordedList } from '../../schemas/stored.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import { plain } from '../lists/fields.ts'
import { orderPositions } from '../lists/ordering.ts'
import type { Resource } from '../lists/resources.ts'
import { createTable } from '../lists/table.ts'
import { readList, type Service } from './lists.ts'
import type { Ask } from './probes.ts'

/** Bounds the requests for one order of a list in pages. */
const maxPages = 20
const largestPage = 100

/** What a service may sort by where the specification names nothing. */
const candidatesOf = ({ key, sortable }: Resource) => sortable.length > 0 ? sortable : [key === 'featured' ? 'title' : 'brand']

/** Asks a list for the order of each field in both directions; returns those that differ from ours, and the fields that are obeyed. */
export async function probeOrders (
  ask: Ask, service: Service, resource: Resource, token: string | undefined, form: RecordedList, content: Buffer
): Promise<RecordedList> {
  const read = readRecords(content)
  if (read === undefined || read.values.length < 2) return {}
  const { values: { length }, values, texts } = read
  const isPaged = form.paginate === 'always'
  const hasSizes = form.pageSizeParameter ?? true
  const pages = Math.ceil(length / (hasSizes ? largestPage : form.pageSize ?? length))
  if (isPaged && pages > maxPages) {
    service.warn(`${resource.key} has too many pages to read its orders, so they are ours`)
    return {}
  }
  const get: Service['get'] = async (...request) => await ask(...request) ?? Promise.reject(new Error('given up'))
  const fields = candidatesOf(resource)
  const readers = Object.fromEntries(fields.map(field => [field, plain(field)]))
  const table = createTable(values as ServedRecord[], { ...readers, ...resource.fields })
  const ours = (field: string, descending: boolean) => orderPositions(table, [{ field, descending }])
  const isDefault = (positions: readonly number[] | undefined) => positions?.every((position, index) => position === index) === true

  /** Returns the positions of records in an order of the service; undefined where it does not have the same records. */
  async function orderOf (terms: readonly string[]): Promise<number[] | undefined> {
    const query = `?ordering=${terms.join()}${isPaged && hasSizes ? `&page_size=${largestPage}` : ''}`
    const list = await readList({ ...service, get, warn: () => {} }, resource, token, query).catch(() => undefined)
    service.signal.throwIfAborted()
    const ordered = list && readRecords(list.content)
    if (ordered?.values.length !== length) return undefined
    const places = new Map<string, number[]>()
    for (let index = length - 1; index >= 0; index--) places.set(texts.textAt(index), [...places.get(texts.textAt(index)) ?? [], index])
    const positions = Array.from({ length }, (_, index) => places.get(ordered.texts.textAt(index))?.pop())
    if (positions.every(position => position !== undefined)) return positions
    service.warn(`${resource.key} changes with each request, so its order by ${terms.join()} is ours`)
    return undefined
  }

  const descending = fields.map(field => `-${field}`)
  const ignoresAll = fields.length > 1 && isDefault(await orderOf(fields)) && isDefault(await orderOf(descending))
  const sortable: string[] = []
  const orders: Record<string, number[]> = {}
  for (const field of fields) {
    const both = ignoresAll ? [] : [await orderOf([field]), await orderOf([`-${field}`])]
    const isIgnored = ignoresAll || both.every(isDefault)
    const isKnown = both.some(positions => positions !== undefined) || ignoresAll
    const isTold = [false, true].some(descending => !isDefault(ours(field, descending)))
    if (isKnown && isIgnored && isTold) continue
    if (resource.sortable.includes(field) || (isKnown && !isIgnored)) sortable.push(field)
    for (const [index, positions] of both.entries()) {
      const own = ours(field, index === 1)
      if (positions?.some((position, at) => position !== own[at])) orders[index === 1 ? `-${field}` : field] = positions
    }
  }
  return {
    ...sortable.join() !== resource.sortable.join() && { sortable },
    ...Object.keys(orders).length > 0 && { orders }
  }
}
