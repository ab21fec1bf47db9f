import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { fileVersion } from '../../../schemas/common.ts'
import { stored } from '../../../schemas/stored.ts'
import { isPlainObject, type JsonObject } from '../../base/json.ts'
import type { OverlayRecords } from '../../settings/kinds.ts'
import { newestDate } from './check.ts'
import { parts, type DataError } from '../errors/error.ts'
import { keyOf, storedNames, type StoredLists, type StoredName } from '../files.ts'
import { createSource, valuesOf, type List, type Row, type Source } from '../errors/source.ts'
import { isBefore, isTimestamp } from '../../base/timestamps.ts'
import { schemaFields } from '../schema-fields.ts'

/** Returns the records that a program gives as files. */
export function sourcesOf (given: OverlayRecords, isRecorded: boolean): Source[] {
  return Object.entries(given).map(([name, records]) => {
    const stored = { version: fileVersion, updated: '1970-01-01T00:00:00Z', [name.slice('v1/'.length)]: records }
    const text = JSON.stringify(isRecorded ? records : stored)
    return createSource(name, '', text, { digest: createHash('sha256').update(text).digest('hex') })
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

/** Merges the lists of an overlay into authored ones. */
export function applyOverlay (lists: StoredLists, over: Partial<StoredLists>): StoredLists {
  const schemas = Object.values(stored).flatMap(schemas => Object.values<TSchema>(schemas))
  const nullable = new Set(schemas.flatMap(nullableNames))
  return Object.fromEntries(storedNames.map(name => {
    const [base, patch] = [lists[name], over[name]]
    const merged = patch === undefined ? base : { ...mergeLists(base, patch, nullable, keyOf(name)), updated: laterOf(base, patch) }
    return [name, addBlanks(merged, name, over)]
  })) as StoredLists
}

/** Returns the later `updated` of two lists; ignores invalid ones, which the schema rejects. */
function laterOf ({ updated }: List, over: List): List['updated'] {
  const value = over.source.file === '' ? newestDate(over) : over.updated.value
  const isTime = typeof value === 'string' && isTimestamp(value)
  return isTime && !isBefore(updated.value, value) ? updated : { value, source: over.source }
}

/** Adds blank records to a list of v2 for the records that an overlay adds to v1. */
function addBlanks (list: List, name: StoredName, over: Partial<StoredLists>): List {
  const [blank, key] = [blanks[name], keyOf(name)]
  const [other, field] = key === 'slug' ? ['v1/bikes', 'category.slug'] : [name.replace('v2/', 'v1/'), 'id']
  const needing = over[other as StoredName]
  if (blank === undefined || needing === undefined || !list.isRead) return list
  const known = valuesOf(list, key)
  const added = [...valuesOf(needing, field)].filter(value => !known.has(value))
    .map((value, index) => ({ record: { [key]: value, ...blank }, source: list.source, index }))
  return { ...list, rows: [...list.rows, ...added] }
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

/** Returns the errors of an overlay; a record that is merged into another may lack properties, but items of its arrays may not. */
export function errorsOfOverlay (base: List, { rows, source: { root, errors } }: List, key: string): DataError[] {
  const known = valuesOf(base, key)
  const merged = new Set(rows.filter(({ record }) => known.has(record[key])).map(({ index }) => String(index)))
  return errors.filter(({ pointer, rule }) => {
    const [index = '', ...path] = parts(pointer.slice(root.length))
    return rule !== 'required' || !merged.has(index) || path.some(part => /^\d+$/.test(part))
  })
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
