import { mark } from './serialise.ts'
import type { Template } from './template.ts'

/**
 * Keeps the JSON of templates in a few large buffers, which costs the garbage collector nothing however many there are. The
 * oldest go when there is no room; parts stay.
 */
export type Shelf = {
  /** Puts a template on the shelf and tells its place; one that is not kept stays until the next is put there. */
  put: (template: Template, isKept: boolean) => number
  has: (place: number) => boolean
  /** Copies the JSON at a place, for an origin, into a buffer, from `start` on; gives where it ends. */
  copy: (place: number, origin: Buffer, target: Buffer, start: number) => number
}

/**
 * The number of a buffer, times the size of one, and where in it these stand: the size of the JSON, the JSON, a mark, and for
 * each mark in the JSON the place of a part.
 */
type Place = number

/** The size of a buffer, in bytes; what is longer has one of its own. */
const chunkBytes = 2 ** 20

const [markByte = 0] = Buffer.from(mark)

/** Stands for the place of a part where the origin is to stand. */
const originPlace = -1

export function createShelf (maxBytes: number): Shelf {
  const records = createChunks(maxBytes)
  const parts = createChunks(Infinity)
  const places = new WeakMap<Template, Place>()
  let filled: { target?: Buffer, origin?: Buffer, end: number } = { end: 0 }
  /** Where parts stand in the buffer that is being filled for an origin; from there they are copied at once. */
  let standing = new Map<Place, { start: number, end: number }>()

  return {
    put: ({ json, size, inserts }, isKept) => records.write(json, size, inserts.map(placeOf), isKept),
    has: place => records.at(place) !== undefined,
    copy (place, origin, target, start) {
      if (target !== filled.target || origin !== filled.origin || start < filled.end) standing = new Map()
      const end = copy(records, place, origin, target, start)
      filled = { target, origin, end }
      return end
    }
  }

  function placeOf (part: Template | undefined): Place {
    if (part === undefined) return originPlace
    const place = places.get(part) ?? parts.write(part.json, part.size, part.inserts.map(placeOf), true)
    places.set(part, place)
    return place
  }

  function copy (chunks: Chunks, place: Place, origin: Buffer, target: Buffer, start: number): number {
    const chunk = chunks.at(place) as Buffer
    let from = place % chunkBytes + 4
    const last = from + chunk.readUInt32LE(from - 4)
    let [end, next] = [start, last + 1]
    for (let at = chunk.indexOf(markByte, from); at < last; at = chunk.indexOf(markByte, from)) {
      end += chunk.copy(target, end, from, at)
      const part = chunk.readDoubleLE(next)
      end = part === originPlace ? end + origin.copy(target, end) : copyPart(part, origin, target, end)
      from = at + 1
      next += 8
    }
    return end + chunk.copy(target, end, from, last)
  }

  function copyPart (place: Place, origin: Buffer, target: Buffer, start: number): number {
    const known = standing.get(place)
    if (known !== undefined) return start + target.copy(target, start, known.start, known.end)
    const end = copy(parts, place, origin, target, start)
    standing.set(place, { start, end })
    return end
  }
}

type Chunks = {
  write: (json: string, size: number, inserts: readonly Place[], isKept: boolean) => Place
  at: (place: Place) => Buffer | undefined
}

function createChunks (maxBytes: number): Chunks {
  const chunks = new Map<number, Buffer>()
  let [number, end, total] = [0, 0, 0]

  return { write, at: place => chunks.get(Math.floor(place / chunkBytes)) }

  function write (json: string, size: number, inserts: readonly Place[], isKept: boolean): Place {
    const room = 4 + size + 1 + 8 * inserts.length
    const current = chunks.get(number)
    const chunk = current !== undefined && current.length - end >= room ? current : begin(Math.max(room, chunkBytes))
    const start = end
    let at = chunk.writeUInt32LE(size, start)
    at += chunk.write(json, at)
    at = chunk.writeUInt8(markByte, at)
    for (const insert of inserts) at = chunk.writeDoubleLE(insert, at)
    if (isKept) end = at
    return number * chunkBytes + start
  }

  function begin (size: number): Buffer {
    const chunk = Buffer.allocUnsafeSlow(size)
    chunks.set(++number, chunk)
    end = 0
    total += size
    for (const [oldest, { length }] of chunks) {
      if (total <= maxBytes || oldest === number) break
      chunks.delete(oldest)
      total -= length
    }
    return chunk
  }
}
