import { attempt } from '../../base/attempt.ts'
import { isPlainObject } from '../../base/json.ts'
import type { List, Row } from '../errors/source.ts'
import type { Images } from '../images.ts'
import { withSlashesOf, writtenUrl } from './queries.ts'
import type { Frame } from './responses.ts'

const [quote, backslash, comma, colon] = [...Buffer.from('"\\,:')] as [number, number, number, number]
const [openArray, closeArray, openObject, closeObject] = [...Buffer.from('[]{}')] as [number, number, number, number]
export const maxLevels = 500

export const plainFrame: Frame = { open: '[', separator: ',', close: ']' }

export type Records = NonNullable<ReturnType<typeof readRecords>>

/** Reads the records of an array or a page; undefined for any other document, and for invalid JSON. */
export function readRecords (bytes: Buffer) {
  const { spans = [], end } = scanRecords(bytes) ?? {}
  if (end === undefined) return undefined
  const bounds = [0, ...spans.length === 0 ? [end, end] : spans, bytes.length]
  const bytesAt = (index: number) => bytes.subarray(spans[2 * index], spans[2 * index + 1])
  /** Returns where a record ends in its file, in bytes. */
  const endOf = (index: number) => spans[2 * index + 1]
  /** Returns the text before the first record, those between two, and the one after the last. */
  const literals = () => Array.from({ length: bounds.length / 2 }, (_, at) => bytes.toString('utf8', bounds[2 * at], bounds[2 * at + 1]))
  const { value } = attempt(() => {
    const around = JSON.parse(literals().join(spans.length === 0 ? '' : '0')) as unknown
    const values = Array.from({ length: spans.length / 2 }, (_, index) => JSON.parse(bytesAt(index).toString()) as unknown)
    return { values, page: isPlainObject(around) ? around : undefined }
  })
  return value && { ...value, bytesAt, endOf, literals }
}

/**
 * Finds where the records of an array, or of the results of a page, begin and end (`spans[2 * i]`, `spans[2 * i + 1]`), and where the list
 * ends; undefined for any other file. It reads bytes, because a string has at most 512 MB.
 */
function scanRecords (bytes: Buffer): { spans: readonly number[], end: number } | undefined {
  const spans: number[] = []
  let [level, list, begin, end, isResults] = [0, 0, -1, -1, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte <= 0x20) continue
    if (list > 0 && level === list && (byte === comma || byte === closeArray)) {
      if (begin >= 0) spans.push(begin, end)
      begin = -1
      if (byte === closeArray) return { spans, end: at }
      continue
    }
    if (list > 0 && level === list && begin < 0) begin = at
    if (byte === quote) {
      const start = at
      do at = bytes.indexOf(quote, at + 1); while (at > 0 && isEscaped(bytes, at))
      if (at < 0) return undefined
      if (list === 0 && level === 1) isResults = bytes.toString('latin1', start, at + 1) === '"results"'
    } else if (byte === openArray || byte === openObject) {
      if (++level > maxLevels) return undefined
      if (list === 0 && byte === openArray && (level === 1 || (level === 2 && isResults))) list = level
    } else if (byte === closeArray || byte === closeObject) level--
    else if (list === 0 && level === 1 && byte !== colon) isResults = false
    end = at + 1
  }
  return undefined
}

function isEscaped (bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

/** Returns a function that returns the JSON of rows for an origin; undefined for those that an overlay changes. */
export function bytesReader (
  rows: readonly Row[], parsed: readonly { list: List, records?: Records | undefined }[], replace: (bytes: Buffer, origin: string) => Buffer
) {
  const bySource = new Map(parsed.map(({ list, records }) => [list.source, records]))
  const bytes = rows.map(({ source, index, patch }) => patch === undefined ? bySource.get(source)?.bytesAt(index) : undefined)
  return (position: number, origin: string): Buffer | undefined => bytes[position] && replace(bytes[position], origin)
}

/** Returns a function that replaces the recorded base URL of images that this server has. */
export function mediaReplacer (media: string | undefined, images: Images['images']) {
  if (media === undefined) return (bytes: Buffer) => bytes
  const link = new RegExp(String.raw`(?<!\\)"${writtenUrl(media)}(?:[^"\\]|\\/)*"`, 'g')
  return (bytes: Buffer, origin: string) => !bytes.includes('media')
    ? bytes
    : Buffer.from(bytes.toString().replace(link, found => {
      const path = `/media/${(JSON.parse(found) as string).slice(media.length)}`
      return images.has(path) ? withSlashesOf(found, `"${origin}${path}"`) : found
    }))
}
