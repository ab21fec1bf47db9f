import type { TSchema } from '@sinclair/typebox'
import { fileVersion } from '../../../schemas/common.ts'
import { stored, type StoredName } from '../../../schemas/stored.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'
import type { OverlayRecords } from '../../settings/kinds.ts'
import { details, newestDate } from './check.ts'
import { parts, type DataError } from '../errors/error.ts'
import { digestOf, keyOf, type StoredLists } from '../files.ts'
import { createSource, valuesOf, type List, type Row, type Source } from '../errors/source.ts'
import { isBefore } from '../../base/timestamps.ts'
import { schemaFields } from '../schema-fields.ts'

/** Returns the records that a program gives as files. */
export function sourcesOf (given: OverlayRecords, isRecorded: boolean): Source[] {
  return Object.entries(given).map(([name, records]) => {
    const stored = { version: fileVersion, updated: '1970-01-01T00:00:00Z', [name.slice('v1/'.length)]: records }
    const text = JSON.stringify(isRecorded ? records : stored)
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

/** Merges the lists of an overlay into authored ones, and adds blank records of v2.1 for its new records of v1. */
export function applyOverlay (lists: StoredLists, over: Partial<StoredLists>): StoredLists {
  const nullable = new Set(Object.values<TSchema>(stored).flatMap(nullableNames))
  const merged: Record<StoredName, List> = { ...lists }
  for (const [name, patch] of Object.entries(over) as [StoredName, List][]) {
    const updated = patch.source.file === '' ? newestDate(patch) : patch.updated.value
    merged[name] = {
      ...mergeLists(lists[name], patch, nullable, keyOf(name)),
      updated: isBefore(lists[name].updated.value, updated) ? { value: updated, source: patch.source } : lists[name].updated
    }
    patch.source.errors = errorsOfOverlay(patch.source, merged[name])
  }
  for (const [name, other, path] of details) {
    const [list, needing, key] = [merged[name], over[other], keyOf(name)]
    if (needing === undefined || !list.isRead) continue
    const known = valuesOf(list, key)
    const blank = [...valuesOf(needing, path)].filter(value => !known.has(value))
      .map((value, index): Row => ({ record: { [key]: value, ...blanks[name] }, source: list.source, index }))
    merged[name] = { ...list, rows: [...list.rows, ...blank] }
  }
  return merged
}

/** Returns the errors of an overlay; a record that is merged into another may lack properties, but items of its arrays may not. */
function errorsOfOverlay ({ root, errors }: Source, { rows }: List): DataError[] {
  const merged = new Set(rows.map(({ patch }) => String(patch?.index)))
  return errors.filter(({ pointer, rule }) => {
    const [index = '', ...path] = parts(pointer.slice(root.length))
    return rule !== 'required' || !merged.has(index) || path.some(part => /^\d+$/.test(part))
  })
}

/** Returns the names of the fields that a schema allows to be null, at any depth. */
export const nullableNames = (schema: TSchema) =>
  schemaFields(schema).filter(({ isNullable }) => isNullable).map(({ path }) => path.slice(path.lastIndexOf('.') + 1))

/**
 * Merges a JSON Merge Patch (RFC 7396) into a value; other names keep their order. A null removes its field, but stays where the contract
 * allows it, so that a patch can also be a whole record.
 */
function mergePatch (target: unknown, patch: unknown, nullable: ReadonlySet<string>): unknown {
  if (!isPlainObject(patch)) return patch
  const merged = new Map(Object.entries(isPlainObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) merged.set(name, mergePatch(merged.get(name), value, nullable))
    else if (nullable.has(name)) merged.set(name, null)
    else merged.delete(name)
  }
  return Object.fromEntries(merged)
}

/** Merges each record of an overlay into the one with its key, or adds it. */
export function mergeLists (base: List, over: List, nullable: ReadonlySet<string>, key = 'id'): List {
  const patches = new Map(over.rows.map(row => [row.record[key], row]))
  const known = valuesOf(base, key)
  const merge = (row: Row): Row => {
    const patch = patches.get(row.record[key])
    return patch === undefined ? row : { ...row, record: mergePatch(row.record, patch.record, nullable) as JsonObject, patch }
  }
  const added = over.rows.filter(row => !known.has(row.record[key]) || patches.get(row.record[key]) !== row)
  return { ...base, rows: [...base.rows.map(merge), ...added], isRead: base.isRead && over.isRead }
}
