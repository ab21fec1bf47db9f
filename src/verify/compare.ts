import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { counted } from '../base/text.ts'
import { recordedFiles } from '../catalogue/files.ts'
import { headersOf, pageOf, positionsIn } from '../catalogue/recorded/frame.ts'
import { Unreachable } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { readAbout, readRecording } from '../pull/directory.ts'
import { recordService, type ServiceRecording } from '../pull/record.ts'
import { documentOf, type ListRecording, type Service } from '../pull/recorder.ts'
import { SettingsError } from '../settings/flags.ts'
import { limitOf } from './check.ts'
import { tokens } from './exchange.ts'

/** One change: added without `before`, removed without `after`; both are as written. */
export type Change = { place: string, before?: string | undefined, after?: string | undefined }

/** The changes of a list, or why it was not compared. */
export type Difference = { list: string, changes: readonly Change[], unread?: string }

/** @throws {SettingsError} for a directory without recorded lists */
export async function readKnown (directory: string): Promise<ServiceRecording> {
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
  if (about.url !== undefined) recording.bases.add(about.url)
  return recording
}

/** Records lists again, in memory, and compares both; a list that differs is recorded twice more, to leave out constant changes. */
export async function compare (service: Service, known: ServiceRecording, ignored: readonly string[]): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const resource of resources) {
    const { key, path, access } = resource
    if (!known.lists.has(key) || (access === 'token' && service.token === undefined)) continue
    try {
      const now = await record(service, resource)
      let changes = changesOf(resource, known, now, ignored)
      for (let repeats = 0; repeats < 2 && changes.length > 0; repeats++) {
        const changing = changesOf(resource, now, await record(service, resource), ignored).map(({ place }) => place)
        changes = changes.filter(({ place }) => !changing.includes(place))
      }
      differences.push({ list: path, changes })
    } catch (error) {
      const limit = limitOf(error)
      if (limit === undefined && error instanceof Unreachable) throw error
      differences.push({ list: path, changes: [], unread: limit ?? (error as Error).message })
    }
  }
  return differences
}

async function record (service: Service, resource: Resource): Promise<ServiceRecording> {
  const { recording, error } = await recordService(service, [resource])
  if (error !== undefined) throw error
  recording.bases.add(service.base.href)
  return recording
}

/** Values by their place: numbers and literals as written, strings as JSON. */
type Values = ReadonlyMap<string, string>

type Side = {
  list: ListRecording
  /** The records by id, or by position where an id is missing or repeated. A document is one record without an id. */
  records: ReadonlyMap<string, { text: string, values: Values }>
  /** The responses by the name of their request. */
  responses: Readonly<Record<string, RecordedResponse | undefined>>
  valuesOf: (text: string) => Values
}

function changesOf (resource: Resource, before: ServiceRecording, after: ServiceRecording, ignored: readonly string[]): Change[] {
  const { key } = resource
  const names = ignored.filter(name => !name.includes('.') || name.startsWith(`${key}.`)).map(name => name.replace(`${key}.`, ''))
  const [old, now] = [before, after].map((recording): Side => {
    const list = recording.lists.get(key) as ListRecording
    const bases = [...recording.bases].map(base => base.replace(/\/$/, ''))
    const valuesOf = (text: string) => readValues(text, bases, names)
    return { list, valuesOf, records: recordsIn(list, valuesOf), responses: responsesIn(resource, list, recording) }
  }) as [Side, Side]
  const ids = new Set([...old.records.keys(), ...now.records.keys()])
  const changed = [...ids].flatMap((id): Change[] => {
    const [before, after] = [old.records.get(id), now.records.get(id)]
    const place = id === '' ? 'document' : `record ${id}`
    if (before === undefined || after === undefined) return [{ place, before: before?.text, after: after?.text }]
    return differencesOf(`${place} `, before.values, after.values)
  })
  const responses = compareResponses(old, now, ids.size > Math.min(old.records.size, now.records.size))
  return old.records.has('') === now.records.has('') ? [...changed, ...compareOrders(old, now), ...responses] : responses
}

function responsesIn ({ access }: Resource, { responses, head }: ListRecording, { v2 }: ServiceRecording): Side['responses'] {
  const { '': first } = responses
  return {
    ...Object.fromEntries(Object.entries(responses).map(([query, response]) => [query === '' ? 'response' : `?${query}`, response])),
    ...first !== undefined && first.status === undefined && { HEAD: { ...head } },
    ...access === 'token' && { 'without a token': v2.missing, 'with an invalid token': v2.invalid }
  }
}

