import { isDeepStrictEqual } from 'node:util'
import diff, { type Difference } from 'microdiff'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { readExactly, writeExactly } from '../base/json-text.ts'
import { isPlainObject, valueAt } from '../base/json.ts'
import { baseReplacer } from '../http/base-urls.ts'
import type { ServiceRecording } from '../pull/record.ts'
import type { ListRecording } from '../pull/recorder.ts'
import { headersOf, writeBody } from '../recorded/frame.ts'

/** A change of a record, or of the response to a request. */
export type Change = {
  list: string
  /** The id of a record; its position, if the id is missing or repeated. */
  record?: string
  /** A method, a query, or a token that is missing or invalid. */
  request?: string
  /** The path of a field, the name of a header, or another changed part; absent for a whole record. */
  field?: string
  /** The values as they are written in JSON; `before` is absent for an added one, `after` for a removed one. */
  before?: string
  after?: string
  /** The number of further records or requests with a like change. */
  more: number
}

export type Recording = ServiceRecording & { url: string }

/** A list by id, and its responses by request. Numbers are strings that begin with NUL, as they are written. */
type Side = { records: Record<string, unknown>, responses: Record<string, Response> }

/** A response: the records of a list with their ids, and the rest of its body. */
type Response = { status: number, headers: object, body: unknown, records?: [id: string, value: unknown][] }

/** Returns the changes of a list that both recordings have, save those of ignored fields and orders by them. */
export function changesOf (key: ListKey, before: Recording, after: Recording, ignored: readonly string[]): Change[] {
  const old = readSide(key, before, after.url)
  const now = readSide(key, after, after.url)
  const names = ignored.map(name => name.startsWith(`${key}.`) ? name.slice(key.length + 1) : name)
  const isKept = ({ path }: Difference) => !names.some(name => `.${path.join('.')}.`.includes(`.${name}.`))
  const compare = (one: object, other: object) => diff(one, other, { cyclesFix: false }).filter(isKept)
  const areLists = [old, now].every(({ responses }) => responses['GET']?.records !== undefined)
  const records = areLists ? compare(old.records, now.records) : []
  const changed = new Set(records.map(({ path: [id] }) => String(id)))
  const hasSameIds = records.every(({ path }) => path.length > 1)
  const common = Object.keys(old.records).filter(id => id in now.records)

  const changes: Change[] = []
  for (const [, group] of groupBy(records, ({ type, path: [, ...path] }) => JSON.stringify([type, path]))) {
    const [{ type, path: [, ...path] }] = group
    const isInAll = type !== 'CHANGE' && path.length > 0 && group.length === common.length
    for (const difference of isInAll ? group.slice(0, 1) : group) {
      const more = isInAll ? group.length - 1 : 0
      changes.push({ list: key, record: String(difference.path[0]), ...partOf(difference, path), more })
    }
  }
  const responses: Difference[] = []
  for (const [request, own] of Object.entries(old.responses)) {
    const other = now.responses[request]
    const isIgnored = names.some(name => request.includes(name)) || (!hasSameIds && request.includes('page='))
    if (other === undefined || isIgnored) continue
    const [one, two] = comparable(request, [[old, own], [now, other]], changed) as [object, object]
    for (const difference of compare(one, two)) responses.push({ ...difference, path: [request, ...difference.path] })
  }
  const likeness = ({ type, path: [, part, ...path], ...values }: Difference) => {
    if (part === 'status' || part === 'headers') return JSON.stringify([path, values])
    return JSON.stringify([type, part, part === 'sent' ? path.slice(1) : path])
  }
  for (const [, group] of groupBy(responses, likeness)) {
    const [{ path: [request, part = '', ...path] }] = group
    const named = partOf(group[0], path.length > 0 ? path : [part])
    changes.push({ list: key, request: String(request), ...named, more: group.length - 1 })
  }
  return changes
}

/** Returns the name of a difference and its values, as they are written in JSON. */
function partOf (difference: Difference, path: Difference['path']): Pick<Change, 'field' | 'before' | 'after'> {
  const part: Pick<Change, 'field' | 'before' | 'after'> = {}
  if (path.length > 0) part.field = path.join('.')
  if (difference.type !== 'CREATE') part.before = writeExactly(difference.oldValue)
  if (difference.type !== 'REMOVE') part.after = writeExactly(difference.value)
  return part
}

