import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse, Recording } from '../../schemas/stored.ts'
import type { JsonObject } from '../base/json.ts'
import { positionsIn, pageOf } from '../catalogue/recorded/frame.ts'
import { parametersIn } from '../catalogue/recorded/queries.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { Limited, Unreachable, urlOf } from '../client/client.ts'
import { textField } from '../lists/table.ts'
import type { Resource } from '../lists/resources.ts'
import { createRecorder, emptyList, type ListRecording, type Recorder, type Service } from './recorder.ts'

/** A service in memory; `unfinished` has the lists that miss records or responses. */
export type ServiceRecording = {
  lists: Map<ListKey, ListRecording>
  bases: Set<string>
  v2: NonNullable<Recording['v2']>
  unfinished: Set<ListKey>
}

export const emptyRecording = (): ServiceRecording => ({
  lists: new Map(), bases: new Set(), v2: {}, unfinished: new Set()
})

/** A list whose records are read; `isKnown` if an earlier pull read them. */
type ReadList = { resource: Resource, recorder: Recorder, isKnown: boolean }

/**
 * Records lists of a service: first all records, then pages and refusals, and orders last, so that a limit costs as few
 * as possible. Asks only for what `recording` lacks, and adds to it. Returns the error of a service that limits
 * requests for too long, or can't be reached once all records are there.
 * @throws {Error} for a response that is not a list
 */
export async function recordService (
  service: Service, wanted: readonly Resource[], recording = emptyRecording()
): Promise<{ recording: ServiceRecording, error?: Unreachable, hasRecords: boolean }> {
  const { lists, unfinished } = recording
  for (const { key } of wanted) if (!lists.has(key)) unfinished.add(key)
  const readLists: ReadList[] = []
  let hasRecords = false
  try {
    for (const resource of wanted.filter(({ key }) => unfinished.has(key))) {
      const known = lists.get(resource.key)
      const isKnown = known?.responses[''] !== undefined
      const recorder = await readList(service, resource, recording, isKnown ? known : emptyList())
      readLists.push({ resource, recorder, isKnown })
    }
    hasRecords = true
    for (const list of readLists) {
      if (list.isKnown) list.recorder = await readIfChanged(service, list, recording)
      await probeList(service, list, recording)
    }
    for (const { resource, recorder } of readLists) {
      await probeOrders(service, resource, recorder)
      unfinished.delete(resource.key)
    }
  } catch (error) {
    if (!isKept(recording, error, hasRecords)) throw error
    return { recording, error: error as Unreachable, hasRecords }
  }
  return { recording, hasRecords }
}

/** Returns whether what was recorded before an error is worth keeping. */
function isKept ({ lists }: ServiceRecording, error: unknown, hasRecords: boolean): boolean {
  if (hasRecords) return error instanceof Unreachable
  const hasSome = [...lists.values()].some(({ texts }) => texts.length > 0)
  return hasSome && error instanceof Limited
}

/** Reads a list anew that an earlier pull began to record, if it has changed since. */
async function readIfChanged (
  service: Service, { resource, recorder }: ReadList, recording: ServiceRecording
): Promise<Recorder> {
  const { list, url, askUnrecorded } = recorder
  const isUnchanged = hasSameRecords(list.responses[''] as RecordedResponse, await askUnrecorded(''))
  if (isUnchanged) return recorder
  service.warn(`${url.href} has changed since the last pull, so it is recorded anew`)
  try {
    return await readList(service, resource, recording, emptyList())
  } catch (error) {
    recording.lists.set(resource.key, list) // rather old records than a part of new ones
    throw error
  }
}

const hasSameRecords = (one: RecordedResponse, other: RecordedResponse) =>
  positionsIn(one.body).join() === positionsIn(other.body).join()

