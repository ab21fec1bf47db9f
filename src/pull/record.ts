import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse, Recording } from '../../schemas/recording.ts'
import { groupBy } from '../base/group.ts'
import type { JsonObject } from '../base/json.ts'
import { countIn, isVariant, positionsIn, pageOf } from '../recorded/frame.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { Limited, Unreachable } from '../client/client.ts'
import { readerOf } from '../lists/table.ts'
import type { Resource } from '../lists/resources.ts'
import {
  invalidToken, isWalked, manyPages, queryOf, replayedChoices, type Choice, type ListFacts
} from '../service/plan.ts'
import { createRecorder, type Recorder, type Service } from './recorder.ts'
import type { ListRecording } from './reduce.ts'

/** A service in memory; `unfinished` has the lists that miss records or responses. */
export type ServiceRecording = {
  lists: Map<ListKey, ListRecording>
  bases: Set<string>
  v2: NonNullable<Recording['v2']>
  unfinished: Set<ListKey>
}

export const emptyList = (): ListRecording => ({ texts: [], responses: {} })

/** Returns the body of a list that is neither an array nor a page; undefined for any other list. */
export function listDocument ({ responses: { '': first } }: Pick<ListRecording, 'responses'>): string | undefined {
  return first?.status === undefined && first?.body?.length === 1 ? first.body[0] as string : undefined
}

/** The most pages of a filter, and of an order of a list with many pages, that are recorded. */
const fewPages = 3

/** A list with its records; `isKnown` if an earlier pull has read some of them. */
type ReadList = { resource: Resource, recorder: Recorder, isKnown: boolean }

/**
 * Records lists of a service: first all records, then pages and refusals, and orders last, so that a limit costs as few
 * as possible. Asks only for what `recording` lacks, and adds to it. Returns the error of a service that limits
 * requests for too long, or can't be reached once all records are there.
 * @throws {Error} for a response that is not a list
 */
export async function recordService (
  service: Service, wanted: readonly Resource[], earlier?: ServiceRecording
): Promise<{ recording: ServiceRecording, error?: Unreachable, hasRecords: boolean }> {
  const recording: ServiceRecording = earlier ?? { lists: new Map(), bases: new Set(), v2: {}, unfinished: new Set() }
  const { lists, unfinished } = recording
  for (const { key } of wanted) if (!lists.has(key)) unfinished.add(key)
  const readLists: ReadList[] = []
  let hasRecords = false
  try {
    for (const resource of wanted.filter(({ key }) => unfinished.has(key))) {
      const known = lists.get(resource.key)
      const isKnown = known?.responses[''] !== undefined
      const read = (list: ListRecording) => readList(service, resource, recording, list)
      const recorder = await read(isKnown ? known : emptyList()).catch((error: Error) => {
        if (!isKnown || error instanceof Unreachable) throw error
        warnOfChange(service, resource) // its further pages do not fit those that are recorded
        return read(emptyList())
      })
      readLists.push({ resource, recorder, isKnown })
    }
    hasRecords = true
    for (const list of readLists) {
      if (list.isKnown) list.recorder = await readIfChanged(service, list, recording)
      await recordList(service, list, recording)
    }
    for (const { resource, recorder } of readLists) {
      await recordOrders(service, resource, recorder)
      unfinished.delete(resource.key)
    }
  } catch (error) {
    const isLimited = error instanceof Limited && [...lists.values()].some(({ texts }) => texts.length > 0)
    const isKept = hasRecords ? error instanceof Unreachable : isLimited
    if (!isKept) throw error
    return { recording, error: error as Unreachable, hasRecords }
  } finally {
    for (const { recorder } of readLists) warnOfVariants(service, recorder)
  }
  return { recording, hasRecords }
}

