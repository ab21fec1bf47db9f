import diff, { type Difference } from 'microdiff'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { isPlainObject, valueAt, type JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { headersOf, isList, positionsIn, skeletonOf } from '../recorded/frame.ts'
import { baseReplacer } from '../http/base-urls.ts'
import type { Resource } from '../lists/resources.ts'
import { readerOf } from '../lists/table.ts'
import type { ServiceRecording } from '../pull/record.ts'
import { listDocument, type ListRecording } from '../pull/recorder.ts'
import { tokens } from '../service/read.ts'

/** A change of a list: of a record, of the response to a request, or of an order. */
export type Change = {
  list: string
  /** The id of a record. */
  record?: string
  /** A method, a query, or a token that is missing or invalid. */
  request?: string
  /** The path of a field, the name of a header, or another changed part; absent for a whole record. */
  field?: string
  /** The values as they are written in JSON; `before` is absent for an added one, `after` for a removed one. */
  before?: string
  after?: string
  /** The number of further records or requests with the same change. */
  more: number
}

/** Returns a recording with the URL of its service replaced by another one; links may have another scheme. */
export function moveTo (to: string, from: string, recording: ServiceRecording): ServiceRecording {
  const withoutScheme = (url: string) => url.replace(/^https?:/i, '')
  const [own, other] = [from.replace(/\/*$/, ''), to.replace(/\/*$/, '')]
  const replace = baseReplacer([own])
  const replaceHost = baseReplacer([withoutScheme(own)])
  const move = (text: string) => replaceHost(replace(text, other), withoutScheme(other))
  const moveAll = <T>(value: T) => JSON.parse(JSON.stringify(value), (_, part: unknown) => {
    return typeof part === 'string' ? move(part) : part
  }) as T
  const lists: ServiceRecording['lists'] = new Map()
  for (const [key, { texts, ...list }] of recording.lists) {
    lists.set(key, { ...moveAll(list), texts: texts.map(move) })
  }
  return { ...recording, lists, v2: moveAll(recording.v2) }
}

/**
 * Returns the changes of a list that both recordings have. A list in another form, or with another status, has only
 * those of its responses.
 */
export function changesOf (
  resource: Resource, before: ServiceRecording, after: ServiceRecording, ignored: readonly string[]
): Change[] {
  const { key } = resource
  const old = sideOf(resource, before)
  const now = sideOf(resource, after)
  const ids = new Set([...old.texts.keys(), ...now.texts.keys()])
  const isSameSet = ids.size === old.texts.size && ids.size === now.texts.size
  const orders = changedOrders(resource, old, now)
  const responses = changedResponses(
    describeResponses(old, isSameSet, orders.length === 0), describeResponses(now, isSameSet, orders.length === 0),
    isSameSet
  )
  const hasSameForm = old.form === now.form || old.form === undefined || now.form === undefined
  const changes = hasSameForm ? [...changedRecords(old, now, ids), ...orders, ...responses] : responses
  const names = ignored.map(name => name.startsWith(`${key}.`) ? name.slice(key.length + 1) : name)
  const isKept = ({ field }: OwnChange) => !names.some(name => `.${field}.`.includes(`.${name}.`))
  return changes.filter(isKept).map(change => ({ list: key, ...change }))
}

type OwnChange = Omit<Change, 'list'>

/** A list of a recording. */
type Side = {
  list: ListRecording
  /** The texts of the records by id, or by position where an id is missing or repeated. */
  texts: ReadonlyMap<string, string>
  responses: Readonly<Record<string, RecordedResponse | undefined>>
  /** The status of the first response, and whether it is a document; undefined if it was not recorded. */
  form: string | undefined
}

function sideOf ({ key, access }: Resource, { lists, v2 }: ServiceRecording): Side {
  const list = lists.get(key) as ListRecording
  const texts = new Map<string, string>()
  for (const [index, text] of list.texts.entries()) {
    const id = written((readExactly(text) as JsonObject)['id']) ?? `at position ${index}`
    texts.set(texts.has(id) ? `${id}, repeated at position ${index}` : id, text)
  }
  const { '': first, ...others } = list.responses
  const responses: Record<string, RecordedResponse | undefined> = { GET: first }
  if (first?.status === undefined) responses['HEAD'] = list.head ?? (first && {})
  for (const [query, response] of Object.entries(others)) responses[`?${query}`] = response
  if (access === 'token') Object.assign(responses, { 'no token': v2.missing, 'invalid token': v2.invalid })
  const form = first && `${first.status} ${listDocument(list) !== undefined}`
  return { list, texts, responses, form }
}

/** Parses JSON with its numbers as they are written, in strings that begin with NUL. */
function readExactly (text: string): unknown {
  const marked = (token: string) => token.startsWith('"') ? token : `"\\u0000${token}"`
  return JSON.parse(text.replace(tokens, marked))
}

const written = (value: unknown): string | undefined => JSON.stringify(value)?.replace(/"\\u0000([^"]*)"/g, '$1')

/** Returns the values of a change, as they are written. */
function valuesOf (difference: Difference): Pick<Change, 'before' | 'after'> {
  const values: Pick<Change, 'before' | 'after'> = {}
  if (difference.type !== 'CREATE') values.before = String(written(difference.oldValue))
  if (difference.type !== 'REMOVE') values.after = String(written(difference.value))
  return values
}

/** Returns the changes of records; a field that is added to all of them, or removed, is a single one. */
function changedRecords (old: Side, now: Side, ids: Iterable<string>): OwnChange[] {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const common: string[] = []
  for (const id of ids) {
    const oldText = old.texts.get(id)
    const newText = now.texts.get(id)
    if (oldText !== undefined && newText !== undefined) common.push(id)
    if (oldText === newText) continue
    if (oldText !== undefined) before[id] = readExactly(oldText)
    if (newText !== undefined) after[id] = readExactly(newText)
  }
  const changes: OwnChange[] = []
  const differences = diff(before, after, { cyclesFix: false })
  for (const [, group] of groupBy(differences, ({ type, path: [, ...steps] }) => JSON.stringify([type, ...steps]))) {
    const [{ type, path: [, ...steps] }] = group
    const changed = new Set(group.map(({ path: [id] }) => String(id)))
    const lacksField = (id: string) => {
      const parent = valueAt(JSON.parse(now.texts.get(id) as string), steps.slice(0, -1).map(String))
      return !isPlainObject(parent)
    }
    const isEverywhere = type !== 'CHANGE' && steps.length > 0 && common.every(id => changed.has(id) || lacksField(id))
    for (const difference of isEverywhere ? group.slice(0, 1) : group) {
      const more = isEverywhere ? group.length - 1 : 0
      const change: OwnChange = { record: String(difference.path[0]), ...valuesOf(difference), more }
      if (steps.length > 0) change.field = steps.join('.')
      changes.push(change)
    }
  }
  return changes
}

/** Returns the orders that differ in their common records; equal values, ignoring case, may be in any order. */
function changedOrders ({ record }: Resource, old: Side, now: Side): OwnChange[] {
  const changes: OwnChange[] = []
  const ordersNow = ordersOf(now)
  for (const [term, oldIds] of ordersOf(old)) {
    const newIds = ordersNow.get(term) ?? new Set()
    const field = term.replace('-', '')
    const read = readerOf(record, field)
    const valueIn = ({ texts }: Side, id: string) => {
      return term === '' ? id : String(read(JSON.parse(texts.get(id) as string) as ServedRecord)).toLowerCase()
    }
    const isCommon = (id: string) => oldIds.has(id) && newIds.has(id) && valueIn(old, id) === valueIn(now, id)
    const before = [...oldIds].filter(isCommon)
    const after = [...newIds].filter(isCommon)
    if (before.every((id, index) => valueIn(now, id) === valueIn(now, after[index] as string))) continue
    const name = term === '' ? 'default order' : `order by ${term}`
    changes.push({ field: name, before: before.join(), after: after.join(), more: 0 })
  }
  return changes
}

/** Returns the ids of each ordering, as far as its pages were recorded. */
function ordersOf ({ list, texts }: Side): Map<string, Set<string>> {
  const ids = [...texts.keys()]
  const orders = new Map([['', new Set(ids)]])
  for (const [query, { body }] of Object.entries(list.responses)) {
    const term = new URLSearchParams(query).get('ordering')
    if (term === null) continue
    const own = orders.get(term) ?? new Set()
    for (const position of positionsIn(body)) own.add(ids[position] as string)
    orders.set(term, own)
  }
  return orders
}

/** The compared parts of a response: its status and headers, with the records and fields of a page, or with a body. */
type Description = { status: number, headers: JsonObject, records?: string, page?: JsonObject, body?: unknown }

/**
 * Describes the responses of a list. Without the same records on both sides, the content of pages says nothing; if
 * orders differ, only the number of records on them.
 */
function describeResponses (
  { list, texts, responses }: Side, isSameSet: boolean, isSameOrder: boolean
): Record<string, Description> {
  const ids = [...texts.keys()]
  const descriptions: Record<string, Description> = {}
  for (const [name, response] of Object.entries(responses)) {
    if (response === undefined) continue
    const { status = 200, body = [] } = response
    const allHeaders = headersOf(name.endsWith('token') ? undefined : list.responses[''], response)
    const headers = Object.fromEntries(Object.entries(allHeaders).filter(([, value]) => value !== null))
    const description: Description = { status, headers }
    descriptions[name] = description
    if (name === 'HEAD') continue
    if (!isList(response)) {
      const text = body.join('')
      description.body = attempt(() => readExactly(text)).value ?? text
      continue
    }
    const positions = positionsIn(body)
    const isOrdered = !name.startsWith('?') || name.includes('ordering=')
    const content = isSameOrder && !isOrdered ? `: ${positions.map(at => ids[at]).join()}` : ''
    const around = readExactly(skeletonOf(body, list.separator))
    const kind = isPlainObject(around) ? 'a page' : 'an unpaged list'
    description.records = isSameSet ? `${kind} of ${counted(positions.length, 'record')}${content}` : kind
    if (!isPlainObject(around)) continue
    const { results, ...page } = around
    description.page = page
  }
  if (list.allowOrigin !== undefined) {
    const headers = list.allowOrigin === null ? {} : { 'access-control-allow-origin': list.allowOrigin }
    descriptions['Origin'] = { status: 200, headers }
  }
  return descriptions
}

/** Returns the changes of responses to the same requests; the same change of several is a single one. */
function changedResponses (
  before: Readonly<Record<string, Description>>, after: Readonly<Record<string, Description>>, isSameSet: boolean
): OwnChange[] {
  const found = new Map<string, OwnChange>()
  for (const [request, old] of Object.entries(before)) {
    const now = after[request]
    if (now === undefined) continue
    const hasSameStatus = old.status === now.status
    if (!hasSameStatus && !isSameSet && /\bpage=/.test(request)) continue // there are fewer pages, or more
    for (const difference of diff(old, now, { cyclesFix: false })) {
      const { type, path: [part, ...steps] } = difference
      if (part === 'headers' && !hasSameStatus) continue
      if (part === 'page') {
        if (steps.length === 0) continue
        const isComparable = isSameSet && old.records === now.records
        if (type === 'CHANGE' && !isComparable) continue
      }
      const field = steps.join('.') || String(part)
      const values = valuesOf(difference)
      const change = { request, field, ...values, more: 0 }
      const isOfRecords = part === 'page' || part === 'records'
      const kind = JSON.stringify([part, field, type, isOfRecords ? '' : values])
      const known = found.get(kind)
      if (known === undefined) found.set(kind, change)
      else known.more++
    }
  }
  return [...found.values()]
}
