import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'

/** Applies a JSON merge patch to each record of a list, or of a page, in JSON; any other body stays as it is. */
export function patchRecords (body: Buffer, patch: JsonObject, indent: number | undefined): Buffer {
  const content = attempt((): unknown => JSON.parse(body.toString())).value
  const patched = (value: unknown) => Array.isArray(value) ? value.map(record => mergePatch(record, patch)) : value
  if (Array.isArray(content)) return Buffer.from(JSON.stringify(patched(content), null, indent))
  if (!isPlainObject(content)) return body
  // The records are the only array of an envelope, whatever its name.
  const fields = Object.entries(content).map(([name, value]) => [name, patched(value)])
  return Buffer.from(JSON.stringify(Object.fromEntries(fields), null, indent))
}

/** Applies a JSON merge patch (RFC 7396, 2). */
export function mergePatch (target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const fields = new Map(isPlainObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name)
    else fields.set(name, mergePatch(fields.get(name), value))
  }
  return Object.fromEntries(fields)
}
