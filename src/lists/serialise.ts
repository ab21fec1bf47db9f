import { Readable } from 'node:stream'
import { escapeLines, toJson } from '../base/json-text.ts'
import type { JsonObject } from '../base/json.ts'
import { nextTurn } from '../base/timers.ts'

/** Matches the name before the path of an image in JSON; a quotation mark inside a string follows a backslash. */
const imagePath = /"(?:featured_image|image_url|images|url)":"(?=\/)/g

/** Returns the JSON of a record from its serialiser, with absolute addresses of images. */
export function absoluteJson (json: string, origin: string): string {
  return escapeLines(json).replace(imagePath, name => name + origin)
}

/** The number of records that are serialised to estimate the length of all. */
const sampleSize = 20

/** A list of at most so many records is short. */
const fewRecords = 100

/** Estimates the length of an array of `count` records as JSON, in characters; 0 for few records. */
export function estimateLength (count: number, recordAt: (index: number) => object): number {
  if (count <= fewRecords) return 0
  const sample: object[] = []
  for (let index = 0; index < sampleSize; index++) {
    const position = Math.floor(index * count / sampleSize)
    sample.push(recordAt(position))
  }
  return Math.round(count / sampleSize * toJson(sample).length)
}

/** The texts around, between and after the records of a list. */
type Frame = { readonly open: string, readonly separator: string, readonly close: string }

/** Returns the texts around the items of an array that is below `levels` others. */
export function arrayFrame (indent: number, levels = 0): Frame {
  if (indent === 0) return { open: '[', separator: ',', close: ']' }
  const line = `\n${' '.repeat(indent * levels)}`
  const itemLine = line + ' '.repeat(indent)
  return { open: `[${itemLine}`, separator: `,${itemLine}`, close: `${line}]` }
}

/** Returns the texts around the records of a page, which stand in the place of its `results`. */
export function pageFrame (fields: JsonObject, indent: number): Frame {
  const entries = Object.entries(fields)
  const at = entries.findIndex(([name]) => name === 'results')
  const array = arrayFrame(indent, 1)
  const before = Object.fromEntries(entries.slice(0, at))
  const after = Object.fromEntries(entries.slice(at + 1))
  const begin = toJson({ ...before, results: [] }, indent)
  const end = toJson({ results: [], ...after }, indent)
  return {
    open: begin.slice(0, begin.lastIndexOf('[]')) + array.open,
    separator: array.separator,
    close: array.close + end.slice(end.indexOf('[]') + '[]'.length)
  }
}

/**
 * Yields `count` records in a frame. Each is encoded by itself: one with a character outside Latin-1 would make all
 * slow to encode.
 */
export function * serialise (frame: Frame, count: number, jsonAt: (index: number) => Buffer): Generator<Buffer> {
  const { open, separator, close } = frame
  const between = Buffer.from(separator)
  yield Buffer.from(count === 0 ? open.trimEnd() : open)
  for (let index = 0; index < count; index++) {
    if (index > 0) yield between
    yield jsonAt(index)
  }
  yield Buffer.from(count === 0 ? close.trimStart() : close)
}

/** Bytes to send at once; to make them takes a few milliseconds. */
const partLength = 256 * 1024

/** Returns a function that streams a body as its client reads it; other requests are served between its pieces. */
export const streamOf = (body: () => Iterable<Buffer>) => () => Readable.from((async function * () {
  const parts: Buffer[] = []
  let length = 0
  for (const part of body()) {
    parts.push(part)
    length += part.length
    if (length < partLength) continue
    await nextTurn()
    yield Buffer.concat(parts.splice(0))
    length = 0
  }
  yield Buffer.concat(parts)
})())
