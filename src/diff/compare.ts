import diff, { type Difference } from 'microdiff'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse } from '../../schemas/recording.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import { readExactly, writeExactly } from '../base/json-text.ts'
import { valueAt } from '../base/json.ts'
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
type Side = {
  records: Record<string, unknown>
  responses: Record<string, Response>
}

type Response = {
  status: number
  headers: object
  /** The list was saved or edited by hand: neither headers nor the form of pages are known. */
  isByHand: boolean
  /** The body; of a page, its other fields; of an unpaged list, an empty array. */
  body: unknown
  /** Of a list, the ids of the records, and the records that the response has otherwise than the list. */
  ids?: string[]
  variants: Record<string, unknown>
}

/** Returns the changes of a list that both recordings have, save those of ignored fields and orders by them. */
export function changesOf (key: ListKey, before: Recording, after: Recording, ignored: readonly string[]): Change[] {
  const old = readSide(key, before, after.url)
  const now = readSide(key, after, after.url)
  const prefix = `${key}.`
  const names = ignored.map(name => name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const isKept = ({ path: [kind, , part, ...path] }: Difference) => {
    const fields = `.${(kind === 'request' ? path : [part, ...path]).join('.')}.`
    return !names.some(name => fields.includes(`.${name}.`))
  }
  const compare = (one: object, other: object) => {
    return diff(one, other, { cyclesFix: false }).filter(isKept)
  }

  const areLists = [old, now].every(({ responses }) => responses['GET']?.ids !== undefined)
  const records = areLists ? compare({ record: old.records }, { record: now.records }) : []
  const changed = new Set(records.map(({ path: [, id] }) => String(id)))
  const hasSameIds = records.every(({ path }) => path.length > 2)
  const requests = Object.keys(old.responses).filter(request => {
    const isIgnored = fieldsIn(request).some(field => names.includes(field))
    const isOtherPage = !hasSameIds && request.includes('page=')
    return request in now.responses && !isIgnored && !isOtherPage
  })
  const view = (side: Side, other: Side) => {
    const request: Record<string, object> = {}
    for (const name of requests) request[name] = comparable(name, side, other, changed)
    return { request }
  }
  const responses = compare(view(old, now), view(now, old))

  const changes: Change[] = []
  const common = Object.keys(old.records).filter(id => id in now.records)
  for (const [, group] of groupBy([...records, ...responses], likenessOf)) {
    const [{ type, path }] = group
    const isOfField = type !== 'CHANGE' && path.length > 2
    const isInAll = isOfField && group.length === common.length
    const isOnce = isInAll || path[0] === 'request'
    for (const difference of isOnce ? group.slice(0, 1) : group) {
      changes.push({ list: key, ...partOf(difference), more: isOnce ? group.length - 1 : 0 })
    }
  }
  return changes
}

/** Returns the fields that a request filters or orders by; another parameter counts as one. */
function fieldsIn (request: string): string[] {
  const [, ...query] = request.split('?')
  return [...new URLSearchParams(query.at(-1))].flatMap(([name, value]) => {
    return name === 'ordering' ? value.replaceAll('-', '').split(',') : name.replace(/__.*/, '')
  })
}

/** Returns a text that is the same for differences of a kind; those of statuses and headers have the same values. */
function likenessOf ({ type, path: [kind, , part, ...path], ...values }: Difference): string {
  if (kind === 'request') {
    if (part === 'status' || part === 'headers') return JSON.stringify([path, values])
    if (part === 'variants') path.shift() // the record
  }
  return JSON.stringify([kind, type, part, path])
}

/** Returns the name of a difference and its values, as they are written in JSON. */
function partOf (difference: Difference): Partial<Change> {
  const [kind, name, ...fields] = difference.path
  const part: Partial<Change> = kind === 'record' ? { record: String(name) } : { request: String(name) }
  if (kind === 'request' && fields.length > 1) fields.shift() // the part of the response
  if (fields.length > 0) part.field = fields.join('.')
  if (difference.type !== 'CREATE') part.before = writeExactly(difference.oldValue)
  if (difference.type !== 'REMOVE') part.after = writeExactly(difference.value)
  return part
}

/**
 * Returns a response as far as it can be compared with that of another recording: with another status, only that. Of a
 * list, the order of records that have not changed, with equal values of a sorted field in any order, and the records
 * that one of the responses has otherwise than its list.
 */
function comparable (request: string, side: Side, other: Side, changed: ReadonlySet<string>): object {
  const own = side.responses[request] as Response
  const counterpart = other.responses[request] as Response
  const { status, body, ids } = own
  if (status !== counterpart.status) return { status }
  const isByHand = own.isByHand || counterpart.isByHand
  const headers = isByHand ? {} : own.headers
  if (ids === undefined) return { headers, body }
  if (counterpart.ids === undefined) return { headers, body: 'a list' }

  const isUnchanged = changed.size === 0
  const otherIds = new Set(counterpart.ids)
  const term = new URLSearchParams(request.slice(1)).get('ordering')
  const fields = term?.replace('-', '').split('.')
  const places: string[] = []
  const variants: Record<string, unknown> = {}
  for (const id of ids) {
    const record = side.records[id]
    if (id in own.variants || id in counterpart.variants) variants[id] = own.variants[id] ?? record
    // Records that have changed may be elsewhere, and others in their place; a page may have a part of the list.
    const hasPlace = (isUnchanged && !isByHand) || (!changed.has(id) && otherIds.has(id))
    if (!hasPlace) continue
    const place = fields === undefined ? id : valueAt(record, fields)
    const text = typeof place === 'string' ? place : writeExactly(place)
    places.push(text.toLowerCase().replace('\0', ''))
  }
  // The counts and links of a page may change with its records.
  const page = isUnchanged ? body : Object.keys(body as object).sort().join()
  return { headers, page: isByHand ? '' : page, order: places.join(), variants }
}

/** Reads a list of a recording, with the URL of its service replaced by another one. */
function readSide (key: ListKey, { lists, v2, url }: Recording, target: string): Side {
  const list = lists.get(key) as ListRecording
  const { texts, responses: { '': first, ...queries }, head, allowOrigin = null, separator } = list
  const urls = ['http:', 'https:'].map(scheme => url.replace(/^https?:/i, scheme))
  const replaceBase = baseReplacer(urls)
  const targetBase = target.replace(/\/$/, '')
  const rewrite = (text: string) => replaceBase(text, targetBase)
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

  const body: RecordedResponse['body'] = texts.length === 0 ? ['[', ']'] : ['[', [0, texts.length - 1], ']']
  const headers = { ...first?.headers, 'access-control-allow-origin': allowOrigin }
  const recorded: Record<string, RecordedResponse> = { GET: { body, ...first, headers } }
  const isPulled = first?.headers !== undefined
  if (isPulled && first.status === undefined) recorded['HEAD'] = { ...head }
  for (const [query, response] of Object.entries(queries)) recorded[`?${query}`] = response
  const refusals = key === 'bikesV2' ? v2 : {}
  for (const [kind, response] of Object.entries(refusals)) recorded[`${kind} token`] = response

  for (const [request, response] of Object.entries(recorded)) {
    const usual = request.endsWith('token') ? undefined : first
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(headersOf(usual, response))) {
      if (value !== null) headers[name] = rewrite(value)
    }
    const { status = 200 } = response
    const text = skeletonOf(response.body ?? [], separator, rewrite)
    const { value: body = text } = attempt(() => readExactly(text))
    const isByHand = request === 'GET' && !isPulled
    const own: Response = { status, headers, isByHand, body, variants: {} }
    side.responses[request] = own
    if (!isList(response)) continue

    if (Array.isArray(body)) own.body = []
    else delete (body as Record<string, unknown>)['results']
    own.ids = positionsIn(response.body).map(position => ids[position] as string)
    const write = recordWriter(response)
    for (const { position } of response.body.filter(isVariant)) {
      const record = write(position, Buffer.from(texts[position] as string))
      own.variants[ids[position] as string] = readExactly(rewrite(record.toString()))
    }
  }
  return side
}
