import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { RecordedList, Recording } from '../../schemas/stored.ts'
import type { ServedRecord } from '../catalogue/catalogue.ts'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import { readRecords, type Records } from '../catalogue/recorded/texts.ts'
import { Limited, Unreachable } from '../client/client.ts'
import { textField } from '../lists/readers.ts'
import { orderPositions } from '../lists/ordering.ts'
import type { Resource } from '../lists/resources.ts'
import { createTable } from '../lists/table.ts'
import { createFile } from './directory.ts'
import { readList, type Service } from './lists.ts'

export const writeAbout = (directory: string, about: Recording) =>
  createFile(join(directory, recordingFile), `${JSON.stringify(about, null, 2)}\n`)

export const keysOf = ({ lists = {} }: Recording) => Object.keys(lists) as ListKey[]

/** Reads the recording.json of an interrupted pull; undefined for another service. */
export async function readAbout (directory: string, { href }: URL): Promise<Recording | undefined> {
  const text = await readFile(join(directory, recordingFile), 'utf8').catch(() => '{}')
  const about = JSON.parse(text) as Recording
  return about.url === href ? about : undefined
}

/**
 * Writes the lists that a recording lacks, then probes for properties that records don't show. `about` gets an entry for a list
 * once its file is complete.
 * @throws {Limited} if the service limits requests, unless this run found nothing new; then the contract's values stand for the rest
 */
export async function recordLists (
  service: Service, wanted: readonly Resource[], token: string | undefined, directory: string, about: Recording
): Promise<void> {
  const { base, signal, warn } = service
  const lists = about.lists ??= {}
  const tokenOf = ({ access }: Resource) => access === 'token' ? token : undefined
  let hasFound = false
  const save = async () => {
    hasFound = true
    await writeAbout(directory, about)
  }
  for (const resource of wanted.filter(({ key }) => lists[key] === undefined)) {
    signal.throwIfAborted()
    const { key, path } = resource
    const list = await readList(service, resource, tokenOf(resource))
    const { href } = new URL(`.${path}`, base)
    if (list !== undefined) {
      await createFile(join(directory, `${recordedFiles[key]}.json`), list.content)
      lists[key] = list.form
      await save()
    } else if (key === 'bikes') throw new Error(`${href} responds with 404; if the service has a base path, add it: ${base.href}path`)
    else warn(`${href} responds with 404, so the list is missing`)
  }
  const probed = wanted.flatMap(resource => {
    const form = lists[resource.key]
    return form?.paginate === undefined ? [] : { service, resource, token: tokenOf(resource), form }
  })
  const read = async (key: ListKey) => readRecords(await readFile(join(directory, `${recordedFiles[key]}.json`))) as Records
  try {
    for (const list of probed.filter(({ form }) => form.asked === undefined)) {
      Object.assign(list.form, await probePages(list), { asked: [] })
      await save()
    }
    for (const list of probed) await probeOrders(list, await read(list.resource.key), save)
    const detailed = wanted.find(({ access }) => access === 'token')
    if (detailed !== undefined) about.v2 ??= await probeRefusals(service, new URL(`.${detailed.path}`, base))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Unreachable) || (error instanceof Limited && hasFound)) throw error
    warn(`${error.message}; the lists are complete, but orders, page sizes and headers may be those of the contract`)
  }
  for (const { form } of probed) delete form.asked
  about.recorded = new Date().toISOString()
  await writeAbout(directory, about)
}

/** A recorded list and its form. */
type Probed = { service: Service, resource: Resource, token: string | undefined, form: RecordedList }

/** Requests a page, and a page of one record; returns the differences from the known form. */
async function probePages ({ service: { get, base }, resource: { path }, token, form }: Probed): Promise<RecordedList> {
  const { paginate } = form
  const read = async (query: string) => {
    const { status, body } = await get(new URL(`.${path}?${query}`, base), token)
    return status === 200 ? readRecords(body) : undefined
  }
  const first = paginate === 'always' ? undefined : await read('page=1')
  if (first !== undefined && first.page === undefined) return { paginate: 'never' }
  if (first === undefined && paginate !== 'always') return {}
  const { values: { length } = { length: 2 }, envelope: { open, close } = { open: '', close: '' }, page } = first ?? {}
  const one = length > 1 ? await read('page=1&page_size=1') : undefined
  return {
    ...one !== undefined && one.values.length !== 1 && { pageSizeParameter: false },
    ...typeof page?.['next'] === 'string' && { pageSize: length },
    ...page && { envelopes: { 'page=1': { open, close, start: 0, size: length } } }
  }
}

