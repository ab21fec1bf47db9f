import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject } from '../base/json.ts'
import { readExactly, writeExactly } from '../base/json-text.ts'

/** Applies a JSON merge patch to each record of a list, or of a page, in JSON; any other body stays as it is. */
export function patchRecords (body: Buffer, patch: JsonObject, indent: number | undefined): Buffer {
  const content = attempt(() => readExactly(body.toString())).value
  const patched = (value: unknown) => Array.isArray(value) ? value.map(record => mergePatch(record, patch)) : value
  if (Array.isArray(content)) return Buffer.from(writeExactly(patched(content), indent))
  if (!isPlainObject(content)) return body
  // Without results, the records are the only array of an envelope, whatever its name.
  const isOfRecords = (name: string) => name === 'results' || !Array.isArray(content['results'])
  const fields = Object.entries(content).map(([name, value]) => [name, isOfRecords(name) ? patched(value) : value])
  return Buffer.from(writeExactly(Object.fromEntries(fields), indent))
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
