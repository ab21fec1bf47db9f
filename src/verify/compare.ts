import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedResponse } from '../../schemas/stored.ts'
import { attempt } from '../base/attempt.ts'
import { short } from '../base/text.ts'
import { recordedFiles } from '../catalogue/files.ts'
import { pageOf, positionsIn } from '../catalogue/recorded/frame.ts'
import { Limited, Unreachable } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { readAbout, readRecording } from '../pull/directory.ts'
import { recordService, type ServiceRecording } from '../pull/record.ts'
import { documentOf, type ListRecording, type Service } from '../pull/recorder.ts'
import { SettingsError } from '../settings/flags.ts'
import { Untried } from './check.ts'
import { tokens } from './exchange.ts'

/** One change: added without `before`, removed without `after`; both are as written. */
export type Change = { place: string, before?: string, after?: string }

/** The changes of a list, or why it was not compared. */
export type Difference = { list: string, changes: readonly Change[], unread?: string }

/** A recording, and the base URLs that its links and images may begin with. */
type Known = { recording: ServiceRecording, bases: readonly string[] }

/** @throws {SettingsError} for a directory without recorded lists */
export async function readKnown (directory: string): Promise<Known> {
  const keys = (Object.keys(recordedFiles) as ListKey[]).filter(key => existsSync(join(directory, `${recordedFiles[key]}.json`)))
  if (keys.length === 0) throw new SettingsError(`--compare: ${directory} has no recorded list, such as v1/bikes.json`)
  for (const key of keys) {
    const file = join(directory, `${recordedFiles[key]}.json`)
    const { error } = attempt(() => { JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')) })
    if (error !== undefined) throw new SettingsError(`--compare: ${file}: ${error.message}`)
  }
  const about = await readAbout(directory) ?? {}
  const lists = { ...Object.fromEntries(keys.map(key => [key, {}])), ...about.lists }
  const recording = await readRecording(directory, { ...about, lists })
  return { recording, bases: [...recording.bases, ...about.url === undefined ? [] : [about.url]] }
}

/** Records lists again, in memory, and compares both; a list that differs is recorded a third time, to tell what always changes. */
export async function compare (service: Service, known: Known, ignored: readonly string[]): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const resource of resources) {
    const { key, path, access } = resource
    if (!known.recording.lists.has(key) || (access === 'token' && service.token === undefined)) continue
    try {
      const now = await record(service, resource)
      const all = changesOf(resource, known, now, ignored)
      const changing = all.length === 0 ? [] : changesOf(resource, now, await record(service, resource), ignored).map(({ place }) => place)
      differences.push({ list: path, changes: all.filter(({ place }) => !changing.includes(place)) })
    } catch (error) {
      if (error instanceof Unreachable && !(error instanceof Limited)) throw error
      const isLimit = error instanceof Limited || error instanceof Untried
      const unread = isLimit ? 'limited: the service allows fewer requests' : (error as Error).message
      differences.push({ list: path, changes: [], unread })
    }
  }
  return differences
}

async function record (service: Service, resource: Resource): Promise<Known> {
  const { recording, error } = await recordService(service, [resource])
  if (error !== undefined) throw error
  return { recording, bases: [...recording.bases, service.base.href] }
}

/** The values of a JSON text by path: numbers and literals as written, strings as JSON. */
type Values = ReadonlyMap<string, string>

type Read = (text: string) => Values