/**
 * Returns two responses as far as they can be compared: with another status, only that. Of a list, the order of records
 * that have not changed, with equal values of a sorted field in any order, and the records that a response has
 * otherwise than its list; of a page with other records, only the names of its fields.
 */
function comparable (
  request: string, pair: readonly (readonly [Side, Response])[], changed: ReadonlySet<string>
): object[] {
  if (new Set(pair.map(([, { status }]) => status)).size > 1) return pair.map(([, { status }]) => ({ status }))
  const term = new URLSearchParams(request.slice(1)).get('ordering')?.replace('-', '').split('.')
  const sent = new Set<string>()
  const orders: string[] = []
  let isWhole = true
  for (const [side, { records = [] }] of pair) {
    const places: string[] = []
    for (const [id, value] of records) {
      if (!isDeepStrictEqual(value, side.records[id])) sent.add(id)
      if (changed.has(id)) continue
      places.push(term === undefined ? id : String(valueAt(side.records[id], term)).toLowerCase().replace('\0', ''))
    }
    orders.push(places.join())
    isWhole &&= records.length === Object.keys(side.records).length
  }
  const areLists = pair.every(([, { records }]) => records !== undefined)
  const hasOrder = areLists && (changed.size === 0 || isWhole)
  const isOtherPage = areLists && (changed.size > 0 || orders[0] !== orders[1])
  return pair.map(([, { headers, body, records = [] }], index) => ({
    headers,
    body: isOtherPage && isPlainObject(body) ? Object.keys(body).sort() : body,
    order: hasOrder ? orders[index] : '',
    sent: Object.fromEntries(records.filter(([id]) => sent.has(id)))
  }))
}

/** Reads a list of a recording, with the URL of its service replaced by another one. */
function readSide (key: ListKey, { lists, v2, url }: Recording, target: string): Side {
  const list = lists.get(key) as ListRecording
  const { texts, responses: { '': first, ...queries }, head, allowOrigin, separator = ',' } = list
  const side: Side = { records: {}, responses: {} }
  for (const [index, text] of texts.entries()) {
    const record = readExactly(text)
    const id = idOf(record, index)
    side.records[id in side.records ? `${id}, repeated at position ${index}` : id] = record
  }
  const whole: RecordedResponse = { body: texts.length === 0 ? ['[', ']'] : ['[', [0, texts.length - 1], ']'] }
  const all: Record<string, RecordedResponse> = { GET: { ...whole, ...first } }
  if (first?.status === undefined) all['HEAD'] = { ...head }
  if (allowOrigin !== undefined) all['Origin'] = { headers: { 'access-control-allow-origin': allowOrigin } as object }
  for (const [query, response] of Object.entries(queries)) all[`?${query}`] = response
  const refusals = key === 'bikesV2' ? Object.entries(v2) : []
  for (const [kind, response] of refusals) all[`${kind} token`] = response
  for (const [request, response] of Object.entries(all)) {
    const usual = request.endsWith('token') ? undefined : first
    const headers = Object.entries(headersOf(usual, response)).filter(([, value]) => value !== null)
    const bytes = writeBody(response, separator, (at, write) => write(Buffer.from(texts[at] as string)), text => text)
    const text = Buffer.concat([...bytes]).toString()
    const body = attempt(() => readExactly(text)).value ?? text
    const own: Response = { status: response.status ?? 200, headers: Object.fromEntries(headers), body }
    const { results, ...page } = isPlainObject(body) ? body : { results: body }
    if (Array.isArray(results)) {
      own.records = results.map((record: unknown, index) => [idOf(record, index), record])
      own.body = results === body ? 'an unpaged list' : page
    }
    side.responses[request] = own
  }
  const urls = ['http:', 'https:'].map(scheme => url.replace(/^https?:/i, scheme))
  return JSON.parse(baseReplacer(urls)(JSON.stringify(side), target.replace(/\/$/, ''))) as Side
}

function idOf (record: unknown, index: number): string {
  const id = valueAt(record, ['id'])
  return id === undefined ? `at position ${index}` : writeExactly(id)
}