/** Warns of records of a list that some responses have differently. */
function warnOfVariants ({ warn }: Service, { url, list }: Recorder): void {
  const positions = new Set<number>()
  let place = ''
  for (const [query, { body = [] }] of Object.entries(list.responses)) {
    const variants = body.filter(isVariant)
    if (variants.length > 0) place ||= query
    for (const { position } of variants) positions.add(position)
  }
  const ids = Array.from(positions, position => (JSON.parse(list.texts[position] as string) as JsonObject)['id'])
  const more = ids.splice(3).length
  if (ids.length === 0) return
  const records = `${ids.length === 1 ? 'record' : 'records'} ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  warn(`${url.href} sends ${records} differently, as in ?${place}; each is recorded as it was sent`)
}

/** Reads a list anew that an earlier pull began to record, if it has changed since. */
async function readIfChanged (
  service: Service, { resource, recorder }: ReadList, recording: ServiceRecording
): Promise<Recorder> {
  const { list, askUnrecorded } = recorder
  const isUnchanged = hasSameRecords(list.responses[''] as RecordedResponse, await askUnrecorded(''))
  if (isUnchanged) return recorder
  warnOfChange(service, resource)
  try {
    return await readList(service, resource, recording, emptyList())
  } catch (error) {
    recording.lists.set(resource.key, list) // rather old records than a part of new ones
    throw error
  }
}

function warnOfChange ({ warn, base }: Service, { path }: Resource): void {
  warn(`${new URL(`.${path}`, base).href} has changed since the last pull, so it is recorded anew`)
}

const hasSameRecords = (one: RecordedResponse, other: RecordedResponse) =>
  positionsIn(one.body).join() === positionsIn(other.body).join()

/** Reads all records of a list, page by page. @throws {Error} for a further page that is none, and for a wrong count */
async function readList (
  service: Service, resource: Resource, { lists, bases }: ServiceRecording, list: ListRecording
): Promise<Recorder> {
  lists.set(resource.key, list)
  const recorder = createRecorder(service, resource, list, bases)
  const { url, walkFrom } = recorder
  let isPaged = false
  let count = 0
  for await (const { href, response, page } of walkFrom('', { adding: 'all records' })) {
    count++
    if (count === 1) isPaged = page !== undefined
    if (response.status === 404) service.warn(`${href} responds with 404, so the list is missing`)
    if (isPaged && page === undefined) throw new Error(`${href} responds without a page of records`)
    assertCount(list, url, page)
  }
  const isSingleArray = !isPaged && count === 1
  if (isSingleArray && list.texts.length > 0) await readSlices(service, recorder)
  return recorder
}

/** @throws {Error} for a last page whose count is not that of the records */
function assertCount ({ texts }: ListRecording, { href }: URL, page: JsonObject | undefined): void {
  const { count, next } = page ?? {}
  if (next || typeof count !== 'number' || count === texts.length) return
  const change = 'it may have changed meanwhile: pull again'
  throw new Error(`${href} has ${texts.length} records, but its count is ${count}; ${change}`)
}

/**
 * Reads the arrays `?page=2`, `?page=3` … of a service that sends a slice of the list for each, as it does without
 * `page`.
 */
async function readSlices ({ limits }: Service, { list, url, ask }: Recorder): Promise<void> {
  const first = await ask('?page=1')
  const isSlice = hasSameRecords(first, list.responses[''] as RecordedResponse)
  if (!isSlice) return
  const seen = new Set(positionsIn(first.body))
  for (let number = 2; number <= limits.pages; number++) {
    const positions = positionsIn((await ask(`?page=${number}`, 'unknown records')).body)
    const sizeBefore = seen.size
    for (const position of positions) seen.add(position)
    if (seen.size === sizeBefore) return // no new records
  }
  throw new Error(`${url.href} has more than ${limits.pages} pages`)
}

/**
 * Requests HEAD of a list, and as a script of another origin; version 2.1 without a token and with an invalid one; then
 * its pages, page sizes and filters.
 */
async function recordList (
  service: Service, { resource, recorder }: ReadList, { v2 }: ServiceRecording
): Promise<void> {
  const { list, ask, askHeaders, askUnrecorded, walkFrom } = recorder
  const isFound = list.responses['']?.status === undefined
  if (isFound) await askHeaders()
  if (resource.access === 'token') {
    v2.missing ??= await askUnrecorded('', '')
    v2.invalid ??= await askUnrecorded('', invalidToken)
  }
  if (isFound && listDocument(list) === undefined) {
    const pageOne = await ask('?page=1')
    warnIfUnstable(service, recorder, pageOne)
    const isEmpty = list.texts.length === 0 && pageOf(pageOne, list.separator) !== undefined
    if (isEmpty) await ask('?page=2')
  }
  if (list.texts.length === 0) return
  for (const choice of replayedChoices(resource, factsOf(list))) {
    if (choice.ordering !== undefined) continue
    const query = queryOf(choice)
    const most = choice.filter === undefined ? manyPages : fewPages
    if (isWalked(choice, resource)) await readToEnd(walkFrom(query, { most }))
    else await ask(query)
  }
}

function warnIfUnstable ({ warn }: Service, { url, list }: Recorder, { body }: RecordedResponse): void {
  const positions = positionsIn(body)
  const start = Number(positions[0])
  const { texts } = list
  const isStable = positions.every((position, index) => texts[position] === texts[start + index])
  if (!isStable) warn(`${url.href} returns a different order each time, so its first one is served`)
}

/** Returns the facts of a list from its recorded responses; a service without numbered pages ignores their numbers. */
function factsOf ({ texts, responses, separator }: ListRecording): ListFacts {
  const { 'page=1': pageOne } = responses
  const record = JSON.parse(texts[0] as string) as JsonObject
  const isPaged = pageOne !== undefined && pageOf(pageOne, separator) !== undefined
  const pageSize = isPaged ? countIn(pageOne.body) : 0
  const last = isPaged ? Math.ceil(texts.length / Math.max(1, pageSize)) : 0
  const pages = Array.from({ length: last }, (_, index) => String(index + 1))
  return { pages, isWhole: true, pageSize, record }
}

/** Requests the orders of a list, unless it is an array that is too long. */
async function recordOrders (service: Service, resource: Resource, recorder: Recorder): Promise<void> {
  const { list, ask } = recorder
  if (list.texts.length < 2) return
  const bytes = list.texts.reduce((sum, { length }) => sum + length, 0)
  const isPaged = pageOf(list.responses[''] as RecordedResponse, list.separator) !== undefined
  if (!isPaged && bytes > service.limits.arrayBytes) {
    service.warn(`${resource.key} is too long to read its orders, so its records are ordered as in the contract`)
    return
  }
  const orderings: Choice[] = []
  for (const choice of replayedChoices(resource, factsOf(list))) {
    if (choice.ordering === undefined) continue
    orderings.push(choice)
    await ask(queryOf(choice))
  }
  for (const [field, choices] of groupBy(orderings, ({ ordering = '' }) => ordering.replace('-', ''))) {
    await recordOrder(service, resource, recorder, field, choices)
  }
}

/** Requests the pages of the order by a field, ascending and descending; one that differs each time isn't recorded. */
async function recordOrder (
  { warn }: Service, { key, record }: Resource, recorder: Recorder, field: string, choices: readonly Choice[]
): Promise<void> {
  const { list, ask, askUnrecorded, walkFrom } = recorder
  const first = list.responses[''] as RecordedResponse
  const ascending = `?ordering=${field}`
  const descending = `?ordering=-${field}`
  const up = await ask(ascending)
  const isAscendingOnly = choices.every(({ ordering }) => ordering === field)
  if (isAscendingOnly && hasSameRecords(up, first)) return
  const down = await ask(descending)
  const areLists = countIn(up.body) > 0 && countIn(down.body) > 0
  const isIgnored = hasSameRecords(up, first) && hasSameRecords(down, first)
  if (!areLists || isIgnored) return

  const valueOf = readerOf(record, field)
  const values = new Set(list.texts.map(text => valueOf(JSON.parse(text) as ServedRecord)))
  const hasEqual = values.size < list.texts.length
  if (hasEqual && !hasSameRecords(up, await askUnrecorded(ascending))) {
    warn(`${key} returns a different order by ${field} each time, so it is ordered as in the contract`)
    for (const query of Object.keys(list.responses)) {
      const term = new URLSearchParams(query).get('ordering')
      if (term?.replace('-', '') === field) delete list.responses[query]
    }
    return
  }
  const most = list.texts.length / countIn(first.body) > manyPages ? fewPages : manyPages + 1
  for (const query of new Set([ascending, descending, ...choices.map(queryOf)])) {
    await readToEnd(walkFrom(query, { most }))
  }
}

/** Requests, and so records, all pages of a walk. */
async function readToEnd (pages: AsyncIterable<unknown>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true);
}
