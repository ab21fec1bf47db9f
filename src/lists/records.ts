import { hash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { unlessNull } from '../../schemas/common.ts'
import { Components, DetailedBike } from '../../schemas/v2/bike.ts'
import { layOut, type Layout } from './layout.ts'
import { createMemory, type Memory } from './memory.ts'
import { resources, type Resource, type ResourceKey } from './resources.ts'
import type { Selection } from './selection.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { compileTemplate, type Template } from './template.ts'

/** The records of a list as JSON, by their position; each is written when it is needed. */
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
}

/** The size of the memory that compact records stand in, one after the other, so that parts they share are put together once, in bytes. */
const roomBytes = 2 ** 19

/** How many records tell how long a list is. */
const sampleSize = 20

/** How much of a digest is kept: words of four bytes. */
const digestWords = 4

const noOrigin = Buffer.alloc(0)

const { total_weight_grams: _, ...detailedParts } = Components.properties

/** What many records hold alike, so that it is written once: records of other lists, parts in detail, bikes that those of a brand name. */
const shared: ReadonlySet<TSchema> = new Set([
  ...resources.map(({ record }) => record),
  ...Object.values(detailedParts).map(unlessNull),
  DetailedBike.properties.related.properties.same_brand
])

/** What makes a template of each record of a list. */
export function compileRecord ({ record }: Resource): (record: object) => Template {
  return compileTemplate(record, new Set([...shared].filter(part => part !== record)))
}

/** A function that finds the records of a list in a layout; they are found at as many positions as `countOf` says. */
export function createWriter (recordAt: Selection['recordAt'], countOf: Selection['countOf'], memory = createMemory()) {
  const shelf = createShelf(memory)
  const lists = new Map<ResourceKey, (layout: Layout) => WrittenRecords>()

  return function write (resource: Resource, layout: Layout): WrittenRecords {
    const list = lists.get(resource.key) ?? begin(resource)
    lists.set(resource.key, list)
    return list(layout)
  }

  function begin (resource: Resource): (layout: Layout) => WrittenRecords {
    const [compiled, count] = [compileRecord(resource), countOf(resource)]
    const compact = writeRecords(shelf, memory, position => compiled(recordAt(resource, position)), count)
    let laidOut: ReturnType<typeof layOutRecords> | undefined
    return layout => layout.indent === 0 ? compact : (laidOut ??= layOutRecords(compact, count))(layout)
  }
}

/** About the length of the JSON of so many records, in bytes; a few are written to tell. */
export function aboutLength ({ lengthOf }: WrittenRecords, count: number): number {
  const sample = Array.from({ length: sampleSize }, (_, index) => lengthOf(Math.floor(index * count / sampleSize), 0))
  return Math.round(count / sampleSize * sample.reduce((sum, length) => sum + length, 0))
}

/** The measures stand in arrays of numbers, because an object for each of many records would keep the garbage collector busy. */
function writeRecords (shelf: Shelf, { maxBytes }: Memory, templateAt: (position: number) => Template, count: number): WrittenRecords {
  const places = new Float64Array(count)
  const lengths = new Uint32Array(count)
  const origins = new Uint32Array(count)
  const digests = new Uint32Array(digestWords * count)
  const digestBytes = Buffer.from(digests.buffer)
  let [measured, size] = [0, 0]

  return { isMeasured, measure: position => { write(position, hasRoom()) }, lengthOf, digest, copy }

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
}

/**
 * Lays records out each time that they are copied. How much longer they become is known for every layout once they were laid out
 * in one, because each level of each line is as wide as another.
 */
function layOutRecords (compact: WrittenRecords, count: number): (layout: Layout) => WrittenRecords {
  const lengths = new Uint32Array(count)
  const lines = new Uint32Array(count)
  const levels = new Uint32Array(count)
  let [room, end] = [Buffer.alloc(0), 0]

  return ({ indent, depth }) => {
    return { isMeasured, measure: measureBoth, lengthOf, digest: compact.digest, copy }

    function lengthOf (position: number, originLength: number): number {
      if (!isMeasured(position)) measure(position)
      const added = compact.lengthOf(position, originLength) - compact.lengthOf(position, 0)
      return lengths[position]! + indent * (levels[position]! + depth * lines[position]!) + added
    }

    function copy (position: number, origin: Buffer, target: Buffer, start: number): number {
      target.fill(' ', start, start + lengthOf(position, origin.length))
      return layOut(copyOf(position, origin), { indent, depth }, target, start).end
    }
  }

  function measureBoth (position: number): void {
    if (!compact.isMeasured(position)) compact.measure(position)
    measure(position)
  }

  function isMeasured (position: number): boolean {
    return lengths[position] !== 0
  }

  function measure (position: number): void {
    const json = copyOf(position, noOrigin)
    const measured = layOut(json, { indent: 0, depth: 0 }, Buffer.allocUnsafe(2 * json.length), 0)
    lengths[position] = measured.end
    lines[position] = measured.lines
    levels[position] = measured.levels
  }

  function copyOf (position: number, origin: Buffer): Buffer {
    const length = compact.lengthOf(position, origin.length)
    if (room.length < end + length) {
      end = 0
      if (room.length < length) room = Buffer.allocUnsafeSlow(Math.max(length, roomBytes))
    }
    const start = end
    end = compact.copy(position, origin, room, start)
    return room.subarray(start, end)
  }
}
