import { attempt } from '../base/attempt.ts'
import { indentJson, toJson } from '../base/json-text.ts'
import { isPlainObject } from '../base/json.ts'
import type { List, DataRow } from '../catalogue/errors/source.ts'
import type { Images } from '../catalogue/images.ts'
import { withSlashesOf, writtenUrl } from '../http/base-urls.ts'

export const maxLevels = 500

/** The bytes of JSON's punctuation. */
const quotationMark = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openArray = 0x5b
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

export type Records = NonNullable<ReturnType<typeof readRecords>>

/**
 * Reads the records of an array or a page, and `page`, the fields of a page; undefined for any other document, and for
 * invalid JSON. `values` has what `keep` returns for each record: the record by default, which takes most memory.
 */
export function readRecords<Kept = unknown> (bytes: Buffer, keep = (record: unknown) => record as Kept) {
  const { spans, end } = scanRecords(bytes) ?? {}
  if (spans === undefined || end === undefined) return undefined
  const count = spans.length / 2
  const bounds = count === 0 ? [0, end, end, bytes.length] : [0, ...spans, bytes.length]
  const bytesAt = (index: number) => bytes.subarray(spans[2 * index], spans[2 * index + 1])
  /** Returns where a record ends in its file, in bytes. */
  const endOf = (index: number) => spans[2 * index + 1]
  /** Returns the text before the first record, those between two, and the one after the last. */
  const literals = () => {
    const texts: string[] = []
    for (let at = 0; at < bounds.length; at += 2) texts.push(bytes.toString('utf8', bounds[at], bounds[at + 1]))
    return texts
  }
  const { value } = attempt(() => {
    const placeholder = count === 0 ? '' : '0'
    const around: unknown = JSON.parse(literals().join(placeholder))
    const values: Kept[] = []
    for (let index = 0; index < count; index++) values.push(keep(JSON.parse(bytesAt(index).toString())))
    return { values, page: isPlainObject(around) ? around : undefined }
  })
  return value && { ...value, bytesAt, endOf, literals }
}

/**
 * Finds where the records of an array, or of the results of a page, begin and end (`spans[2 * i]`, `spans[2 * i + 1]`),
 * and where the list ends; undefined for any other file. Parsing rejects invalid JSON later.
 * It reads bytes, because a string has at most 512 MB.
 */
function scanRecords (bytes: Buffer): { spans: number[], end: number } | undefined {
  const [start, levels] = startOfList(bytes) ?? []
  if (start === undefined) return undefined
  const spans: number[] = []
  let at = skip(bytes, start, comma)
  while (bytes[at] !== closeArray) {
    const end = endOfValue(bytes, at, Number(levels))
    if (end === undefined) return undefined
    spans.push(at, end)
    at = skip(bytes, end, comma)
  }
  return { spans, end: at }
}

/** Returns where the content of a list begins, and the levels around it; undefined for another document. */
function startOfList (bytes: Buffer): readonly [start: number, levels: number] | undefined {
  let at = skip(bytes, 0)
  if (bytes[at] === openArray) return [at + 1, 1]
  if (bytes[at] !== openObject) return undefined
  at = skip(bytes, at + 1, comma)
  while (bytes[at] === quotationMark) {
    const end = endOfString(bytes, at) ?? bytes.length
    const { value: name } = attempt((): unknown => JSON.parse(bytes.toString('utf8', at, end)))
    at = skip(bytes, end, colon)
    if (name === 'results' && bytes[at] === openArray) return [at + 1, 2]
    at = skip(bytes, endOfValue(bytes, at, 1) ?? bytes.length, comma)
  }
  return undefined
}

/** Returns the index of the first byte, from `start` on, that is neither white space nor a given one. */
function skip (bytes: Buffer, start: number, other = 0): number {
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte > 0x20 && byte !== other) break
    at++
  }
  return at
}

/** Returns the index after a value inside some levels; undefined if the file ends first, or for too many levels. */
function endOfValue (bytes: Buffer, start: number, levels: number): number | undefined {
  let level = levels
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte === openArray || byte === openObject) level++
    else if (byte === closeArray || byte === closeObject) level--
    if (level > maxLevels) return undefined
    const end = byte === quotationMark ? endOfString(bytes, at) : at + 1
    if (end === undefined) return undefined
    at = end
    if (level <= levels && isEnd(bytes[at])) return at
  }
  return undefined
}

/** Returns whether a byte cannot continue a value. */
function isEnd (byte = 0): boolean {
  return byte <= 0x20 || byte === comma || byte === closeArray || byte === closeObject
}

/** Returns the index after a string; undefined if the file ends first. */
function endOfString (bytes: Buffer, start: number): number | undefined {
  let at = start
  for (;;) {
    at = bytes.indexOf(quotationMark, at + 1)
    if (at < 0) return undefined
    let before = at
    while (bytes[before - 1] === backslash) before--
    const isEscaped = (at - before) % 2 === 1
    if (!isEscaped) return at + 1
  }
}

type ReplaceMedia = (bytes: Buffer, origin: string) => Buffer

/** Returns a function that returns the JSON of a row: as it was recorded, unless an overlay changes it. */
export function jsonReader (
  rows: readonly DataRow[], files: readonly { list: List, records?: Records | undefined }[], replaceMedia: ReplaceMedia
) {
  const recordsOf = new Map(files.map(({ list, records }) => [list.source, records]))
  const texts: Buffer[] = []
  for (const { source, index, patch, record } of rows) {
    const text = patch === undefined ? recordsOf.get(source)?.bytesAt(index) : undefined
    texts.push(text ?? Buffer.from(toJson(record)))
  }
  return (position: number, origin: string, indent: number, write = (bytes: Buffer) => bytes): Buffer => {
    const bytes = replaceMedia(write(texts[position] as Buffer), origin)
    return indent === 0 ? bytes : Buffer.from(indentJson(bytes.toString(), indent))
  }
}

/** Returns a function that replaces the recorded base URL of images that this server has. */
export function mediaReplacer (media: string | undefined, images: Images['images']): ReplaceMedia {
  if (media === undefined) return bytes => bytes
  const link = new RegExp(String.raw`(?<!\\)"${writtenUrl(media)}(?:[^"\\]|\\/)*"`, 'gi')
  return (bytes, origin) => {
    if (!bytes.includes('media')) return bytes
    return Buffer.from(bytes.toString().replace(link, found => {
      const path = `/media/${(JSON.parse(found) as string).slice(media.length)}`
      const [image = ''] = path.split('#')
      return images.has(image) ? withSlashesOf(found, `"${origin}${path}"`) : found
    }))
  }
}