function changesOf ({ key, access }: Resource, before: Known, after: Known, ignored: readonly string[]): Change[] {
  const names = ignored.filter(name => !name.includes('.') || name.startsWith(`${key}.`)).map(name => name.replace(`${key}.`, ''))
  const isIgnored = (path: string) => names.some(name => `.${path}.`.includes(`.${name}.`))
  const [old, live] = [before, after].map(({ recording }) => recording.lists.get(key)) as [ListRecording, ListRecording]
  const valuesOf = [before, after].map(({ bases }) => (text: string) => readValues(text, bases)) as [Read, Read]
  const differ = (prefix: string, a: Values, b: Values) => differencesOf(prefix, a, b, isIgnored)
  const documents = [old, live].map(documentOf)
  const kinds: ReadonlyArray<'missing' | 'invalid'> = access === 'public' ? [] : ['missing', 'invalid']
  const refusals = kinds.flatMap(kind => {
    const [a, b] = [before, after].map(({ recording: { v2 } }) => v2[kind])
    return a === undefined || b === undefined ? [] : compareResponses(`with a${kind === 'missing' ? ' missing' : 'n invalid'} token`, a, b)
  })
  if (documents[0] !== undefined || documents[1] !== undefined) {
    const [a, b] = documents
    const [form, now] = documents.map(document => document === undefined ? 'a list' : 'a document') as [string, string]
    if (a === undefined || b === undefined) return [{ place: 'form', before: form, after: now }]
    return [...differ('', valuesOf[0](a), valuesOf[1](b)), ...refusals]
  }
  const [own, others] = [recordsOf(old, valuesOf[0]), recordsOf(live, valuesOf[1])]
  const moved: Change[] = [
    ...[...others].filter(([id]) => !own.has(id)).map(([id, { text }]) => ({ place: `record ${id}`, after: short(text) })),
    ...[...own].filter(([id]) => !others.has(id)).map(([id, { text }]) => ({ place: `record ${id}`, before: short(text) }))
  ]
  return [
    ...moved,
    ...[...own].flatMap(([id, { values }]) => {
      const now = others.get(id)
      return now === undefined ? [] : differ(`record ${id} `, values, now.values)
    }),
    ...compareOrders(old, live, own, others),
    ...compareForms(old, live, moved.length > 0, differ, valuesOf),
    ...refusals
  ]
}

type Records = ReadonlyMap<string, { text: string, values: Values }>

/** Returns the records by id, or by their position where an id is missing or repeated. */
function recordsOf ({ texts }: ListRecording, valuesOf: (text: string) => Values): Records {
  const all = texts.map(text => ({ text, values: valuesOf(text) }))
  const ids = all.map(({ values }) => values.get('id'))
  const areUnique = new Set([undefined, ...ids]).size === ids.length + 1
  return new Map(all.map((record, index) => [areUnique ? ids[index] as string : `at position ${index}`, record]))
}