/** The most requests for one order of a paged list. */
const maxPages = 20
const largestPage = 100

/** Fields that a service may sort by where the specification names none. */
const candidatesOf = ({ key, sortable }: Resource) => sortable.length > 0 ? sortable : [key === 'featured' ? 'title' : 'brand']

const isSame = (order: readonly number[] | undefined, other: readonly number[]) => order?.join() === other.join()

/** Requests each remaining order, ascending and descending, and adds differences from ours to the form; `save` stores it. */
async function probeOrders (
  { service, resource, token, form }: Probed, { values, texts }: Records, save: () => Promise<void>
): Promise<void> {
  const [isPaged, hasSizes] = [form.paginate === 'always', form.pageSizeParameter ?? true]
  if (values.length < 2) return
  if (isPaged && values.length > maxPages * (hasSizes ? largestPage : Number(form.pageSize))) {
    return service.warn(`${resource.key} has too many pages to read its orders, so its records are ordered as in the contract`)
  }
  const asked = form.asked ??= []
  const fields = candidatesOf(resource).filter(field => !asked.includes(field))
  const readers = Object.fromEntries(fields.map(field => [field, resource.fields[field] ?? textField(field)]))
  const table = createTable(values as ServedRecord[], readers)
  const natural = [...values.keys()]

  /** Returns the positions of records in an order of the service; undefined if its records differ. */
  async function orderOf (terms: string): Promise<number[] | undefined> {
    const query = `?ordering=${terms}${isPaged && hasSizes ? `&page_size=${largestPage}` : ''}`
    const list = await readList(service, resource, token, query).catch((error: unknown) => {
      if (error instanceof Unreachable) throw error
      return undefined
    })
    const ordered = list && readRecords(list.content)
    if (ordered?.values.length !== values.length) return undefined
    const places = new Map<string, number[]>(natural.map(index => [texts.textAt(index), []]))
    for (const index of natural.toReversed()) places.get(texts.textAt(index))?.push(index)
    const positions = natural.map(index => places.get(ordered.texts.textAt(index))?.pop())
    if (positions.every(position => position !== undefined)) return positions
    service.warn(`${resource.key} changes with each request, so its order by ${terms} is the one in the contract`)
    return undefined
  }

  const isDefault = async (fields: readonly string[]) => isSame(await orderOf(fields.join()), natural)
  const ignoresAll = fields.length > 1 && await isDefault(fields) && await isDefault(fields.map(field => `-${field}`))
  for (const field of fields) {
    const theirs = ignoresAll ? [natural, natural] : [await orderOf(field), await orderOf(`-${field}`)]
    const ours = [false, true].map(descending => orderPositions(table, [{ field, descending }]))
    const isIgnored = theirs.every(order => isSame(order, natural))
    const sortable = new Set(form.sortable ?? resource.sortable)
    if (!isIgnored && theirs.some(order => order !== undefined)) sortable.add(field)
    else if (isIgnored && !ours.every(order => isSame(order, natural))) sortable.delete(field)
    if ([...sortable].join() !== resource.sortable.join()) form.sortable = [...sortable]
    for (const [index, order] of isIgnored ? [] : theirs.entries()) {
      if (order && !isSame(order, ours[index] as number[])) form.orders = { ...form.orders, [index === 1 ? `-${field}` : field]: order }
    }
    asked.push(field)
    await save()
  }
}

/** Requests version 2.1 without a token and with an invalid one; returns the responses. */
async function probeRefusals ({ get }: Service, url: URL): Promise<NonNullable<Recording['v2']>> {
  const refusals: NonNullable<Recording['v2']> = {}
  for (const [kind, token] of [['missing', undefined], ['invalid', 'invalid']] as const) {
    const { status, headers, body } = await get(url, token)
    if (status < 400 || status > 499) continue
    const kept = ['content-type', 'www-authenticate', 'cache-control', 'vary'].map(name => [name, headers[name]] as const)
    const present = kept.filter((header): header is [string, string] => typeof header[1] === 'string')
    refusals[kind] = { status, headers: Object.fromEntries(present), body: body.toString() }
  }
  return refusals
}
