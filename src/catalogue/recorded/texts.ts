import { attempt } from '../../base/attempt.ts'
import { isPlainObject } from '../../base/json.ts'
import type { Frame } from '../catalogue.ts'
import type { List, Row } from '../errors/source.ts'
import type { Images } from '../images.ts'
import { withSlashesOf, writtenUrl } from './queries.ts'
import { scanRecords } from './scan-records.ts'

export const plainFrame: Frame = { open: '[', separator: ',', close: ']' }

export type Records = NonNullable<ReturnType<typeof readRecords>>

/** Reads the records of an array or a page; undefined for any other document, and for invalid JSON. */
export function readRecords (bytes: Buffer) {
  const scanned = scanRecords(bytes)
  if (scanned === undefined) return undefined
  const { spans, end, rest } = scanned
  const bytesAt = (index: number) => bytes.subarray(spans[2 * index], spans[2 * index + 1])
  const { value } = attempt(() => {
    const content = JSON.parse(rest) as unknown
    return { content, values: Array.from({ length: spans.length / 2 }, (_, index) => JSON.parse(bytesAt(index).toString()) as unknown) }
  })
  if (value === undefined) return undefined
  const bounds = [0, ...spans.length === 0 ? [end, end] : spans, bytes.length]
  return {
    values: value.values,
    page: isPlainObject(value.content) ? value.content : undefined,
    bytesAt,
    /** Returns where a record ends in its file, in bytes. */
    endOf: (index: number) => spans[2 * index + 1],
    /** Returns the text before the first record, those between two, and the one after the last. */
    literals: () => Array.from({ length: bounds.length / 2 }, (_, at) => bytes.toString('utf8', bounds[2 * at], bounds[2 * at + 1]))
  }
}

/** Returns the JSON of rows; undefined for those that an overlay changes. */
export function bytesOf (rows: readonly Row[], parsed: readonly { list: List, records?: Records | undefined }[]): (Buffer | undefined)[] {
  const bySource = new Map(parsed.map(({ list, records }) => [list.source, records]))
  return rows.map(({ source, index, patch }) => patch === undefined ? bySource.get(source)?.bytesAt(index) : undefined)
}

/** A function of its own, so that the rows of a load are not kept. */
export const replacing = (records: readonly (Buffer | undefined)[], replace: (bytes: Buffer, origin: string) => Buffer) =>
  (position: number, origin: string): Buffer | undefined => {
    const bytes = records[position]
    return bytes && replace(bytes, origin)
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
