import { hash } from 'node:crypto'
import { fileVersion } from '../../schemas/common.ts'
import type { OverlayRecords } from '../settings/kinds.ts'
import { newestDate } from './contradictions.ts'
import type { Directory } from './files.ts'
import { keysOf, mergeLists, nullableNames } from './merge.ts'
import { createSource, isObject, type List, type Source, type UncheckedRecord } from './source.ts'
import { keyOf, mapNames, type StoredLists, type StoredName } from './stored.ts'
import { isBefore, isTimestamp } from './timestamps.ts'

export const isDirectory = (overlay: Directory | OverlayRecords): overlay is Directory => 'realPath' in overlay

/** Returns the records that a program gives as files. */
export function sourcesOf (given: OverlayRecords, isRecorded: boolean): Source[] {
  return Object.entries(given).map(([name, records]) => {
    const stored = { version: fileVersion, updated: '1970-01-01T00:00:00Z', [name.slice('v1/'.length)]: records }
    const text = JSON.stringify(isRecorded ? records : stored)
    return createSource(name, '', text, { digest: hash('sha256', text) })
  })
}

const blankPart = (id: unknown): UncheckedRecord => ({ id, weight_grams: 0, measurements: {} })

/** Blank v2 records for records that only v1 has. */
const blanks: { readonly [name in StoredName]?: (key: unknown) => UncheckedRecord } = {
  'v2/bikes': id => ({ id, price: null, weight_kg: null, brakes: null, reviews: [], specifications: [] }),
  'v2/cranksets': blankPart,
  'v2/saddles': blankPart,
  'v2/handlebars': blankPart,
  'v2/brakes': blankPart,
  'v2/categories': slug => ({ slug, specifications: [] })
}

/** Merges the lists of an overlay into authored ones. */
export async function layOver (lists: StoredLists, over: ReadonlyMap<string, List>): Promise<StoredLists> {
  const { stored } = await import('../../schemas/stored.ts')
  const schemas = Object.values(stored).flatMap(schemas => Object.values(schemas))
  const nullable = new Set(schemas.flatMap(schema => [...nullableNames(schema)]))
  return mapNames(name => {
    const [base, patch, blank] = [lists[name], over.get(name), blanks[name]]
    const merged = patch === undefined ? base : { ...mergeLists(base, patch, nullable, keyOf(name)), updated: laterOf(base, patch) }
    return blank === undefined || !merged.isRead ? merged : fill(merged, keyOf(name), neededBy(over, name), blank)
  })
}

/** Returns the later `updated` of two lists; ignores invalid ones, which the schema rejects. */
function laterOf ({ updated }: List, over: List): List['updated'] {
  const value = over.source.file === '' ? newestDate(over) : over.updated.value
  const isTime = typeof value === 'string' && isTimestamp(value)
  return isTime && !isBefore(updated.value, value) ? updated : { value, source: over.source }
}

/** Returns the keys that a list of v2 needs for the records of an overlay in v1. */
function neededBy (over: ReadonlyMap<string, List>, name: StoredName): ReadonlySet<unknown> {
  if (name !== 'v2/categories') return keysOf(over.get(name.replace('v2/', 'v1/')), 'id')
  const categories = over.get('v1/bikes')?.rows.map(({ record: { category } }) => category)
  return new Set(categories?.map(category => isObject(category) ? category['slug'] : undefined))
}

/** Adds blank records for the needed keys that a list lacks. */
function fill (list: List, key: string, needed: ReadonlySet<unknown>, blank: (key: unknown) => UncheckedRecord): List {
  const known = keysOf(list, key)
  const added = [...needed].filter(key => !known.has(key))
  return { ...list, rows: [...list.rows, ...added.map((key, index) => ({ record: blank(key), source: list.source, index }))] }
}
