import type { TSchema } from '@sinclair/typebox'
import { isObject, type UncheckedRecord } from './files.ts'

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
export function mergePatch (target: unknown, patch: unknown, nullable: ReadonlySet<string>): unknown {
  if (!isObject(patch) || Array.isArray(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) && !Array.isArray(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) merged.set(name, mergePatch(merged.get(name), value, nullable))
    else if (nullable.has(name)) merged.set(name, null)
    else merged.delete(name)
  }
  return Object.fromEntries(merged)
}

/** Returns whether a patch has a value at a path, so that the merged value is its own. */
export function hasPath (patch: unknown, [name, ...others]: readonly (string | number)[]): boolean {
  if (name === undefined) return true
  return isObject(patch) && Object.hasOwn(patch, name) && hasPath((patch as UncheckedRecord)[name], others)
}
