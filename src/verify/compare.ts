import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import { recordedFiles } from '../catalogue/files.ts'
import { headersOf, pageOf, positionsIn, skeletonOf } from '../catalogue/recorded/frame.ts'
import { baseReplacer } from '../catalogue/recorded/queries.ts'
import { Unreachable } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { readPulled, readRecordingFile } from '../pull/directory.ts'
import { recordService, type ServiceRecording } from '../pull/record.ts'
import { listDocument, type ListRecording, type Service } from '../pull/recorder.ts'
import { tokens } from '../service/read.ts'
import { SettingsError } from '../settings/flags.ts'
import { limitReason } from './check.ts'

/** One change: added without `before`, removed without `after`; both are as written. */
export type Change = { place: string, before?: string | undefined, after?: string | undefined }

/** The changes of a list, or why it was not compared. */
export type ListDifference = { list: string, changes: readonly Change[], unread?: string }

/**
 * Reads a recording, with a service's URL in place of its own.
 * @throws {SettingsError} for a directory without recorded lists
 */
export async function readKnown (directory: string, base: URL): Promise<ServiceRecording> {
  const keys = recordedLists(directory)
  const about = await readRecordingFile(directory) ?? {}
  const unknown = Object.fromEntries(keys.map(key => [key, {}]))
  const recording = await readPulled(directory, { ...about, lists: { ...unknown, ...about.lists } })
  const move = mover(about.url ?? '', base)
  for (const [key, { texts, ...list }] of recording.lists) {
    recording.lists.set(key, { ...move(list), texts: texts.map(move) })
  }
  return { ...recording, v2: move(recording.v2) }
}

