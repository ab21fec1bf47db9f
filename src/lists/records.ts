import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { roomFor } from '../settings/memory.ts'
import { resources, type Resource } from './resources.ts'
import type { Selection } from './selection.ts'
import type { Layout } from './serialise.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { compileTemplate, type Template } from './template.ts'

/** The records of a list as JSON in one layout, by their position; each is written when it is needed. */
export type WrittenRecords = {
  isMeasured: (position: number) => boolean
  /** Writes a record for the first time, as one of many; its JSON is kept where the whole list has room. */
  measure: (position: number) => void
  /** The length of a record for an origin that is so long, in bytes; a record that is not yet measured is written and kept. */
  lengthOf: (position: number, originLength: number) => number
  /** Tells the records at some positions apart from any others, once they are measured. */
  digest: (positions: Uint32Array) => string
  /** Copies a record for an origin into a buffer, from `start` on; gives where it ends. */
  copy: (position: number, origin: Buffer, target: Buffer, start: number) => number
  /** About the length of the JSON of the whole list, in bytes; a few records are written to tell. */
  about: () => number
}

/** Bounds the memory of records that are kept, in bytes. A list that has room is written once, any other each time that it is sent. */
const shelfBytes = roomFor(192 * 2 ** 20)

/** Bounds of how many lists the measures are kept in another layout than compact; they take 30 bytes a record. */
const maxLaidOut = 6

/** Bounds the memory of the records of each of these, in bytes. */
const laidOutBytes = roomFor(4 * 2 ** 20)

/** How many records tell how long a list is. */
const sampleSize = 20

/** How much of a digest is kept: words of four bytes. */
const digestWords = 4

/** What makes a template of each record of a list. */
export function compileRecord ({ record }: Resource, layout: Layout): (record: object) => Template {
  return compileTemplate(record, layout, new Set(resources.map(resource => resource.record).filter(part => part !== record)))
}

/** A function that finds the records of a list in a layout; they are found at as many positions as `countOf` says. */
export function createWriter (recordAt: Selection['recordAt'], countOf: Selection['countOf'], maxBytes = shelfBytes) {
  const shelf = createShelf(maxBytes)
  const compact = new Map<string, WrittenRecords>()
  const laidOut = new LRUCache<string, WrittenRecords>({ max: maxLaidOut })

  return function write (resource: Resource, layout: Layout): WrittenRecords {
    const known = layout.indent === 0 ? compact : laidOut
    const key = `${resource.key} ${layout.indent} ${layout.depth}`
    const written = known.get(key) ?? begin(resource, layout)
    known.set(key, written)
    return written
  }

  function begin (resource: Resource, layout: Layout): WrittenRecords {
    const compiled = compileRecord(resource, layout)
    const isCompact = layout.indent === 0
    // What is laid out stands apart, so that it goes with its parts when another layout takes its place.
    const [own, bytes] = isCompact ? [shelf, maxBytes] : [createShelf(laidOutBytes), laidOutBytes]
    return writeRecords(own, bytes, position => compiled(recordAt(resource, position)), countOf(resource))
  }
}

/** The measures stand in arrays of numbers, because an object for each of many records would keep the garbage collector busy. */
function writeRecords (shelf: Shelf, maxBytes: number, templateAt: (position: number) => Template, count: number): WrittenRecords {
  const places = new Float64Array(count)
  const lengths = new Uint32Array(count)
  const origins = new Uint32Array(count)
  const digests = new Uint32Array(digestWords * count)
  const digestBytes = Buffer.from(digests.buffer)
  let [measured, size] = [0, 0]

  return { isMeasured, measure: position => { write(position, hasRoom()) }, lengthOf, digest, copy, about }

  function isMeasured (position: number): boolean {
    return lengths[position] !== 0
  }

  function hasRoom (): boolean {
    return size * count <= maxBytes * measured
  }

  function write (position: number, isKept: boolean): number {
    const template = templateAt(position)
    if (!isMeasured(position)) {
      measured++
      size += template.size
    }
    lengths[position] = template.length
    origins[position] = template.origins
    digestBytes.write(template.digest, 4 * digestWords * position, 4 * digestWords, 'base64url')
    const place = shelf.put(template, isKept)
    if (isKept) places[position] = place
    return place
  }

  function lengthOf (position: number, originLength: number): number {
    if (!isMeasured(position)) write(position, true)
    return lengths[position]! + origins[position]! * originLength
  }

  function digest (positions: Uint32Array): string {
    const words = new Uint32Array(digestWords * positions.length)
    let at = 0
    for (const position of positions) {
      for (let word = digestWords * position; word < digestWords * (position + 1); word++) words[at++] = digests[word]!
    }
    return hash('sha256', words, 'base64url')
  }

  function copy (position: number, origin: Buffer, target: Buffer, start: number): number {
    const known = places[position]!
    return shelf.copy(shelf.has(known) ? known : write(position, hasRoom()), origin, target, start)
  }

  function about (): number {
    const sample = Array.from({ length: sampleSize }, (_, index) => lengthOf(Math.floor(index * count / sampleSize), 0))
    return Math.round(count / sampleSize * sample.reduce((sum, length) => sum + length, 0))
  }
}
