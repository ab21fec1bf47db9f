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
  over.source.faults = over.source.faults.filter(isOwnFault(over, known, key))
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

/** Returns which faults of an overlay remain: a record may lack a property that the one has which it is merged into. */
function isOwnFault ({ source: { root }, rows }: List, known: ReadonlySet<unknown>, key: string): (fault: Fault) => boolean {
  const merged = new Set(rows.filter(({ record }) => known.has(record[key])).map(({ index }) => String(index)))
  return ({ pointer, rule }) => {
    const [index = '', ...path] = parts(pointer.slice(root.length))
    return rule !== 'required' || !merged.has(index) || path.some(part => /^\d+$/.test(part))
  }
}
