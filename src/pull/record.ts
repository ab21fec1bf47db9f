import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse, Recording } from '../../schemas/stored.ts'
import { positionsIn, pageOf } from '../catalogue/recorded/frame.ts'
import { parametersIn } from '../catalogue/recorded/queries.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { Limited, Unreachable } from '../client/client.ts'
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

export const emptyRecording = (): ServiceRecording => ({ lists: new Map(), bases: new Set(), v2: {}, unfinished: new Set() })

/**
 * Records lists of a service: first all records, then responses to other queries. Asks only for what `recording` lacks, and adds to it.
 * Returns the error of a service that limits requests for too long, or can't be reached once all records are there.
 * @throws {Error} for a list that is none
 */
export async function recordService (
  service: Service, wanted: readonly Resource[], recording = emptyRecording()
): Promise<{ recording: ServiceRecording, error?: Unreachable, hasRecords: boolean }> {
  const { lists, v2, unfinished } = recording
  for (const { key } of wanted) if (!lists.has(key)) unfinished.add(key)
  const recorders: { resource: Resource, isKnown: boolean, recorder: Recorder }[] = []
  let hasRecords = false
  try {
    for (const resource of wanted.filter(({ key }) => unfinished.has(key))) {
      const known = lists.get(resource.key) ?? emptyList()
      const isKnown = known.responses[''] !== undefined
      recorders.push({ resource, isKnown, recorder: await readList(service, resource, recording, known) })
    }
    hasRecords = true
    for (const { resource, isKnown, recorder: known } of recorders) {
      const { list, read, url } = known
      const isChanged = isKnown && !isSame(list.responses[''], await read(''))
      if (isChanged) service.warn(`${url.href} has changed since the last pull, so it is recorded anew`)
      const recorder = isChanged ? await readList(service, resource, recording, emptyList()) : known
      const first = recorder.list.responses[''] as RecordedResponse
      if (first.status === undefined && recorder.list.head === undefined) await recorder.askHead()
      if (recorder.list.texts.length > 0) {
        await probePages(service, recorder)
        await probeOrders(service, resource, recorder)
      }
      if (resource.access === 'token') await probeToken(resource, recorder, v2)
      unfinished.delete(resource.key)
    }
  } catch (error) {
    const hasSome = [...lists.values()].some(({ texts }) => texts.length > 0)
    const isKept = hasRecords ? error instanceof Unreachable : error instanceof Limited && hasSome
    if (!isKept) throw error
    return { recording, error: error as Unreachable, hasRecords }
  }
  return { recording, hasRecords }
}

const isSame = (one: RecordedResponse | undefined, other: RecordedResponse) =>
  one !== undefined && positionsIn(one.body).join() === positionsIn(other.body).join()

/** Reads the records that a list lacks, page by page. */
async function readList (
  service: Service, resource: Resource, { lists, bases }: ServiceRecording, list: ListRecording
): Promise<Recorder> {
  const { warn } = service
  lists.set(resource.key, list)
  const recorder = createRecorder(service, resource, list, bases)
  const { url, walk } = recorder
  for await (const { href, response, page } of walk('', { adds: true })) {
    const count = page?.['count']
    const next = page?.['next']
    if (href === url.href && typeof next === 'string') {
      const parameters = parametersIn(next)
      if (parameters !== '') list.form.parameters = parameters
    }
    if (response.status === 404) warn(`${href} responds with 404, so the list is missing`)
    if (href !== url.href && page === undefined) throw new Error(`${href} responds without a page of records`)
    if (!next && typeof count === 'number' && count !== list.texts.length) {
      throw new Error(`${url.href} has ${list.texts.length} records, but its count is ${count}; it may have changed meanwhile: pull again`)
    }
  }
  return recorder
}

/** Requests the first and the last page, the one after it, and pages of other sizes, unless the list ignores pages. */
async function probePages ({ warn }: Service, { list, url, ask }: Recorder): Promise<void> {
  const one = await ask('page=1')
  const positions = positionsIn(one.body)
  const isStable = positions.every((position, index) => index === 0 || position === Number(positions[index - 1]) + 1)
  if (!isStable) warn(`${url.href} has another order each time, so it is served in the order of its first response`)
  if (pageOf(one, list.separator) === undefined) return
  const size = positions.length
  const last = Math.max(1, Math.ceil(list.texts.length / Math.max(1, size)))
  for (const number of new Set([last, last + 1])) await ask(`page=${number}`)
  const small = size > 1 ? await ask('page=1&page_size=1') : undefined
  if (positionsIn(small?.body).length === 1) await ask('page=1&page_size=1000')
}

/** A list with more pages is ordered by a few of them, and an array above the limit of bytes not at all. */
const [maxPages, fewPages] = [20, 3]

/** Fields that a service may sort by where the specification names none. */
const candidatesOf = ({ key, sortable }: Resource) => sortable.length > 0 ? sortable : [key === 'featured' ? 'title' : 'brand']

/** Requests the order by each field, ascending and descending; one that is not the same twice is not recorded. */
async function probeOrders ({ limits, warn }: Service, resource: Resource, { list, ask, read, walk }: Recorder): Promise<void> {
  const first = list.responses[''] as RecordedResponse
  const isPaged = pageOf(first, list.separator) !== undefined
  const size = positionsIn(first.body).length
  if (list.texts.length < 2) return
  if (!isPaged && list.texts.reduce((sum, { length }) => sum + length, 0) > limits.arrayBytes) {
    return warn(`${resource.key} is too long to read its orders, so its records are ordered as in the contract`)
  }
  const most = Math.ceil(list.texts.length / size) > maxPages ? fewPages : maxPages + 1
  const records = list.texts.map(text => JSON.parse(text) as ServedRecord)
  for (const field of candidatesOf(resource)) {
    const terms = [field, `-${field}`]
    const responses = [await ask(`ordering=${terms[0]}`), await ask(`ordering=${terms[1]}`)]
    if (responses.some(({ body }) => positionsIn(body).length === 0)) continue
    if (responses.every(response => isSame(response, first))) continue
    const valueOf = resource.fields[field] ?? textField(field)
    const hasEqual = new Set(records.map(valueOf)).size < records.length
    if (hasEqual && !isSame(responses[0], await read(`ordering=${field}`))) {
      warn(`${resource.key} has another order by ${field} each time, so it is ordered as in the contract`)
      for (const term of terms) delete list.responses[`ordering=${term}`]
    } else if (isPaged) for (const term of terms) await readAll(walk(`ordering=${term}`, { most }))
  }
}

/** Requests version 2.1 without a token and with an invalid one, and a filter's value. */
async function probeToken (resource: Resource, { list, ask, read }: Recorder, v2: ServiceRecording['v2']): Promise<void> {
  for (const [kind, token] of [['missing', ''], ['invalid', 'invalid']] as const) {
    v2[kind] ??= await read('', token)
  }
  const brand = list.texts.length > 0 ? resource.fields['brand']?.(JSON.parse(list.texts[0] as string) as ServedRecord) : undefined
  if (typeof brand === 'string') await ask(`brand=${encodeURIComponent(brand)}`)
}

async function readAll (pages: AsyncIterable<unknown>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true);
}