function readValues (text: string, bases: readonly string[]): Values {
  const values = new Map<string, string>()
  const local = (text: string) => {
    const base = bases.map(base => base.replace(/\/$/, '')).find(base => text.startsWith(`${base}/`))
    return base === undefined ? text : text.slice(base.length)
  }
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') values.set(path, value.startsWith('\0') ? value.slice(1) : JSON.stringify(local(value)))
    else if (typeof value !== 'object' || value === null) values.set(path, String(value))
    else if (Object.keys(value).length === 0) values.set(path, Array.isArray(value) ? '[]' : '{}')
    else for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`)
  }
  visit(JSON.parse(text.replace(/^\ufeff/, '').replace(tokens, token => token.startsWith('"') ? token : `"\\u0000${token}"`)), '')
  return values
}

/** Returns the values that differ. */
function differencesOf (prefix: string, a: Values, b: Values, isIgnored: (path: string) => boolean): Change[] {
  const paths = [...new Set([...a.keys(), ...b.keys()])]
  return paths.filter(path => a.get(path) !== b.get(path) && !isIgnored(path)).map(path => {
    const [before, after] = [a.get(path), b.get(path)]
    return { place: `${prefix}${path}`, ...before !== undefined && { before }, ...after !== undefined && { after } }
  })
}

/** Returns the orders in which the common records differ; records with equal values may be in any order. */
function compareOrders (old: ListRecording, live: ListRecording, own: Records, others: Records): Change[] {
  const [before, after] = [ordersOf(old, [...own.keys()]), ordersOf(live, [...others.keys()])]
  return [...before].flatMap(([term, ids]): Change[] => {
    const now = after.get(term)
    if (now === undefined) return []
    const [a, b] = [ids.filter(id => now.includes(id)), now.filter(id => ids.includes(id))]
    const valueOf = (id: string) => term === '' ? id : others.get(id)?.values.get(term.replace('-', ''))
    if (a.map(valueOf).join('\n') === b.map(valueOf).join('\n')) return []
    return [{ place: term === '' ? 'default order' : `order by ${term}`, before: short(a.join()), after: short(b.join()) }]
  })
}

/** Returns the ids of each ordering, as far as its pages were recorded. */
function ordersOf ({ responses }: ListRecording, ids: readonly string[]): Map<string, string[]> {
  const orders = new Map([['', [...ids]]])
  for (const [query, { body }] of Object.entries(responses)) {
    const term = new URLSearchParams(query).get('ordering')
    if (term !== null) orders.set(term, [...orders.get(term) ?? [], ...positionsIn(body).map(position => ids[position] as string)])
  }
  return orders
}

function compareForms (
  old: ListRecording, live: ListRecording, hasMoved: boolean, differ: (prefix: string, a: Values, b: Values) => Change[],
  [valuesOfOld, valuesOfLive]: readonly [(text: string) => Values, (text: string) => Values]
): Change[] {
  const seen = new Set<string>()
  const queries = Object.keys(old.responses).filter(query => live.responses[query] !== undefined)
  const changes = queries.flatMap(query => {
    const [a, b] = [responseOf(old, query), responseOf(live, query)]
    const where = query === '' ? '' : ` of ?${query}`
    const [page, nowPage] = [pageOf(a, old.separator), pageOf(b, live.separator)]
    const [size, nowSize] = [a, b].map(({ body }) => positionsIn(body).length) as [number, number]
    const own = compareResponses(query === '' ? 'response' : `?${query}`, a, b)
    if (page === undefined || nowPage === undefined) {
      const formOf = (page: unknown, size: number) => page === undefined ? 'an unpaged list' : `pages of ${size}`
      return page === nowPage ? own : [...own, { place: `form${where}`, before: formOf(page, size), after: formOf(nowPage, nowSize) }]
    }
    const isResized = size !== nowSize && !hasMoved
    const sizes = isResized ? [{ place: `page size${where}`, before: String(size), after: String(nowSize) }] : []
    const [fields, nowFields] = [valuesOfOld(textOf(page)), valuesOfLive(textOf(nowPage))]
    // With other records or pages, only the names of fields are comparable.
    const named = (values: Values) => new Map([...values].map(([name, value]) => [name, isResized || hasMoved ? 'a value' : value]))
    const others = differ('', named(fields), named(nowFields))
    return [...own, ...sizes, ...others.map(change => ({ ...change, place: `${change.place}${where}` }))]
  })
  // The same change of several responses is told once.
  const nameOf = (place: string) => place.split(/ of \?|: /).at(place.startsWith('?') ? -1 : 0)
  return changes.filter(({ place, before, after }) => seen.size !== seen.add(`${nameOf(place)} ${before} ${after}`).size)
}

const textOf = ({ results, ...fields }: Readonly<Record<string, unknown>>) => JSON.stringify(fields)

/** Returns a response with all its headers. */
function responseOf ({ responses }: ListRecording, query: string): RecordedResponse {
  const response = responses[query] as RecordedResponse
  return { ...response, headers: { ...responses['']?.headers, ...response.headers } }
}

function compareResponses (name: string, a: RecordedResponse, b: RecordedResponse): Change[] {
  const parts = ({ status = 200, headers = {}, body = [] }: RecordedResponse) => new Map<string, string>([
    ['status', String(status)], ...Object.entries(headers).map(([name, value]): [string, string] => [name, value ?? 'none']),
    ...status === 200 ? [] : [['body', short(body.join(''))] as const]
  ])
  return differencesOf(`${name}: `, parts(a), parts(b), () => false)
}
