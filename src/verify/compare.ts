import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { groupBy } from '../base/group.ts'
import type { JsonObject } from '../base/json.ts'
import { counted } from '../base/text.ts'
import { recordedFiles } from '../catalogue/files.ts'
import { headersOf, pageOf, positionsIn, skeletonOf } from '../catalogue/recorded/frame.ts'
import { baseReplacer } from '../catalogue/recorded/queries.ts'
import { Unreachable } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { readAbout, readRecording } from '../pull/directory.ts'
import { recordService, type ServiceRecording } from '../pull/record.ts'
import { documentOf, type ListRecording, type Service } from '../pull/recorder.ts'
import { SettingsError } from '../settings/flags.ts'
import { tokens } from '../service/read.ts'
import { limitOf } from './check.ts'

/** One change: added without `before`, removed without `after`; both are as written. */
export type Change = { place: string, before?: string | undefined, after?: string | undefined }

/** The changes of a list, or why it was not compared. */
export type Difference = { list: string, changes: readonly Change[], unread?: string }

/** Reads a recording, with a service's URL in place of its own. @throws {SettingsError} for a directory without recorded lists */
export async function readKnown (directory: string, base: URL): Promise<ServiceRecording> {
  const files = Object.entries(recordedFiles).map(([key, name]) => ({ key, file: join(directory, `${name}.json`) }))
    .filter(({ file }) => existsSync(file))
  if (files.length === 0) throw new SettingsError(`--compare: ${directory} has no recorded list, such as v1/bikes.json`)
  for (const { file } of files) {
    const { error } = attempt(() => { JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')) })
    if (error !== undefined) throw new SettingsError(`--compare: ${file}: ${error.message}`)
  }
  const about = await readAbout(directory) ?? {}
  const lists = { ...Object.fromEntries(files.map(({ key }) => [key, {}])), ...about.lists }
  const recording = await readRecording(directory, { ...about, lists })
  const [own = '', other = ''] = [about.url, base.href].map(url => url?.replace(/\/*$/, ''))
  const [replace, replaceHost] = [baseReplacer([own]), baseReplacer([own.replace(/^https?:/, '')])]
  const move = (text: string) => replaceHost(replace(text, other), other.replace(/^https?:/, '')) // links may have another scheme
  const moved = <T>(value: T): T => JSON.parse(JSON.stringify(value), (_, part) => typeof part === 'string' ? move(part) : part)
  for (const [key, { texts, ...list }] of recording.lists) recording.lists.set(key, { ...moved(list), texts: texts.map(moved) })
  return { ...recording, v2: moved(recording.v2) }
}

/** Records lists again, in memory, and compares both; a list that differs is recorded twice more, to leave out constant changes. */
export async function compare (service: Service, known: ServiceRecording, ignored: readonly string[]): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const resource of resources) {
    const { key, path, access } = resource
    if (!known.lists.has(key) || (access === 'token' && service.token === undefined)) continue
    const record = async () => {
      const { recording, error } = await recordService(service, [resource])
      if (error !== undefined) throw error
      return recording
    }
    try {
      const now = await record()
      let found = changesOf(resource, known, now, ignored)
      for (let repeats = 0; repeats < 2 && found.length > 0; repeats++) {
        const changing = changesOf(resource, now, await record(), ignored).map(({ place }) => place)
        found = found.filter(({ place }) => !changing.includes(place))
      }
      differences.push({ list: path, changes: [...groupBy(found, ({ kind }) => kind).values()].map(([{ kind, ...change }]) => change) })
    } catch (error) {
      const limit = limitOf(error)
      if (limit === undefined && error instanceof Unreachable) throw error
      differences.push({ list: path, changes: [], unread: limit ?? (error as Error).message })
    }
  }
  return differences
}

/** A change with its kind: of several changes of a kind, the first is reported. */
type Found = Change & { kind: string }

type Side = {
  list: ListRecording
  /** The records by id, or by position where an id is missing or repeated. A document is one record without an id. */
  records: ReadonlyMap<string, JsonObject>
  responses: Readonly<Record<string, RecordedResponse | undefined>>
}

function changesOf (resource: Resource, before: ServiceRecording, after: ServiceRecording, ignored: readonly string[]): Found[] {
  const { key } = resource
  const names = ignored.filter(name => !name.includes('.') || name.startsWith(`${key}.`)).map(name => name.replace(`${key}.`, ''))
  const [old, now] = [before, after].map((recording): Side => {
    const list = recording.lists.get(key) as ListRecording
    return { list, records: recordsIn(list), responses: responsesIn(resource, list, recording) }
  }) as [Side, Side]
  const ids = new Set([...old.records.keys(), ...now.records.keys()])
  const isMoved = ids.size > Math.min(old.records.size, now.records.size)
  const orders = compareOrders(old, now)
  const responses = compareResponses(old, now, names, isMoved, orders.length > 0)
  const [isLike, isLikeNow] = [old, now].map(({ records, responses: { response } }) => `${records.has('')} ${response?.status}`)
  if (isLike !== isLikeNow && old.responses['response'] !== undefined) return responses
  const changed = [...ids].flatMap(id =>
    differencesOf(id === '' ? 'document' : `record ${id}`, old.records.get(id), now.records.get(id), names))
  return [...orders, ...responses, ...changed.map(change => ({ ...change, kind: change.place }))] // records may be many
}

function responsesIn ({ access }: Resource, { responses, head }: ListRecording, { v2 }: ServiceRecording): Side['responses'] {
  return {
    ...Object.fromEntries(Object.entries(responses).map(([query, response]) => [query === '' ? 'response' : `?${query}`, response])),
    ...responses[''] && responses[''].status === undefined && { HEAD: { ...head } },
    ...access === 'token' && { 'without a token': v2.missing, 'with an invalid token': v2.invalid }
  }
}

function recordsIn (list: ListRecording): Side['records'] {
  const document = documentOf(list)
  if (document !== undefined) return new Map([['', readExactly(document)]])
  const records = new Map<string, JsonObject>()
  for (const [index, record] of list.texts.map(readExactly).entries()) {
    const id = write(record['id']) ?? `at position ${index}`
    records.set(records.has(id) ? `${id}, repeated at position ${index}` : id, record)
  }
  return records
}

/** Reads JSON with its numbers as written, as strings that begin with NUL. */
const readExactly = (text: string): JsonObject => JSON.parse(text.replace(/^\ufeff/, '')
  .replace(tokens, token => token.startsWith('"') ? token : `"\\u0000${token}"`))

const write = (value: unknown): string | undefined => JSON.stringify(value)?.replace(/"\\u0000([^"]*)"/g, '$1')

/** Returns the changes of a value by their paths. */
function differencesOf (place: string, a: unknown, b: unknown, ignored: readonly string[], path = ''): Change[] {
  if (ignored.some(name => `.${path}.`.includes(`.${name}.`))) return []
  const isDeep = [a, b].every(value => typeof value === 'object' && value !== null) && Array.isArray(a) === Array.isArray(b)
  const [before, after] = [write(a), write(b)]
  if (!isDeep) return before === after ? [] : [{ place: `${place} ${path}`.trim(), before, after }]
  return Object.keys({ ...a as object, ...b as object }).flatMap(name =>
    differencesOf(place, (a as JsonObject)[name], (b as JsonObject)[name], ignored, path === '' ? name : `${path}.${name}`))
}

/** Returns the orders in which the common records differ; records with equal values, ignoring case, may be in any order. */
function compareOrders (old: Side, now: Side): Found[] {
  const [before, after] = [ordersOf(old), ordersOf(now)]
  return [...before].flatMap(([term, ids]): Found[] => {
    const valueIn = ({ records }: Side, id: string) => write(records.get(id)?.[term.replace('-', '') || 'id'])?.toLowerCase()
    const isCommon = (id: string) => ids.has(id) && after.get(term)?.has(id) && valueIn(old, id) === valueIn(now, id)
    const [a, b] = [[...ids].filter(isCommon), [...after.get(term) ?? []].filter(isCommon)]
    if (a.every((id, index) => valueIn(now, id) === valueIn(now, b[index] as string))) return []
    return [{ place: term === '' ? 'default order' : `order by ${term}`, before: a.join(), after: b.join(), kind: `${a} → ${b}` }]
  })
}

/** Returns the ids of each ordering, as far as its pages were recorded. */
function ordersOf ({ list, records }: Side): Map<string, Set<string>> {
  const ids = [...records.keys()]
  const orders = new Map([['', new Set(ids)]])
  for (const [query, { body }] of Object.entries(list.responses)) {
    const term = new URLSearchParams(query).get('ordering')
    if (term !== null) orders.set(term, new Set([...orders.get(term) ?? [], ...positionsIn(body).map(at => ids[at] as string)]))
  }
  return orders
}

/** Describes a response: its status, headers, form with its records or the body of an error, and the envelope of a page. */
function describe ({ list, records, responses }: Side, name: string, isMoved: boolean, isReordered: boolean) {
  const own = responses[name] as RecordedResponse
  const { status = 200, body = [] } = own
  const all = [...records.keys()]
  const ids = positionsIn(body).map(at => all[at])
  const isPage = pageOf(own, list.separator) !== undefined
  const { results, ...envelope } = isPage ? readExactly(skeletonOf(own, list.separator ?? ',')) : {}
  const isOrdered = isReordered || !name.startsWith('?') || name.includes('ordering=')
  const content = isMoved ? '' : ` of ${counted(ids.length, 'record')}${isOrdered ? '' : `: ${ids.join()}`}`
  const whole = documentOf(list) === undefined ? 'other records than those of the list' : 'a document'
  const form = body.length === 1 ? whole : `${isPage ? 'a page' : 'an unpaged list'}${content}`
  const texts = { status, ...name !== 'HEAD' && { body: status === 200 ? form : body.join('') }, ...headersOf(list.responses[''], own) }
  return { status, envelope: isPage ? envelope : undefined, texts: texts as Readonly<Record<string, unknown>>, size: ids.length }
}

/** Compares the responses to the same requests. With other records or pages, only the names of an envelope's fields are comparable. */
function compareResponses (old: Side, now: Side, ignored: readonly string[], isMoved: boolean, isReordered: boolean): Found[] {
  const names = Object.keys(old.responses).filter(name => old.responses[name] !== undefined && now.responses[name] !== undefined)
  return names.flatMap(name => {
    const [a, b] = [describe(old, name, isMoved, isReordered), describe(now, name, isMoved, isReordered)]
    if (a.status !== b.status && isMoved && /\bpage=/.test(name)) return [] // there are fewer pages, or more
    const fields = a.status === b.status ? Object.keys({ ...a.texts, ...b.texts }) : ['status', 'body']
    const texts = fields.map((field): Found => {
      const [before, after] = [a, b].map(({ texts }) => String(texts[field] ?? 'none'))
      const kind = `${field} ${before} → ${after}`.replaceAll(/ of \d+ rec.*?(?= →|$)/g, '') // whatever the records
      return { place: `${name} ${field}`, before, after, kind }
    }).filter(({ before, after }) => before !== after)
    const others = a.envelope && b.envelope ? differencesOf(name, a.envelope, b.envelope, ignored) : []
    const comparable = others.filter(({ before, after }) => (!isMoved && a.size === b.size) || before === undefined || after === undefined)
    return [...texts, ...comparable.map(change => ({ ...change, kind: change.place.slice(name.length) }))]
  })
}
