import { inspect } from 'node:util'

/** An unvalidated JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is a JSON object, of this realm or a test runner's. */
export function isPlainObject (value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

export function valueAt (value: unknown, steps: readonly string[]): unknown {
  for (const step of steps) value = (value as JsonObject | null | undefined)?.[step]
  return value
}

/** Describes the first part of a value that is nested too deeply or isn't JSON; undefined if there is none. */
export function jsonError (value: unknown, place: string, maxDepth: number, depth = 0): string | undefined {
  if (depth > maxDepth) return `${place.slice(0, 60)}… must be JSON of at most ${maxDepth} levels; it may be circular`
  if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)) return undefined
  const isArray = Array.isArray(value)
  if (!isArray && !isPlainObject(value)) return `${place} must be plain JSON, got ${inspect(value, { depth: -1 })}`
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined && !isArray) continue
    const error = jsonError(part, place + stepOf(name, isArray), maxDepth, depth + 1)
    if (error !== undefined) return error
  }
  return undefined
}

/** Returns a step of a path: `.name`, `["odd name"]` or `[0]`. */
export function stepOf (name: string, isIndex: boolean): string {
  if (isIndex) return `[${name}]`
  return /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
