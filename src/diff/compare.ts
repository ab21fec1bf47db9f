import diff, { type Difference } from 'microdiff'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse } from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { readExactly, writeExactly } from '../base/json-text.ts'
import { isPlainObject, valueAt } from '../base/json.ts'
import { baseReplacer } from '../http/base-urls.ts'
import type { ServiceRecording } from '../pull/record.ts'
import type { ListRecording } from '../pull/reduce.ts'
import { headersOf, isList, isVariant, positionsIn, recordWriter, skeletonOf } from '../recorded/frame.ts'

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

type Response = {
  status: number
  headers: object
  /** The body, of a list without its records. */
  body: unknown
  /** Of a list, the ids of its records, and those records that it has otherwise than the list without a query. */
  ids?: string[]
  variants: Record<string, unknown>
}

/** Returns the changes of a list that both recordings have, save those of ignored fields and orders by them. */
export function changesOf (key: ListKey, before: Recording, after: Recording, ignored: readonly string[]): Change[] {
  const old = readSide(key, before, after.url)
  const now = readSide(key, after, after.url)
  const names = ignored.map(name => name.startsWith(`${key}.`) ? name.slice(key.length + 1) : name)
  const compare = (one: object, other: object) => diff(one, other, { cyclesFix: false })
    .filter(({ path }) => !names.some(name => `.${path.join('.')}.`.includes(`.${name}.`)))
  const areLists = [old, now].every(({ responses }) => responses['GET']?.ids !== undefined)
  const records = areLists ? compare(old.records, now.records) : []
  const hasSameIds = records.every(({ path }) => path.length > 1)
  const responses: Difference[] = []
  const changed = new Set(records.map(({ path: [id] }) => String(id)))
  for (const [request, own] of Object.entries(old.responses)) {
    const other = now.responses[request]
    const isIgnored = names.some(name => request.includes(name)) || (!hasSameIds && request.includes('page='))
    if (other === undefined || isIgnored) continue
    const [one, two] = comparable(request, [[old, own], [now, other]], changed) as [object, object]
    for (const { path, ...values } of compare(one, two)) responses.push({ path: [request, ...path], ...values })
  }

  const changes: Change[] = []
  const common = Object.keys(old.records).filter(id => id in now.records)
  for (const [, group] of groupBy(records, ({ type, path: [, ...path] }) => JSON.stringify([type, path]))) {
    const [{ type, path: [, ...path] }] = group
    const isInAll = type !== 'CHANGE' && path.length > 0 && group.length === common.length
    for (const difference of isInAll ? group.slice(0, 1) : group) {
      const more = isInAll ? group.length - 1 : 0
      changes.push({ list: key, record: String(difference.path[0]), ...partOf(difference, path), more })
    }
  }
  const likeness = ({ type, path: [, part, ...path], ...values }: Difference) => {
    if (part === 'status' || part === 'headers') return JSON.stringify([path, values])
    return JSON.stringify([type, part, part === 'variants' ? path.slice(1) : path])
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
  const orders: string[] = []
  let isWhole = true
  for (const [{ records }, { ids = [] }] of pair) {
    const places: string[] = []
    for (const id of ids) {
      if (changed.has(id)) continue
      places.push(term === undefined ? id : String(valueAt(records[id], term)).toLowerCase().replace('\0', ''))
    }
    orders.push(places.join())
    isWhole &&= ids.length === Object.keys(records).length
  }
  const areLists = pair.every(([, { ids }]) => ids !== undefined)
  const hasOrder = areLists && (changed.size === 0 || isWhole)
  const isOtherPage = areLists && (changed.size > 0 || orders[0] !== orders[1])
  const variants = new Set(pair.flatMap(([, response]) => Object.keys(response.variants)))
  return pair.map(([{ records }, { headers, body, ids = [], variants: own }], index) => ({
    headers,
    body: isOtherPage && isPlainObject(body) ? Object.keys(body).sort() : body,
    order: hasOrder ? orders[index] : '',
    variants: Object.fromEntries(ids.filter(id => variants.has(id)).map(id => [id, own[id] ?? records[id]]))
  }))
}

/** Reads a list of a recording, with the URL of its service replaced by another one. */
function readSide (key: ListKey, { lists, v2, url }: Recording, target: string): Side {
  const list = lists.get(key) as ListRecording
  const { texts, responses: { '': first, ...queries }, head, allowOrigin, separator } = list
  const replaceBase = baseReplacer(['http:', 'https:'].map(scheme => url.replace(/^https?:/i, scheme)))
  const rewrite = (text: string) => replaceBase(text, target.replace(/\/$/, ''))
  const side: Side = { records: {}, responses: {} }
  const ids: string[] = []
  for (const [index, text] of texts.entries()) {
    const record = readExactly(rewrite(text))
    const id = valueAt(record, ['id'])
    let name = id === undefined ? `at position ${index}` : writeExactly(id)
    if (name in side.records) name = `${name}, repeated at position ${index}`
    ids.push(name)
    side.records[name] = record
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
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(headersOf(usual, response))) {
      if (value !== null) headers[name] = rewrite(value)
    }
    const text = skeletonOf(response.body ?? [], separator, rewrite)
    const body = attempt(() => readExactly(text)).value ?? text
    const own: Response = { status: response.status ?? 200, headers, body, variants: {} }
    side.responses[request] = own
    if (!isList(response)) continue
    own.ids = positionsIn(response.body).map(position => ids[position] as string)
    const { results, ...page } = isPlainObject(body) ? body : { results: body }
    own.body = results === body ? 'an unpaged list' : page
    const recordAt = recordWriter(response)
    for (const { position } of response.body.filter(isVariant)) {
      const record = recordAt(position, Buffer.from(texts[position] as string))
      own.variants[ids[position] as string] = readExactly(rewrite(record.toString()))
    }
  }
  return side
}