/** Reads all records of a list, page by page. @throws {Error} for a further page that is none, and for a wrong count */
async function readList (
  service: Service, resource: Resource, { lists, bases }: ServiceRecording, list: ListRecording
): Promise<Recorder> {
  lists.set(resource.key, list)
  const recorder = createRecorder(service, resource, list, bases)
  const { url, walk } = recorder
  let isPaged = false
  let pages = 0
  for await (const { href, response, page } of walk('', { adds: true })) {
    if (++pages === 1) isPaged = page !== undefined
    if (response.status === 404) service.warn(`${href} responds with 404, so the list is missing`)
    if (isPaged && page === undefined) throw new Error(`${href} responds without a page of records`)
    if (pages === 1) noteParameters(list, urlOf(page?.['next'], url))
    assertCount(list, url, page)
  }
  const isWholeArray = !isPaged && pages === 1
  if (isWholeArray && list.texts.length > 0) await readSlices(service, recorder)
  return recorder
}

/** @throws {Error} for a last page whose count is not that of the records */
function assertCount ({ texts }: ListRecording, { href }: URL, page: JsonObject | undefined): void {
  const { count, next } = page ?? {}
  if (next || typeof count !== 'number' || count === texts.length) return
  const change = 'it may have changed meanwhile: pull again'
  throw new Error(`${href} has ${texts.length} records, but its count is ${count}; ${change}`)
}

/** Notes the parameters that a service adds to its links. */
function noteParameters ({ form }: ListRecording, next: URL | undefined): void {
  const parameters = next === undefined ? '' : parametersIn(next.search)
  if (parameters !== '') form.parameters = parameters
}

/**
 * Reads the arrays `?page=2`, `?page=3` … of a service that sends a slice of the list for each, as it does without
 * `page`.
 */
async function readSlices ({ limits }: Service, { list, url, ask }: Recorder): Promise<void> {
  const first = await ask('page=1')
  const isSlice = hasSameRecords(first, list.responses[''] as RecordedResponse)
  if (!isSlice) return
  const seen = new Set(positionsIn(first.body))
  for (let number = 2; number <= limits.pages; number++) {
    const positions = positionsIn((await ask(`page=${number}`, 'unknown records')).body)
    const sizeBefore = seen.size
    for (const position of positions) seen.add(position)
    if (seen.size === sizeBefore) return // no new records
  }
  throw new Error(`${url.href} has more than ${limits.pages} pages`)
}

/** Requests HEAD, pages and refusals of a list. */
async function probeList (
  service: Service, { resource, recorder }: ReadList, { v2 }: ServiceRecording
): Promise<void> {
  const { list, askHead } = recorder
  const isFound = list.responses['']?.status === undefined
  if (isFound && list.head === undefined) await askHead()
  if (list.texts.length > 0) await probePages(service, recorder)
  if (resource.access === 'token') await probeToken(resource, recorder, v2)
}

/** Requests the first and the last page, the one after it, and pages of other sizes, unless the list ignores pages. */
async function probePages ({ warn }: Service, { list, url, ask, walk }: Recorder): Promise<void> {
  const first = await ask('page=1')
  const positions = positionsIn(first.body)
  const start = Number(positions[0])
  const isStable = positions.every((position, index) => position === start + index)
  if (!isStable) warn(`${url.href} returns a different order each time, so its first one is served`)
  if (!isPage(list, first)) return
  for (const number of pageNumbers(list)) await ask(`page=${number}`)
  await readToEnd(walk('page=1', { most: manyPages })) // a list without numbered pages has others from here on
  const small = positions.length > 1 ? await ask('page=1&page_size=1') : undefined
  if (positionsIn(small?.body).length === 1) await ask('page=1&page_size=1000')
}

/** The most pages of a list that are all recorded; of an order of a list with more, only a few are. */
const manyPages = 20
const fewPages = 3

/**
 * Returns the numbers of the pages to request: all of a list with at most twenty, otherwise the last; and the one after
 * it.
 */
function pageNumbers ({ texts, responses }: ListRecording): number[] {
  const size = positionsIn(responses['page=1']?.body).length
  const last = Math.ceil(texts.length / Math.max(1, size))
  const numbers: number[] = []
  for (let number = last > manyPages ? last : 1; number <= last + 1; number++) numbers.push(number)
  return numbers
}

/** The most sortable fields of an unpaged list with pages on request whose orders are also recorded as pages. */
const fewFields = 3