/** Returns the keys of the lists of a directory. @throws {SettingsError} without any, and for one that is no JSON */
function recordedLists (directory: string): string[] {
  const keys: string[] = []
  for (const [key, name] of Object.entries(recordedFiles)) {
    const file = join(directory, `${name}.json`)
    if (!existsSync(file)) continue
    const { error } = attempt(() => { JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')) })
    if (error !== undefined) throw new SettingsError(`--compare: ${file}: ${error.message}`)
    keys.push(key)
  }
  if (keys.length === 0) throw new SettingsError(`--compare: ${directory} has no recorded list, such as v1/bikes.json`)
  return keys
}

/** Returns a function that replaces the recorded URL of a service at any depth; links may have another scheme. */
function mover (recorded: string, base: URL): <T>(value: T) => T {
  const own = recorded.replace(/\/*$/, '')
  const other = base.href.replace(/\/*$/, '')
  const hostOf = (url: string) => url.replace(/^https?:/, '')
  const replace = baseReplacer([own])
  const replaceHost = baseReplacer([hostOf(own)])
  const move = (part: unknown) => typeof part === 'string' ? replaceHost(replace(part, other), hostOf(other)) : part
  return <T>(value: T) => JSON.parse(JSON.stringify(value), (_, part) => move(part)) as T
}

/**
 * Records lists again, in memory, and compares both. A list that differs is recorded twice more, to leave out what
 * always changes.
 */
export async function compare (
  service: Service, known: ServiceRecording, ignored: readonly string[]
): Promise<ListDifference[]> {
  const differences: ListDifference[] = []
  for (const resource of resources) {
    const isPrivate = resource.access === 'token' && service.token === undefined
    if (!known.lists.has(resource.key) || isPrivate) continue
    differences.push(await compareList(service, resource, known, ignored))
  }
  return differences
}

async function compareList (
  service: Service, resource: Resource, known: ServiceRecording, ignored: readonly string[]
): Promise<ListDifference> {
  const list = resource.path
  try {
    const now = await recordAgain(service, resource)
    let found = changesOf(resource, known, now, ignored)
    for (let repeats = 0; repeats < 2 && found.length > 0; repeats++) {
      const again = await recordAgain(service, resource)
      const changing = new Set(changesOf(resource, now, again, ignored).map(({ place }) => place))
      found = found.filter(({ place }) => !changing.has(place))
    }
    return { list, changes: firstOfKinds(found) }
  } catch (error) {
    const limit = limitReason(error)
    if (limit === undefined && error instanceof Unreachable) throw error
    return { list, changes: [], unread: limit ?? (error as Error).message }
  }
}

async function recordAgain (service: Service, resource: Resource): Promise<ServiceRecording> {
  const { recording, error } = await recordService(service, [resource])
  if (error !== undefined) throw error
  return recording
}

/** A change with its kind: of several changes of a kind, the first is reported. */
type KindOfChange = Change & { kind: string }

function firstOfKinds (found: readonly KindOfChange[]): Change[] {
  const first = new Map<string, Change>()
  for (const { kind, ...change } of found) if (!first.has(kind)) first.set(kind, change)
  return [...first.values()]
}

/** A list as it was, or is. */
type Side = {
  list: ListRecording
  /** The records by id, or by position where an id is missing or repeated. A document is one record without an id. */
  records: ReadonlyMap<string, JsonObject>
  responses: Readonly<Record<string, RecordedResponse | undefined>>
}

function sideOf (resource: Resource, recording: ServiceRecording): Side {
  const list = recording.lists.get(resource.key) as ListRecording
  return { list, records: recordsById(list), responses: responsesIn(resource, list, recording) }
}

function changesOf (
  resource: Resource, before: ServiceRecording, after: ServiceRecording, ignored: readonly string[]
): KindOfChange[] {
  const fields = ignoredFields(ignored, resource)
  const old = sideOf(resource, before)
  const now = sideOf(resource, after)
  const ids = new Set([...old.records.keys(), ...now.records.keys()])
  const isMoved = ids.size > Math.min(old.records.size, now.records.size)
  const orders = compareOrders(old, now)
  const responses = compareResponses(old, now, fields, { isMoved, isReordered: orders.length > 0 })
  if (sideForm(old) !== sideForm(now) && old.responses['response'] !== undefined) return responses
  const changes = [...orders, ...responses, ...originChanges(old, now)]
  for (const id of ids) { // records may be many
    const place = id === '' ? 'document' : `record ${id}`
    for (const change of valueChanges(place, old.records.get(id), now.records.get(id), fields)) {
      changes.push({ ...change, kind: change.place })
    }
  }
  return changes
}

/** Returns whether other scripts may read a list than before; a recording of an earlier version does not say it. */
function originChanges ({ list: old }: Side, { list: now }: Side): KindOfChange[] {
  const before = old.allowOrigin
  const after = now.allowOrigin
  if (before === undefined || after === undefined || before === after) return []
  const place = 'response access-control-allow-origin'
  return [{ place, before: before ?? 'none', after: after ?? 'none', kind: `${before} → ${after}` }]
}

/** Returns the fields that are left out of a list: those without a list, and its own. */
function ignoredFields (names: readonly string[], { key }: Resource): string[] {
  const prefix = `${key}.`
  const own = names.filter(name => !name.includes('.') || name.startsWith(prefix))
  return own.map(name => name.replace(prefix, ''))
}

/** Returns whether a list is a document, and the status of its first response. */
const sideForm = ({ records, responses: { response } }: Side) => `${records.has('')} ${response?.status}`

function responsesIn ({ access }: Resource, list: ListRecording, { v2 }: ServiceRecording): Side['responses'] {
  const responses: Record<string, RecordedResponse | undefined> = {}
  for (const [query, response] of Object.entries(list.responses)) {
    const name = query === '' ? 'response' : `?${query}`
    responses[name] = response
  }
  const first = list.responses['']
  if (first !== undefined && first.status === undefined) responses['HEAD'] = { ...list.head }
  if (access === 'token') {
    responses['without a token'] = v2.missing
    responses['with an invalid token'] = v2.invalid
  }
  return responses
}

function recordsById (list: ListRecording): Side['records'] {
  const document = listDocument(list)
  if (document !== undefined) return new Map([['', readExactly(document)]])
  const records = new Map<string, JsonObject>()
  for (const [index, text] of list.texts.entries()) {
    const record = readExactly(text)
    const id = textOf(record['id']) ?? `at position ${index}`
    records.set(records.has(id) ? `${id}, repeated at position ${index}` : id, record)
  }
  return records
}

/** Reads JSON with its numbers as written, as strings that begin with NUL. */
function readExactly (text: string): JsonObject {
  const marked = (token: string) => token.startsWith('"') ? token : `"\\u0000${token}"`
  return JSON.parse(text.replace(/^\ufeff/, '').replace(tokens, marked)) as JsonObject
}

const textOf = (value: unknown): string | undefined => JSON.stringify(value)?.replace(/"\\u0000([^"]*)"/g, '$1')

/** Returns the text of an error: JSON by value, with the names of objects sorted. */
function errorText (text: string): string {
  const { value } = attempt(() => readExactly(text))
  return value === undefined ? text : textOf(sorted(value)) as string
}

function sorted (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isPlainObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map(name => [name, sorted(value[name])]))
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Returns the changes of a value by their paths. */
function valueChanges (place: string, old: unknown, now: unknown, ignored: readonly string[], path = ''): Change[] {
  if (ignored.some(name => `.${path}.`.includes(`.${name}.`))) return []
  const areAlike = Array.isArray(old) === Array.isArray(now)
  if (!isObject(old) || !isObject(now) || !areAlike) {
    const before = textOf(old)
    const after = textOf(now)
    return before === after ? [] : [{ place: `${place} ${path}`.trim(), before, after }]
  }
  const changes: Change[] = []
  const prefix = path === '' ? '' : `${path}.`
  for (const name of Object.keys({ ...old, ...now })) {
    changes.push(...valueChanges(place, old[name], now[name], ignored, prefix + name))
  }
  return changes
}

/** Returns the orders that differ in the common records; equal values, ignoring case, may be in any order. */
function compareOrders (old: Side, now: Side): KindOfChange[] {
  const changes: KindOfChange[] = []
  const ordersNow = recordedOrders(now)
  for (const [term, oldIds] of recordedOrders(old)) {
    const nowIds = ordersNow.get(term) ?? new Set()
    const field = term.replace('-', '') || 'id'
    const valueIn = ({ records }: Side, id: string) => textOf(records.get(id)?.[field])?.toLowerCase()
    const isCommon = (id: string) => oldIds.has(id) && nowIds.has(id) && valueIn(old, id) === valueIn(now, id)
    const before = [...oldIds].filter(isCommon)
    const after = [...nowIds].filter(isCommon)
    const isSame = before.every((id, index) => valueIn(now, id) === valueIn(now, after[index] as string))
    if (isSame) continue
    const place = term === '' ? 'default order' : `order by ${term}`
    changes.push({ place, before: before.join(), after: after.join(), kind: `${before} → ${after}` })
  }
  return changes
}

/** Returns the ids of each ordering, as far as its pages were recorded. */
function recordedOrders ({ list, records }: Side): Map<string, Set<string>> {
  const ids = [...records.keys()]
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

/** Whether records were added or removed, and whether an order has changed. */
type Moves = { isMoved: boolean, isReordered: boolean }

/** A response as it is compared: its status, headers, form with its records or an error's body, and its envelope. */
type Description = { status: number, size: number, texts: Record<string, unknown>, envelope?: JsonObject }

function describeResponse (side: Side, name: string, moves: Moves): Description {
  const { list, records, responses } = side
  const own = responses[name] as RecordedResponse
  const { status = 200, body = [] } = own
  const positions = positionsIn(body)
  const all = [...records.keys()]
  const ids = positions.map(at => all[at] as string)
  const isPage = pageOf(own, list.separator) !== undefined
  const texts: Record<string, unknown> = { status }
  if (name !== 'HEAD') {
    const content = contentText(name, ids, moves)
    texts['body'] = bodyText(own, list) ?? `${isPage ? 'a page' : 'an unpaged list'}${content}`
  }
  Object.assign(texts, headersOf(list.responses[''], own))
  const description: Description = { status, size: ids.length, texts }
  if (isPage) description.envelope = envelopeOf(own, list)
  return description
}

/** Returns the error or document of a response; undefined for records of the list. */
function bodyText ({ status, body = [] }: RecordedResponse, list: ListRecording): string | undefined {
  if (status !== undefined && status !== 200) return errorText(body.join(''))
  if (body.length !== 1) return undefined
  return listDocument(list) === undefined ? 'other records than those of the list' : 'a document'
}

/** Returns the number of records of a response; their ids only where no ordering or list says that they differ. */
function contentText (name: string, ids: readonly string[], { isMoved, isReordered }: Moves): string {
  if (isMoved) return ''
  const content = ` of ${counted(ids.length, 'record')}`
  const isOrdered = isReordered || !name.startsWith('?') || name.includes('ordering=')
  return isOrdered ? content : `${content}: ${ids.join()}`
}

function envelopeOf ({ body }: RecordedResponse, { separator = ',' }: ListRecording): JsonObject {
  const { results, ...envelope } = readExactly(skeletonOf(body as NonNullable<RecordedResponse['body']>, separator))
  return envelope
}

/** Compares the responses to the same requests. */
function compareResponses (old: Side, now: Side, ignored: readonly string[], moves: Moves): KindOfChange[] {
  const changes: KindOfChange[] = []
  for (const name of Object.keys(old.responses)) {
    if (old.responses[name] === undefined || now.responses[name] === undefined) continue
    const before = describeResponse(old, name, moves)
    const after = describeResponse(now, name, moves)
    const isOtherPage = moves.isMoved && /\bpage=/.test(name) // there are fewer pages, or more
    if (before.status !== after.status && isOtherPage) continue
    changes.push(...textChanges(name, before, after), ...envelopeChanges(name, before, after, ignored, moves))
  }
  return changes
}

function textChanges (name: string, old: Description, now: Description): KindOfChange[] {
  const fields = old.status === now.status ? Object.keys({ ...old.texts, ...now.texts }) : ['status', 'body']
  const changes: KindOfChange[] = []
  for (const field of fields) {
    const before = String(old.texts[field] ?? 'none')
    const after = String(now.texts[field] ?? 'none')
    const kind = `${field} ${before} → ${after}`.replaceAll(/ of \d+ rec.*?(?= →|$)/g, '') // whatever the records
    if (before !== after) changes.push({ place: `${name} ${field}`, before, after, kind })
  }
  return changes
}

/** Returns the changes of an envelope. With other records or pages, only the names of its fields are comparable. */
function envelopeChanges (
  name: string, old: Description, now: Description, ignored: readonly string[], { isMoved }: Moves
): KindOfChange[] {
  if (old.envelope === undefined || now.envelope === undefined) return []
  const isComparable = !isMoved && old.size === now.size
  const changes = valueChanges(name, old.envelope, now.envelope, ignored)
  const isNamed = ({ before, after }: Change) => before === undefined || after === undefined
  const kept = changes.filter(change => isComparable || isNamed(change))
  return kept.map(change => ({ ...change, kind: change.place.slice(name.length) }))
}