function recordsIn (list: ListRecording, valuesOf: Side['valuesOf']): Side['records'] {
  const document = documentOf(list)
  if (document !== undefined) return new Map([['', { text: document, values: valuesOf(document) }]])
  const all = list.texts.map(text => ({ text, values: valuesOf(text) }))
  const records = new Map<string, typeof all[number]>()
  for (const [index, record] of all.entries()) {
    const id = record.values.get('id') ?? `at position ${index}`
    records.set(records.has(id) ? `${id}, repeated at position ${index}` : id, record)
  }
  return records
}

function readValues (text: string, bases: readonly string[], ignored: readonly string[]): Values {
  const values = new Map<string, string>()
  const local = (text: string) => text.slice(bases.find(base => text.startsWith(`${base}/`))?.length ?? 0)
  const visit = (value: unknown, path: string): void => {
    if (ignored.some(name => `.${path}.`.includes(`.${name}.`))) return
    if (typeof value === 'string') values.set(path, value.startsWith('\0') ? value.slice(1) : JSON.stringify(local(value)))
    else if (typeof value !== 'object' || value === null) values.set(path, String(value))
    else if (Object.keys(value).length === 0) values.set(path, Array.isArray(value) ? '[]' : '{}')
    else for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`)
  }
  visit(JSON.parse(text.replace(/^\ufeff/, '').replace(tokens, token => token.startsWith('"') ? token : `"\\u0000${token}"`)), '')
  return values
}

function differencesOf (prefix: string, a: Values, b: Values): Change[] {
  const places = [...new Set([...a.keys(), ...b.keys()])].filter(place => a.get(place) !== b.get(place))
  return places.map(place => ({ place: `${prefix}${place}`, before: a.get(place), after: b.get(place) }))
}

/** Returns the orders in which the common records differ; records with equal values may be in any order. */
function compareOrders (old: Side, now: Side): Change[] {
  const [before, after] = [ordersOf(old), ordersOf(now)]
  return [...before].flatMap(([term, ids]): Change[] => {
    const others = after.get(term) ?? []
    const [a, b] = [ids.filter(id => others.includes(id)), others.filter(id => ids.includes(id))]
    const valueOf = (id: string) => term === '' ? id : now.records.get(id)?.values.get(term.replace('-', ''))
    if (a.map(valueOf).join('\n') === b.map(valueOf).join('\n')) return []
    return [{ place: term === '' ? 'default order' : `order by ${term}`, before: a.join(), after: b.join() }]
  })
}

/** Returns the ids of each ordering, as far as its pages were recorded. */
function ordersOf ({ list, records }: Side): Map<string, string[]> {
  const ids = [...records.keys()]
  const orders = new Map([['', ids]])
  for (const [query, { body }] of Object.entries(list.responses)) {
    const term = new URLSearchParams(query).get('ordering')
    if (term !== null) orders.set(term, [...new Set([...orders.get(term) ?? [], ...positionsIn(body).map(at => ids[at] as string)])])
  }
  return orders
}

/** Compares the responses to the same requests; a change that several responses share is reported once. */
function compareResponses (old: Side, now: Side, isMoved: boolean): Change[] {
  const seen = new Set<string>()
  const isNew = (change: Change) => seen.size !== seen.add(JSON.stringify(change)).size
  return Object.keys(old.responses).flatMap(name => {
    if (old.responses[name] === undefined || now.responses[name] === undefined) return []
    const sides = [old, now].map(side => {
      const { list: { separator, responses: { '': first } } } = side
      const own = side.responses[name] as RecordedResponse
      return { side, own, headers: headersOf(first, own), page: pageOf(own, separator), size: positionsIn(own.body).length }
    })
    const arePages = sides.every(({ page }) => page !== undefined)
    // With other records or pages, only the names of fields are comparable.
    const isSame = !isMoved && new Set(sides.map(({ size }) => size)).size === 1
    const [a, b] = sides.map(({ side, own: { status = 200, body }, headers, page = {}, size }): Values => {
      const { results, ...fields } = page
      const list = results === undefined ? 'an unpaged list' : isMoved ? 'a page' : `a page of ${counted(size, 'record')}`
      const form = documentOf(side.list) !== undefined ? 'a document' : body?.length === 1 ? 'other records than those of the list' : list
      const values = arePages ? [...side.valuesOf(JSON.stringify(fields))] : []
      return new Map([
        ['status', String(status)],
        ...Object.entries(headers).map(([name, value]) => [name, value ?? 'none'] as const),
        ...body === undefined ? [] : [status === 200 ? ['form', form] as const : ['body', body.join('')] as const],
        ...values.map(([name, value]) => [name, isSame ? value : 'a value'] as const)
      ])
    }) as [Values, Values]
    return differencesOf('', a, b).filter(isNew).map(change => ({ ...change, place: `${name} ${change.place}` }))
  })
}
