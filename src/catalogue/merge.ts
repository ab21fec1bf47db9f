import type { TSchema } from '@sinclair/typebox'
import { parts, type Fault } from './fault.ts'
import { isObject, type List, type Row, type UncheckedRecord } from './source.ts'

type Parts = TSchema & { type?: string | string[], anyOf?: Parts[], properties?: Record<string, Parts>, items?: Parts }

const isNullable = ({ type, anyOf = [] }: Parts): boolean => [type].flat().includes('null') || anyOf.some(isNullable)

/** Returns the names of the fields that a schema allows to be null, at any depth. */
export function nullableNames (schema: TSchema): Set<string> {
  const { anyOf = [], properties = {}, items } = schema as Parts
  const own = Object.entries(properties).flatMap(([name, field]) => [...isNullable(field) ? [name] : [], ...nullableNames(field)])
  return new Set([...own, ...[...anyOf, ...items === undefined ? [] : [items]].flatMap(inner => [...nullableNames(inner)])])
}

/**
 * Merges a JSON Merge Patch (RFC 7396) into a value; other names keep their order. A null removes its field, but stays where the contract
 * allows it, so that a patch can also be a whole record.
 */
function mergePatch (target: unknown, patch: unknown, nullable: ReadonlySet<string>): unknown {
  if (!isObject(patch) || Array.isArray(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) && !Array.isArray(target) ? target : {}))
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
  const known = keysOf(base, key)
  over.source.faults = over.source.faults.filter(isOfMerged(base, over, key))
  const merge = (row: Row): Row => {
    const patch = patches.get(row.record[key])
    return patch === undefined ? row : { ...row, record: mergePatch(row.record, patch.record, nullable) as UncheckedRecord, patch }
  }
  const added = over.rows.filter(row => !known.has(row.record[key]) || patches.get(row.record[key]) !== row)
  return { ...base, rows: [...base.rows.map(merge), ...added], isRead: base.isRead && over.isRead }
}

/** Returns the values of a field that identifies records. */
export function keysOf (list: List | undefined, key: string): ReadonlySet<unknown> {
  return new Set(list?.rows.map(({ record }) => record[key]))
}

/** Returns which faults of an overlay remain when it is merged: a patch may lack a property that the record which it patches has. */
export function isOfMerged (base: List, { source: { root }, rows }: List, key = 'id'): (fault: Fault) => boolean {
  const known = keysOf(base, key)
  const byIndex = new Map(rows.map(row => [row.index, row]))
  return ({ pointer, rule }) => {
    const [index, ...inner] = parts(pointer.slice(root.length))
    const row = byIndex.get(Number(index))
    return rule !== 'required' || row === undefined || !known.has(row.record[key]) || inner.some(part => /^\d+$/.test(part))
  }
}
