import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/stored.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { nameFitness } from '../catalogue/recorded/fitness.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { dataDirectory } from '../package.ts'
import { SettingsError } from '../settings/flags.ts'
import { reasonOf, type Probe } from './check.ts'
import { readList } from './read.ts'
import { readFitnessName } from './records.ts'

/** A list to compare with; only a recorded one has the path of its service. */
type KnownList = { records: readonly JsonObject[], base?: string }

export type KnownLists = { readonly [key in ListKey]?: KnownList }

/** The differences of a list; `others` concern its form, headers and orders. */
type Parts = { added: unknown[], removed: unknown[], changed: { id: unknown, fields: string[] }[], others: string[] }

/** The differences of a list, or why it was skipped. */
export type Difference = { list: string } & (Parts | { unread: string })

/** Reads a recording, or the built-in records. @throws {SettingsError} for a directory without recorded lists */
export async function readKnownLists (directory: string): Promise<KnownLists> {
  if (directory === '') {
    const catalogue = await loadCatalogue(dataDirectory)
    return Object.fromEntries(resources.map(({ key }) => [key, { records: catalogue[key] }]))
  }
  const read = async (name: string): Promise<unknown> => {
    const file = join(directory, `${name}.json`)
    const text = await readFile(file, 'utf8').catch(() => 'null')
    try {
      return JSON.parse(text.replace(/^\ufeff/, ''))
    } catch (error) {
      throw new SettingsError(`--compare: ${file}: ${(error as Error).message}`)
    }
  }
  const { url } = (await read('recording') ?? {}) as Recording
  const base = url !== undefined && URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : ''
  const known: Record<string, KnownList> = {}
  for (const resource of resources) {
    const { key } = resource
    const value = await read(key === 'bikesV2' ? 'v2/bikes' : `v1/${key}`)
    const records = isPlainObject(value) ? value['results'] : value
    if (Array.isArray(records)) known[key] = { records: records.filter(isPlainObject), base }
  }
  if (Object.keys(known).length === 0) throw new SettingsError(`--compare: ${directory} has no recorded list, such as v1/bikes.json`)
  return known
}

export async function compare (probe: Probe, known: KnownLists): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const resource of resources) {
    const own = known[resource.key]
    if (own === undefined || (resource.access === 'token' && probe.token === undefined)) continue
    const parts = await compareList(probe, resource, own).catch((error: unknown) => ({ unread: reasonOf(error) }))
    if (Object.values(parts).some(({ length }) => length > 0)) differences.push({ list: resource.path, ...parts })
  }
  return differences
}

const idOf = (record: JsonObject | undefined) => record?.['id']

async function compareList (probe: Probe, resource: Resource, { records, base }: KnownList): Promise<Parts> {
  const list = await readList(probe, resource)
  const known = base === undefined ? nameFitness(records, await readFitnessName(probe)) : records // a server may name the fields its way
  const hasIds = [known, list.records].every(records => new Set([undefined, ...records.map(idOf)]).size === records.length + 1)
  const byKey = (records: readonly JsonObject[]) => new Map(records.map((record, index) => [hasIds ? idOf(record) : index + 1, record]))
  const [old, live] = [byKey(known), byKey(list.records)]
  const bases = [probe.pathOf(''), base ?? ''].filter(path => path !== '')
  const differs = (one: unknown, other: unknown) => comparable(one, bases) !== comparable(other, bases)
  return {
    added: [...live.keys()].filter(key => !old.has(key)),
    removed: [...old.keys()].filter(key => !live.has(key)),
    changed: [...old].flatMap(([id, record]) => {
      const sent = live.get(id)
      const fields = Object.keys({ ...record, ...sent }).filter(field => differs(record[field], sent?.[field]))
      return sent === undefined || fields.length === 0 ? [] : { id, fields }
    }),
    others: base === undefined || !hasIds ? [] : orderLines()
  }

  /** Returns a line if the common records have another order. */
  function orderLines (): string[] {
    const now = list.records.map(idOf).filter(id => old.has(id))
    const before = known.map(idOf).filter(id => live.has(id))
    return now.join() === before.join() ? [] : ['the default order differs']
  }
}

/** Returns a value as JSON; its URLs are paths relative to the base path that they are below. */
function comparable (value: unknown, bases: readonly string[]): string | undefined {
  return JSON.stringify(value)?.replaceAll(/"https?:\/\/[^/"]+(\/[^"]*)"/g, (_, path: string) =>
    `"${path.slice(bases.find(base => path.startsWith(`${base}/`))?.length)}"`)
}