/** Fields that a service may sort by where the specification names none. */
function candidatesOf ({ key, sortable }: Resource): readonly string[] {
  if (sortable.length > 0) return sortable
  return key === 'featured' ? ['title'] : ['brand']
}

/** Requests the orders of a list, unless it is an array that is too long. */
async function probeOrders (service: Service, resource: Resource, recorder: Recorder): Promise<void> {
  const { list } = recorder
  if (list.texts.length < 2) return
  const isPaged = isPage(list, list.responses[''])
  const bytes = list.texts.reduce((sum, { length }) => sum + length, 0)
  if (!isPaged && bytes > service.limits.arrayBytes) {
    return service.warn(`${resource.key} is too long to read its orders, so its records are ordered as in the contract`)
  }
  const records = list.texts.map(text => JSON.parse(text) as ServedRecord)
  for (const field of candidatesOf(resource)) {
    const valueOf = resource.fields[field] ?? textField(field)
    const hasEqual = new Set(records.map(valueOf)).size < records.length
    await probeOrder(service, resource, recorder, { field, hasEqual })
  }
}

/** A field to sort by, and whether several records have the same value. */
type ProbedField = { field: string, hasEqual: boolean }

/** Requests the order by a field, ascending and descending; one that is not the same twice is not recorded. */
async function probeOrder (
  { warn }: Service, resource: Resource, recorder: Recorder, { field, hasEqual }: ProbedField
): Promise<void> {
  const { list, ask, askUnrecorded, walk } = recorder
  const first = list.responses[''] as RecordedResponse
  const upQuery = `ordering=${field}`
  const downQuery = `ordering=-${field}`
  const up = await ask(upQuery)
  const down = await ask(downQuery)
  const size = positionsIn(first.body).length
  const areLists = [up, down].every(({ body }) => positionsIn(body).length > 0)
  const isIgnored = hasSameRecords(up, first) && hasSameRecords(down, first)
  if (!areLists || isIgnored) return
  if (hasEqual && !hasSameRecords(up, await askUnrecorded(upQuery))) {
    warn(`${resource.key} returns a different order by ${field} each time, so it is ordered as in the contract`)
    delete list.responses[upQuery]
    delete list.responses[downQuery]
    return
  }
  const most = Math.ceil(list.texts.length / size) > manyPages ? fewPages : manyPages + 1
  const hasPages = hasPagesToRecord(list, resource)
  for (const query of [upQuery, downQuery]) {
    await readToEnd(walk(query, { most }))
    if (hasPages) await readToEnd(walk(`${query}&page=1`, { most }))
  }
}

/**
 * Returns whether the pages of the orders of an unpaged list are requested, too: if it has pages on request and few
 * orders. The 24 orders of version 2.1 would take more requests than everything else.
 */
function hasPagesToRecord (list: ListRecording, { sortable }: Resource): boolean {
  const { '': plain, 'page=1': first } = list.responses
  const isPagedOnRequest = !isPage(list, plain) && isPage(list, first)
  return isPagedOnRequest && sortable.length <= fewFields
}

/** Returns whether a response of a list is a page. */
function isPage ({ separator }: ListRecording, response: RecordedResponse = {}): boolean {
  return pageOf(response, separator) !== undefined
}

/** Requests version 2.1 without a token and with an invalid one, and a filter's value. */
async function probeToken (resource: Resource, recorder: Recorder, v2: ServiceRecording['v2']): Promise<void> {
  const { list, askUnrecorded, walk } = recorder
  v2.missing ??= await askUnrecorded('', '')
  v2.invalid ??= await askUnrecorded('', 'invalid')
  const [text] = list.texts
  if (text === undefined) return
  const brand = resource.fields['brand']?.(JSON.parse(text) as ServedRecord)
  if (typeof brand === 'string') await readToEnd(walk(`brand=${encodeURIComponent(brand)}`, { most: fewPages }))
}

/** Requests, and so records, all pages of a walk. */
async function readToEnd (pages: AsyncIterable<unknown>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true);
}
