import type { TSchema } from '@sinclair/typebox'
import { fileVersion } from '../../../schemas/common.ts'
import { stored, type StoredName } from '../../../schemas/stored.ts'
import { isPlainObject, valueAt, type JsonObject } from '../../base/json.ts'
import type { OverlayRecords } from '../../settings/overlay-records.ts'
import { details, newestDate } from './check.ts'
import { parts, type DataError } from '../errors/error.ts'
import { digestOf, keyField, storedKeyOf, type StoredLists } from '../files.ts'
import { createSource, distinctValues, type DataRow, type List, type Source } from '../errors/source.ts'
import { isBefore } from '../../base/timestamps.ts'
import { schemaFields } from '../schema-fields.ts'

/** Returns the records that a program gives as files. */
export function sourcesOf (given: OverlayRecords, isRecorded: boolean): Source[] {
  return Object.entries(given).map(([name, records]) => {
    const file = { version: fileVersion, updated: '1970-01-01T00:00:00Z', [storedKeyOf(name)]: records }
    const text = JSON.stringify(isRecorded ? records : file)
    return createSource(name, '', text, { digest: digestOf(text) })
  })
}

const blankPart: JsonObject = { weight_grams: 0, measurements: {} }

/** The other fields of blank v2 records, for records that only v1 has. */
const blanks: { readonly [name in StoredName]?: JsonObject } = {
  'v2/bikes': { price: null, weight_kg: null, brakes: null, reviews: [], specifications: [] },
  'v2/cranksets': blankPart,
  'v2/saddles': blankPart,
  'v2/handlebars': blankPart,
  'v2/brakes': blankPart,
  'v2/categories': { specifications: [] }
}

/** Returns the errors of an overlay; records that are merged may lack properties, but items of their arrays may not. */
export function patchErrors ({ name, root, records, errors }: Source, base: List): DataError[] {
  const key = keyField(name as StoredName)
  const known = distinctValues(base, key)
  return errors.filter(({ pointer, rule }) => {
    if (rule !== 'required') return true
    const [index = '', ...path] = parts(pointer.slice(root.length))
    const isInArray = path.some(part => /^\d+$/.test(part))
    return isInArray || !known.has(valueAt(records, [index, key]))
  })
}

/** Merges the lists of an overlay into authored ones, and adds blank records of v2.1 for its new records of v1. */
export function applyOverlay (lists: StoredLists, over: Partial<StoredLists>): StoredLists {
  const nullable = new Set(Object.values<TSchema>(stored).flatMap(nullableNames))
  const merged: Record<StoredName, List> = { ...lists }
  for (const [name, patch] of Object.entries(over) as [StoredName, List][]) {
    const list = mergeLists(lists[name], patch, nullable, keyField(name))
    const { source } = patch
    // Records of a program have no time of their own.
    const value = source.file === '' ? newestDate(patch) : patch.updated.value
    const isLater = isBefore(list.updated.value, value)
    merged[name] = isLater ? { ...list, updated: { value, source } } : list
  }
  for (const [name, other, path] of details) {
    const patch = over[other]
    const list = merged[name]
    if (patch === undefined || !list.isRead) continue
    const key = keyField(name)
    const known = distinctValues(list, key)
    const rows = [...list.rows]
    for (const value of distinctValues(patch, path)) {
      if (known.has(value)) continue
      const record = { [key]: value, ...blanks[name] }
      rows.push({ record, source: list.source, index: 0 }) // a blank record has no errors, so its place is never shown
    }
    merged[name] = { ...list, rows }
  }
  return merged
}

/** Returns the names of the fields that a schema allows to be null, at any depth. */
export function nullableNames (schema: TSchema): string[] {
  const names: string[] = []
  for (const { path, isNullable } of schemaFields(schema)) {
    if (isNullable) names.push(path.slice(path.lastIndexOf('.') + 1))
  }
  return names
}

/**
 * Merges a JSON Merge Patch (RFC 7396) into a value; other names keep their order. A null removes its field, but stays
 * where the contract allows it, so that a patch can also be a whole record.
 */
function mergePatch (target: unknown, patch: unknown, nullable: ReadonlySet<string>): unknown {
  if (!isPlainObject(patch)) return patch
  const fields = isPlainObject(target) ? Object.entries(target) : []
  const merged = new Map(fields)
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) merged.set(name, mergePatch(merged.get(name), value, nullable))
    else if (nullable.has(name)) merged.set(name, null)
    else merged.delete(name)
  }
  return Object.fromEntries(merged)
}

/** Merges each record of an overlay into the one with its key, or adds it, as one without a key. */
export function mergeLists (base: List, over: List, nullable: ReadonlySet<string>, key = 'id'): List {
  const patches = new Map(over.rows.map(row => [row.record[key], row]))
  for (const none of [undefined, null]) patches.delete(none)
  const merged = new Set<DataRow>()
  const rows = base.rows.map(row => {
    const patch = patches.get(row.record[key])
    if (patch === undefined) return row
    merged.add(patch)
    const record = mergePatch(row.record, patch.record, nullable) as JsonObject
    return { ...row, record, patch }
  })
  const added = over.rows.filter(row => !merged.has(row))
  return { ...base, rows: [...rows, ...added], isRead: base.isRead && over.isRead }
}
